package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Purge defines what is removed from every commit. The methods must be deterministic.
type Purge interface {
	// File returns the new content of a version of a file: content itself if nothing changes, nil to delete the file.
	File(path string, content []byte) []byte
	// Message returns the new message of a commit or a tag.
	Message(text string) string
	// Name returns the new name or address of a person. Files, folders and references are not renamed; those that Name
	// would change are listed in Purged.Names.
	Name(text string) string
}

// Purged is the result of a purge or of its plan.
type Purged struct {
	Commits   int            // reachable from a reference
	Rewritten []PurgedCommit // commits with a new id, parents first
	Files     []PurgedFile   // by path
	Refs      []PurgedRef    // by name
	Unsigned  int            // commits and tags that lose a signature, since it is no longer valid
	Stashed   int            // removed stash entries
	Objects   int            // objects that become unreachable
	Bytes     int64          // their size on disk
	Names     []string       // paths and references that contain purged text and keep their names
}

// PurgedCommit is a rewritten commit. New is "" in a plan. First means that its parents are unchanged, so that a
// history without any First commit contains nothing that was purged.
type PurgedCommit struct {
	Old, New string
	First    bool
}

// PurgedFile is a path with the number of its versions that change or are removed.
type PurgedFile struct {
	Path     string `json:"path"`
	Versions int    `json:"versions"`
}

// PurgedRef is a reference that moves, or is removed if New is "".
type PurgedRef struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// PlanPurge returns what [Store.Purge] would do. It changes nothing and takes no lock. The errors are those of Purge.
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

// Purge rewrites every commit reachable from a reference of our repository according to p, moves the references, and
// removes unreachable data: loose objects, packs that contain them, reflogs, ORIG_HEAD and similar files. Authors,
// dates and the shape of the history are kept; commits before the first changed one keep their ids. Stash entries and
// remote-tracking references that would change are removed. The working files are not changed.
//
// It holds the flock. A crash leaves either the old history or the new one, of which Repair then removes the old
// objects. Purge refuses with ErrConflict while a merge or rebase is unfinished or HEAD is detached, with
// ErrUnsupported in a repository that shares its objects with others, and with ErrNoGit without git.
func (s *Store) Purge(ctx context.Context, p Purge) (Purged, error) {
	r := newRewriter(s, p)
	if _, err := r.plan(ctx); err != nil { // the slow part, before other processes have to wait
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

// purgeTries limits how often a branch may move while its history is rewritten.
const purgeTries = 10

// plan rewrites in memory, unless the repository can't be rewritten now.
func (r *rewriter) plan(ctx context.Context) (*purgePlan, error) {
	if err := r.store.purgeable(ctx); err != nil {
		return nil, err
	}
	return r.run(ctx)
}

// replaceHistory rewrites until no reference needs a change, since others may move a reference meanwhile. The caller
// holds the flock.
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

// purgeable returns an error if the repository can't be rewritten now.
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

// report returns the result or the plan in its exported form.
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

// EachVersion calls p once for every version of every file reachable from a reference of our repository. It ignores the
// results and changes nothing. ErrNoGit: git is not installed.
func (s *Store) EachVersion(ctx context.Context, p Purge) error {
	if err := errors.Join(s.repository(), s.needsGit(ctx)); err != nil {
		return err
	}
	if _, _, err := newRewriter(s, p).histories(ctx); err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	return nil
}

// RemoveTemps removes all temporary files of memory, whatever their age: one may contain text that was purged since.
func (s *Store) RemoveTemps(ctx context.Context) error {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.removeTemps(true)
}

// DropUnreachable removes every object that no reference reaches, together with the reflogs and other traces of the old
// history. It holds the flock.
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
