package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// IndexState compares git's index with HEAD and with the files, as far as they
// are ours, and looks for work by hand that was not finished. What a dead process
// of ours left behind can be put right by [Store.Repair].
func (s *Store) IndexState(ctx context.Context) ([]Trouble, error) {
	if err := s.repository(); err != nil {
		return nil, err
	}
	found := s.unfinished()
	if _, fixable, why := s.lostHead(); why != nil {
		found = append(found, Trouble{Level: Fail, Path: s.gitPath("HEAD"), Fixable: fixable, Detail: "the last commit can't be found: " + why.Error()})
		return append(found, s.packedTroubles()...), nil
	}
	found = append(found, s.packedTroubles()...)
	if rel := s.gitPath("index"); errors.Is(s.regular(rel), errNotFile) {
		return append(found, Trouble{Level: Fail, Path: rel, Fixable: true, Detail: "is no file, so that nothing can be committed"}), nil
	}
	snap, err := s.snapshot()
	if err != nil {
		return append(found, Trouble{Level: Fail, Path: s.gitPath("HEAD"), Detail: "the last commit can't be read: " + err.Error()}), nil
	}
	if snap.head.ref == "HEAD" {
		found = append(found, Trouble{Level: Warn, Path: s.gitPath("HEAD"), Detail: "is detached: commits go to no branch"})
	}
	if last := s.lastLogged("HEAD"); snap.head.id.isZero() && last != "" {
		found = append(found, Trouble{Level: Fail, Path: s.gitPath(snap.head.ref), Detail: "has no commit: the next one would begin another history. The last commit was " + last})
	}
	switch {
	case errors.Is(snap.broken, errIndexForm):
		found = append(found, Trouble{Path: s.gitPath("index"), Detail: "is left to git: " + snap.broken.Error()})
	case isMissing(snap.broken) && snap.tree.isZero():
	case snap.broken != nil:
		found = append(found, Trouble{Level: Warn, Path: s.gitPath("index"), Detail: "can't be read and is made anew by the next commit: " + snap.broken.Error()})
	default:
		more, err := s.indexEntries(ctx, snap)
		return append(found, more...), err
	}
	return found, nil
}

// unfinished tells of merges and the like that somebody began and did not end.
func (s *Store) unfinished() []Trouble {
	var found []Trouble
	for _, w := range [...]struct{ file, what string }{
		{"MERGE_HEAD", "a merge"}, {"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
		{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase or git am"}, {"BISECT_LOG", "a bisection"},
	} {
		if rel := s.gitPath(w.file); s.exists(rel) {
			found = append(found, Trouble{Level: Warn, Path: rel, Detail: w.what + " was begun by hand and not finished"})
		}
	}
	if !s.exists(purgeFile) {
		return found
	}
	if idle, err := s.idle(); err == nil && idle { // else a process of ours is about it
		found = append(found, Trouble{Level: Fail, Path: purgeFile, Fixable: true, Detail: "says that forgetting was not finished: what was to be forgotten is still in the repository"})
	}
	return found
}

func (s *Store) indexEntries(ctx context.Context, snap *snapshot) ([]Trouble, error) {
	var found []Trouble
	unmerged := map[string]bool{}
	for _, e := range snap.index.entries {
		if name := string(e.name); e.stage() != 0 && !unmerged[name] {
			unmerged[name] = true
			found = append(found, Trouble{Level: Fail, Path: name, Detail: "is unmerged, so it is not committed"})
		}
	}
	targets, err := s.targets(ctx, snap, nil)
	if err != nil {
		return found, err
	}
	for _, t := range targets {
		old, err := s.objects.lookup(snap.tree, t.path)
		if err != nil {
			return found, err
		}
		e, staged, _ := snap.index.find(t.path)
		switch {
		case t.index && !t.tree:
			found = append(found, Trouble{Level: Fail, Path: t.path, Fixable: true, Detail: "is as in HEAD, but git's index has something else"})
		case t.index && staged && e.id() != old.id:
			found = append(found, Trouble{Path: t.path, Detail: "was staged by hand and changed since; the next commit takes the file"})
		}
	}
	return found, nil
}

// Refused finds what HEAD or git's index hold and the allow-list refuses, such as
// what somebody added by force: files that are not memory, and links.
func (s *Store) Refused() ([]Trouble, error) {
	if err := s.repository(); err != nil {
		return nil, err
	}
	snap, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	where := map[string]string{}
	everywhere := func(string) bool { return true }
	if snap.index != nil {
		for _, e := range snap.index.entries {
			if name := string(e.name); !isRegularMode(e.mode()) || !s.allowed(name) {
				where[name] = "git's index"
			}
		}
	}
	err = flatten(s.objects.get, snap.tree, everywhere, func(path string, f file) error {
		if !isRegularMode(f.mode) || !s.allowed(path) {
			where[path] = "HEAD"
		}
		return nil
	})
	var found []Trouble
	for name, in := range where {
		found = append(found, Trouble{Level: Fail, Path: name, Fixable: true, Detail: "is tracked in " + in + ", but the allow-list refuses it"})
	}
	slices.SortFunc(found, func(a, b Trouble) int { return strings.Compare(a.Path, b.Path) })
	return found, err
}

// Untrack commits that the paths of troubles that [Store.Refused] found are no
// longer tracked. The files stay where they are, and in earlier commits.
func (s *Store) Untrack(ctx context.Context, found []Trouble) error {
	var targets []target
	for _, t := range found {
		if t.Fixable {
			targets = append(targets, target{change: change{path: t.Path}, tree: true, index: true})
		}
	}
	if len(targets) == 0 {
		return nil
	}
	slices.SortFunc(targets, func(a, b target) int { return strings.Compare(a.path, b.path) })
	return s.locked(ctx, func(ctx context.Context, lock *gitLock) error {
		for {
			w := &commitWriter{store: s, indexLock: lock, targets: targets, change: Change{
				Subject: "doctor: stop tracking what is not memory", Fsync: true, Trailers: []string{"Gitmem-Op: doctor"},
			}}
			var err error
			if w.snap, err = s.snapshot(); err != nil {
				return err
			}
			if _, err = w.write(ctx); !errors.Is(err, errMoved) || ctx.Err() != nil {
				return err
			}
		}
	})
}

// locked calls f with the flock and the lock of git's index held, after what a
// dead process left is put right.
func (s *Store) locked(ctx context.Context, f func(context.Context, *gitLock) error) error {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	unlock, err := s.Lock(wait)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.repairLocked(wait); err != nil {
		return fmt.Errorf("repair: %w", err)
	}
	lock, err := s.lockGit(wait, "index")
	if err != nil {
		return err
	}
	defer lock.rollback()
	return f(ctx, lock)
}

// lastLogged is the last commit that the log of a reference names, "" where it names
// none.
func (s *Store) lastLogged(ref string) string {
	b, err := s.disk.readFile(s.gitPath("logs/" + ref))
	if err != nil {
		return "" // a repository need not keep one
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	_, rest, _ := strings.Cut(lines[len(lines)-1], " ")
	id, _, _ := strings.Cut(rest, " ")
	if h, ok := parseHash(id); ok && !h.isZero() {
		return id
	}
	return ""
}
