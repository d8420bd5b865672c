package git

import (
	"context"
	"weak"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// IsKept returns a function that reports whether objects are still in memory, without keeping them there.
func IsKept(objects storer.EncodedObjectStorer) func() bool {
	w := weak.Make(objects.(*store))
	return func() bool { return w.Value() != nil }
}

// Object reads any object of at most limit bytes, by its 40 digits.
func (r *Repository) Object(id string, limit int64) (kind string, b []byte, err error) {
	typ, b, err := r.objects.get(plumbing.NewHash(id), limit)
	return typ.String(), b, err
}

// Substance returns the description of the diff of one commit; nil for a merge and if content is missing,
// which [Repository.Skipped] lists. For rev see [Repository.Resolve].
func (r *Repository) Substance(ctx context.Context, rev string) (*DiffTerms, error) {
	c, err := r.commit(ctx, rev, true, r.Mailmap())
	return c.DiffTerms, err
}

// LastUnchanged returns the last commit along first parents in which a path is the same as at a revision, and
// how many versions of its folder were read for all paths so far.
func (r *Repository) LastUnchanged(ctx context.Context, rev, path string) (commit string, versions int, err error) {
	s, err := r.start(rev, path)
	if err != nil {
		return "", 0, err
	}
	commit = r.same.last(ctx, s).id.String()
	return commit, len(r.same.folders[len(s.objects)-2].at), nil
}
