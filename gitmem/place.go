package gitmem

import (
	"context"
	"errors"
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
	loc      git.Location
	inRepo   bool
	folder   string // root of the main work tree, or the folder itself
	identity store.Identity
	project  store.Project
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
		getenv = nil // variables such as GIT_DIR name the repository of the working folder
	}
	loc, err := git.Discover(dir, getenv)
	switch {
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
	p.project, err = m.project(ctx, p.identity, m.holds(ctx, p), false)
	return p, err
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

// earlier are the projects that a place was before it had a remote or a commit:
// what hooks appended then belongs to it now.
func (p *place) earlier() []store.Project {
	out := []store.Project{store.Identify(store.Identity{Folder: p.folder})}
	if p.identity.Root != "" {
		out = append(out, store.Identify(store.Identity{Folder: p.folder, Root: p.identity.Root}))
	}
	return out
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

// identify reads the remotes and the root commit: sharing either makes two
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
}

// scopeOf is the current project inside a repository and everything elsewhere;
// name narrows to one project or, with "all", widens to all.
func (m *Memory) scopeOf(ctx context.Context, name string) (func(string) bool, error) {
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	if name == "all" || (name == "" && !p.inRepo) {
		return m.unexcluded(p, nil), nil
	}
	s := scope{ids: map[string]bool{}, munged: map[string]bool{}, suffix: strings.ToLower(strings.Trim(name, "/"))}
	if name == "" {
		s.add(p.project, p.folder)
		for _, e := range p.earlier() {
			s.ids[e.ID] = true
		}
		if p.loc.WorkTree != "" {
			s.addFolder(realPath(p.loc.WorkTree))
		}
		for _, folder := range linkedFolders(p.loc) {
			s.addFolder(folder)
		}
	}
	return m.unexcluded(p, s.holds), nil
}

// linkedFolders lists the linked work trees of a repository, whose sessions belong
// to its project.
func linkedFolders(loc git.Location) []string {
	files, err := filepath.Glob(filepath.Join(loc.CommonDir, "worktrees", "*", "gitdir"))
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil {
			out = append(out, realPath(filepath.Dir(strings.TrimSpace(string(b)))))
		}
	}
	return out
}

func (s *scope) add(p store.Project, folder string) {
	s.ids[p.ID] = true
	for _, a := range p.Aliases() {
		s.ids[a] = true
	}
	for _, f := range append(p.Folders(), folder) {
		s.addFolder(f)
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
		if below(project, f) {
			return true
		}
	}
	return false
}
