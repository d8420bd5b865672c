package gitmem

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/providers/git"
)

// place is where a Memory looks from: a repository with its project, or a folder
// outside any.
type place struct {
	loc    git.Location
	inRepo bool
	// untrusted is the repository that would be here if git trusted it, else nil.
	untrusted *git.UntrustedError
	folder    string // root of the main work tree, or the folder itself
	identity  store.Identity
	project   store.Project
	earlier   []store.Project // what it was before
	linked    []store.Project // whose memory counts here too
}

// here finds the place of a folder. A repository whose work tree is memory's own
// root is no project.
func (m *Memory) here(ctx context.Context) (*place, error) {
	if m.place != nil {
		return m.place, nil
	}
	p, err := m.find(ctx, m.o.Dir)
	if err != nil {
		return nil, err
	}
	m.place = p
	return p, nil
}

func (m *Memory) find(ctx context.Context, dir string) (*place, error) {
	p := &place{folder: realPath(dir)}
	getenv := m.o.Getenv
	if dir != m.o.Dir {
		getenv = elsewhere(getenv)
	}
	loc, err := git.Discover(dir, getenv)
	switch {
	case errors.As(err, &p.untrusted):
	case errors.Is(err, git.ErrNotRepository):
	case err != nil:
		return nil, err
	case !m.ownRepository(loc):
		p.loc, p.inRepo, p.folder = loc, true, mainFolder(loc)
	}
	p.identity = store.Identity{Folder: p.folder}
	if p.inRepo {
		if err := m.identify(ctx, p); err != nil {
			return nil, err
		}
	}
	if p.project, err = m.project(ctx, p.identity, m.holds(ctx, p), false); err == nil {
		p.relate(m)
	}
	return p, err
}

// elsewhere is an environment without the variables that name the repository of the
// working folder; those that lead to git's settings stay.
func elsewhere(getenv func(string) string) func(string) string {
	return func(name string) string {
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES":
			return ""
		}
		return getenv(name)
	}
}

// noRepository is why what needs a history finds none at a place.
func (p *place) noRepository(dir string) error {
	err := fmt.Errorf("%s is in %w: %w", dir, ErrNoRepository, ErrNotFound)
	if p.untrusted == nil {
		return err
	}
	return &Refusal{Reason: p.untrusted.Error(), Advice: p.allowing(), Err: err}
}

// allowing is how an untrusted repository is used all the same.
func (p *place) allowing() string { return "to use it all the same, run " + p.untrusted.Advice }

// tellUntrusted adds what an answer from an untrusted repository has to say.
func (p *place) tellUntrusted(notice func(format string, args ...any)) {
	if p.untrusted != nil {
		notice("%v, so that its history and its project's memory are left alone; %s", p.untrusted, p.allowing())
	}
}

// holds is the test for a commit of the repository of a place.
func (m *Memory) holds(ctx context.Context, p *place) func(commit string) bool {
	return func(commit string) bool {
		if !p.inRepo {
			return false
		}
		repo, err := git.Open(p.loc)
		if err != nil {
			return false
		}
		defer repo.Close()
		return holds(ctx, repo, commit)
	}
}

// relate finds the other projects whose memory counts at a place: those that it was
// before it had a remote or a commit, since what hooks appended then belongs to it now,
// and those that are linked to it.
func (p *place) relate(m *Memory) {
	roots := append(slices.Clone(p.project.Roots), p.identity.Root)
	p.earlier = []store.Project{store.Identify(store.Identity{Folder: p.folder})}
	for _, root := range slices.Compact(slices.Sorted(slices.Values(roots))) {
		if root != "" {
			p.earlier = append(p.earlier, store.Identify(store.Identity{Folder: p.folder, Root: root}))
		}
	}
	if m.store == nil {
		return
	}
	p.earlier = slices.DeleteFunc(p.earlier, func(e store.Project) bool {
		known, err := m.store.Named(e.ID)
		return e.ID != p.project.ID && (err != nil || known.Exists && known.Claimed(roots))
	})
	for _, id := range p.project.Linked {
		other, err := m.store.Named(id)
		if err != nil {
			m.notice("The linked project %s could not be read and is left out: %v", id, err)
		} else if _, excluded := m.excludedProject(id); other.Exists && !excluded {
			p.linked = append(p.linked, other)
		}
	}
}

