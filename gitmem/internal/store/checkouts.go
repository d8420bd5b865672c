package store

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// checkoutIndex remembers what all project.md say of folders. One look at a project
// reads its file, which is too slow for each line of a listing.
type checkoutIndex struct {
	mu       sync.Mutex
	loaded   bool
	machine  string
	projects []Project      // in the order in which they win a folder
	local    map[string]int // a folder of this machine -> index in projects
}

// ProjectAt returns the project whose project.md lists a folder (an absolute
// path) as a checkout on this machine, or on none in particular. Folders below
// it do not count. If several list it, one that a remote or root commit names
// comes first, then the first by id.
//
// All project.md are read at the first call and remembered until Project makes
// or changes one through this Store; what others write meanwhile is not seen.
func (s *Store) ProjectAt(folder string) (Project, bool, error) {
	m := &s.checkouts
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := s.loadCheckouts(); err != nil {
		return Project{}, false, err
	}
	p, ok := m.at(s.redactor().Distinct(folder))
	return p, ok, nil
}

// at looks a folder up. places.mu is held.
func (m *checkoutIndex) at(folder string) (Project, bool) {
	i, ok := m.local[trimFolder(folder)]
	if !ok {
		return Project{}, false
	}
	p := m.projects[i]
	p.Remotes, p.Roots, p.Checkouts = slices.Clone(p.Remotes), slices.Clone(p.Roots), slices.Clone(p.Checkouts)
	return p, true
}

// ProjectsByMunged returns the ids of projects by the name that munge makes of
// each of their folders, as clients name theirs. Folders of this machine win over
// those of others, and a project that is known by more than its folder over one
// that is not. A name that several such projects share is left out: what the
// client keeps there is of both. It remembers as ProjectAt does.
func (s *Store) ProjectsByMunged(munge func(folder string) string) (map[string]string, error) {
	m := &s.checkouts
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := s.loadCheckouts(); err != nil {
		return nil, err
	}
	return m.byMunged(munge), nil
}

// byMunged is ProjectsByMunged over what is loaded. places.mu is held.
func (m *checkoutIndex) byMunged(munge func(folder string) string) map[string]string {
	ids, shared := map[string]string{}, map[string]bool{}
	for _, here := range []bool{true, false} {
		taken := maps.Clone(ids) // by folders that win over this round's
		for _, p := range m.projects {
			for _, at := range p.Checkouts {
				folder := trimFolder(at.Path)
				if folder == "" || m.isLocal(at) != here {
					continue
				}
				name := munge(folder)
				switch {
				case ids[name] == "":
					ids[name] = p.ID
				case ids[name] != p.ID && taken[name] == "" && !p.unnamed():
					shared[name] = true
				}
			}
		}
	}
	maps.DeleteFunc(ids, func(name, _ string) bool { return shared[name] })
	return ids
}

// loadCheckouts reads all project.md unless that is done. places.mu is held.
func (s *Store) loadCheckouts() error {
	m := &s.checkouts
	if m.loaded {
		return nil
	}
	all, err := s.Projects()
	if err != nil {
		return err
	}
	m.machine, m.loaded = s.o.Machine, true
	m.fill(all)
	return nil
}

// fill orders projects so that the one that wins a folder comes first. places.mu is
// held, unless nobody else knows m yet.
func (m *checkoutIndex) fill(all []Project) {
	// When a folder that only its path named came to hold a checkout of a known
	// project, that one is meant.
	slices.SortStableFunc(all, func(a, b Project) int {
		switch {
		case a.unnamed() == b.unnamed():
			return 0
		case a.unnamed():
			return 1
		}
		return -1
	})
	m.projects, m.local = all, map[string]int{}
	for i, p := range all {
		for _, at := range p.Checkouts {
			folder := trimFolder(at.Path)
			if _, taken := m.local[folder]; !taken && folder != "" && m.isLocal(at) {
				m.local[folder] = i
			}
		}
	}
}

// resetCheckouts lets the next question read project.md again.
func (s *Store) resetCheckouts() {
	s.checkouts.mu.Lock()
	defer s.checkouts.mu.Unlock()
	s.checkouts.loaded = false
}

// isLocal says whether a place is on this machine, as far as it tells.
func (m *checkoutIndex) isLocal(at Checkout) bool { return at.Machine == "" || at.Machine == m.machine }

// trimFolder cuts slashes off the end, which people write and programs do not.
func trimFolder(folder string) string {
	if cut := strings.TrimRight(folder, `/\`); cut != "" {
		return cut
	}
	return folder
}
