package promote

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/templates"
)

const (
	// RulesDir is the folder in which the client looks for a repository's rules.
	RulesDir = ".claude/rules"
	// otherDomain is the file for rules that are not about a kind of files.
	otherDomain = "conventions"
	// maxRule is the maximum length of a rule, in characters: an agent reads all of them.
	maxRule = 400
	// maxSubject is the maximum length of the first line of a commit, in characters.
	maxSubject = 72
)

// ruleFile is a file of rules in a commit or in the work tree.
type ruleFile struct {
	path string
	text []byte
	link bool // a link to a file
}

var globPart = lazy.Pattern(`(?:\{[^}]*\}|[^,{])+`)

// globSigns are the characters of a folder's name that have a special meaning in a pattern.
var globSigns = lazy.Pattern(`[][*?{}!\\]`)

// globs returns the patterns of the files that a file of rules applies to; none means all. A file with a well-known
// name that may be in any folder applies to its folder.
func (f ruleFile) globs() (list []string) {
	if dir := path.Dir(f.path); docs.Rules(f.path) && dir != "." {
		return []string{globSigns().ReplaceAllString(dir, `\$0`) + "/**"}
	}
	front := markdown.Parse(f.text).Front
	if front == nil {
		return nil
	}
	switch v := front.Fields["paths"].(type) {
	case string:
		// A comma between braces is part of the glob.
		for _, s := range globPart().FindAllString(v, -1) {
			list = append(list, strings.TrimSpace(s))
		}
	case []any:
		for _, s := range v {
			list = append(list, fmt.Sprint(s))
		}
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// unreadable reports whether a file begins with frontmatter that does not specify its files.
func (f ruleFile) unreadable() bool {
	front := markdown.Parse(f.text).Front
	if front == nil || front.Fields == nil {
		return strings.HasPrefix(string(f.text), "---")
	}
	switch front.Fields["paths"].(type) {
	case nil, string, []any:
		return false
	}
	return true
}

// covers reports whether one of some globs matches one of some paths.
func covers(globs, paths []string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		return slices.ContainsFunc(paths, func(p string) bool {
			return doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "/"), p)
		})
	})
}

var lineMarks = lazy.Pattern(`^(?:(?:[-*+>]|#{1,6}|\d+[.)]|\[[ /xX]\]) )+`)

// wording returns a rule on one line, in the given words. It returns an error if the rule is empty or too long.
func wording(said string) (string, error) {
	rule := lineMarks().ReplaceAllString(strings.Join(strings.Fields(messages.Visible(said)), " "), "")
	switch n := utf8.RuneCountInString(rule); {
	case !strings.ContainsFunc(rule, unicode.IsLetter):
		return "", fmt.Errorf("%w: the rule is empty", messages.ErrUsage)
	case n > maxRule:
		return "", &messages.Refusal{Reason: fmt.Sprintf("the rule has %d characters, more than %d", n, maxRule),
			Advice: "say it in a sentence or two: gitmem promote <citation> \"…\"", Err: messages.ErrUsage}
	}
	return rule, nil
}

var ruleWord = lazy.Pattern(`[\pL\pN]+`)

// domainOf returns the subject of a rule, and the globs of its files, none for all: from the files in its evidence, or
// else from its words.
func domainOf(rule string, paths []string) (name string, globs []string) {
	domains, counts := templates.Domains(), map[string]int{}
	best := templates.Domain{}
	for _, d := range domains {
		for _, p := range paths {
			if slices.Contains(d.Extensions, strings.TrimPrefix(path.Ext(p), ".")) {
				counts[d.Name]++
			}
		}
		if counts[d.Name] > counts[best.Name] {
			best = d
		}
	}
	if best.Name != "" {
		for _, ext := range best.Extensions {
			used := slices.ContainsFunc(paths, func(p string) bool { return path.Ext(p) == "."+ext })
			if used || ext == best.Extensions[0] {
				globs = append(globs, "**/*."+ext)
			}
		}
		return best.Name, globs
	}
	words := ruleWord().FindAllString(strings.ToLower(rule), -1)
	for _, d := range domains {
		if slices.ContainsFunc(d.Words, func(w string) bool { return slices.Contains(words, w) }) {
			return d.Name, nil
		}
	}
	return otherDomain, nil
}