// ownRepository tells whether a repository is memory's own, or has its root as the
// work tree.
func (m *Memory) ownRepository(loc git.Location) bool {
	root, dir := realPath(m.root), realPath(loc.GitDir)
	return realPath(loc.WorkTree) == root || dir == filepath.Join(root, ".git") || below(dir, filepath.Join(root, "gitmem"))
}

// holds tells whether a commit is in a repository: another one may have taken the
// folder of the one that was remembered.
func holds(ctx context.Context, repo *git.Repository, commit string) bool {
	for c, err := range repo.Walk(ctx, []string{commit}, git.WalkOptions{}) {
		return err == nil && c.Hash == commit // read, since a whole id resolves to itself
	}
	return false
}

// mainFolder is the root of the main work tree: the client keys its own memory by
// it, and linked work trees share it.
func mainFolder(loc git.Location) string {
	if loc.Bare {
		return realPath(loc.GitDir)
	}
	if loc.CommonDir != "" && loc.CommonDir != loc.GitDir && filepath.Base(loc.CommonDir) == ".git" {
		return realPath(filepath.Dir(loc.CommonDir))
	}
	return realPath(loc.WorkTree)
}

// identify reads the remotes and the root commit: sharing some makes two
// checkouts one project, whichever came first.
func (m *Memory) identify(ctx context.Context, p *place) error {
	repo, err := git.Open(p.loc)
	if errors.Is(err, git.ErrUnsupported) { // told by repository; rules and memory work all the same
		return nil
	}
	if err != nil {
		return err
	}
	defer repo.Close()
	remotes, err := repo.Remotes()
	if err != nil {
		m.notice("The repository's configuration could not be read whole, so some of its remotes may be unknown: %v", err)
	}
	for _, r := range remotes {
		for _, url := range r.URLs {
			id, ok := store.NormaliseRemote(url)
			switch {
			case !ok:
			case r.Name == "origin":
				p.identity.Remotes = append([]string{id}, p.identity.Remotes...)
			default:
				p.identity.Remotes = append(p.identity.Remotes, id)
			}
		}
	}
	if m.past == nil || m.past.begun {
		p.identity.Root = m.rootCommit(ctx, repo)
	}
	return nil
}

// rootCommit is the first commit of the repository's main line. Finding it reads
// the whole line, which a hook can't afford at each call, so that it is remembered
// beside the index; a repository keeps its identity when its root is rewritten later.
func (m *Memory) rootCommit(ctx context.Context, repo *git.Repository) string {
	file := filepath.Join(m.indexDir(), "roots", shortHash(repo.Location().CommonDir))
	if b, err := os.ReadFile(file); err == nil && len(b) == 40 && holds(ctx, repo, string(b)) {
		return string(b)
	}
	root, err := repo.Root()
	switch {
	case errors.Is(err, git.ErrEmpty), errors.Is(err, git.ErrShallow):
		return "" // not known: the remotes or the folder have to do
	case err != nil:
		m.notice("The repository's first commit could not be read, so it is known by its folder only: %v", err)
		return ""
	}
	if m.looking {
		return root
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
		_ = os.WriteFile(file, []byte(root), 0o600) // a cache: without it the next call reads again
	}
	return root
}

