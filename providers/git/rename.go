package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// minSimilar is the share of the larger file, in percent, that a file and the
	// one it is renamed to have in common at least; git's own limit.
	minSimilar = 50
	// maxCandidates bounds the files on either side that are compared with each
	// other, and maxSimilarSize their bytes.
	maxCandidates  = 24
	maxSimilarSize = 256 << 10
)

// renaming pairs removed with added files.
type renaming struct {
	from map[int]int  // added: removed
	old  map[int]bool // removed
	// limited says that only equal contents were paired.
	limited bool
}

// of returns the change that took away the old path of change i, or -1, and
// whether i itself is such a change.
func (r renaming) of(i int) (from int, isOld bool) {
	if at, ok := r.from[i]; ok {
		return at, false
	}
	return -1, r.old[i]
}

func (r *renaming) pair(added, removed int) {
	if r.from == nil {
		r.from, r.old = map[int]int{}, map[int]bool{}
	}
	r.from[added], r.old[removed] = removed, true
}

// renames pairs the removed and added files of a change: first those with the
// same content, then those that are similar, the most similar first.
func (c *contents) renames(ctx context.Context, d *differ) (renaming, error) {
	var r renaming
	var removed, added []int
	for i, ch := range d.changes {
		switch s := d.sides[i]; {
		case ch.Op == 'D' && s.before.mode&modeMask != modeSubmodule:
			removed = append(removed, i)
		case ch.Op == 'A' && s.after.mode&modeMask != modeSubmodule:
			added = append(added, i)
		}
	}
	if len(removed) == 0 || len(added) == 0 {
		return r, nil
	}
	r.exact(d, removed, added)
	left := func(i int) bool { from, isOld := r.of(i); return from >= 0 || isOld }
	removed, added = slices.DeleteFunc(removed, left), slices.DeleteFunc(added, left)
	found, err := c.similar(ctx, d, removed, added)
	if errors.Is(err, errEffort) {
		r.limited, err = true, nil
	}
	for _, m := range found {
		if _, done := r.from[m.added]; !done && !r.old[m.removed] {
			r.pair(m.added, m.removed)
		}
	}
	return r, err
}

// emptyBlob is the id of a file without content, which says nothing about where it
// came from.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// exact pairs equal contents. Of several it prefers one of the same base name.
func (r *renaming) exact(d *differ, removed, added []int) {
	byID := map[plumbing.Hash][]int{}
	for _, i := range removed {
		id := d.sides[i].before.id
		byID[id] = append(byID[id], i)
	}
	empty := plumbing.NewHash(emptyBlob)
	for _, sameName := range [2]bool{true, false} {
		for _, i := range added {
			id := d.sides[i].after.id
			if _, done := r.from[i]; done || id == empty {
				continue
			}
			for _, from := range byID[id] {
				if !r.old[from] && (!sameName || sameBase(d, i, from)) {
					r.pair(i, from)
					break
				}
			}
		}
	}
}

func sameBase(d *differ, i, j int) bool {
	return path.Base(d.changes[i].Path) == path.Base(d.changes[j].Path)
}

// match is a pair of files that are similar.
type match struct{ added, removed, score int }

// similar lists the files that have enough lines in common, the most similar first.
// Where there are too many to compare each with each, only those of one base name are.
func (c *contents) similar(ctx context.Context, d *differ, removed, added []int) ([]match, error) {
	partners := candidatesFor(d, removed, added)
	var found []match
	prints := fingerprints{known: map[plumbing.Hash]*fingerprint{}}
	for _, i := range added {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, j := range partners(i) {
			if path.Ext(d.changes[i].Path) != path.Ext(d.changes[j].Path) && !sameStem(d, i, j) {
				continue
			}
			score, err := c.similarity(&prints, d.sides[i].after, d.sides[j].before)
			if err != nil {
				return nil, err
			}
			if score >= minSimilar {
				if sameBase(d, i, j) {
					score += 10 // the name counts where contents leave a choice
				}
				if err := prints.hold(1); err != nil {
					return nil, err
				}
				found = append(found, match{i, j, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return found, nil
}

// candidatesFor gives the removed files with which an added one is compared.
func candidatesFor(d *differ, removed, added []int) func(i int) []int {
	if len(removed) <= maxCandidates && len(added) <= maxCandidates {
		return func(int) []int { return removed }
	}
	byBase := map[string][]int{}
	for _, j := range removed {
		base := path.Base(d.changes[j].Path)
		byBase[base] = append(byBase[base], j)
	}
	return func(i int) []int { return byBase[path.Base(d.changes[i].Path)] }
}

func sameStem(d *differ, i, j int) bool {
	a, b := path.Base(d.changes[i].Path), path.Base(d.changes[j].Path)
	return a[:len(a)-len(path.Ext(a))] == b[:len(b)-len(path.Ext(b))]
}

// fingerprint is how many bytes of a text are in each of its lines.
type fingerprint struct {
	size  int
	lines map[uint64]int
}

// fingerprints are those of one commit.
type fingerprints struct {
	effort
	known map[plumbing.Hash]*fingerprint
}

// similarity compares two files.
func (c *contents) similarity(all *fingerprints, after, before ref) (int, error) {
	a, err := c.fingerprint(all, after)
	if err != nil {
		return 0, err
	}
	b, err := c.fingerprint(all, before)
	if err != nil {
		return 0, err
	}
	return a.similarity(b), all.step(1 + len(a.lines))
}

// fingerprint makes or finds the one of a file; an empty one for what is not
// compared.
func (c *contents) fingerprint(all *fingerprints, r ref) (*fingerprint, error) {
	if p, ok := all.known[r.id]; ok {
		return p, nil
	}
	p := &fingerprint{}
	all.known[r.id] = p
	text, isText, err := c.text(r)
	if err != nil && !errors.Is(err, ErrTooLarge) {
		return p, err
	}
	if !isText || len(text) > maxSimilarSize {
		return p, nil
	}
	p.size, p.lines = len(text), map[uint64]int{}
	for line := range bytes.Lines(text) {
		p.lines[maphash.Bytes(c.seed, line)] += len(line)
	}
	return p, all.hold(len(p.lines))
}

// similarity is the share of the larger text, in percent, that is in lines which
// the other one has too.
func (p *fingerprint) similarity(q *fingerprint) int {
	larger := max(p.size, q.size)
	if larger == 0 || min(p.size, q.size)*100 < larger*minSimilar {
		return 0
	}
	common := 0
	for line, n := range p.lines {
		common += min(n, q.lines[line])
	}
	return common * 100 / larger
}
