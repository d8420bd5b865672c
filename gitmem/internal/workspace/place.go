package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/providers/git"
)

// Place is the location of a call: a repository with its project, or a folder outside any.
type Place struct {
	Loc    git.Location
	InRepo bool
	// Untrusted describes a repository here that git does not trust, else nil.
	Untrusted *git.UntrustedError
	Folder    string // root of the main work tree, or the folder itself
	Identity  store.Identity
	Project   store.Project
	Earlier   []store.Project // its earlier identities
	Linked    []store.Project // projects whose memory is included here
}

// Place returns the place of the working folder. A repository whose work tree is memory's own root is not a project.
func (w *Workspace) Place(ctx context.Context) (*Place, error) {
	if w.current != nil {
		return w.current, nil
	}
	p, err := w.PlaceOf(ctx, w.Options.Dir)
	if err != nil {
		return nil, err
	}
	w.current = p
	return p, nil
}

// PlaceOf returns the place of another folder than the working folder.
func (w *Workspace) PlaceOf(ctx context.Context, dir string) (*Place, error) {
	p := &Place{Folder: RealPath(dir)}
	getenv := w.Options.Getenv
	if dir != w.Options.Dir {
		getenv = elsewhere(getenv)
	}
	loc, err := git.Discover(dir, getenv)
	switch {
	case errors.As(err, &p.Untrusted):
	case errors.Is(err, git.ErrNotRepository):
	case err != nil:
		return nil, err
	case !w.ownRepository(loc):
		p.Loc, p.InRepo, p.Folder = loc, true, mainFolder(loc)
	}
	p.Identity = store.Identity{Folder: p.Folder}
	if p.InRepo {
		if err := w.identify(ctx, p); err != nil {
			return nil, err
		}
	}
	if p.Project, err = w.Project(ctx, p.Identity, w.Holds(ctx, p), false); err == nil {
		p.relate(w)
	}
	return p, err
}

// elsewhere returns an environment without the variables that name the repository of the working folder; those that
// locate git's settings stay.
func elsewhere(getenv func(string) string) func(string) string {
	return func(name string) string {
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES":
			return ""
		}
		return getenv(name)
	}
}

// NoRepository returns the error for a missing history at a place.
func (p *Place) NoRepository(dir string) error {
	err := fmt.Errorf("%s is in %w: %w", dir, messages.ErrNoRepository, messages.ErrNotFound)
	if p.Untrusted == nil {
		return err
	}
	return &messages.Refusal{Reason: p.Untrusted.Error(), Advice: p.Allowing(), Err: err}
}

// Projects returns the projects whose logs may contain a session from here: earlier ones, then the project itself.
func (p *Place) Projects() []store.Project { return append(slices.Clone(p.Earlier), p.Project) }

// Allowing describes how to use an untrusted repository nevertheless.
func (p *Place) Allowing() string { return "to use it all the same, run " + p.Untrusted.Advice }

// ReportUntrusted adds the caveat of an answer from an untrusted repository.
func (p *Place) ReportUntrusted(notice func(format string, args ...any)) {
	if p.Untrusted != nil {
		notice("%v, so that its history and its project's memory are left alone; %s", p.Untrusted, p.Allowing())
	}
}

// Holds returns a function that reports whether the repository of a place contains a commit.
func (w *Workspace) Holds(ctx context.Context, p *Place) func(commit string) bool {
	return func(commit string) bool {
		if !p.InRepo {
			return false
		}
		repo, err := git.Open(p.Loc)
		if err != nil {
			return false
		}
		defer repo.Close()
		return holds(ctx, repo, commit)
	}
}

// Dirs returns the folders of the project's memory, its own first, then those of earlier identities and linked
// projects.
func (p *Place) Dirs() []string {
	dirs := []string{p.Project.Dir}
	for _, e := range slices.Concat(p.Earlier, p.Linked) {
		if !slices.Contains(dirs, e.Dir) {
			dirs = append(dirs, e.Dir)
		}
	}
	return dirs
}

// relate finds the other projects whose memory is included at a place: its earlier identities without a remote or a
// commit, since what hooks appended then belongs to it now, and linked projects.
func (p *Place) relate(m *Workspace) {
	roots := append(slices.Clone(p.Project.Roots), p.Identity.Root)
	p.Earlier = []store.Project{store.Identify(store.Identity{Folder: p.Folder})}
	for _, root := range slices.Compact(slices.Sorted(slices.Values(roots))) {
		if root != "" {
			p.Earlier = append(p.Earlier, store.Identify(store.Identity{Folder: p.Folder, Root: root}))
		}
	}
	if m.Store == nil {
		return
	}
	p.Earlier = slices.DeleteFunc(p.Earlier, func(e store.Project) bool {
		known, err := m.Store.Named(e.ID)
		return e.ID != p.Project.ID && (err != nil || known.Exists && known.Claimed(roots))
	})
	for _, id := range p.Project.Linked {
		other, err := m.Store.Named(id)
		if err != nil {
			m.Caveat("The linked project %s could not be read and is left out: %v", id, err)
		} else if other.Exists && m.excludedProject(id) == "" {
			p.Linked = append(p.Linked, other)
		}
	}
}

