package git

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Indexed is what an index of all commits behind the tips knows of them. Commits are
// 40 hex digits.
type Indexed struct {
	// Has tells whether it holds a commit.
	Has func(commit string) bool
	// Naming lists the commits whose messages name a commit in full. Others may be
	// among them.
	Naming func(ctx context.Context, commit string) ([]string, error)
}

// AftermathsIndexed is [Repository.Aftermaths] for the commits that an index holds. It
// reads those that name them, and walks over none. The other commits have no entry.
func (r *Repository) AftermathsIndexed(ctx context.Context, x Indexed, commits ...string) (map[string]Aftermath, error) {
	f := revertFinder{r: r, x: x, takesBack: takesBack(), by: map[string]string{}}
	out := map[string]Aftermath{}
	for _, c := range commits {
		if !x.Has(c) {
			continue
		}
		by, err := f.find(ctx, c)
		if err != nil {
			return nil, err
		}
		out[c] = Aftermath{Reached: true, RevertedBy: by}
	}
	return out, nil
}

// revertFinder finds what took commits back.
type revertFinder struct {
	r         *Repository
	x         Indexed
	takesBack *regexp.Regexp
	by        map[string]string // what was found so far, "" for nothing
}

// find returns the newest commit that takes back another one and was not taken back
// itself, "" for none.
func (f *revertFinder) find(ctx context.Context, id string) (string, error) {
	if by, known := f.by[id]; known {
		return by, nil
	}
	f.by[id] = "" // what names each other in a circle takes nothing back
	later, err := f.reverts(ctx, id)
	if err != nil {
		return "", err
	}
	for _, c := range later {
		void, err := f.find(ctx, c)
		if err != nil {
			return "", err
		}
		if void == "" {
			f.by[id] = c
			return c, nil
		}
	}
	return "", nil
}

// reverts lists the commits that say they take one back, newest first.
func (f *revertFinder) reverts(ctx context.Context, id string) ([]string, error) {
	named, err := f.x.Naming(ctx, id)
	if err != nil {
		return nil, err
	}
	when := map[string]int64{}
	for _, c := range named {
		raw, err := f.r.readCommit(plumbing.NewHash(c))
		if isDamage(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if slices.Contains(reverted(f.takesBack, raw.message), id) {
			when[c] = raw.committer.seconds
		}
	}
	var out []string
	for c := range when {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b string) int {
		if when[a] != when[b] {
			return int(min(1, max(-1, when[b]-when[a])))
		}
		return strings.Compare(a, b)
	})
	return out, nil
}