// checkDomain rejects a name that would lead out of the folder of rules.
func checkDomain(name string) error {
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,59}$`).MatchString(name) {
		return fmt.Errorf("%w: --domain %q: want small letters, digits and hyphens, such as testing", messages.ErrUsage,
			messages.OneLine(name, maxSubject))
	}
	return nil
}

// withRule returns a file of rules with an added rule: in the section with the most similar rule, or the last one. A
// new file begins with the globs.
func withRule(f ruleFile, rule string, globs []string) ([]byte, error) {
	if f.text == nil {
		return []byte(newFile(strings.TrimSuffix(path.Base(f.path), ".md"), rule, globs)), nil
	}
	d := markdown.Parse(f.text)
	at, most := len(d.Sections)-1, 0.0
	for i, s := range d.Sections {
		for _, st := range lint.Statements(f.path, s.Body.Of(f.text)) {
			if like := lint.Likeness(st.Text, rule); like > most {
				at, most = i, like
			}
		}
	}
	body := d.Body.Of(f.text)
	if at >= 0 {
		body = d.Sections[at].Body.Of(f.text)
	}
	lines := strings.Split(strings.TrimSpace(string(body)), "\n")
	text := "- " + rule
	switch last := strings.TrimSpace(lines[len(lines)-1]); {
	case strings.HasPrefix(last, "* "):
		text = "* " + rule
	case last != "" && !strings.HasPrefix(last, "- ") && !strings.HasPrefix(lines[len(lines)-1], " "):
		text = "\n" + text // the previous line is a paragraph
	}
	return markdown.Apply(f.text, d.AppendTo(at, text))
}

func newFile(domain, rule string, globs []string) string {
	var b strings.Builder
	if len(globs) > 0 {
		b.WriteString("---\npaths:\n")
		for _, g := range globs {
			b.WriteString("  - " + markdown.QuoteYAML(g) + "\n")
		}
		b.WriteString("---\n\n")
	}
	title := strings.ReplaceAll(domain, "-", " ")
	fmt.Fprintf(&b, "# %s\n\n- %s\n", strings.ToUpper(title[:1])+title[1:], rule)
	return b.String()
}

// idOf derives an id from the words of a rule, regardless of their form, so that the same rule has the same branch on
// every machine.
func idOf(rule string) string {
	words := strings.Fields(strings.ToLower(rule))
	for i, w := range words {
		words[i] = strings.Trim(w, ".,;:!?`'\"()")
	}
	return markdown.ContentID(strings.Join(words, " "))
}

// branchPrefix is the prefix of all branches of rules.
const branchPrefix = "gitmem/rule-"

// branchOf returns the branch of a rule.
func branchOf(rule, id string) string {
	return branchPrefix + markdown.TitleID(rule) + "-" + id
}

// subjectOf returns the title of the pull request, and the first line of the commit.
func subjectOf(rule string) string {
	first, size := utf8.DecodeRuneInString(rule)
	if second, _ := utf8.DecodeRuneInString(rule[size:]); strings.ToUpper(string(second)) != string(second) {
		rule = strings.ToLower(string(first)) + rule[size:]
	}
	return messages.OneLine("rules: "+inert(strings.TrimRight(rule, ".")), maxSubject)
}

var mentionSign = lazy.Pattern(`@(\w)|#(\d)|\b(?:GH|gh)-(\d)|/(?:issues|pull|merge_requests|work_items)/(\d)`)

// inert returns text of others that has no effect on a forge: it mentions nobody, closes nothing and skips no checks.
func inert(text string) string {
	text = strings.NewReplacer("[", "(", "]", ")").Replace(text)
	return mentionSign().ReplaceAllString(text, "$1$2$3$4")
}
