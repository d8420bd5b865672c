package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// The journal of a purge lies beside the other one. It is written whole once all
// new objects are there and says what has to be done then, each step of which may
// be done twice:
//
//	ref <old id> <new id> <name>
//	index <old id> <new id> "<path>"
//	prune
//
// Zeros for a new id mean that the reference or entry goes. With prune alone, the
// references, index and reflogs are done and only old objects are left.
const purgeFile = recordsDir + "/purge"

type purgeJournal struct {
	refs  []refMove
	index []blobMove
}

func (p *purgePlan) journal() purgeJournal { return purgeJournal{p.refs, p.index} }

func (j purgeJournal) empty() bool { return len(j.refs)+len(j.index) == 0 }

func (j purgeJournal) String() string {
	var b strings.Builder
	for _, r := range j.refs {
		fmt.Fprintf(&b, "ref %s %s %s\n", r.old, r.new, r.name)
	}
	for _, m := range j.index {
		fmt.Fprintf(&b, "index %s %s %q\n", m.old, m.new, m.path)
	}
	return b.String() + "prune\n"
}

func parsePurgeJournal(text string) (j purgeJournal, err error) {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
		if len(f) == 1 && f[0] == "prune" {
			return j, nil
		}
		if len(f) != 4 {
			break
		}
		old, ok1 := parseHash(f[1])
		to, ok2 := parseHash(f[2])
		switch name, err := strconv.Unquote(f[3]); {
		case ok1 && ok2 && f[0] == "ref" && (safeRef(f[3]) || f[3] == "HEAD"):
			j.refs = append(j.refs, refMove{f[3], old, to})
		case ok1 && ok2 && f[0] == "index" && err == nil:
			j.index = append(j.index, blobMove{name, old, to})
		default:
			return j, fmt.Errorf("%s is damaged: %q", purgeFile, line)
		}
	}
	return j, fmt.Errorf("%s is damaged: it has no end", purgeFile)
}

func (s *Store) writePurgeJournal(j purgeJournal) error {
	temp, err := s.disk.temp(recordsDir, []byte(j.String()), filePerm, true)
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if err := s.disk.rename(temp, purgeFile); err != nil {
		return fmt.Errorf("write journal: %w", errors.Join(err, s.disk.remove(temp)))
	}
	return s.disk.syncDir(recordsDir)
}

// resumePurge finishes what a dead process began: references, index, reflogs; the
// old objects, too, if prune says so. The flock is held.
func (s *Store) resumePurge(ctx context.Context, prune bool) ([]string, error) {
	b, err := s.disk.readFile(purgeFile)
	if errors.Is(err, fs.ErrNotExist) || s.repository() != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j, err := parsePurgeJournal(string(b))
	if err != nil { // it is renamed into place whole: somebody else wrote there
		s.o.Warn("an unfinished rewrite of history can't be resumed, forget again: " + err.Error())
		return nil, nil
	}
	if j.empty() && !prune {
		return nil, nil
	}
	var done []string
	if !j.empty() {
		if _, err := s.applyPurge(ctx, j, false); err != nil {
			return nil, fmt.Errorf("finish forgetting: %w", err)
		}
		done = append(done, "moved the branches and tags to the history without what was forgotten")
	}
	if !prune {
		return done, nil
	}
	n, _, err := s.prune(ctx)
	if err != nil {
		return done, fmt.Errorf("finish forgetting: %w", err)
	}
	return append(done, fmt.Sprintf("removed %d objects of the history before something was forgotten", n)), nil
}

// applyPurge does what a journal says but for the old objects. A fresh journal is
// written first, once nobody else can be in the middle of a commit.
func (s *Store) applyPurge(ctx context.Context, j purgeJournal, fresh bool) (moved bool, err error) {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	lock, err := s.lockGit(wait, "index")
	if err != nil {
		return false, err
	}
	defer lock.rollback()
	if fresh {
		if err := s.writePurgeJournal(j); err != nil {
			return false, err
		}
	}
	if moved, err = s.moveRefs(ctx, j.refs); err != nil {
		return moved, err
	}
	if err := s.moveIndex(j.index, lock); err != nil {
		return moved, err
	}
	if moved {
		return true, nil // the old history is needed once more
	}
	if err := s.dropTraces(); err != nil {
		return false, err
	}
	return false, s.writePurgeJournal(purgeJournal{})
}

// moveIndex lets the index follow.
func (s *Store) moveIndex(moves []blobMove, lock *gitLock) error {
	snap, err := s.snapshot()
	if err != nil || snap.index == nil {
		return err
	}
	ix := snap.index
	ix.smudge(snap.written)
	var changes []indexChange
	for _, m := range moves {
		e, staged, _ := ix.find(m.path)
		if !staged || e.id() != m.old {
			continue
		}
		c := indexChange{path: m.path}
		if !m.new.isZero() {
			t := target{change: change{m.path, e.mode(), m.new}}
			if body, info, err := s.disk.readPlain(m.path); err == nil && hashObject("blob", body) == m.new {
				t.info = info
			}
			c.entry = t.entry()
		}
		changes = append(changes, c)
	}
	if len(changes) == 0 && len(moves) > 0 {
		return nil // done already
	}
	ix.edit(changes)
	ix.exts, ix.tree = nil, nil // made again: they name old trees and, after a merge, old blobs
	ix.setCacheTree(nil, nil, func() *cacheTree { return matchTree(s.objects.get, snap.tree, "", ix.entries) })
	if err := lock.write(ix.bytes()); err != nil {
		return err
	}
	if err := s.disk.fsync(lock.f); err != nil {
		return err
	}
	if err := lock.commit(); err != nil {
		return err
	}
	return s.disk.syncDir(s.gitDir)
}

// dropTraces removes what else tells of the old history: reflogs, and files that
// git leaves behind of commands that are done.
func (s *Store) dropTraces() error {
	for _, name := range [...]string{
		"ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "REBASE_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG", "NOTES_EDITMSG",
		"MERGE_RR", "ADD_EDIT.patch", "addp-hunk-edit.diff",
		"gc.log", "objects/info/commit-graph", "objects/pack/multi-pack-index",
	} {
		if err := s.removeIfThere(s.gitPath(name)); err != nil {
			return err
		}
	}
	keep := "" // all of a stash but its newest entry is known by its reflog only
	if s.hasGit(stashRef) {
		keep = s.gitPath("logs/" + stashRef)
	}
	var errs []error
	for _, dir := range [...]string{"objects/info/commit-graphs", "rr-cache", "lost-found"} {
		errs = append(errs, s.disk.root.RemoveAll(s.gitPath(dir)))
	}
	return errors.Join(append(errs, s.removeAll(s.gitPath("logs"), keep))...)
}

// removeAll removes the files in a folder and below it, but for one.
func (s *Store) removeAll(dir, keep string) error {
	entries, err := s.readDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if name == keep {
			continue
		}
		if e.IsDir() {
			if err := s.removeAll(name, keep); err != nil {
				return err
			}
			continue
		}
		if err := s.removeIfThere(name); err != nil {
			return err
		}
	}
	return nil
}
