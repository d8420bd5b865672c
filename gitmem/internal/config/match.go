package config

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/glob"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// Machine contains the properties of the file system that matching depends on.
type Machine struct {
	Home string // the user's home folder, written as ~ in rules
	GOOS string // as in runtime.GOOS; "" compares bytes
	// Resolve returns a path with its links resolved, as in the matched folders; nil resolves none.
	Resolve func(path string) string
}

// Matcher finds the rule that covers a folder or a remote. It is safe for concurrent use.
type Matcher struct {
	goos    string
	folders []pattern
	remotes []pattern
}

// pattern is a compiled rule.
type pattern struct {
	rule    string   // as written
	literal []string // leading segments without wildcards
	globs   []string // the remaining segments
	drive   bool     // the first segment is a drive, without a slash before it
}

// add appends the segments of a rule. It drops a trailing **, since a rule covers everything below its folder.
func (p *pattern) add(segments []string) {
	for len(segments) > 0 && segments[len(segments)-1] == "**" {
		segments = segments[:len(segments)-1]
	}
	n := slices.IndexFunc(segments, func(s string) bool { return strings.ContainsAny(s, `*?[{\`) })
	if n < 0 {
		n = len(segments)
	}
	p.literal, p.globs = append(p.literal, segments[:n]...), segments[n:]
}

// Matcher compiles the rules of exclude for a machine.
func (c Config) Matcher(on Machine) Matcher { return matcher(c.Exclude, on) }

// Matcher compiles the rules of only for a machine.
func (j Jira) Matcher(on Machine) Matcher { return matcher(j.Only, on) }

func matcher(rules []Rule, on Machine) Matcher {
	m := Matcher{goos: on.GOOS}
	for _, r := range rules {
		if r.Remote {
			p := pattern{rule: r.Text}
			p.add(r.segments)
			m.remotes = append(m.remotes, p)
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

// HasRemotes reports whether there is a rule for remotes.
func (m Matcher) HasRemotes() bool { return len(m.remotes) > 0 }

// Excluded reports whether a rule covers a folder (an absolute path) or one of the remotes (host/owner/repository), and
// returns the first such rule.
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

// ExcludedName is like Excluded for a folder of which only the munged name is known, as munge makes it from the path.
// Since munge replaces characters other than letters, similarly named folders are covered too.
func (m Matcher) ExcludedName(name string, munge func(string) string) (rule string, ok bool) {
	name = m.fold(name)
	for _, p := range m.folders {
		munged := p.munged(munge)
		for _, g := range []string{munged, munged + "-*"} {
			if glob.Match(g, name) {
				return p.rule, true
			}
		}
	}
	return "", false
}

// fold normalises case if the machine's file systems ignore it.
func (m Matcher) fold(s string) string {
	if m.goos == "windows" || m.goos == "darwin" {
		return strings.ToLower(s)
	}
	return s
}

// split splits a folder's path into segments.
func (m Matcher) split(folder string) []string {
	folder = m.fold(folder)
	if m.goos == "windows" {
		folder = strings.TrimPrefix(strings.ReplaceAll(folder, `\`, "/"), "//?/")
	}
	return slices.DeleteFunc(strings.Split(folder, "/"), func(s string) bool { return s == "" || s == "." })
}

func (m Matcher) folderPattern(r Rule, home string) (pattern, bool) {
	p, segments := pattern{rule: r.Text}, r.segments
	switch r.root {
	case "~":
		if home == "" {
			return p, false
		}
		p.literal, p.drive = m.split(home), isDrive(home)
	case "**":
		segments = slices.Concat([]string{"**"}, segments)
	case "/", "//":
	default:
		p.literal, p.drive = []string{m.fold(r.root)}, true
	}
	folded := slice.Map(segments, m.fold)
	p.add(folded)
	return p, true
}

// resolved returns the pattern with the links in its literal part resolved, and whether that changed it. The client
// names folders by their link targets.
func (m Matcher) resolved(p pattern, resolve func(string) string) (pattern, bool) {
	if resolve == nil || len(p.literal) == 0 {
		return p, false
	}
	lead := "/"
	if p.drive {
		lead = ""
	}
	before := p.literal
	p.literal = m.split(resolve(lead + strings.Join(before, "/")))
	return p, !slices.Equal(p.literal, before)
}

// covers reports whether the pattern matches a path or a folder above it.
func (p pattern) covers(parts []string) bool {
	n := len(p.literal)
	if len(parts) < n || !slices.Equal(parts[:n], p.literal) {
		return false
	}
	rest := strings.Join(p.globs, "/")
	for i := n; i < len(parts) && rest != ""; i++ {
		if glob.Match(rest, strings.Join(parts[n:i+1], "/")) {
			return true
		}
	}
	return rest == ""
}

// munged returns the pattern of munged names for the paths that the pattern matches.
func (p pattern) munged(munge func(string) string) string {
	var b strings.Builder
	for i, s := range p.literal {
		if i > 0 || !p.drive {
			b.WriteByte('-')
		}
		b.WriteString(munge(s))
	}
	for _, s := range p.globs {
		if s == "**" {
			b.WriteByte('*')
		} else {
			b.WriteString("-" + mungedSegment(s, munge))
		}
	}
	return b.String()
}

// segmentPart matches a wildcard, a class, an escaped character, or the text between them.
var segmentPart = lazy.Pattern(`[*?]|\[[^\]]*\]?|\\.?|[^*?\[\\]+`)

// mungedSegment munges a segment and keeps its wildcards; a class becomes a ?.
func mungedSegment(s string, munge func(string) string) string {
	return segmentPart().ReplaceAllStringFunc(s, func(part string) string {
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