// project finds the project of an identity. One without any remote is also known by
// its folder: its first commit may be rewritten, as people do before they publish.
// known tells whether the repository that lies there now holds a commit.
func (m *Memory) project(ctx context.Context, id store.Identity, known func(commit string) bool, create bool) (store.Project, error) {
	var at func(folder string) (store.Project, bool, error)
	var of func() (store.Project, error)
	switch {
	case m.past != nil && m.past.revision != nil: // nothing is made in the past
		at, of = m.past.revision.ProjectAt, func() (store.Project, error) { return m.past.revision.Project(id) }
	case m.past == nil && m.store != nil:
		at, of = m.store.ProjectAt, func() (store.Project, error) { return m.store.Project(ctx, id, create) }
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

// below tells whether a path is a folder or lies in it.
func below(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, folder+string(filepath.Separator))
}

func realPath(p string) string {
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

// scope is which projects' documents a question is about.
type scope struct {
	ids     map[string]bool
	folders []string
	munged  map[string]bool
	suffix  string // project named by the user, matched by id, id suffix or folder name
	exact   bool   // what lies below the folders does not belong to them

	called, allow string // of a reach: its project, and how more is allowed
}

// scopeOf is the current project inside a repository and everything elsewhere;
// name narrows to one project or, with "all", widens to all. Neither goes beyond what
// is in reach.
func (m *Memory) scopeOf(ctx context.Context, name string) (func(string) bool, error) {
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	own, err := m.reach(ctx)
	named := scope{suffix: suffixOf(name)}
	switch {
	case err != nil:
		return nil, err
	case own != nil && name == "":
		if !p.inRepo || !own.holds(p.project.ID) {
			m.notice("Only %s was searched, where the session began; %s.", own.called, own.allow)
		}
		return m.unexcluded(p, own.holds), nil
	case own != nil && (name == "all" || !own.names(named.holds)):
		return nil, own.refuse(name)
	case own != nil:
		return m.unexcluded(p, func(project string) bool { return named.holds(project) && own.holds(project) }), nil
	case name == "all" || name == "" && !p.inRepo:
		return m.unexcluded(p, nil), nil
	case name == "":
		here := scopeOfPlace(p)
		here.ids[planProject] = true
		return m.unexcluded(p, here.holds), nil
	}
	return m.unexcluded(p, named.holds), nil
}

// scopeOfPlace is the project of a place: the folders of its checkouts with all below
// them, or a folder outside any repository without what is below it.
func scopeOfPlace(p *place) *scope {
	s := &scope{ids: map[string]bool{}, munged: map[string]bool{}, exact: !p.inRepo}
	s.addPlace(p)
	if p.inRepo {
		if p.loc.WorkTree != "" {
			s.addFolder(realPath(p.loc.WorkTree))
		}
		for _, folder := range linkedFolders(p.loc) {
			s.addFolder(folder)
		}
	}
	return s
}

// suffixOf is the end of a project's id that a person's name for it means.
func suffixOf(name string) string { return strings.ToLower(strings.Trim(name, "/")) }

// linkedFolders lists the linked work trees of a repository, whose sessions belong
// to its project.
func linkedFolders(loc git.Location) []string {
	files, err := filepath.Glob(filepath.Join(loc.CommonDir, "worktrees", "*", "gitdir"))
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range files {
		if b, err := git.ReadFile(f, 1<<16); err == nil {
			out = append(out, realPath(filepath.Dir(strings.TrimSpace(string(b)))))
		}
	}
	return out
}

// addPlace adds the projects whose memory counts at a place, with their folders.
func (s *scope) addPlace(p *place) {
	s.addFolder(p.folder)
	for _, e := range p.earlier {
		s.ids[e.ID] = true
	}
	for _, of := range append(slices.Clone(p.linked), p.project) {
		s.ids[of.ID] = true
		for _, r := range of.Remotes {
			s.ids[r] = true
		}
		for _, f := range of.Folders() {
			s.addFolder(f)
		}
	}
}

func (s *scope) addFolder(f string) {
	s.folders = append(s.folders, f)
	s.munged[transcript.Munge(f)] = true
}

// holds tells whether a document's project is in scope. A document without a
// project is the user's own and always is; a project is named by its id, by the
// folder a transcript was written in, or by the client's form of that folder.
func (s *scope) holds(project string) bool {
	if project == "" {
		return true
	}
	if s.suffix != "" {
		p := strings.ToLower(filepath.ToSlash(project))
		return p == s.suffix || strings.HasSuffix(p, "/"+s.suffix) || strings.HasSuffix(p, "-"+s.suffix)
	}
	if s.ids[project] || s.munged[project] {
		return true
	}
	for _, f := range s.folders {
		if project == f || !s.exact && below(project, f) {
			return true
		}
	}
	return false
}
