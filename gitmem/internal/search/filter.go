package search

import (
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// filter decides per row; what depends on an interned string is decided once a string.
type filter struct {
	q        Query
	snap     *index.Snapshot
	projects map[uint32]bool
	authors  map[uint32]bool
	sessions map[int32]bool
}

func newFilter(q Query, snap *index.Snapshot) *filter {
	return &filter{q: q, snap: snap, projects: map[uint32]bool{}, authors: map[uint32]bool{}, sessions: map[int32]bool{}}
}

// cheap filters from the columns; row decodes a document and is only reached by
// rows that passed the columns.
func (f *filter) pass(row int32) bool {
	i := int(row)
	if f.snap.Dead(i) || !f.inRange(i) || !f.inScope(i) || !f.byAuthor(i) || f.excepted(i) {
		return false
	}
	if f.q.Type == "" && f.q.Path == "" && f.q.Session == "" && len(f.q.Layers) == 0 {
		return true
	}
	r := f.snap.Row(i)
	return f.layer(r.Layer) && (f.q.Type == "" || r.Type == f.q.Type) &&
		strings.HasPrefix(r.Session, f.q.Session) && (f.q.Path == "" || matchesPath(f.q.Path, r))
}

func (f *filter) inRange(i int) bool {
	if f.q.Range.IsZero() {
		return true
	}
	sec := f.snap.Unix(i)
	if sec == 0 {
		return false
	}
	return (f.q.Range.Since.IsZero() || sec >= f.q.Range.Since.Unix()) &&
		(f.q.Range.Until.IsZero() || sec < f.q.Range.Until.Unix())
}

func (f *filter) inScope(i int) bool {
	if f.q.Projects == nil {
		return true
	}
	ref := f.snap.ProjectOf(i)
	ok, known := f.projects[ref]
	if !known {
		ok = f.q.Projects(f.snap.Row(i).Project)
		f.projects[ref] = ok
	}
	return ok
}

func (f *filter) byAuthor(i int) bool {
	if f.q.Author == "" {
		return true
	}
	ref := f.snap.AuthorOf(i)
	ok, known := f.authors[ref]
	if !known {
		ok = strings.Contains(strings.ToLower(f.snap.Row(i).Author), strings.ToLower(f.q.Author))
		f.authors[ref] = ok
	}
	return ok
}

func (f *filter) excepted(i int) bool {
	id := f.snap.SessionOf(i)
	if f.q.Except == "" || id < 0 {
		return false
	}
	out, known := f.sessions[id]
	if !known {
		s := f.snap.Row(i).Session
		out = s == f.q.Except || strings.HasPrefix(s, f.q.Except+"/")
		f.sessions[id] = out
	}
	return out
}

func (f *filter) layer(layer string) bool {
	if len(f.q.Layers) == 0 {
		return true
	}
	for _, l := range f.q.Layers {
		if l == layer {
			return true
		}
	}
	return false
}

func matchesPath(pattern string, r index.Row) bool {
	for _, p := range append([]string{r.File}, r.Paths...) {
		if ok, err := path.Match(pattern, p); err == nil && ok {
			return true
		}
		if ok, err := path.Match(pattern, path.Base(p)); err == nil && ok {
			return true
		}
		if !strings.ContainsAny(pattern, "*?[") && strings.Contains(p, pattern) {
			return true
		}
	}
	return false
}
