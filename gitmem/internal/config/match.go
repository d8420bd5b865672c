package config

import (
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// Machine is what matching needs to know of the file system.
type Machine struct {
	Home string // the user's home folder, written as ~ in rules
	GOOS string // as runtime.GOOS names it; "" compares bytes
	// Resolve returns a path with its links resolved, as in the folders that are matched;
	// nil resolves none.
	Resolve func(path string) string
}

// Matcher finds the rule that covers a folder or a remote. It is safe for concurrent use.
type Matcher struct {
	goos    string
	folders []pattern
	remotes []pattern
}

// pattern is a rule as it is matched.
type pattern struct {
	rule     string // as written
	segments []segment
	drive    bool // the first segment is a drive, without a slash before it
}

type segment struct {
	text    string
	literal bool
}

// Matcher prepares the rules of exclude for one machine.
func (c Config) Matcher(on Machine) Matcher { return matcher(c.Exclude, on) }

// Matcher prepares the rules of only for one machine.
func (j Jira) Matcher(on Machine) Matcher { return matcher(j.Only, on) }

func matcher(rules []Rule, on Machine) Matcher {
	m := Matcher{goos: on.GOOS}
	for _, r := range rules {
		if r.Remote {
			m.remotes = append(m.remotes, pattern{rule: r.Text, segments: globs(r.segments)})
			continue
		}
		p, ok := m.folderPattern(r, on.Home)
		if !ok {
			continue
		}
		m.folders = append(m.folders, p)
		if other, ok := m.resolved(p, on.Resolve); ok {
			m.folders = append(m.folders, other)
		}
	}
	return m
}

// Empty reports whether there is no rule.
func (m Matcher) Empty() bool { return len(m.folders)+len(m.remotes) == 0 }

// HasRemotes reports whether a rule is about remotes.
func (m Matcher) HasRemotes() bool { return len(m.remotes) > 0 }

// Excluded reports whether a rule covers a folder (an absolute path) or one of the
// remotes (host/owner/repository), and which is the first that does.
func (m Matcher) Excluded(folder string, remotes ...string) (rule string, ok bool) {
	if folder != "" {
		parts := m.split(folder)
		for _, p := range m.folders {
			if p.covers(parts) {
				return p.rule, true
			}
		}
	}
	for _, r := range remotes {
		parts := strings.Split(strings.ToLower(r), "/")
		for _, p := range m.remotes {
			if p.covers(parts) {
				return p.rule, true
			}
		}
	}
	return "", false
}

// ExcludedName is Excluded for a folder of which only the name that munge makes of its path
// is known. As that replaces the characters between letters, it also covers folders with
// similar names.
func (m Matcher) ExcludedName(name string, munge func(string) string) (rule string, ok bool) {
	name = m.fold(name)
	for _, p := range m.folders {
		glob := p.munged(munge)
		for _, g := range []string{glob, glob + "-*"} {
			if ok, err := path.Match(g, name); ok && err == nil {
				return p.rule, true
			}
		}
	}
	return "", false
}

func globs(texts []string) []segment {
	out := make([]segment, len(texts))
	for i, t := range texts {
		out[i] = segment{text: t, literal: !strings.ContainsAny(t, `*?[\`)}
	}
	return out
}

// fold normalises what the machine's file systems treat as equal.
func (m Matcher) fold(s string) string {
	if m.goos == "windows" || m.goos == "darwin" {
		return strings.ToLower(s)
	}
	return s
}

// split cuts a folder's path into its segments.
func (m Matcher) split(folder string) []string {
	folder = m.fold(folder)
	if m.goos == "windows" {
		folder = strings.TrimPrefix(strings.ReplaceAll(folder, `\`, "/"), "//?/")
	}
	return slices.DeleteFunc(strings.Split(folder, "/"), func(s string) bool { return s == "" || s == "." })
}

func (m Matcher) folderPattern(r Rule, home string) (pattern, bool) {
	p := pattern{rule: r.Text}
	switch r.root {
	case "~":
		if home == "" {
			return p, false
		}
		for _, s := range m.split(home) {
			p.segments = append(p.segments, segment{s, true})
		}
		p.drive = isDrive(home)
	case "**":
		p.segments = []segment{{text: "**"}}
	case "/", "//":
	default:
		p.segments, p.drive = []segment{{m.fold(r.root), true}}, true
	}
	for _, s := range globs(r.segments) {
		s.text = m.fold(s.text)
		p.segments = append(p.segments, s)
	}
	return p, true
}

// resolved is the pattern with the links in its literal prefix resolved, if there are any:
// the client names folders by their targets.
func (m Matcher) resolved(p pattern, resolve func(string) string) (pattern, bool) {
	n := slices.IndexFunc(p.segments, func(s segment) bool { return !s.literal })
	if n < 0 {
		n = len(p.segments)
	}
	if resolve == nil || n == 0 {
		return p, false
	}
	texts := make([]string, n)
	for i, s := range p.segments[:n] {
		texts[i] = s.text
	}
	lead := "/"
	if p.drive {
		lead = ""
	}
	before := lead + strings.Join(texts, "/")
	after := m.split(resolve(before))
	if slices.Equal(after, texts) {
		return p, false
	}
	out := pattern{rule: p.rule, drive: p.drive}
	for _, s := range after {
		out.segments = append(out.segments, segment{s, true})
	}
	out.segments = append(out.segments, p.segments[n:]...)
	return out, true
}

// covers reports whether the pattern matches a path or a folder above it. It tracks the set
// of reached positions in the pattern, so that many ** cost no more than few.
func (p pattern) covers(parts []string) bool {
	reached := make([]bool, len(p.segments)+1)
	reached[0] = true
	for {
		for i, s := range p.segments { // ** may match nothing
			reached[i+1] = reached[i+1] || reached[i] && s.isDoubleStar()
		}
		if reached[len(p.segments)] || len(parts) == 0 {
			return reached[len(p.segments)]
		}
		next := make([]bool, len(reached))
		for i, s := range p.segments {
			if reached[i] && s.isDoubleStar() {
				next[i] = true
			} else if reached[i] && s.matches(parts[0]) {
				next[i+1] = true
			}
		}
		reached, parts = next, parts[1:]
	}
}

func (s segment) isDoubleStar() bool { return s.text == "**" && !s.literal }

func (s segment) matches(part string) bool {
	if s.literal {
		return s.text == part
	}
	ok, err := path.Match(s.text, part)
	return ok && err == nil
}

// munged is the pattern of names that munge makes of the paths it matches.
func (p pattern) munged(munge func(string) string) string {
	var b strings.Builder
	for i, s := range p.segments {
		switch {
		case s.isDoubleStar():
			if i+1 < len(p.segments) {
				b.WriteByte('*')
			}
			continue
		case i > 0 || !p.drive:
			b.WriteByte('-')
		}
		b.WriteString(mungedSegment(s, munge))
	}
	return b.String()
}

// segmentPart is a wildcard, a class, an escaped character, or text between them.
var segmentPart = lazy.Pattern(`[*?]|\[[^\]]*\]?|\\.?|[^*?\[\\]+`)

// mungedSegment keeps the wildcards of a segment; a class becomes a ?.
func mungedSegment(s segment, munge func(string) string) string {
	if s.literal {
		return munge(s.text)
	}
	return segmentPart().ReplaceAllStringFunc(s.text, func(part string) string {
		switch part[0] {
		case '*', '?':
			return part
		case '[':
			return "?"
		case '\\':
			return "-" // letters need no escape
		}
		return munge(part)
	})
}
