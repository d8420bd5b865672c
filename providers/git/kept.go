package git

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// Kept caches what was read of repositories that a process opens repeatedly, as a server does for each call.
// It only contains data identified by ids, which never changes: the metadata of commits, trees, the targets
// of tags, and blames. Each [Kept.Open] reads refs, configuration and lists of missing objects anew. The zero
// value is an empty cache; nil caches nothing. It is safe for concurrent use.
type Kept struct {
	mu   sync.Mutex
	idle map[Location]*facts
}

const (
	// keptRepositories is how many repositories are cached, keptCommits how many commits of each, some 6 MB, and
	// keptBlames how many blames.
	keptRepositories = 4
	keptCommits      = 1 << 15
	keptBlames       = 256
)

// facts is the cached data of one repository.
type facts struct {
	shallow map[plumbing.Hash]bool // commits without parents when the data was read
	known   map[plumbing.Hash]*metadata
	trees   *byteCache[plumbing.Hash, []byte]
	tags    []Tag
	tagRefs []*plumbing.Reference
	blames  map[string]keptBlame
}

type keptBlame struct {
	ignored map[plumbing.Hash]bool
	lines   []BlameLine
	work    int // that the blame took, so that a later one is as complete
}

// Open is [Open] with the cache. The repository uses the cached data, unless another one uses it at the time,
// and returns its data to the cache when it is closed.
func (k *Kept) Open(loc Location) (*Repository, error) {
	r, err := Open(loc)
	if k == nil || err != nil {
		return r, err
	}
	r.keeps = k
	k.mu.Lock()
	defer k.mu.Unlock()
	f := k.idle[r.loc]
	delete(k.idle, r.loc)
	if f != nil && maps.Equal(f.shallow, r.shallow) {
		r.known, r.trees.cache, r.tags, r.tagRefs, r.blames = f.known, f.trees, f.tags, f.tagRefs, f.blames
	}
	return r, nil
}

// keep adds the data of a repository that was closed.
func (k *Kept) keep(r *Repository) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.idle == nil || len(k.idle) >= keptRepositories {
		k.idle = map[Location]*facts{}
	}
	f := &facts{shallow: r.shallow, known: r.known, trees: r.trees.cache, tags: r.tags, tagRefs: r.tagRefs,
		blames: r.blames}
	if len(f.known) > keptCommits {
		f.known = nil
	}
	k.idle[r.loc] = f
}

// blamed returns a cached blame for the same query and the same ignored commits.
func (r *Repository) blamed(asked string, ignored map[plumbing.Hash]bool) (lines []BlameLine, work int, ok bool) {
	b, known := r.blames[asked]
	if !known || !maps.Equal(b.ignored, ignored) {
		return nil, 0, false
	}
	return slices.Clone(b.lines), b.work, true
}

// keepBlame caches a complete blame.
func (r *Repository) keepBlame(asked string, b *blamer) {
	if r.blames == nil || len(r.blames) >= keptBlames {
		r.blames = map[string]keptBlame{}
	}
	r.blames[asked] = keptBlame{b.ignored, slices.Clone(b.out), b.done()}
}

// blameOf returns the cache key of a blame.
func blameOf(s *pathAt, lines []int, most int) string {
	return fmt.Sprintf("%s %s %d %d", s.id, s.path, lines, most)
}