// ownRepository reports whether a repository is memory's own, or has its root as the work tree.
func (w *Workspace) ownRepository(loc git.Location) bool {
	root, dir := RealPath(w.Root), RealPath(loc.GitDir)
	return RealPath(loc.WorkTree) == root || dir == filepath.Join(root, ".git") ||
		Below(dir, filepath.Join(root, "gitmem"))
}

// holds reports whether a repository contains a commit: another repository may have replaced the remembered one in its
// folder.
func holds(ctx context.Context, repo *git.Repository, commit string) bool {
	for c, err := range repo.Walk(ctx, []string{commit}, git.WalkOptions{}) {
		return err == nil && c.Hash == commit // it is read, since a full id resolves to itself
	}
	return false
}

// mainFolder returns the root of the main work tree: the client keys its own memory by it, and linked work trees share
// it.
func mainFolder(loc git.Location) string {
	if loc.Bare {
		return RealPath(loc.GitDir)
	}
	if loc.CommonDir != "" && loc.CommonDir != loc.GitDir && filepath.Base(loc.CommonDir) == ".git" {
		return RealPath(filepath.Dir(loc.CommonDir))
	}
	return RealPath(loc.WorkTree)
}

// identify reads the remotes and the root commit: checkouts that share some of them are one project, whichever came
// first.
func (w *Workspace) identify(ctx context.Context, p *Place) error {
	repo, err := git.Open(p.Loc)
	if errors.Is(err, git.ErrUnsupported) { // Repository reports it; rules and memory work nevertheless
		return nil
	}
	if err != nil {
		return err
	}
	defer repo.Close()
	if p.Identity.Remotes, err = remotesOf(repo, w.Options.Getenv); err != nil {
		w.Caveat("The repository's configuration could not be read whole, so some of its remotes may be unknown: %v", err)
	}
	if w.AtHead() || w.Frozen.Head != "" {
		p.Identity.Root = w.rootCommit(ctx, repo)
	}
	return nil
}

