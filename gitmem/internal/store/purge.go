package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// Purge says what shall be gone from every commit. Both functions are pure: the
// same input has the same answer, whenever it is asked.
type Purge struct {
	// File returns what a version of a file becomes: content itself if nothing
	// goes, nil if the file goes. path is "" for a blob that only a tag names.
	File func(path string, content []byte) []byte
	// Message returns what the message of a commit or a tag becomes.
	Message func(text string) string
	// Name returns what the name or address of a person becomes. Files, folders and
	// references keep their names; those that it would change are told in
	// Purged.Names. nil changes none.
	Name func(text string) string
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
	Bytes     int64          // disk space of the loose ones and of the packs that hold others
	Names     []string       // paths and references that hold what shall go, and keep their names
}

// PurgedCommit is a commit that is written anew. New is "" in a plan.
type PurgedCommit struct {
	Old, New string
	Subject  string // after the purge
}

// PurgedFile is a path with the number of its versions that change or go.
type PurgedFile struct {
	Path     string
	Versions int
}

// PurgedRef is a reference that moves, or goes if New is "".
type PurgedRef struct{ Name, Old, New string }

// PlanPurge says what [Store.Purge] would do. It changes nothing and takes no
// lock. The errors are those of Purge.
func (s *Store) PlanPurge(ctx context.Context, p Purge) (Purged, error) {
	if err := s.purgeable(); err != nil {
		return Purged{}, fmt.Errorf("purge: %w", err)
	}
	r := newRewriter(s, p, nil, nil)
	plan, err := r.run(ctx)
	if err != nil {
		return Purged{}, fmt.Errorf("purge: %w", err)
	}
	out := r.report(plan)
	for i := range out.Rewritten {
		out.Rewritten[i].New = ""
	}
	for i, ref := range out.Refs {
		if ref.New != "" {
			out.Refs[i].New = "rewritten"
		}
	}
	out.Objects, out.Bytes, err = s.wouldDoom(ctx, r, plan)
	if err != nil {
		return out, fmt.Errorf("purge: %w", err)
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
// It holds the flock and git's index.lock. A crash leaves either the old history
// or a journal by which the next Commit, Rewrite or Repair finishes; Repair also
// removes the old objects. Nothing can be rewritten, ErrConflict, while a merge
// or rebase is unfinished, and nothing, ErrUnsupported, in a repository that
// shares its objects with others.
func (s *Store) Purge(ctx context.Context, p Purge) (Purged, error) {
	if err := s.purgeable(); err != nil {
		return Purged{}, fmt.Errorf("purge: %w", err)
	}
	warm := newRewriter(s, p, nil, nil)
	if _, err := warm.run(ctx); err != nil { // what takes long, before anybody has to wait
		return Purged{}, fmt.Errorf("purge: %w", err)
	}
	wait, cancel := s.deadline(ctx)
	defer cancel()
	unlock, err := s.Lock(wait)
	if err != nil {
		return Purged{}, err
	}
	defer unlock()
	if _, err := s.repairLocked(wait); err != nil {
		return Purged{}, fmt.Errorf("repair: %w", err)
	}
	out, err := s.purgeLocked(ctx, p, warm.same)
	if err != nil {
		return out, fmt.Errorf("purge: %w", err)
	}
	return out, nil
}

// purgeTries bounds how often a branch may move while its history is rewritten.
const purgeTries = 10

func (s *Store) purgeLocked(ctx context.Context, p Purge, same map[blobAt]bool) (Purged, error) {
	if err := s.purgeable(); err != nil { // once more: a merge may have begun
		return Purged{}, err
	}
	r := newRewriter(s, p, same, &objectWriter{objects: s.objects})
	out := Purged{}
	for range purgeTries {
		plan, err := r.run(ctx)
		if err != nil {
			return Purged{}, err
		}
		if err := r.out.finish(); err != nil {
			return Purged{}, err
		}
		out = merged(out, r.report(plan))
		moved, err := s.applyPurge(ctx, plan.journal(), true)
		if err != nil {
			return out, err
		}
		if moved {
			continue
		}
		out.Objects, out.Bytes, err = s.prune(ctx)
		return out, err
	}
	return out, fmt.Errorf("%w: the branches keep moving", ErrConflict)
}

// merged keeps the references that an earlier round moved.
func merged(before, now Purged) Purged {
	for _, ref := range before.Refs {
		if !slices.ContainsFunc(now.Refs, func(r PurgedRef) bool { return r.Name == ref.Name }) {
			now.Refs = append(now.Refs, ref)
		}
	}
	slices.SortFunc(now.Refs, func(a, b PurgedRef) int { return strings.Compare(a.Name, b.Name) })
	now.Stashed += before.Stashed
	return now
}

// purgeable says why the repository can't be rewritten now.
func (s *Store) purgeable() error {
	if err := s.repository(); err != nil {
		return err
	}
	for _, name := range [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG"} {
		if s.hasGit(name) {
			return fmt.Errorf("%w: %s is there, so a merge, rebase or the like is unfinished in %s; finish it or abort it with git", ErrConflict, name, s.GitDir())
		}
	}
	for name, why := range map[string]string{
		"commondir": "it is a work tree of another repository", "shallow": "its history is cut off (shallow); git fetch --unshallow",
		"objects/info/alternates": "it borrows objects from another repository; git repack -a -d and remove objects/info/alternates",
	} {
		if s.hasGit(name) {
			return fmt.Errorf("%w: the history of %s can't be rewritten: %s", ErrUnsupported, s.GitDir(), why)
		}
	}
	if trees, err := s.readDir(s.gitPath("worktrees")); err != nil || len(trees) > 0 {
		return errors.Join(err, fmt.Errorf("%w: %s has further work trees; remove them with git worktree remove", ErrUnsupported, s.GitDir()))
	}
	return s.mergedIndex()
}

// mergedIndex refuses an index that can't be edited here.
func (s *Store) mergedIndex() error {
	snap, err := s.snapshot()
	if err != nil {
		return err
	}
	if snap.index == nil {
		if errors.Is(snap.broken, fs.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("%w: the index of %s: %w; git update-index --no-split-index, or remove it and git reset", ErrUnsupported, s.GitDir(), snap.broken)
	}
	for _, e := range snap.index.entries {
		if e.stage() != 0 {
			return fmt.Errorf("%w: %s is unmerged; resolve it and git add it", ErrConflict, e.name)
		}
	}
	return nil
}

// hasGit says whether a file or folder is in our git directory.
func (s *Store) hasGit(name string) bool {
	_, err := s.disk.root.Lstat(s.gitPath(name))
	return err == nil
}

// report puts a plan and what led to it into the form for callers.
func (r *rewriter) report(plan *purgePlan) Purged {
	out := Purged{Commits: len(r.commits), Rewritten: slices.Clone(r.rewritten), Unsigned: r.unsigned, Stashed: plan.stashed, Names: slices.Sorted(maps.Keys(r.names))}
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		out.Files = append(out.Files, PurgedFile{path, r.files[path]})
	}
	for _, ref := range plan.refs {
		p := PurgedRef{Name: ref.name, Old: ref.old.String()}
		if !ref.new.isZero() {
			p.New = ref.new.String()
		}
		out.Refs = append(out.Refs, p)
	}
	return out
}

// EachVersion calls f once for every version of every file that a reference of
// our repository reaches, and message for the text of every commit and tag; either
// may be nil. It changes nothing.
func (s *Store) EachVersion(ctx context.Context, f func(path string, content []byte), message func(text string)) error {
	if err := s.repository(); err != nil {
		return err
	}
	r := newRewriter(s, Purge{
		File: func(path string, content []byte) []byte {
			if f != nil {
				f(path, content)
			}
			return content
		},
		Message: func(text string) string {
			if message != nil {
				message(text)
			}
			return text
		},
	}, nil, nil)
	if _, err := r.run(ctx); err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	return nil
}

// Remotes names the other repositories that our configuration lists, sorted: what
// was pushed there or fetched from there is out of reach.
func (s *Store) Remotes() []string {
	b, err := s.disk.readFile(s.gitPath("config"))
	if err != nil || s.gitDir == "" {
		return nil
	}
	var names []string
	for key := range git.Settings(b) {
		name, ok := strings.CutPrefix(key, "remote.")
		if name, ok2 := strings.CutSuffix(name, ".url"); ok && ok2 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// SweepTemps removes the temporary files of memory, whatever their age: one may hold
// what was forgotten since.
func (s *Store) SweepTemps(ctx context.Context) error {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = s.sweepTemps(true)
	return err
}
