package lint

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/markdown"
)

// Statement is one thing that a file says: a list item or a paragraph.
type Statement struct {
	File string
	Line int    // of its first line, counted from 1
	Text string // on one line, without bullet or checkbox
}

// Statements returns what a Markdown file says outside of headings, code, tables
// and comments.
func Statements(path string, src []byte) (out []Statement) {
	body := markdown.Parse(src).Body
	n := bytes.Count(src[:body.Start], []byte("\n"))
	goesOn, comment, fence := false, false, "" // what the line before leaves open
	for raw := range bytes.Lines(body.Of(src)) {
		n++
		text := strings.TrimSpace(string(raw))
		open := goesOn
		goesOn = false
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case comment || strings.HasPrefix(text, "<!--"):
			comment = !strings.Contains(text, "-->")
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
		case text == "", text[0] == '#', text[0] == '|', strings.Trim(text, "-=*_ ") == "":
		default:
			goesOn = true
			if item, isItem := bullet(text); isItem || !open {
				out = append(out, Statement{File: path, Line: n, Text: item})
			} else {
				out[len(out)-1].Text += " " + text
			}
		}
	}
	return slices.DeleteFunc(out, func(s Statement) bool { return s.Text == "" })
}

// bullet takes a list marker and a checkbox off a line.
func bullet(text string) (string, bool) {
	m := regexp.MustCompile(`^(?:[-*+]|[0-9]{1,3}[.)]) +(?:\[[ xX]\] +)?`).FindString(text + " ")
	return text[min(len(m), len(text)):], m != ""
}

// sameShare is the share of common words from which two statements say the same.
const sameShare = 0.8

// Same tells whether two statements say the same in nearly the same words. With
// another number, one corrects the other.
func Same(a, b string) bool {
	return negated(a) == negated(b) && jaccard(subject(a), subject(b)) >= sameShare && maps.Equal(numbers(a), numbers(b))
}

// numbers are the words of a statement that have a digit.
func numbers(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		if strings.ContainsAny(w, "0123456789") {
			set[bare(w)] = true
		}
	}
	return set
}

// subject are the words of a statement but for those that deny it: there are many
// ways to say no.
func subject(text string) map[string]bool {
	return wordSet(strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool { return isOneOf(denials, bare(w)) }), " "))
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range index.QueryTerms(text) {
		set[t] = true
	}
	return set
}

// jaccard is the Jaccard index: common words by all words.
func jaccard(a, b map[string]bool) float64 {
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}
