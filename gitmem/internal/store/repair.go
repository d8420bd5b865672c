package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Repair repairs what a dead gitmem process may have left: its git locks, an index that lags behind the branch, old
// temporary files. It also resets index entries of ours that differ from both HEAD and the file while those agree.
// Other programs' locks are never removed.
//
// Commit and Rewrite do the first part themselves.
func (s *Store) Repair(ctx context.Context) error {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	unlock, err := s.Lock(wait)
	if err != nil {
		return err
	}
	defer unlock()
	if err = s.repairLocked(wait); err == nil {
		err = s.resumePurge(ctx)
	}
	if err == nil {
		err = s.repairHead(wait)
	}
	if err != nil {
		return fmt.Errorf("repair: %w", err)
	}
	if err := s.removeTemps(false); err != nil || !s.HasRepository() {
		return err
	}
	snap, err := s.snapshot()
	if err != nil {
		return err
	}
	lagging, err := s.lagging(ctx, snap)
	if err != nil || len(lagging) == 0 {
		return err
	}
	return s.repairIndex(wait, lagging)
}

// repairLocked removes dead locks of ours and updates a lagging index. The caller holds the flock, so the owner of a
// record can't be alive.
func (s *Store) repairLocked(ctx context.Context) error {
	records, err := s.lockRecords()
	lags := false
	for _, r := range records {
		lags = lags || r.lock == s.gitPath("index.lock")
		if r.held && err == nil {
			err = s.removeIfThere(r.lock)
		}
	}
	if lags && err == nil && s.repository() == nil {
		err = s.followHead(ctx)
	}
	for _, r := range records {
		if err == nil {
			err = s.removeIfThere(r.name)
		}
	}
	return err
}

// lockRecord is the record of a git lock that a process of ours took, or was about to take.
type lockRecord struct {
	name, lock string // relative to the root
	held       bool   // the lock exists, and it is that one
}

func (s *Store) lockRecords() (out []lockRecord, err error) {
	entries, err := s.readDir(recordsDir)
	for _, e := range entries {
		if target, ok := recordTarget(e.Name()); ok { // others are not ours
			r := lockRecord{name: recordsDir + "/" + e.Name(), lock: target + ".lock"}
			r.held = s.sameLock(r.name, r.lock)
			out = append(out, r)
		}
	}
	return out, err
}

// followHead updates the index entries of the paths that the last commit changed: its process may have died with the
// index lock held, before it did that.
func (s *Store) followHead(ctx context.Context) error {
	last, err := s.Look(ctx, "HEAD")
	if err != nil || len(last.Paths) == 0 {
		return nil // a commit checks HEAD itself
	}
	snap, err := s.snapshot()
	if err != nil {
		return err
	}
	var before hash // the tree of its parent
	if len(last.Parents) > 0 {
		id, ok := parseHash(last.Parents[0])
		if before, err = s.commitTree(id); err != nil || !ok {
			return err
		}
	}
	return s.repairIndex(ctx, slices.DeleteFunc(last.Paths, func(p string) bool { return !s.lagsBehind(snap, before, p) }))
}

// lagsBehind reports whether a path of ours has an index entry that still matches an older tree. Any other entry was
// staged by somebody since.
func (s *Store) lagsBehind(snap *snapshot, before hash, path string) bool {
	if !s.allowed(path) || snap.index == nil {
		return s.allowed(path)
	}
	var was file
	if !before.IsZero() {
		var err error
		if was, err = s.objects.lookup(before, path); err != nil {
			return false
		}
	}
	e, staged, unmerged := snap.index.find(path)
	return !unmerged && (staged && e.id() == was.id && e.mode() == was.mode || !staged && was.mode == 0)
}

func (s *Store) sameLock(record, lock string) bool {
	ours, err := s.disk.root.Lstat(record)
	if err != nil {
		return false
	}
	theirs, err := s.disk.root.Lstat(lock)
	if err != nil {
		return false
	}
	if os.SameFile(ours, theirs) {
		return true
	}
	text, err := s.disk.readFile(record)
	return err == nil && sysStat(theirs).ino != 0 && string(text) == inodeText(theirs)
}

// repairIndex sets the index entries of paths to those of HEAD.
func (s *Store) repairIndex(ctx context.Context, paths []string) error {
	lock, err := s.lockGit(ctx, "index")
	if err != nil {
		return err
	}
	defer lock.rollback()
	snap, err := s.snapshot()
	if err != nil {
		return err
	}
	w := &commitWriter{store: s, snap: snap, root: snap.tree, indexLock: lock, batch: s.objects.batch()}
	for _, p := range paths {
		t, lags, err := s.laggingTarget(snap, p)
		if err != nil {
			return err
		}
		if lags {
			w.targets = append(w.targets, t)
		}
	}
	if len(w.targets) == 0 {
		return nil
	}
	if err := w.prepareIndex(); err != nil {
		return err
	}
	return lock.commit()
}

// laggingTarget returns the file of HEAD at a path, and whether the index differs.
func (s *Store) laggingTarget(snap *snapshot, path string) (target, bool, error) {
	old, err := s.objects.lookup(snap.tree, path)
	if err != nil {
		return target{}, false, err
	}
	t := target{change: change{path, old}, index: true}
	if snap.index == nil {
		return t, true, nil
	}
	e, staged, unmerged := snap.index.find(path)
	if unmerged || !staged && old.mode == 0 || staged && e.id() == old.id && e.mode() == old.mode {
		return t, false, nil
	}
	if body, info, err := s.disk.readPlain(path); err == nil && hashObject("blob", body) == old.id {
		t.info = info
	}
	return t, true, nil
}

// lagging returns our paths whose files match HEAD but whose index entries do not.
func (s *Store) lagging(ctx context.Context, snap *snapshot) ([]string, error) {
	targets, err := s.targets(ctx, snap, nil)
	var paths []string
	for _, t := range targets {
		if t.index && !t.tree {
			paths = append(paths, t.path)
		}
	}
	return paths, err
}

// temps lists the temporary files in our folders: all, or only old ones, whose processes are dead, since a file is
// needed for milliseconds. The latter include those of git's objects, which may contain text that was purged since.
func (s *Store) temps(all bool) ([]string, error) {
	var found []string
	limit := s.o.Now().Add(-workTime)
	err := s.eachEntry(func(rel string, d fs.DirEntry) error {
		if !isTemp(d.Name()) || !d.Type().IsRegular() {
			return nil
		}
		if fi, err := d.Info(); err == nil && (all || fi.ModTime().Before(limit)) {
			found = append(found, rel)
		}
		return nil
	})
	if all || !s.HasRepository() {
		return found, err
	}
	objectsErr := s.eachObjectFile(func(rel string, fi fs.FileInfo) {
		if isObjectTemp(fi.Name()) && fi.ModTime().Before(limit) {
			found = append(found, rel)
		}
	})
	return found, errors.Join(err, objectsErr)
}

// removeTemps removes the files that temps lists. The caller holds the flock, so that no rewrite needs one; a hook that
// loses its temporary file creates it again.
func (s *Store) removeTemps(all bool) error {
	found, err := s.temps(all)
	for _, rel := range found {
		if err := s.disk.root.RemoveAll(rel); err != nil {
			return err
		}
	}
	return err
}
