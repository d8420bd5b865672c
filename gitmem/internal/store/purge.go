package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Purge says what shall be gone from every commit. The same input has the same answer,
// whenever it is asked.
type Purge interface {
	// File returns what a version of a file becomes: content itself if nothing
	// goes, nil if the file goes.
	File(path string, content []byte) []byte
	// Message returns what the message of a commit or a tag becomes.
	Message(text string) string
	// Name returns what the name or address of a person becomes. Files, folders and
	// references keep their names; those that it would change are listed in
	// Purged.Names.
	Name(text string) string
}

// Purged is what a purge does or, planned, would do.
type Purged struct {
	Commits   int            // that some reference reaches
	Rewritten []PurgedCommit // those that get another id, parents first
	Files     []PurgedFile   // by path
	Refs      []PurgedRef    // by name
	Unsigned  int            // commits and tags whose signature goes, since it no longer fits
	Stashed   int            // stash entries that go
	Objects   int            // objects that no reference reaches any more
	Bytes     int64          // that they take on disk
	Names     []string       // paths and references that hold what shall go, and keep their names
}

// PurgedCommit is a commit that is written anew. New is "" in a plan. First says that its parents
// stay, so that a history that holds none of the first ones holds nothing that was purged.
type PurgedCommit struct {
	Old, New string
	First    bool
}

// PurgedFile is a path with the number of its versions that change or go.
type PurgedFile struct {
	Path     string `json:"path"`
	Versions int    `json:"versions"`
}

// PurgedRef is a reference that moves, or goes if New is "".
type PurgedRef struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// PlanPurge says what [Store.Purge] would do. It changes nothing and takes no
// lock. The errors are those of Purge.
func (s *Store) PlanPurge(ctx context.Context, p Purge) (out Purged, err error) {
	r := newRewriter(s, p)
	plan, err := r.plan(ctx)
	if err == nil {
		out = r.report()
		out.Objects, out.Bytes, err = r.doomed(ctx, plan)
	}
	if err != nil {
		return Purged{}, fmt.Errorf("purge: %w", err)
	}
	for i := range out.Rewritten {
		out.Rewritten[i].New = ""
	}
	for i, ref := range out.Refs {
		if ref.New != "" {
			out.Refs[i].New = "rewritten"
		}
	}
	return out, nil
}

// Purge rewrites every commit that a reference of our repository reaches, as p
// says, moves the references, and removes what nothing reaches any more: loose
// objects, packs that hold such, reflogs, ORIG_HEAD and its like. Authors, dates
// and the shape of the history stay; commits before the first that changes keep
// their ids. Stash entries and references to what other repositories have are
// dropped when they would change. The working files are left alone.
//
// It holds the flock. A crash leaves either the old history or the new one, of which
// Repair then removes the old objects. Nothing can be rewritten, ErrConflict, while a
// merge or rebase is unfinished or HEAD is detached, nothing, ErrUnsupported, in a
// repository that shares its objects with others, and nothing without git: ErrNoGit.
func (s *Store) Purge(ctx context.Context, p Purge) (Purged, error) {
	r := newRewriter(s, p)
	if _, err := r.plan(ctx); err != nil { // what takes long, before anybody has to wait
		return Purged{}, fmt.Errorf("purge: %w", err)
	}
	wait, cancel := s.deadline(ctx)
	defer cancel()
	unlock, err := s.Lock(wait)
	if err != nil {
		return Purged{}, err
	}
	defer unlock()
	if err := s.repairLocked(wait); err != nil {
		return Purged{}, fmt.Errorf("repair: %w", err)
	}
	if err := r.replaceHistory(ctx); err != nil {
		return r.report(), fmt.Errorf("purge: %w", err)
	}
	out := r.report()
	if out.Objects, out.Bytes, err = s.prune(ctx); err != nil {
		return out, fmt.Errorf("purge: %w", err)
	}
	return out, nil
}

// purgeTries bounds how often a branch may move while its history is rewritten.
const purgeTries = 10

// plan rewrites in memory, unless that can't be done now.
func (r *rewriter) plan(ctx context.Context) (*purgePlan, error) {
	if err := r.store.purgeable(ctx); err != nil {
		return nil, err
	}
	return r.run(ctx)
}

// replaceHistory rewrites until nothing is left to do, since others may move a
// reference meanwhile. The flock is held.
func (r *rewriter) replaceHistory(ctx context.Context) error {
	for range purgeTries {
		plan, err := r.plan(ctx)
		if err != nil {
			return err
		}
		moves := plan.moves()
		if len(moves) == 0 && !plan.index {
			return nil
		}
		if err := r.moveIndex(ctx); err != nil {
			return err
		}
		if len(moves) > 0 {
			err = r.store.moveRefs(ctx, moves)
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: the branches keep moving", ErrConflict)
}

// purgeable says why the repository can't be rewritten now.
func (s *Store) purgeable(ctx context.Context) error {
	if err := errors.Join(s.repository(), s.needsGit(ctx)); err != nil {
		return err
	}
	if err := s.Busy(); err != nil {
		return err
	}
	if s.exists(s.gitPath("MERGE_HEAD")) || s.exists(s.gitPath("MERGE_AUTOSTASH")) {
		return fmt.Errorf("%w: a merge is unfinished in %s; finish it or abort it with git", ErrConflict, s.GitDir())
	}
	if _, _, err := s.readRef("HEAD"); err != nil {
		return err
	}
	for name, why := range map[string]string{
		"commondir": "it is a work tree of another repository",
		"shallow":   "its history is cut off (shallow); git fetch --unshallow",
		"objects/info/alternates": "it borrows objects from another repository; git repack -a -d and remove " +
			"objects/info/alternates",
	} {
		if s.exists(s.gitPath(name)) {
			return fmt.Errorf("%w: the history of %s can't be rewritten: %s", ErrUnsupported, s.GitDir(), why)
		}
	}
	if trees, err := s.readDir(s.gitPath("worktrees")); err != nil || len(trees) > 0 {
		return errors.Join(err, fmt.Errorf("%w: %s has further work trees; remove them with git worktree remove",
			ErrUnsupported, s.GitDir()))
	}
	return nil
}

// report puts what was done, or planned, into the form for callers.
func (r *rewriter) report() Purged {
	out := Purged{Commits: r.count, Rewritten: slices.Clone(r.rewritten), Unsigned: r.unsigned, Stashed: r.stashed,
		Names: slices.Sorted(maps.Keys(r.names))}
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		out.Files = append(out.Files, PurgedFile{path, r.files[path]})
	}
	for _, name := range slices.Sorted(maps.Keys(r.refs)) {
		out.Refs = append(out.Refs, r.refs[name])
	}
	return out
}

// EachVersion gives p once every version of every file that a reference of our
// repository reaches. It changes nothing, whatever p returns. ErrNoGit: it needs git.
func (s *Store) EachVersion(ctx context.Context, p Purge) error {
	if err := errors.Join(s.repository(), s.needsGit(ctx)); err != nil {
		return err
	}
	if _, _, err := newRewriter(s, p).histories(ctx); err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	return nil
}

// RemoveTemps removes the temporary files of memory, whatever their age: one may hold
// what was forgotten since.
func (s *Store) RemoveTemps(ctx context.Context) error {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.removeTemps(true)
}

// DropUnreachable removes every object that no reference reaches, with the reflogs and what else shows
// the history as it was. It holds the flock.
func (s *Store) DropUnreachable(ctx context.Context) error {
	if err := s.purgeable(ctx); err != nil {
		return err
	}
	unlock, err := s.lockRepaired(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, _, err = s.prune(ctx)
	return err
}
