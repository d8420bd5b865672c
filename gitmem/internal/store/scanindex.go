package store

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// IndexState compares git's index with HEAD and with the files, for our paths. [Store.Repair] can repair what a dead
// process of ours left; git status shows what a person left unfinished.
func (s *Store) IndexState(ctx context.Context) ([]Trouble, error) {
	if err := s.repository(); err != nil {
		return nil, err
	}
	var found []Trouble
	if s.exists(purgeFile) {
		if idle, err := s.idle(); err == nil && idle { // otherwise a process of ours is working on it
			found = append(found, Trouble{Level: Fail, Path: purgeFile, Fixable: true,
				Detail: "says that forgetting was not finished: what was to be forgotten is still in the repository"})
		}
	}
	if _, fixable, why := s.lostHead(); why != nil {
		return append(found, Trouble{Level: Fail, Path: s.gitPath("HEAD"), Fixable: fixable,
			Detail: "the last commit can't be found: " + why.Error()}), nil
	}
	if rel := s.gitPath("index"); errors.Is(s.regular(rel), errNotFile) {
		return append(found, Trouble{Level: Fail, Path: rel, Fixable: true,
			Detail: "is no file, so that nothing can be committed"}), nil
	}
	snap, err := s.snapshot()
	if err != nil {
		return append(found, Trouble{Level: Fail, Path: s.gitPath("HEAD"), Detail: "the last commit can't be read: " +
			err.Error()}), nil
	}
	if snap.index == nil { // the next commit creates it again
		return found, nil
	}
	lagging, err := s.lagging(ctx, snap)
	for _, p := range lagging {
		found = append(found,
			Trouble{Level: Fail, Path: p, Fixable: true, Detail: "is as in HEAD, but git's index has something else"})
	}
	return found, err
}

// Refused finds entries of HEAD or git's index that the allow-list refuses, such as files added by force: files that
// are not memory, and links. A .gitignore belongs to a clone whose repository is at the root.
func (s *Store) Refused() ([]Trouble, error) {
	snap, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	where := map[string]string{}
	if snap.index != nil {
		for _, e := range snap.index.entries {
			if name := string(e.name); !isRegularMode(e.mode()) || !Allowed(name) {
				where[name] = "git's index"
			}
		}
	}
	err = flatten(s.objects.get, snap.tree, everywhere, func(path string, f file) error {
		if !isRegularMode(f.mode) || !Allowed(path) {
			where[path] = "HEAD"
		}
		return nil
	})
	var found []Trouble
	for name, in := range where {
		found = append(found, Trouble{Level: Fail, Path: name, Fixable: true, Detail: "is tracked in " + in +
			", but the allow-list refuses it"})
	}
	slices.SortFunc(found, func(a, b Trouble) int { return strings.Compare(a.Path, b.Path) })
	return found, err
}

// Untrack commits the removal of the paths that [Store.Refused] found from the index. The files stay on disk and in
// earlier commits.
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
	if err := s.Busy(); err != nil {
		return err
	}
	lock, release, _, err := s.lockIndex(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.commitLocked(ctx, Change{
		Subject: "doctor: stop tracking what is not memory", Fsync: true, Trailers: []string{"Gitmem-Op: doctor"},
		untrack: targets,
	}, lock)
	return err
}

// lastLogged returns the last commit in the reflog of a reference, "" if there is none.
func (s *Store) lastLogged(ref string) string {
	ids, err := s.logged(ref)
	if err != nil || len(ids) == 0 {
		return "" // a repository need not have one
	}
	return ids[len(ids)-1].String()
}
