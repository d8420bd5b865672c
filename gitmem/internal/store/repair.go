package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Repair puts right what a dead gitmem process may have left: its git locks,
// an index that lags behind the branch, old temporary files. It also sets
// index entries of ours that differ from both HEAD and the file while those
// agree. It returns one line for each thing done. Other programs' locks are
// never removed.
//
// Commit and Rewrite do the first part by themselves.
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
	if err := s.repository(); err != nil {
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

// oldJournal is where older versions noted that index entries were to follow HEAD.
const oldJournal = "journal"

// repairLocked removes dead locks of ours and lets a lagging index follow. The
// flock is held, so no other process of ours can be alive behind a record.
func (s *Store) repairLocked(ctx context.Context) error {
	dir, err := s.disk.root.Open(recordsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	names, err := dir.Readdirnames(-1)
	if err := errors.Join(err, dir.Close()); err != nil {
		return err
	}
	lags := slices.Contains(names, oldJournal)
	for _, name := range names {
		target, ok := recordTarget(name)
		lags = lags || ok && target == s.gitPath("index")
		if ok && s.sameLock(recordsDir+"/"+name, target+".lock") {
			if err := s.removeIfThere(target + ".lock"); err != nil {
				return err
			}
		}
	}
	if lags && s.repository() == nil {
		if err := s.followHead(ctx); err != nil {
			return err
		}
	}
	for _, name := range names {
		if _, ok := recordTarget(name); ok || name == oldJournal { // others are not ours
			if err := s.removeIfThere(recordsDir + "/" + name); err != nil {
				return err
			}
		}
	}
	return nil
}

// followHead lets the index have what the last commit changed: its process may have
// died, holding the lock of the index, before it did that.
func (s *Store) followHead(ctx context.Context) error {
	last, err := s.Look("HEAD")
	if err != nil || len(last.Paths) == 0 {
		return nil // what a commit needs of HEAD it looks for itself
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

// lagsBehind tells a path of ours whose index entry is still as in an older tree. Another
// one was staged by somebody since.
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

// repairIndex sets the index entries of paths to what HEAD has.
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

// laggingTarget returns what HEAD has at a path, and whether the index differs.
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

// lagging returns our paths whose files are as in HEAD but whose index entries
// are not.
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

// temps lists the temporary files in our folders: all, or those of dead processes,
// since one is needed for milliseconds. With the latter come those of git's objects,
// which may hold what was forgotten since.
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

// removeTemps removes what temps lists. The flock is held, so that no rewrite needs
// one, and a file that a hook was about to make of one is made anew.
func (s *Store) removeTemps(all bool) error {
	found, err := s.temps(all)
	for _, rel := range found {
		if err := s.disk.root.RemoveAll(rel); err != nil {
			return err
		}
	}
	return err
}
