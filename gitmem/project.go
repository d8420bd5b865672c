package gitmem

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// Project is what the working folder's project is known by. The JSON form is a public
// contract.
type Project struct {
	ID      string   `json:"id"`
	Remotes []string `json:"remotes"`
	Folders []string `json:"folders"` // its checkouts on this machine
	Linked  []string `json:"linked"`  // projects whose memory counts as this one's
	// SameHistory are projects that begin with the same commit and are kept apart, as
	// forks are.
	SameHistory []string `json:"same_history"`
}

// Projects tells whose memory counts where.
type Projects struct{ m *Memory }

// Projects gives access to the projects of the store.
func (m *Memory) Projects() *Projects { return &Projects{m} }

// Here is the project of the working folder. The error wraps [ErrNoRepository] outside
// a repository.
func (s *Projects) Here(ctx context.Context) (Project, error) {
	p, err := s.m.here(ctx)
	if err != nil {
		return Project{}, err
	}
	if !p.inRepo {
		return Project{}, p.noRepository(s.m.o.Dir)
	}
	out := Project{ID: p.project.ID, Remotes: filled(p.project.Remotes), Folders: filled(s.m.foldersHere(p.project)), Linked: []string{}, SameHistory: filled(s.m.sameHistory(p))}
	for _, other := range p.linked {
		out.Linked = append(out.Linked, other.ID)
	}
	return out, nil
}

// sameHistory names the projects that share the first commit of a place and nothing else.
func (m *Memory) sameHistory(p *place) (ids []string) {
	own := append(slices.Concat(p.linked, p.earlier), p.project)
	for _, other := range m.allProjects() {
		if other.HasRoot(p.identity.Root) && !slices.ContainsFunc(own, func(o store.Project) bool { return o.ID == other.ID }) {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// Link makes the memory of another project, named by its id or the end of it, count as
// that of the working folder's project, and the other way round; nothing is moved. With
// undo the two are apart again. The error wraps [ErrNotFound] where no other project has
// the name, or none of the linked ones, and [ErrUsage] where several have.
func (s *Projects) Link(ctx context.Context, name string, undo bool) (Project, error) {
	p, err := s.m.here(ctx)
	if err != nil {
		return Project{}, err
	}
	if !p.inRepo {
		return Project{}, p.noRepository(s.m.o.Dir)
	}
	if p, err = s.m.notePlace(ctx); err != nil { // which makes a project.md to write to
		return Project{}, err
	}
	other, err := s.m.otherProject(p, name)
	if err == nil && !undo {
		err = s.m.mayTell(ctx, other.ID, other.ID)
	}
	if err != nil {
		return Project{}, err
	}
	op := "link"
	if linked := slices.Contains(p.project.Linked, other.ID); undo {
		if op = "unlink"; !linked {
			return Project{}, &Refusal{Reason: other.ID + " is not linked with " + p.project.ID, Advice: "see what is: gitmem project", Err: ErrNotFound}
		}
	}
	if err := s.m.store.Link(ctx, p.project, other, undo); err != nil {
		return Project{}, err
	}
	_, err = s.m.store.Commit(ctx, store.Change{
		Paths: append(p.project.Files(), other.Files()...), Subject: fmt.Sprintf("project: %s %s and %s", op, p.project.ID, other.ID),
		Time: s.m.o.Now(), Fsync: true, Trailers: []string{"Gitmem-Op: project " + op + " " + other.ID},
	})
	if err != nil {
		return Project{}, err
	}
	s.m.place, s.m.rules = nil, nil // look again
	return s.Here(ctx)
}

// otherProject finds the project that is meant by a name.
func (m *Memory) otherProject(here *place, name string) (store.Project, error) {
	named := scope{suffix: suffixOf(name)}
	found := slices.DeleteFunc(slices.Clone(m.allProjects()), func(p store.Project) bool { return !named.holds(p.ID) })
	known := func(list []store.Project) string {
		ids := make([]string, len(list))
		for i, p := range list {
			ids[i] = p.ID
		}
		return strings.Join(ids, ", ")
	}
	switch {
	case named.suffix == "" || len(found) == 0:
		return store.Project{}, &Refusal{Reason: fmt.Sprintf("no project is called %q", name), Advice: "known are " + known(m.allProjects()), Err: ErrNotFound}
	case len(found) > 1:
		return store.Project{}, &Refusal{Reason: fmt.Sprintf("several projects are called %q", name), Advice: "name one of " + known(found), Err: ErrUsage}
	case found[0].ID == here.project.ID:
		return store.Project{}, &Refusal{Reason: name + " is the project of this folder", Advice: "name another one", Err: ErrUsage}
	}
	return found[0], nil
}

// forkNotice is what is said once, before anything is recorded of a fork: whose history
// it shares, and how to share the memory too.
func (m *Memory) forkNotice(o GreetOptions, p *place) string {
	if p.project.Exists || p.identity.Root == "" {
		return ""
	}
	others := m.sameHistory(p)
	if len(others) == 0 {
		return ""
	}
	mark := filepath.Join(m.indexDir(), "forks", shortHash(p.project.ID))
	if _, err := os.Stat(mark); err == nil {
		return ""
	}
	if o.Session != "" && os.MkdirAll(filepath.Dir(mark), 0o700) == nil {
		_ = os.WriteFile(mark, nil, 0o600) // without it the next session says so again
	}
	return fmt.Sprintf("%s has the history of %s, and a memory of its own, as a fork has; gitmem project link %s lets both count as one",
		p.called(), strings.Join(others, ", "), others[0])
}
