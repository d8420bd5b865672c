package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// Revision is memory at one commit: its files, and the project of each folder. It does not include files that were
// uncommitted at the time. It is not safe for concurrent use. The caller must close it.
type Revision struct {
	repo   *git.Repository
	commit string
	time   time.Time
	newest bool

	o Options // of the store
	checkoutIndex

	list     []Project // every project.md, after it was read
	listErr  error
	listOnce sync.Once
}

// RevisionAt returns memory as of t: the newest commit that is not after t on HEAD's first-parent line. ErrNotFound
// means that the history begins after t or is cut off before it.
func (s *Store) RevisionAt(t time.Time) (*Revision, error) {
	return s.openRevision(func(repo *git.Repository) (string, error) { return repo.At(t) })
}

// Revision returns memory at a revision: a branch, a tag or a commit id of at least 4 digits, each with an optional ~n
// or ^n suffix. It returns ErrNotFound if no revision or several match.
func (s *Store) Revision(rev string) (*Revision, error) {
	return s.openRevision(func(repo *git.Repository) (string, error) { return repo.Resolve(rev) })
}

func (s *Store) openRevision(find func(*git.Repository) (string, error)) (_ *Revision, err error) {
	repo, err := s.openHistory()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, repo.Close())
		}
	}()
	commit, err := find(repo)
	for _, absent := range [...]error{git.ErrNotFound, git.ErrEmpty, git.ErrAmbiguous, git.ErrShallow} {
		if errors.Is(err, absent) {
			return nil, fmt.Errorf("%w: %w", ErrNotFound, err)
		}
	}
	if err != nil {
		return nil, err
	}
	c, err := repo.Commit(commit)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", commit, err)
	}
	head, err := repo.Head()
	if err != nil && !errors.Is(err, git.ErrEmpty) {
		return nil, fmt.Errorf("revision %s: %w", commit, err)
	}
	r := &Revision{repo: repo, commit: commit, time: c.Committer.When, newest: head.Hash == commit, o: s.o}
	r.machine, r.redactor, r.all = s.o.Machine, s.o.Redactor, r
	return r, nil
}

// Close releases the resources of the revision.
func (r *Revision) Close() error { return r.repo.Close() }

// Commit returns the id of the commit, 40 hex digits.
func (r *Revision) Commit() string { return r.commit }

// Time returns the committer time of the commit.
func (r *Revision) Time() time.Time { return r.time }

// Newest reports whether HEAD is at the commit, so that no newer commit exists.
func (r *Revision) Newest() bool { return r.newest }

// Repository returns the repository of the revision, for reading files other than memory's own. The revision closes it.
func (r *Revision) Repository() *git.Repository { return r.repo }

// Files returns the Markdown files of memory in the revision, ours and the client's, in git's order. It omits entries
// that are not regular files or that memory does not allow.
func (r *Revision) Files() ([]git.Entry, error) {
	var out []git.Entry
	for _, dir := range []string{profileFile, projectsDir, clientDir} {
		entries, err := r.repo.List(r.commit, dir)
		if errors.Is(err, git.ErrNotFound) {
			continue
		}
		if err != nil {
			return out, fmt.Errorf("memory of %s: %w", r.commit, err)
		}
		for _, e := range entries {
			if isRegularMode(e.Mode) && isMarkdown(e.Path) && Allowed(e.Path) {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// Project returns the project of a checkout as it was known then: one that shares a remote or the root commit with it,
// else the result of Identify.
func (r *Revision) Project(id Identity) (Project, error) {
	id = id.distinct(r.redactor)
	computed := identify(id)
	if computed.ID == "" {
		return Project{}, errors.New("project: neither a remote nor a root commit nor a folder is given")
	}
	all, err := r.Projects()
	if err != nil {
		return computed, err
	}
	if i := slices.IndexFunc(all, func(p Project) bool { return p.Dir == computed.Dir }); i >= 0 {
		return all[i], nil
	}
	return choose(all, id, computed, r.machine), nil
}

// Projects lists every project.md of the revision, sorted by id. Unreadable ones are reported and omitted.
func (r *Revision) Projects() ([]Project, error) {
	r.listOnce.Do(func() { r.list, r.listErr = r.readProjects() })
	return r.list, r.listErr
}

func (r *Revision) readProjects() (all []Project, err error) {
	files, err := r.Files()
	if err != nil {
		return nil, err
	}
	for _, e := range files {
		dir, ok := strings.CutSuffix(e.Path, "/"+projectFile)
		if !ok || !strings.HasPrefix(dir, projectsDir+"/") {
			continue
		}
		id, ok := unescapeID(strings.TrimPrefix(dir, projectsDir+"/"))
		b, err := r.repo.Content(e)
		if err != nil || !ok {
			r.o.Warn(fmt.Sprintf("project left out: %s at %s can't be read", e.Path, r.commit))
			continue
		}
		p, _ := Project{ID: id, Dir: dir}.described(b) // if the file can't be parsed, only its path counts
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Project) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}
