package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// stores are the folders of objects that a repository reads: its own and those
// that it borrows from. Any number of readers share them, each in its goroutine.
type stores struct {
	dirs   []string // own first
	idSize int      // bytes of an object's name

	packs  atomic.Pointer[packList]
	mu     sync.Mutex // for a look at the folders
	opened []*pack
	closed bool
}

// packList is what the folders held at one look.
type packList struct {
	packs []*pack
	names string
	// promised says that git left objects out on purpose: a partial clone.
	promised bool
}

var errClosed = errors.New("the repository is closed")

// list returns the packs. The first call looks.
func (s *stores) list() (*packList, error) {
	if l := s.packs.Load(); l != nil {
		return l, nil
	}
	return s.refresh(nil)
}

// refresh looks again, unless that was done since seen was returned. It returns
// seen where nothing has changed.
func (s *stores) refresh(seen *packList) (*packList, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	now := s.packs.Load()
	if now != seen {
		return now, nil
	}
	paths, promised := s.look()
	names := strings.Join(paths, "\n")
	if now != nil && now.names == names {
		return now, nil
	}
	next := &packList{names: names, promised: promised}
	for _, path := range paths {
		next.packs = append(next.packs, s.pack(now, path))
	}
	s.packs.Store(next)
	return next, nil
}

// pack returns the pack of a path, the same one as before if it was there.
func (s *stores) pack(before *packList, path string) *pack {
	if before != nil {
		if i := slices.IndexFunc(before.packs, func(p *pack) bool { return p.path == path }); i >= 0 {
			return before.packs[i]
		}
	}
	p := &pack{path: path, idSize: s.idSize}
	s.opened = append(s.opened, p)
	return p
}

// look lists the packs that have both files, without their suffixes.
func (s *stores) look() (paths []string, promised bool) {
	for _, dir := range s.dirs {
		dir = filepath.Join(dir, "pack")
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // no packs
		}
		has := map[string]bool{}
		for _, e := range entries {
			has[e.Name()] = true
			promised = promised || strings.HasSuffix(e.Name(), ".promisor")
		}
		for _, e := range entries {
			if base, ok := strings.CutSuffix(e.Name(), ".idx"); ok && has[base+".pack"] {
				paths = append(paths, filepath.Join(dir, base))
			}
		}
	}
	return paths, promised
}

// unreadable says which of the packs can't be read, or nil.
func (l *packList) unreadable() error {
	for _, p := range l.packs {
		if _, err := p.openIndex(); err != nil && !p.gone(err) {
			return fmt.Errorf("%w: %w; the index of a sound pack is made again with: git index-pack %s.pack",
				ErrUnsupported, err, p.path)
		}
	}
	return nil
}

// close closes the packs. No reader may be at work.
func (s *stores) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.packs.Store(nil)
	for _, p := range s.opened {
		p.close()
	}
	s.opened = nil
}
