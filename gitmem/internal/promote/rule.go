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
	// RulesDir is where the client looks for a repository's rules.
	RulesDir = ".claude/rules"
	// otherDomain is where rules go that are about no kind of files.
	otherDomain = "conventions"
	// maxRule is how long a rule may be, in characters: an agent reads all of them.
	maxRule = 400
	// maxSubject is how long the first line of a commit may be, in characters.
	maxSubject = 72
)

// ruleFile is a file of rules as a commit, or the work tree, has it.
type ruleFile struct {
	path string
	text []byte
	link bool // it is none, but leads to one
}

var globPart = lazy.Pattern(`(?:\{[^}]*\}|[^,{])+`)

// globSigns are the characters of a folder's name that mean something else in a pattern.
var globSigns = lazy.Pattern(`[][*?{}!\\]`)

// globs are the patterns of the files that a file of rules is for; none means all. A file that
// carries its name to be found in any folder is for its folder.
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
		// A comma between braces is one of the glob.
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

// unreadable reports whether a file begins with frontmatter that does not say which files it is for.
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

// wording is a rule on one line, as somebody said it. The error is for one that is empty or
// too long to be a rule.
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

// domainOf is what a rule is about, and the globs of the files that it is for, none for all:
// those of the files that its evidence names, or else by its words.
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

// checkDomain refuses a name that would lead out of the folder of rules.
func checkDomain(name string) error {
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,59}$`).MatchString(name) {
		return fmt.Errorf("%w: --domain %q: want small letters, digits and hyphens, such as testing", messages.ErrUsage,
			messages.OneLine(name, maxSubject))
	}
	return nil
}

// withRule is a file of rules with one more: in the section that says what is most like it, or
// the last one. A file that is not there yet begins with the globs.
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
		text = "\n" + text // the line before is a paragraph
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

// idOf names a rule by its words, however they are put, so that the same rule has the same
// branch from every machine.
func idOf(rule string) string {
	words := strings.Fields(strings.ToLower(rule))
	for i, w := range words {
		words[i] = strings.Trim(w, ".,;:!?`'\"()")
	}
	return markdown.ContentID(strings.Join(words, " "))
}

// branchPrefix begins the names of all branches of rules.
const branchPrefix = "gitmem/rule-"

// branchOf is the branch of a rule.
func branchOf(rule, id string) string {
	return branchPrefix + markdown.TitleID(rule) + "-" + id
}

// subjectOf is the title of the pull request, and the first line of the commit.
func subjectOf(rule string) string {
	first, size := utf8.DecodeRuneInString(rule)
	if second, _ := utf8.DecodeRuneInString(rule[size:]); strings.ToUpper(string(second)) != string(second) {
		rule = strings.ToLower(string(first)) + rule[size:]
	}
	return messages.OneLine("rules: "+inert(strings.TrimRight(rule, ".")), maxSubject)
}

var mentionSign = lazy.Pattern(`@(\w)|#(\d)|\b(?:GH|gh)-(\d)|/(?:issues|pull|merge_requests|work_items)/(\d)`)

// inert are words of others where a forge would act on them: they mention nobody, close
// nothing and skip no checks.
func inert(text string) string {
	text = strings.NewReplacer("[", "(", "]", ")").Replace(text)
	return mentionSign().ReplaceAllString(text, "$1$2$3$4")
}