// remotesOf lists the remotes of a repository, origin first; with an error it returns those before the damage. An
// address that git or ssh rewrites follows its rewritten form.
func remotesOf(repo *git.Repository, getenv func(string) string) (ids []string, err error) {
	remotes, err := repo.RemoteURLs(getenv)
	isOrigin := func(r git.Remote) bool { return r.Name == "origin" }
	first := slices.DeleteFunc(slices.Clone(remotes), func(r git.Remote) bool { return !isOrigin(r) })
	for _, r := range append(first, slices.DeleteFunc(remotes, isOrigin)...) {
		for _, url := range r.URLs {
			if id, ok := store.NormaliseRemote(url); ok && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, err
}

// rootCommit returns the first commit of the repository's main line. Finding it reads the whole line, which is too slow
// for each call of a hook, so it is cached beside the index; a repository keeps its identity if its root is rewritten
// later.
func (w *Workspace) rootCommit(ctx context.Context, repo *git.Repository) string {
	file := filepath.Join(w.IndexDir(), "roots", store.ShortHash(repo.Location().CommonDir))
	if b, err := os.ReadFile(file); err == nil && len(b) == 40 && holds(ctx, repo, string(b)) {
		return string(b)
	}
	root, err := repo.Root()
	switch {
	case errors.Is(err, git.ErrEmpty), errors.Is(err, git.ErrShallow):
		return "" // unknown: the remotes or the folder must suffice
	case err != nil:
		w.Caveat("The repository's first commit could not be read, so it is known by its folder only: %v", err)
		return ""
	}
	if w.ReadOnly {
		return root
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
		_ = os.WriteFile(file, []byte(root), 0o600) // a cache: without it the next call reads again
	}
	return root
}

// Project returns the project of an identity. A checkout without a remote is also identified by its folder: its first
// commit may be rewritten, as people do before they publish. known reports whether the repository that is there now
// contains a commit.
func (w *Workspace) Project(ctx context.Context, id store.Identity, known func(commit string) bool,
	create bool) (store.Project, error) {
	var at func(folder string) (store.Project, bool, error)
	var of func() (store.Project, error)
	switch {
	case w.Past != nil && w.Past.Revision != nil: // nothing is created in the past
		at, of = w.Past.Revision.ProjectAt, func() (store.Project, error) { return w.Past.Revision.Project(id) }
	case w.Past == nil && w.Store != nil:
		at, of = w.Store.ProjectAt, func() (store.Project, error) { return w.Store.Project(ctx, id, create) }
	default:
		return store.Identify(id), nil
	}
	if len(id.Remotes) == 0 {
		p, ok, err := at(id.Folder)
		if err == nil && ok && len(p.Roots) > 0 && known != nil && slices.ContainsFunc(p.Roots, known) {
			return p, nil
		}
	}
	return of()
}

// Below reports whether a path is a folder or is below it.
func Below(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, folder+string(filepath.Separator))
}

// RealPath resolves the links of a path; one that does not exist is only cleaned.
func RealPath(p string) string {
	if p == "" {
		return ""
	}
	if abs, err := filepath.Abs(p); err == nil {
		p = abs
	}
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	return filepath.Clean(p)
}

// Scope is the set of projects that a question is about.
type Scope struct {
	ids     map[string]bool
	folders []string
	munged  map[string]bool
	Suffix  string // project named by the user, matched by id, id suffix or folder name
	exact   bool   // paths below the folders are excluded

	called, allow string // for a reach: its project, and how to extend it
}

// ScopeOf returns the scope for a name: for "" the current project inside a repository and everything outside, for
// "all" all projects, otherwise one project. It never exceeds the reach.
func (w *Workspace) ScopeOf(ctx context.Context, name string) (func(string) bool, error) {
	p, err := w.Place(ctx)
	if err != nil {
		return nil, err
	}
	own, err := w.reach(ctx)
	named := Scope{Suffix: SuffixOf(name)}
	switch {
	case err != nil:
		return nil, err
	case own != nil && name == "":
		if !p.InRepo || !own.Holds(p.Project.ID) {
			w.Caveat("Only %s was searched, where the session began; %s.", own.called, own.allow)
		}
		return w.Unexcluded(p, own.Holds), nil
	case own != nil && (name == "all" || !own.names(named.Holds)):
		return nil, own.Refuse(name)
	case own != nil:
		return w.Unexcluded(p, func(project string) bool { return named.Holds(project) && own.Holds(project) }), nil
	case name == "all" || name == "" && !p.InRepo:
		return w.Unexcluded(p, nil), nil
	case name == "":
		here := ScopeOfPlace(p)
		here.ids[PlanProject] = true
		return w.Unexcluded(p, here.Holds), nil
	}
	return w.Unexcluded(p, named.Holds), nil
}

// ScopeOfPlace returns the project of a place: the folders of its checkouts with everything below them, or a folder
// outside any repository without what is below it.
func ScopeOfPlace(p *Place) *Scope {
	s := &Scope{ids: map[string]bool{}, munged: map[string]bool{}, exact: !p.InRepo}
	s.addPlace(p)
	if p.InRepo {
		if p.Loc.WorkTree != "" {
			s.addFolder(RealPath(p.Loc.WorkTree))
		}
		for _, folder := range LinkedFolders(p.Loc) {
			s.addFolder(folder)
		}
	}
	return s
}

// SuffixOf returns the suffix of a project's id that a person's name for it denotes.
func SuffixOf(name string) string { return strings.ToLower(strings.Trim(name, "/")) }

// LinkedFolders lists the linked work trees of a repository, whose sessions belong to its project.
func LinkedFolders(loc git.Location) []string {
	// empty if the folder's name is not a valid pattern
	files, _ := filepath.Glob(filepath.Join(loc.CommonDir, "worktrees", "*", "gitdir"))
	var out []string
	for _, f := range files {
		if b, err := git.ReadFile(f, 1<<16); err == nil {
			out = append(out, RealPath(filepath.Dir(strings.TrimSpace(string(b)))))
		}
	}
	return out
}

// addPlace adds the projects whose memory is included at a place, with their folders.
func (s *Scope) addPlace(p *Place) {
	s.addFolder(p.Folder)
	for _, e := range p.Earlier {
		s.ids[e.ID] = true
	}
	for _, of := range append(slices.Clone(p.Linked), p.Project) {
		s.ids[of.ID] = true
		for _, r := range of.Remotes {
			s.ids[r] = true
		}
		for _, f := range of.Folders() {
			s.addFolder(f)
		}
	}
}

func (s *Scope) addFolder(f string) {
	s.folders = append(s.folders, f)
	s.munged[transcript.ProjectFolder(f)] = true
}

// Holds reports whether a document's project is in scope. A document without a project is the user's own and always in
// scope; a project is given by its id, by the folder of a transcript, or by the client's form of that folder.
func (s *Scope) Holds(project string) bool {
	if project == "" {
		return true
	}
	if s.Suffix != "" {
		p := strings.ToLower(filepath.ToSlash(project))
		return p == s.Suffix || strings.HasSuffix(p, "/"+s.Suffix) || strings.HasSuffix(p, "-"+s.Suffix)
	}
	return s.ids[project] || s.munged[project] || slices.ContainsFunc(s.folders, func(f string) bool {
		return project == f || !s.exact && Below(project, f)
	})
}
