package docs

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers"
)

// entry is the description of one change in release notes.
type entry struct {
	heading string // heading above it within the release, "" for none
	line    int    // from 0, within the notes
	text    string
}

// entries splits release notes at their outermost list items, headings and paragraphs. Lines indented below
// an item belong to it.
func entries(text string) (out []entry) {
	lines := strings.SplitAfter(text, "\n")
	outer := outermost(lines)
	heading, open, fenced := "", false, false
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		fence := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")
		if (fenced || fence) && len(out) > 0 {
			fenced = fenced != fence
			out[len(out)-1].text += line
			continue
		}
		title, isHeading := headingOf(lines, i)
		if alone := strings.TrimSuffix(bare, ":"); alone != bare && indent(line) == 0 && !isBullet(bare) &&
			(i == 0 || strings.TrimSpace(lines[i-1]) == "") {
			title, isHeading = alone, true
		}
		switch {
		case isHeading:
			heading, open = title, false
		case isRuler(bare), bare == "" && !open:
		case isBullet(bare) && indent(line) <= outer, !open:
			out = append(out, entry{heading, i, line})
			open = true
		case bare != "" && indent(line) == 0 && !isBullet(bare) && i > 0 && strings.TrimSpace(lines[i-1]) == "":
			out = append(out, entry{heading, i, line}) // a separate paragraph
		default:
			out[len(out)-1].text += line
		}
	}
	return out
}

// headingOf returns the title of a heading within release notes: after number signs, or above an underline.
func headingOf(lines []string, i int) (string, bool) {
	bare := strings.TrimSpace(lines[i])
	if title := strings.TrimLeft(bare, "#"); title != bare && strings.HasPrefix(title, " ") {
		return strings.TrimSpace(title), true
	}
	trimmed := make([]string, 0, 2)
	for _, line := range lines[i:min(i+2, len(lines))] {
		trimmed = append(trimmed, strings.TrimRight(line, "\r\n"))
	}
	title, level, _ := underlined(trimmed, 0)
	return title, level > 0
}

func isRuler(bare string) bool { return len(bare) > 2 && underlineChar(bare) != 0 }

// isBullet reports whether a line begins a list item, with a bullet or a number.
func isBullet(bare string) bool {
	_, ok := markdown.CutBullet(bare)
	return ok
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// outermost returns the smallest indentation of a list item.
func outermost(lines []string) int {
	least := 1 << 10
	for _, line := range lines {
		if isBullet(strings.TrimSpace(line)) {
			least = min(least, indent(line))
		}
	}
	return least
}

// entryWords is how many words of an entry are in its anchor.
const entryWords = 6

// linkDefinitions matches a text that only consists of link targets, or of links to the release itself.
var linkDefinitions = lazy.Pattern(`^(?:(?:\s*\[[^\]]+\]: \S+\s*)+|(?:[\s|]*\[ *\[[^\]]+\]\[[^\]]+\] *\])+\s*)$`)

// releaseEntries returns the entries of a release as sections. The anchor of an entry is that of the release
// with the entry's first words, so that it does not change when others are added.
func (s Section) releaseEntries(list []entry) []Section {
	out := make([]Section, 0, len(list))
	taken, last := map[string]bool{}, map[string]int{}
	for _, e := range list {
		if len(out) == maxSections {
			break
		}
		if words := strings.Fields(e.text); len(words) <= 3 && !isBullet(strings.TrimSpace(e.text)) &&
			!dateIn(e.text).IsZero() {
			continue // the date of the release, which every entry has
		}
		if linkDefinitions().MatchString(e.text) {
			continue
		}
		one := s
		unmarked, _ := markdown.CutBullet(strings.TrimSpace(e.text))
		words := strings.Fields(markdown.WithoutLinks(unmarked))
		slug := strings.Trim(markdown.Slug(strings.Join(words[:min(entryWords, len(words))], " ")), "-_")
		for stem := slug; slug == "" || taken[slug]; {
			last[stem]++
			slug = stem + "-" + strconv.Itoa(last[stem]+1)
		}
		taken[slug] = true
		name, anchor, _ := strings.Cut(strings.TrimPrefix(s.ID, scheme), "#")
		one.ID, one.Line, one.Text = id(name, anchor+"/"+slug), s.Line+e.line, cutText(e.text)
		if e.heading != "" {
			one.Title += " › " + e.heading
		}
		one.Refs, one.Links = providers.References(e.text), changes(e.text)
		out = append(out, one)
	}
	return out
}

// changes returns the commits that an entry mentions, each by the longest prefix of its hash.
func changes(text string) (links []providers.Link) {
	var found []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len(word) >= 7 && len(word) <= 40 && strings.Trim(word, "0123456789abcdef") == "" &&
			strings.ContainsAny(word, "abcdef") && strings.ContainsAny(word, "0123456789") {
			found = append(found, word)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return len(b) - len(a) })
	for _, hash := range found {
		if !slices.ContainsFunc(links, func(l providers.Link) bool {
			return strings.HasPrefix(l.ID, providers.CommitID+hash)
		}) {
			links = append(links, providers.Link{Rel: providers.Contains, ID: providers.CommitID + hash})
		}
	}
	return links
}
