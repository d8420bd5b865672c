package search

import (
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/glob"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Column is the property of a document that a [Condition] tests.
type Column int

// The columns of a document for conditions.
const (
	OnLayer   Column = iota
	OnType           // decision, feature, fix …
	OnRole           // a role in a session, or a kind of source
	OnProject        // project id or folder
	OnAuthor         // name with address
	OnSession        // session id; that of a subagent is prefixed with its session's id and a slash
	OnPath           // any of a document's paths
	OnTool           // a tool's name, among the words of the tool field
)

// Condition is a property that a document must, or with Not must not, have.
type Condition struct {
	On Column
	// Match reports whether a value of the column satisfies the condition. It is not called
	// for OnTool, whose words are looked up in the index.
	Match func(value string) bool
	Words []string // OnTool: names, one of which must match
	Not   bool
}

// matches tests a document without regard to Not; tools are the names that a tool condition
// searches.
func (c Condition) matches(r index.Row, tools []string) bool {
	switch c.On {
	case OnPath:
		return c.Match(r.File) || slices.ContainsFunc(r.Paths, c.Match)
	case OnTool:
		return slices.ContainsFunc(tools, func(tool string) bool {
			return slices.ContainsFunc(c.Words, func(w string) bool { return strings.EqualFold(w, tool) })
		})
	}
	return c.Match(c.On.of(r))
}

// of returns the value of a document in a single-valued column.
func (c Column) of(r index.Row) string {
	switch c {
	case OnLayer:
		return r.Layer
	case OnType:
		return r.Type
	case OnRole:
		return r.Role
	case OnProject:
		return r.Project
	case OnAuthor:
		return r.Author
	case OnSession:
		return r.Session
	}
	return ""
}

// conditions returns all conditions of a query, including its plain filters. Those that need no decoded row come first.
func (q Query) conditions() []Condition {
	var out []Condition
	add := func(on Column, set bool, match func(string) bool) {
		if set {
			out = append(out, Condition{On: on, Match: match})
		}
	}
	add(OnProject, q.Projects != nil, q.Projects)
	add(OnLayer, len(q.Layers) > 0, func(s string) bool { return slices.Contains(q.Layers, s) })
	add(OnSession, q.Session != "", func(s string) bool { return OfSession(s, q.Session) })
	if q.Except != "" {
		out = append(out, Condition{On: OnSession, Match: ofSession(q.Except), Not: true})
	}
	return append(out, q.Conditions...)
}

// Narrows reports whether a filter of the query tests a column.
func (q Query) Narrows(on Column) bool {
	return slices.ContainsFunc(q.conditions(), func(c Condition) bool { return c.On == on })
}

// Allows reports whether the filters of the query on a column accept a value.
func (q Query) Allows(on Column, value string) bool {
	return !slices.ContainsFunc(q.conditions(), func(c Condition) bool { return c.On == on && c.Match(value) == c.Not })
}

// OfSession reports whether a session has an id, or an id with this prefix: as in gitmem, or as in its client.
func OfSession(session, id string) bool {
	return strings.HasPrefix(session, id) || strings.HasPrefix(transcript.OwnID(session), id)
}

// ofSession matches the turns of sessions, given by comma-separated ids, and of their subagents.
func ofSession(ids string) func(string) bool {
	all := strings.FieldsFunc(ids, func(r rune) bool { return r == ',' })
	return func(s string) bool {
		id, _, _ := strings.Cut(s, "/")
		return slices.Contains(all, id)
	}
}

// MatchesPath reports whether a path matches a pattern: a glob of the whole path or of its last part, where ** matches
// any number of folders, or literally a part of the path, whose name may contain glob characters, as in
// app/[id]/page.tsx.
func MatchesPath(pattern, p string) bool {
	return glob.Match(pattern, p) || glob.Match(pattern, path.Base(p)) || strings.Contains(p, pattern)
}

// Admits tests a document that is not in an index against all filters of the query but its
// words. tools are the names of the tools that it used.
func (q Query) Admits(r index.Row, tools []string) bool {
	if !q.InRange(r.ID, r.Release, r.Time) {
		return false
	}
	return !slices.ContainsFunc(q.conditions(), func(c Condition) bool { return c.matches(r, tools) == c.Not })
}

// HoldsWords tests a text that is not in an index against the required and excluded words
// of the query and its phrases.
func (q Query) HoldsWords(text string) bool {
	have := index.TermSet(text)
	holds := func(w Words) bool {
		return !slices.ContainsFunc(w.Terms, func(t string) bool { return !have[t] })
	}
	return !slices.ContainsFunc(q.Excluded, holds) && !slices.ContainsFunc(q.Required, func(w Words) bool {
		return !holds(w)
	}) &&
		!slices.ContainsFunc(q.Phrases, func(p Phrase) bool { return p.In(text) == p.Not })
}
