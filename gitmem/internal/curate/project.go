package curate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// Project is the identity of the working folder's project. The JSON form is a public contract.
type Project struct {
	ID      string   `json:"id"`
	Remotes []string `json:"remotes"`
	Folders []string `json:"folders"` // its checkouts on this machine
	Linked  []string `json:"linked"`  // projects whose memory counts as this one's
	// SameHistory lists projects that share the first commit but are separate, such as forks.
	SameHistory []string `json:"same_history"`
}

// Project returns the project of the working folder. The error wraps [ErrNoRepository] outside a repository.
func (ed *Editor) Project(ctx context.Context) (Project, error) {
	p, err := ed.ws.Place(ctx)
	if err != nil {
		return Project{}, err
	}
	if !p.InRepo {
		return Project{}, p.NoRepository(ed.ws.Options.Dir)
	}
	out := Project{ID: p.Project.ID, Remotes: messages.Filled(p.Project.Remotes),
		Folders: messages.Filled(ed.ws.FoldersHere(p.Project)), Linked: []string{},
		SameHistory: messages.Filled(ed.ws.SameHistory(p))}
	for _, other := range p.Linked {
		out.Linked = append(out.Linked, other.ID)
	}
	return out, nil
}

// Link links the project of the working folder with another project, named by its id or a suffix of it, so that each
// one's memory counts as the other's. It moves nothing. With undo it removes the link. The error wraps [ErrNotFound] if
// no other project, or no linked one, has the name, and [ErrUsage] if several have it.
func (ed *Editor) Link(ctx context.Context, name string, undo bool) (Project, error) {
	if _, err := ed.Project(ctx); err != nil {
		return Project{}, err
	}
	p, err := ed.notePlace(ctx) // creates a project.md to write to
	if err != nil {
		return Project{}, err
	}
	other, err := ed.otherProject(p, name)
	if err == nil && !undo {
		err = ed.ws.CheckReach(ctx, other.ID, other.ID)
	}
	if err != nil {
		return Project{}, err
	}
	op := "link"
	if linked := slices.Contains(p.Project.Linked, other.ID); undo {
		if op = "unlink"; !linked {
			return Project{}, &messages.Refusal{Reason: other.ID + " is not linked with " + p.Project.ID,
				Advice: "see what is: gitmem project", Err: messages.ErrNotFound}
		}
	}
	if err := ed.ws.Store.Link(ctx, p.Project, other, undo); err != nil {
		return Project{}, err
	}
	subject := fmt.Sprintf("project: %s %s and %s", op, p.Project.ID, other.ID)
	if _, err := ed.commit(ctx, append(p.Project.Files(), other.Files()...), subject, "the "+op+" is written but is",
		"project "+op+" "+other.ID); err != nil {
		return Project{}, err
	}
	ed.ws.Reload()
	return ed.Project(ctx)
}

// otherProject finds the project with a name.
func (ed *Editor) otherProject(here *workspace.Place, name string) (store.Project, error) {
	named := workspace.Scope{Suffix: workspace.SuffixOf(name)}
	found := slices.DeleteFunc(slices.Clone(ed.ws.AllProjects()), func(p store.Project) bool { return !named.Holds(p.ID) })
	known := func(list []store.Project) string {
		ids := slice.Map(list, func(p store.Project) string { return p.ID })
		return strings.Join(ids, ", ")
	}
	switch {
	case named.Suffix == "" || len(found) == 0:
		return store.Project{}, &messages.Refusal{Reason: fmt.Sprintf("no project is called %q", name), Advice: "known are " +
			known(ed.ws.AllProjects()), Err: messages.ErrNotFound}
	case len(found) > 1:
		return store.Project{}, &messages.Refusal{Reason: fmt.Sprintf("several projects are called %q", name),
			Advice: "name one of " + known(found), Err: messages.ErrUsage}
	case found[0].ID == here.Project.ID:
		return store.Project{}, &messages.Refusal{Reason: name + " is the project of this folder", Advice: "name another one",
			Err: messages.ErrUsage}
	}
	return found[0], nil
}
