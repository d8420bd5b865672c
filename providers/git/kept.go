package git

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// Kept is what was read of repositories that a process opens again and again, as a server does for each
// call. It holds only what ids name, which never changes: of commits what leads to others, trees, what tags
// name, and who wrote lines. Refs, configuration and lists of what is missing are read by each [Kept.Open].
// The zero value and nil keep nothing yet and nothing at all. It is safe for concurrent use.
type Kept struct {
	mu   sync.Mutex
	idle map[Location]*facts
}

const (
	// keptRepositories is of how many repositories something is kept, keptCommits of how many commits of
	// one, some 6 MB, and keptBlames how many blames.
	keptRepositories = 4
	keptCommits      = 1 << 15
	keptBlames       = 256
)

// facts are what is kept of one repository.
type facts struct {
	shallow map[plumbing.Hash]bool // with which commits have no parents
	known   map[plumbing.Hash]*metadata
	trees   *byteCache[plumbing.Hash, []byte]
	tags    []Tag
	tagRefs []*plumbing.Reference
	blames  map[string]keptBlame
}

type keptBlame struct {
	ignored map[plumbing.Hash]bool
	lines   []BlameLine
	work    int // that it took, so that the next one is as complete
}

// Open is [Open]. The repository knows what is kept, unless another one does at the time, and keeps what
// it has read when it is closed.
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

// keep takes what a repository has read, which is closed.
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

// blamed is who wrote lines by what was asked, where the same commits were ignored.
func (r *Repository) blamed(asked string, ignored map[plumbing.Hash]bool) (lines []BlameLine, work int, ok bool) {
	b, known := r.blames[asked]
	if !known || !maps.Equal(b.ignored, ignored) {
		return nil, 0, false
	}
	return slices.Clone(b.lines), b.work, true
}

// keepBlame keeps a blame that had to leave nothing out.
func (r *Repository) keepBlame(asked string, b *blamer) {
	if r.blames == nil || len(r.blames) >= keptBlames {
		r.blames = map[string]keptBlame{}
	}
	r.blames[asked] = keptBlame{b.ignored, slices.Clone(b.out), b.done()}
}

// blameOf names a blame.
func blameOf(s *pathAt, lines []int, most int) string {
	return fmt.Sprintf("%s %s %d %d", s.id, s.path, lines, most)
}
