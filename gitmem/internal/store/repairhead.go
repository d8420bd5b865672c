package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// sameHistory refuses to begin another history beside a lost one: the branch of HEAD has no commit, but its reflog
// names one; or no branch has a commit, but git's index has files. A new branch beside others may begin one.
func (s *Store) sameHistory(snap *snapshot) error {
	h := snap.head
	if !h.id.IsZero() {
		return nil
	}
	if last := s.lastLogged(h.ref); last != "" {
		return fmt.Errorf("%s is gone, and a commit would begin another history; the last commit was %s: gitmem doctor "+
			"--fix, or git update-ref %s %s", s.gitPath(h.ref), last[:12], h.ref, last[:12])
	}
	refs, err := s.refs()
	if err != nil {
		return err
	}
	if len(refs) == 0 && snap.index != nil && len(snap.index.entries) > 0 {
		return fmt.Errorf("%s is gone, and a commit would begin another history: git fsck --lost-found may find the last "+
			"commit, git update-ref %s puts it back", s.gitPath(h.ref), h.ref)
	}
	return nil
}

// lostHead returns why HEAD leads to no commit, or nil if it does or if there never was one. fixable reports that put,
// the contents to restore by reference, is known: the only branch that HEAD can have named, and the last commit in the
// branch's reflog.
func (s *Store) lostHead() (put map[string]string, fixable bool, why error) {
	_, err := s.head()
	if err == nil {
		var snap *snapshot
		if snap, err = s.snapshot(); err == nil {
			err = s.sameHistory(snap)
		} else if s.regular(s.gitPath("index")) != nil {
			err = nil // reported separately
		}
	}
	if err == nil {
		return nil, false, nil
	}
	put = map[string]string{}
	var branch string
	if id, target, readErr := s.readRef("HEAD"); readErr == nil &&
		(!id.IsZero() || strings.HasPrefix(target, "refs/heads/")) {
		branch = target
	} else if logs, logErr := s.readDir(s.gitPath("logs/refs/heads")); logErr == nil && len(logs) == 1 &&
		!logs[0].IsDir() {
		branch = "refs/heads/" + logs[0].Name()
		put["HEAD"] = "ref: " + branch + "\n"
	}
	if branch == "" {
		return nil, false, err
	}
	if id, target, refErr := s.readRef(branch); refErr == nil && target == "" && !id.IsZero() {
		if _, treeErr := s.commitTree(id); treeErr == nil {
			return put, true, err
		}
	}
	last := s.lastLogged(branch)
	id, ok := parseHash(last)
	if !ok {
		return nil, false, err
	}
	if _, treeErr := s.commitTree(id); treeErr != nil {
		return nil, false, err
	}
	put[branch] = last + "\n"
	return put, true, err
}

// regular returns errNotFile if something other than a file is at a path.
func (s *Store) regular(rel string) error {
	if fi, err := s.disk.root.Lstat(rel); err == nil && !fi.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", rel, errNotFile)
	}
	return nil
}

// repairHead makes HEAD and its branch lead to the last commit again, if it is known, and removes a pipe, a link or an
// empty folder at the path of git's index. The caller holds the flock.
func (s *Store) repairHead(ctx context.Context) error {
	if s.repository() != nil {
		return nil
	}
	if rel := s.gitPath("index"); errors.Is(s.regular(rel), errNotFile) {
		if err := s.disk.remove(rel); err != nil {
			return err
		}
	}
	put, fixable, why := s.lostHead()
	if why == nil || !fixable {
		return nil
	}
	for ref, text := range put {
		if err := s.putRef(ctx, ref, text); err != nil {
			return err
		}
	}
	return nil
}

// putRef rewrites a reference under git's lock.
func (s *Store) putRef(ctx context.Context, ref, text string) error {
	if rel := s.gitPath(ref); s.regular(rel) != nil {
		if err := s.disk.remove(rel); err != nil {
			return err
		}
	}
	lock, err := s.lockGit(ctx, ref)
	if err != nil {
		return err
	}
	defer lock.rollback()
	return s.placeLocked(lock, []byte(text))
}
