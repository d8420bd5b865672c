package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"time"
)

// Change describes a commit. Subject and trailers are redacted and put on one
// line each.
type Change struct {
	Paths    []string  // nil: every file of ours that differs from HEAD
	Subject  string    // empty: "Update memory"
	Trailers []string  // such as "Gitmem-Op: note …"
	Time     time.Time // zero: Options.Now
	Fsync    bool      // the commit is promised: it survives power loss, and is retried later if it fails

	untrack []target // instead of Paths: removed from HEAD and the index, kept on disk
}

// HandEdits returns the commit of files that a person edited.
func HandEdits(paths []string, at time.Time) Change {
	return Change{Paths: paths, Subject: "edited by hand", Time: at, Trailers: []string{"Gitmem-Op: keep"}}
}

// ErrMoved means that the branch, or a file that a merge was to change, changed meanwhile. Nothing was written.
var ErrMoved = errors.New("memory changed meanwhile")

// Commit records files as they are on disk, deletions included, as one commit on the current branch, and returns its
// id. It returns "" and no error if nothing differs. Other staged or changed files are not touched.
//
// An error together with an id means that the commit exists but, unless the error is ErrHeld, may not be durable.
// ErrLocked: a lock stayed busy for Options.LockWait; the files are unchanged and a later commit includes them. Other
// failures also leave the files unchanged, and the next process that takes the lock makes the commit, see
// [Store.Restore]. The same applies while git is busy, see [Store.Unfinished], but then Commit returns neither an error
// nor an id, and Options.Warn reports it. If such a late commit of the files was made just now and no change remains,
// its id is returned. ErrConflict: a named path is unmerged. ErrHeld: a named file seems to contain a secret and is
// omitted, see [Held]; with an id, the other named files are committed. A commit of everything omits such files and
// reports them through Options.Warn only. ErrNotAllowed: a named path is not ours. ErrNoStore: there is no repository.
func (s *Store) Commit(ctx context.Context, c Change) (string, error) {
	if err := s.repository(); err != nil {
		return "", err
	}
	for _, p := range c.Paths {
		if !s.allowed(p) {
			return "", fmt.Errorf("commit %q: %w", p, ErrNotAllowed)
		}
	}
	lock, release, made, err := s.lockIndex(ctx)
	if err != nil {
		s.keepLate(c, err)
		return "", err
	}
	defer release()
	if why := s.Unfinished(); why != "" {
		return "", s.postpone(c, why)
	}
	s.excludeElsewhere(c.Paths)
	id, err := s.commitLocked(ctx, c, lock)
	if err != nil {
		if lock.rollback(); id == "" { // frees space if the disk is full
			s.keepLate(c, err)
		}
		return id, fmt.Errorf("commit: %w", err)
	}
	for _, p := range c.Paths {
		id = cmp.Or(id, made[p])
	}
	return id, nil
}

// lockIndex takes the flock and the lock of git's index, and repairs in between what a dead process left. made maps
// files to the late commits that were made first.
func (s *Store) lockIndex(ctx context.Context) (lock *gitLock, release func(), made map[string]string, err error) {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	unlock, made, err := s.lockRestoring(wait)
	if err != nil {
		return nil, nil, nil, err
	}
	if err = s.repairLocked(wait); err != nil {
		err = fmt.Errorf("repair: %w", err)
	} else if lock, err = s.lockGit(wait, "index"); err != nil {
		err = fmt.Errorf("commit: %w", err)
	}
	if err != nil {
		unlock()
		return nil, nil, nil, err
	}
	return lock, func() { lock.rollback(); unlock() }, made, nil
}

func (s *Store) commitLocked(ctx context.Context, c Change, lock *gitLock) (string, error) {
	if c.Time.IsZero() {
		c.Time = s.o.Now()
	}
	for {
		w := &commitWriter{store: s, change: c, indexLock: lock}
		id, err := w.run(ctx)
		if !errors.Is(err, ErrMoved) || ctx.Err() != nil {
			held := s.reportHeld(w.held, c.Paths != nil)
			return id, cmp.Or(err, held)
		}
	}
}

// commitWriter makes one attempt at one commit. The caller holds the index lock.
type commitWriter struct {
	store     *Store
	change    Change
	indexLock *gitLock
	snap      *snapshot
	targets   []target
	held      []Held // excluded from targets
	batch     *batch
	root      hash // the new tree
	id        hash // the new commit; zero if only the index is updated

	// For a merge: the parents, and the verb of the reflog entry. Without parents the commit follows HEAD.
	parents []hash
	verb    string
}

func (w *commitWriter) run(ctx context.Context) (string, error) {
	s := w.store
	var err error
	if w.snap, err = s.snapshot(); err != nil {
		return "", err
	}
	if err := s.sameHistory(w.snap); err != nil {
		return "", err
	}
	targets := w.change.untrack
	if targets == nil {
		if targets, err = s.targets(ctx, w.snap, w.change.Paths); err != nil {
			return "", err
		}
	}
	w.targets, w.held = s.holdBack(targets)
	if err := w.withMark(ctx); err != nil || len(w.targets) == 0 {
		return "", err
	}
	return w.write(ctx)
}

