package git

import "github.com/go-git/go-git/v5/plumbing"

// lineage is what a search through the history needs of a commit.
type lineage struct {
	tree    plumbing.Hash
	parents []plumbing.Hash
	seconds int64 // when it was committed
}

// maxLineages bounds the commits whose lineages are kept: some 25 MB.
const maxLineages = 1 << 17

// lineageOf reads what a commit leads to. It is kept, since the questions that are asked
// about one path, its lines, their merges and releases, all look at the same commits.
func (r *Repository) lineageOf(id plumbing.Hash) (*lineage, error) {
	if l := r.lineages[id]; l != nil {
		return l, nil
	}
	raw, err := r.readCommit(id)
	if err != nil {
		return nil, err
	}
	if r.lineages == nil || len(r.lineages) >= maxLineages {
		r.lineages = map[plumbing.Hash]*lineage{}
	}
	l := raw.lineage()
	r.lineages[id] = l
	return l, nil
}

func (c *rawCommit) lineage() *lineage {
	return &lineage{tree: c.tree, parents: c.parents, seconds: c.committer.seconds}
}

// presentAt makes the public form of a commit that was found, without changes.
func (r *Repository) presentAt(id plumbing.Hash, mm *Mailmap) (Commit, error) {
	raw, err := r.readCommit(id)
	if err != nil {
		return Commit{}, err
	}
	return r.present(id, raw, mm), nil
}
