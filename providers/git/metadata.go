package git

import "github.com/go-git/go-git/v5/plumbing"

// metadata is what a search through the history needs of a commit.
type metadata struct {
	tree    plumbing.Hash
	parents []plumbing.Hash
	seconds int64 // when it was committed
}

// maxMetadata bounds the commits whose metadata is kept: some 25 MB.
const maxMetadata = 1 << 17

// metadataOf reads what a commit leads to. It is kept, since the questions that are asked
// about one path, its lines, their merges and releases, all look at the same commits.
func (r *Repository) metadataOf(id plumbing.Hash) (*metadata, error) {
	if l := r.known[id]; l != nil {
		return l, nil
	}
	raw, err := r.readCommit(id)
	if err != nil {
		return nil, err
	}
	if r.known == nil || len(r.known) >= maxMetadata {
		r.known = map[plumbing.Hash]*metadata{}
	}
	l := raw.metadata()
	r.known[id] = l
	return l, nil
}

func (c *rawCommit) metadata() *metadata {
	return &metadata{tree: c.tree, parents: c.parents, seconds: c.committer.seconds}
}

// briefCommit is a commit of which nothing but its metadata is known.
func (r *Repository) briefCommit(id plumbing.Hash) (*rawCommit, error) {
	l, err := r.metadataOf(id)
	if err != nil {
		return nil, err
	}
	return &rawCommit{tree: l.tree, parents: l.parents, committer: rawSignature{seconds: l.seconds}}, nil
}

// presentAt makes the public form of a commit that was found, without changes.
func (r *Repository) presentAt(id plumbing.Hash, mm *Mailmap) (Commit, error) {
	raw, err := r.readCommit(id)
	if err != nil {
		return Commit{}, err
	}
	return r.present(id, raw, mm), nil
}
