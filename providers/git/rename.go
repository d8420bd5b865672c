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
	// similar is the common part, in percent of the larger file, from which two files count as a rename, as in
	// git; alike is the percentage that is enough for the only file with the same base name.
	similar = 50
	alike   = 75
	// maxPairs limits the comparisons of files for one name, and maxWalkPairs those for all files of a commit.
	maxPairs     = 200_000
	maxWalkPairs = 24 * 24
	// maxSimilar is the largest file that is compared for one name, in bytes, and maxWalkSimilar that for all
	// files of a commit.
	maxSimilar     = 4 << 20
	maxWalkSimilar = 256 << 10
	// chunkBytes is where long lines are cut when content is compared.
	chunkBytes = 64
	// scale is the unit of scores: equal content has 100 * scale.
	scale = 600
)

// emptyBlob is the id of an empty file, which has no recognisable origin.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// candidate is a file that a commit added or removed.
type candidate struct {
	path    string
	change  int // index in the differences
	at      ref
	chunks  *chunks // nil until it is read
	partner *candidate
}

// chunks is the content of a file regardless of its order: bytes by the hash of their line.
type chunks struct {
	size  int
	bytes map[uint64]int
}

// pairing pairs the removed files of a commit with the added ones, as git does: the same content first, then
// unique base names, then the most similar. If only one file is wanted, it ends as soon as that has its
// partner.
type pairing struct {
	read             func(ref) ([]byte, error) // returns nil for content that must not match
	maxPairs         int
	seed             maphash.Seed
	cost             cost
	olds, news       []*candidate
	wantOld, wantNew string // at most one of them is set
	found            bool   // the wanted file has a partner, or certainly none
}

func newPairing(d *differ) *pairing {
	p := &pairing{seed: maphash.MakeSeed()}
	for i, c := range d.changes {
		switch s := d.sides[i]; {
		case c.Op == 'D' && s.before.mode&modeMask != modeSubmodule:
			p.olds = append(p.olds, &candidate{path: c.Path, change: i, at: s.before})
		case c.Op == 'A' && s.after.mode&modeMask != modeSubmodule:
			p.news = append(p.news, &candidate{path: c.Path, change: i, at: s.after})
		}
	}
	return p
}

// renaming maps removed to added files, by the index of their changes.
type renaming struct {
	from map[int]int  // added to removed
	old  map[int]bool // removed
	// limited is set if only equal contents were paired.
	limited bool
}

// of returns the change that removed the old path of change i, or -1, and whether i itself is such a removal.
func (r renaming) of(i int) (from int, isOld bool) {
	if at, ok := r.from[i]; ok {
		return at, false
	}
	return -1, r.old[i]
}

// renames pairs all removed and added files of a change.
func (c *contents) renames(ctx context.Context, d *differ) (renaming, error) {
	p := newPairing(d)
	empty := plumbing.NewHash(emptyBlob)
	p.news = slices.DeleteFunc(p.news, func(n *candidate) bool { return n.at.id == empty })
	p.maxPairs = maxWalkPairs
	p.read = func(r ref) ([]byte, error) {
		b, _, err := c.text(r)
		if errors.Is(err, ErrTooLarge) || len(b) > maxWalkSimilar {
			return nil, nil
		}
		return b, err
	}
	limited, err := p.run(ctx)
	r := renaming{from: map[int]int{}, old: map[int]bool{}, limited: limited}
	for _, n := range p.news {
		if n.partner != nil {
			r.from[n.change], r.old[n.partner.change] = n.partner.change, true
		}
	}
	return r, err
}

// otherName returns the name in the other tree of a file that only exists in one of two trees under its name,
// or "" if it is new or deleted.
func (r *Repository) otherName(ctx context.Context, parent, tree plumbing.Hash, oldName,
	newName string) (string, error) {
	d := differ{tree: r.readTree}
	if err := d.diff(ctx, parent, tree, "", 0); err != nil {
		return "", err
	}
	p := newPairing(&d)
	p.maxPairs, p.wantOld, p.wantNew = maxPairs, oldName, newName
	p.read = func(at ref) ([]byte, error) {
		_, b, err := r.objects.get(at.id, maxSimilar)
		return b, pastDamage(err)
	}
	limited, err := p.run(ctx)
	if limited {
		r.skip("renames of tree "+tree.String(), errLimit.Error())
	}
	for _, c := range slices.Concat(p.olds, p.news) {
		if c.partner != nil && p.wants(c, c) {
			return c.partner.path, err
		}
	}
	return "", err
}

// run pairs the files. It reports whether it was limited to equal contents.
func (p *pairing) run(ctx context.Context) (limited bool, err error) {
	if len(p.olds) == 0 || len(p.news) == 0 {
		return false, nil
	}
	p.exact()
	for _, step := range []func(context.Context) error{p.sameName, p.mostSimilar} {
		if p.found {
			break
		}
		if err = step(ctx); err != nil {
			break
		}
	}
	if !errors.Is(err, errLimit) {
		return false, err
	}
	for _, c := range slices.Concat(p.olds, p.news) {
		if c.partner != nil && c.partner.at.id != c.at.id {
			c.partner = nil
		}
	}
	return true, nil
}

