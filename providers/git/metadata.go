package git

import "github.com/go-git/go-git/v5/plumbing"

// metadata is the part of a commit that history searches need.
type metadata struct {
	tree    plumbing.Hash
	parents []plumbing.Hash
	seconds int64 // commit time
}

// maxMetadata limits the commits whose metadata is cached: some 25 MB.
const maxMetadata = 1 << 17

// metadataOf returns the metadata of a commit. It is cached, because queries about one path, its lines, their
// merges and releases all visit the same commits.
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

// briefCommit returns a commit that only has its metadata.
func (r *Repository) briefCommit(id plumbing.Hash) (*rawCommit, error) {
	l, err := r.metadataOf(id)
	if err != nil {
		return nil, err
	}
	return &rawCommit{tree: l.tree, parents: l.parents, committer: rawSignature{seconds: l.seconds}}, nil
}

// presentAt reads a commit and converts it to its public form, without changes.
func (r *Repository) presentAt(id plumbing.Hash, mm *Mailmap) (Commit, error) {
	raw, err := r.readCommit(id)
	if err != nil {
		return Commit{}, err
	}
	return r.present(id, raw, mm), nil
}
