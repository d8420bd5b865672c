package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// similar is how much of the larger file two must have in common to be one
	// file under two names, of 100, as in git; alike is how much will do for the
	// only file of the same base name.
	similar = 50
	alike   = 75
	// maxPairs bounds the comparisons for one commit.
	maxPairs = 200_000
	// maxSimilar is the largest file that is compared, in bytes.
	maxSimilar = 4 << 20
	// chunkBytes cuts long lines when content is compared.
	chunkBytes = 64
)

// candidate is a file that a commit added or took away.
type candidate struct {
	path   string
	mode   uint32
	id     plumbing.Hash
	chunks *chunks // nil until it is read
	used   bool
}

// chunks is the content of a file without its order: bytes by the hash of the line
// that they stand in.
type chunks struct {
	size  int
	bytes map[uint64]int
}

// renamedFrom tells what a file that a commit added was called in the parent with
// this tree, and "" where it is new. Files are paired as git does: the same content
// first, then the only ones of one base name, then the most similar.
func (r *Repository) renamedFrom(ctx context.Context, parent plumbing.Hash, s *spot) (string, error) {
	p, err := r.renames(ctx, parent, s.tree)
	if err != nil {
		return "", err
	}
	p.wantNew = s.path
	from, _, err := p.find()
	return from, err
}

// newName is what became of a file's name between two trees, "" where it was deleted.
func (r *Repository) newName(ctx context.Context, parent, tree plumbing.Hash, name string) (string, error) {
	p, err := r.renames(ctx, parent, tree)
	if err != nil {
		return "", err
	}
	p.wantOld = name
	_, to, err := p.find()
	return to, err
}

// renames lists what only one of two trees has.
func (r *Repository) renames(ctx context.Context, parent, tree plumbing.Hash) (*pairing, error) {
	d := differ{ctx: ctx, tree: r.readTree, whole: true}
	if err := d.diff(parent, tree, "", 0); err != nil {
		return nil, err
	}
	p := &pairing{r: r, ctx: ctx, tree: tree}
	for i, c := range d.changes {
		switch c.Op {
		case 'D':
			p.olds = candidates(p.olds, c.Path, d.sides[i].before)
		case 'A':
			p.news = candidates(p.news, c.Path, d.sides[i].after)
		}
	}
	return p, nil
}

// candidates appends a file; a submodule is none.
func candidates(list []*candidate, name string, at ref) []*candidate {
	if at.mode&modeMask == modeSubmodule {
		return list
	}
	return append(list, &candidate{path: name, mode: at.mode, id: at.id})
}

// pairing pairs the files that a commit took away with those that it added, until
// the one that is wanted is found.
type pairing struct {
	r                *Repository
	ctx              context.Context
	tree             plumbing.Hash // of the newer side
	effort           effort
	olds, news       []*candidate
	wantOld, wantNew string // one of them is empty
	old, new         string // the pair that was found
}

// find returns the old and the new name of the wanted file, both empty where it has
// no partner.
func (p *pairing) find() (string, string, error) {
	if len(p.olds) == 0 || len(p.news) == 0 {
		return "", "", nil
	}
	p.exact()
	for _, step := range []func() error{p.sameName, p.mostSimilar} {
		if p.old != "" {
			break
		}
		err := step()
		if errors.Is(err, errEffort) {
			p.r.skip("renames of tree "+p.tree.String(), err.Error())
			return "", "", nil
		}
		if err != nil {
			return "", "", err
		}
	}
	return p.old, p.new, nil
}

// pair takes two files for one.
func (p *pairing) pair(o, n *candidate) {
	o.used, n.used = true, true
	if n.path == p.wantNew || o.path == p.wantOld {
		p.old, p.new = o.path, n.path
	}
}

// exact pairs files of the same content, those of the same base name first.
func (p *pairing) exact() {
	byID := map[plumbing.Hash][]*candidate{}
	for _, o := range p.olds {
		byID[o.id] = append(byID[o.id], o)
	}
	for _, n := range p.news {
		var best *candidate
		for _, o := range byID[n.id] {
			if !o.used && o.mode&modeMask == n.mode&modeMask && (best == nil || path.Base(best.path) != path.Base(n.path) && path.Base(o.path) == path.Base(n.path)) {
				best = o
			}
		}
		if best != nil {
			p.pair(best, n)
		}
	}
}

