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

// checkoutIndex caches the folders that all project.md list. Reading a project.md for each line of a listing is too
// slow.
type checkoutIndex struct {
	all      projectLister
	redactor *redact.Redactor
	machine  string

	mu       sync.Mutex
	loaded   bool
	projects []Project      // in order of precedence for a folder
	local    map[string]int // a folder of this machine -> index in projects
}

// ProjectAt returns the project whose project.md lists a folder (an absolute path) as a checkout on this machine, or on
// an unspecified machine. Subfolders do not match. If several projects list it, one with a remote or root commit comes
// first, then the first by id.
//
// All project.md are read at the first call and cached until Project creates or changes one through this Store; changes
// by other processes are not seen.
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

// ProjectsByMunged returns project ids by the name that munge derives from each of their folders, as clients name
// theirs. Folders of this machine take precedence over those of other machines, and projects with a remote or root
// commit over those known only by folder. A name that several such projects share is omitted, because the client's
// files under it belong to both. The result is cached as in ProjectAt.
func (c *checkoutIndex) ProjectsByMunged(munge func(folder string) string) (map[string]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return nil, err
	}
	ids, shared := map[string]string{}, map[string]bool{}
	for _, here := range []bool{true, false} {
		taken := maps.Clone(ids) // by folders of higher precedence
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

// load reads all project.md if not yet done, and sorts projects by precedence for a folder. The caller holds mu.
func (c *checkoutIndex) load() error {
	if c.loaded {
		return nil
	}
	all, err := c.all.Projects()
	if err != nil {
		return err
	}
	// If a folder that was known only by path now contains a checkout of a known project, that project wins.
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

// resetCheckouts makes the next query read project.md again.
func (c *checkoutIndex) resetCheckouts() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loaded = false
}

// isLocal reports whether a checkout is on this machine or on an unspecified one.
func (c *checkoutIndex) isLocal(at Checkout) bool { return at.Machine == "" || at.Machine == c.machine }

// trimFolder removes trailing slashes, which people write and programs do not.
func trimFolder(folder string) string {
	if cut := strings.TrimRight(folder, `/\`); cut != "" {
		return cut
	}
	return folder
}
