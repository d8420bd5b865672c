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

// stores are the object folders of a repository: its own and its alternates. Any number of readers share
// them, each in its own goroutine.
type stores struct {
	dirs   []string // own first
	idSize int      // bytes of an object id

	packs  atomic.Pointer[packList]
	mu     sync.Mutex // for scans of the folders
	opened []*pack
	closed bool
}

// packList is the content of the folders at one scan.
type packList struct {
	packs []*pack
	names string
	// promised is set for a partial clone, from which git omits objects on purpose.
	promised bool
}

var errClosed = errors.New("the repository is closed")

// list returns the packs. The first call scans the folders.
func (s *stores) list() (*packList, error) {
	if l := s.packs.Load(); l != nil {
		return l, nil
	}
	return s.refresh(nil)
}

// refresh scans again, unless another caller did since seen was returned. It returns seen if nothing has
// changed.
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

// pack returns the pack with a path, reusing that of an earlier list.
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

// look returns the packs that have both files, without their suffixes.
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

// unreadable returns an error that names a pack that can't be read, or nil.
func (l *packList) unreadable() error {
	for _, p := range l.packs {
		if _, err := p.openIndex(); err != nil && !p.gone(err) {
			return fmt.Errorf("%w: %w; the index of a sound pack is made again with: git index-pack %s.pack",
				ErrUnsupported, err, p.path)
		}
	}
	return nil
}

// close closes the packs. No reader may be in use.
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