// sameName pairs files whose base name occurs once on each side, the wanted one first:
// none of them has another partner to choose.
func (p *pairing) sameName() error {
	olds, news := only(p.olds), only(p.news)
	wanted := func(n *candidate) bool {
		o := olds[path.Base(n.path)]
		return n.path == p.wantNew || o != nil && o.path == p.wantOld
	}
	for _, first := range []bool{true, false} {
		for _, n := range p.news {
			base := path.Base(n.path)
			o := olds[base]
			if n.used || o == nil || news[base] == nil || wanted(n) != first {
				continue
			}
			score, err := p.score(o, n, alike)
			if err != nil {
				return err
			}
			if score >= alike*scale {
				p.pair(o, n)
			}
		}
		if p.old != "" {
			break
		}
	}
	return nil
}

// only maps base names that occur once to the unpaired file that has it.
func only(list []*candidate) map[string]*candidate {
	out := map[string]*candidate{}
	for _, c := range list {
		if c.used {
			continue
		}
		base := path.Base(c.path)
		if _, twice := out[base]; twice {
			out[base] = nil
		} else {
			out[base] = c
		}
	}
	return out
}

// mostSimilar pairs what is left, the best pair first.
func (p *pairing) mostSimilar() error {
	unused := func(c *candidate) bool { return c.used }
	olds, news := slices.DeleteFunc(p.olds, unused), slices.DeleteFunc(p.news, unused)
	if len(olds)*len(news) > maxPairs { // the wanted one alone
		if p.wantNew != "" {
			news = slices.DeleteFunc(news, func(c *candidate) bool { return c.path != p.wantNew })
		} else {
			olds = slices.DeleteFunc(olds, func(c *candidate) bool { return c.path != p.wantOld })
		}
	}
	type pair struct {
		o, n  *candidate
		score int
	}
	var pairs []pair
	for _, n := range news {
		for _, o := range olds {
			score, err := p.score(o, n, similar)
			if err != nil {
				return err
			}
			if score >= similar*scale {
				pairs = append(pairs, pair{o, n, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		same := func(p pair) int {
			if path.Base(p.o.path) == path.Base(p.n.path) {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(same(a), same(b)))
	})
	for _, x := range pairs {
		if !x.o.used && !x.n.used {
			p.pair(x.o, x.n)
		}
	}
	return nil
}

// scale is what scores are counted in: 100 * scale for equal content.
const scale = 600

// score tells how much two files have in common. Below least, of 100, it may be 0.
func (p *pairing) score(o, n *candidate, least int) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	if o.mode&modeMask != n.mode&modeMask {
		return 0, nil
	}
	for _, c := range []*candidate{o, n} {
		if err := p.read(c); err != nil {
			return 0, err
		}
	}
	large, small := max(o.chunks.size, n.chunks.size), min(o.chunks.size, n.chunks.size)
	if large == 0 || small*100 < large*least {
		return 0, nil
	}
	common := 0
	a, b := o.chunks.bytes, n.chunks.bytes
	if len(a) > len(b) {
		a, b = b, a
	}
	for h, size := range a {
		common += min(size, b[h])
	}
	return common * 100 * scale / large, p.effort.step(len(a))
}

// read cuts the content of a file. One that is too large or can't be read is like
// no other.
func (p *pairing) read(c *candidate) error {
	if c.chunks != nil {
		return nil
	}
	c.chunks = &chunks{}
	_, b, err := p.r.objects.get(c.id, maxSimilar)
	if err != nil {
		if isDamage(err) {
			return nil
		}
		return err
	}
	*c.chunks = cut(b)
	return errors.Join(p.effort.hold(len(c.chunks.bytes)), p.effort.step(len(b)/16))
}

// cut divides content at line ends, and in lines longer than 64 bytes there too. In
// text, the \r of a line end does not count.
func cut(b []byte) chunks {
	c := chunks{size: len(b), bytes: map[uint64]int{}}
	text := bytes.IndexByte(b[:min(len(b), 8000)], 0) < 0
	h := fnv.New64a()
	for len(b) > 0 {
		n := min(len(b), chunkBytes)
		if i := bytes.IndexByte(b[:n], '\n'); i >= 0 {
			n = i + 1
		}
		chunk := b[:n]
		b = b[n:]
		if text && n > 1 && chunk[n-1] == '\n' && chunk[n-2] == '\r' {
			chunk = append(slices.Clone(chunk[:n-2]), '\n')
		}
		h.Reset()
		h.Write(chunk)
		c.bytes[h.Sum64()] += len(chunk)
	}
	return c
}
