package store

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// projectLister lists every project.md.
type projectLister interface{ Projects() ([]Project, error) }

// checkoutIndex remembers what all project.md say of folders. One look at a project
// reads its file, which is too slow for each line of a listing.
type checkoutIndex struct {
	all      projectLister
	redactor *redact.Redactor
	machine  string

	mu       sync.Mutex
	loaded   bool
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
func (c *checkoutIndex) ProjectAt(folder string) (Project, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return Project{}, false, err
	}
	i, ok := c.local[trimFolder(listed(c.redactor.Distinct(folder)))]
	if !ok {
		return Project{}, false, nil
	}
	p := c.projects[i]
	p.Remotes, p.Roots, p.Checkouts = slices.Clone(p.Remotes), slices.Clone(p.Roots), slices.Clone(p.Checkouts)
	return p, true, nil
}

// ProjectsByMunged returns the ids of projects by the name that munge makes of
// each of their folders, as clients name theirs. Folders of this machine win over
// those of others, and a project that is known by more than its folder over one
// that is not. A name that several such projects share is left out: what the
// client keeps there is of both. It remembers as ProjectAt does.
func (c *checkoutIndex) ProjectsByMunged(munge func(folder string) string) (map[string]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return nil, err
	}
	ids, shared := map[string]string{}, map[string]bool{}
	for _, here := range []bool{true, false} {
		taken := maps.Clone(ids) // by folders that win over this round's
		for _, p := range c.projects {
			for _, at := range p.Checkouts {
				folder := trimFolder(at.Path)
				if folder == "" || c.isLocal(at) != here {
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
	return ids, nil
}

// load reads all project.md unless that is done, and orders projects so that the one
// that wins a folder comes first. mu is held.
func (c *checkoutIndex) load() error {
	if c.loaded {
		return nil
	}
	all, err := c.all.Projects()
	if err != nil {
		return err
	}
	// When a folder that only its path named came to hold a checkout of a known
	// project, that one is meant.
	unnamed := slices.DeleteFunc(slices.Clone(all), func(p Project) bool { return !p.unnamed() })
	c.projects, c.local, c.loaded = append(slices.DeleteFunc(slices.Clone(all), Project.unnamed), unnamed...),
		map[string]int{}, true
	for i, p := range c.projects {
		for _, at := range p.Checkouts {
			folder := trimFolder(at.Path)
			if _, taken := c.local[folder]; !taken && folder != "" && c.isLocal(at) {
				c.local[folder] = i
			}
		}
	}
	return nil
}

// resetCheckouts lets the next question read project.md again.
func (c *checkoutIndex) resetCheckouts() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loaded = false
}

// isLocal says whether a checkout is on this machine, or on none in particular.
func (c *checkoutIndex) isLocal(at Checkout) bool { return at.Machine == "" || at.Machine == c.machine }

// trimFolder cuts slashes off the end, which people write and programs do not.
func trimFolder(folder string) string {
	if cut := strings.TrimRight(folder, `/\`); cut != "" {
		return cut
	}
	return folder
}