// write commits the targets, or updates only the index if HEAD already has them.
func (w *commitWriter) write(ctx context.Context) (string, error) {
	if err := w.build(); err != nil {
		return "", err
	}
	if err := w.prepareIndex(); err != nil {
		return "", err
	}
	dirs, err := w.writeObjects()
	if err != nil {
		return "", err
	}
	if !w.id.IsZero() {
		return w.moveRef(ctx, dirs)
	}
	return "", w.indexLock.commit()
}

// build computes the objects: blobs, trees and, if the tree differs, a commit.
func (w *commitWriter) build() error {
	s := w.store
	w.batch = s.objects.batch()
	var changes []change
	for _, t := range w.targets {
		if !t.tree {
			continue
		}
		if t.mode != 0 {
			w.batch.add("blob", t.body)
		}
		changes = append(changes, t.change)
	}
	var err error
	if w.root = w.snap.tree; len(changes) > 0 {
		w.root, err = w.batch.apply(w.snap.tree, "", changes)
	}
	if err != nil || w.root == w.snap.tree && w.parents == nil {
		return err
	}
	if w.root.IsZero() {
		w.root = w.batch.add("tree", nil) // the last file was deleted
	}
	return w.buildCommit()
}

// buildCommit computes the commit of the tree. A merge whose only parent has the same tree is that parent.
func (w *commitWriter) buildCommit() error {
	parents := w.parents
	if parents == nil && !w.snap.head.id.IsZero() {
		parents = []hash{w.snap.head.id}
	}
	if w.parents != nil && len(parents) == 1 {
		if tree, err := w.store.commitTree(parents[0]); err != nil || tree == w.root {
			w.id = parents[0]
			return err
		}
	}
	w.id = w.batch.add("commit", renderCommit(w.root, parents, w.store.o.who(w.change.Time), w.message()))
	return nil
}

func (w *commitWriter) message() string {
	r := w.store.o.Redactor
	trailers := make([]string, len(w.change.Trailers))
	for i, t := range w.change.Trailers {
		trailers[i] = r.Clean(t).String()
	}
	return message(r.Clean(w.change.Subject).String(), trailers)
}

// writeObjects returns the folders that still need a sync. The objects are independent of each other until a reference
// points to them, so files, objects and index are synced concurrently, because each wait for the disk's journal is
// expensive.
func (w *commitWriter) writeObjects() ([]string, error) {
	if !w.change.Fsync {
		return w.batch.flush(w.store.o.Now(), false)
	}
	startWriting(w.indexLock.f)
	beside := syncs{files: []*os.File{w.indexLock.f}}
	dirs := map[string]bool{}
	for _, t := range w.targets {
		if t.mode == 0 {
			continue
		}
		beside.paths = append(beside.paths, t.path)
		for dir := path.Dir(t.path); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	beside.dirs = slices.Sorted(maps.Keys(dirs))
	w.batch.beside = beside
	return w.batch.flush(w.store.o.Now(), true)
}

// moveRef points the branch to the new commit and updates the index.
func (w *commitWriter) moveRef(ctx context.Context, dirs []string) (string, error) {
	s, h := w.store, w.snap.head
	lock, err := s.lockSoon(ctx, h.ref)
	if err != nil {
		return "", err
	}
	defer lock.rollback()
	now, err := s.head()
	if err != nil {
		return "", err
	}
	if now != h {
		return "", ErrMoved
	}
	if err := w.prepareRef(lock, dirs); err != nil {
		return "", err
	}
	if err := lock.commit(); err != nil {
		return "", err
	}
	return w.id.String(), w.afterRef()
}

// prepareRef writes the files of the coming renames, and makes the names of the objects durable.
func (w *commitWriter) prepareRef(lock *gitLock, dirs []string) error {
	err := lock.write([]byte(w.id.String() + "\n"))
	if err == nil && w.change.Fsync {
		err = syncs{files: []*os.File{lock.f}, dirs: dirs}.do(w.store.disk)
	}
	return err
}

// afterRef completes a commit after the reference has moved. A failure here must not suggest that there is no commit:
// it is reported, and the record of the index lock stays for the next repair. An error means that the commit may not
// survive a power loss.
func (w *commitWriter) afterRef() error {
	s, h := w.store, w.snap.head
	if err := w.appendReflogs(); err != nil {
		s.o.Warn("the commit is made, its reflog entry is not: " + err.Error())
	}
	w.indexLock.keep = true
	if err := w.indexLock.commit(); err != nil {
		s.o.Warn("the commit is made, the index follows at the next one: " + err.Error())
	}
	if !w.change.Fsync {
		return nil
	}
	return syncs{dirs: []string{path.Dir(s.gitPath(h.ref)), s.gitDir}}.do(s.disk)
}