// wants reports whether one of two files is the wanted one.
func (p *pairing) wants(o, n *candidate) bool {
	return p.wantNew != "" && n.path == p.wantNew || p.wantOld != "" && o.path == p.wantOld
}

// pair records two files as a rename.
func (p *pairing) pair(o, n *candidate) {
	o.partner, n.partner = n, o
	p.found = p.found || p.wants(o, n)
}

func sameBase(o, n *candidate) bool { return path.Base(o.path) == path.Base(n.path) }

// exact pairs files with the same content, those with the same base name first.
func (p *pairing) exact() {
	byID := map[plumbing.Hash][]*candidate{}
	for _, o := range p.olds {
		byID[o.at.id] = append(byID[o.at.id], o)
	}
	for _, n := range p.news {
		var best *candidate
		for _, o := range byID[n.at.id] {
			if o.partner == nil && o.at.mode&modeMask == n.at.mode&modeMask &&
				(best == nil || !sameBase(best, n) && sameBase(o, n)) {
				best = o
			}
		}
		if best != nil {
			p.pair(best, n)
		}
	}
}

// sameName pairs files whose base name occurs once on each side, the wanted one first: they have no other
// partner to choose from.
func (p *pairing) sameName(ctx context.Context) error {
	olds, news := only(p.olds), only(p.news)
	for _, first := range []bool{true, false} {
		if !first && p.wantOld+p.wantNew != "" {
			if like, err := p.hasSimilar(ctx); err != nil || !like {
				p.found = !like
				return err
			}
		}
		for _, n := range p.news {
			base := path.Base(n.path)
			o := olds[base]
			if n.partner != nil || o == nil || news[base] == nil || p.wants(o, n) != first {
				continue
			}
			score, err := p.score(ctx, o, n, alike)
			if err != nil {
				return err
			}
			if score >= alike*scale {
				p.pair(o, n)
			}
		}
		if p.found {
			break
		}
	}
	return nil
}

// hasSimilar reports whether any file is similar to the wanted one. Most files are new where their history
// begins, and renames of other files do not affect them.
func (p *pairing) hasSimilar(ctx context.Context) (bool, error) {
	for _, n := range p.news {
		for _, o := range p.olds {
			if o.partner != nil || n.partner != nil || !p.wants(o, n) {
				continue
			}
			if score, err := p.score(ctx, o, n, similar); err != nil || score >= similar*scale {
				return true, err
			}
		}
	}
	return false, nil
}

// only maps base names that occur once to their unpaired file.
func only(list []*candidate) map[string]*candidate {
	out := map[string]*candidate{}
	for _, c := range list {
		if c.partner != nil {
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

// mostSimilar pairs the remaining files, the best pair first. If there are too many pairs, it only compares
// the wanted file, or files with the same base name.
func (p *pairing) mostSimilar(ctx context.Context) error {
	paired := func(c *candidate) bool { return c.partner != nil }
	olds, news := slices.DeleteFunc(slices.Clone(p.olds), paired), slices.DeleteFunc(slices.Clone(p.news), paired)
	many := len(olds)*len(news) > p.maxPairs
	type pair struct {
		o, n *candidate
		rank int // by score, then by base name
	}
	var pairs []pair
	for _, n := range news {
		for _, o := range olds {
			if many && !p.wants(o, n) && (p.wantOld+p.wantNew != "" || !sameBase(o, n)) {
				continue
			}
			score, err := p.score(ctx, o, n, similar)
			if score >= similar*scale {
				pairs = append(pairs, pair{o, n, 2 * score})
				if sameBase(o, n) {
					pairs[len(pairs)-1].rank++
				}
				err = errors.Join(err, p.cost.hold(1))
			}
			if err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.rank, a.rank) })
	for _, x := range pairs {
		if x.o.partner == nil && x.n.partner == nil {
			p.pair(x.o, x.n)
		}
	}
	return nil
}

// score returns how much two files have in common. If that is less than least percent, it may return 0.
func (p *pairing) score(ctx context.Context, o, n *candidate, least int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if o.at.mode&modeMask != n.at.mode&modeMask {
		return 0, nil
	}
	for _, c := range []*candidate{o, n} {
		if err := p.cut(c); err != nil {
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
	return common * 100 * scale / large, p.cost.step(len(a))
}

// cut splits the content of a file at line ends, and longer lines every 64 bytes. In text, the \r of a line
// end is ignored.
func (p *pairing) cut(c *candidate) error {
	if c.chunks != nil {
		return nil
	}
	b, err := p.read(c.at)
	if err != nil {
		return err
	}
	c.chunks = &chunks{size: len(b), bytes: map[uint64]int{}}
	text := bytes.IndexByte(b[:min(len(b), 8000)], 0) < 0
	for rest := b; len(rest) > 0; {
		n := min(len(rest), chunkBytes)
		if i := bytes.IndexByte(rest[:n], '\n'); i >= 0 {
			n = i + 1
		}
		chunk := rest[:n]
		rest = rest[n:]
		if text && n > 1 && chunk[n-1] == '\n' && chunk[n-2] == '\r' {
			chunk = append(slices.Clone(chunk[:n-2]), '\n')
		}
		c.chunks.bytes[maphash.Bytes(p.seed, chunk)] += len(chunk)
	}
	return errors.Join(p.cost.hold(len(c.chunks.bytes)), p.cost.step(len(b)/16))
}
