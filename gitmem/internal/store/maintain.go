package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
)

// looseLimit is the number of loose objects above which git packs them. A
// commit makes about five.
const looseLimit = 2000

// StartMaintenance lets git pack the repository if about 2,000 loose objects have come
// together; otherwise, and where there is no git, it does nothing. It only starts git,
// which goes on by itself, and returns whether it did. It holds no lock of ours, so
// appending and committing go on meanwhile, and where another gc is at work (gc.pid)
// git leaves it to that one.
func (s *Store) StartMaintenance() (started bool, err error) {
	due, err := s.wantsPacking()
	if err != nil || !due {
		return false, err
	}
	if err := s.startDetached(s.gcArgs()...); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return false, nil
		}
		return false, fmt.Errorf("maintain: %w", err)
	}
	return true, nil
}

// wantsPacking says whether a gc would pack. One folder in 256 is a sample of
// all loose objects, as in git gc --auto itself.
func (s *Store) wantsPacking() (bool, error) {
	if err := s.repository(); err != nil {
		return false, err
	}
	sample, err := s.readDir(s.gitPath("objects/17"))
	if err != nil {
		return false, fmt.Errorf("maintain: %w", err)
	}
	return len(sample)*256 >= looseLimit, nil
}

// gcArgs is the command line of a gc that no setting of the user's turns into one
// that does harm: what a commit of ours has just written must not be pruned before
// its reference points to it, no hook runs, and packs are closed to others.
func (s *Store) gcArgs() []string {
	return []string{
		"--git-dir=" + s.GitDir(), "--work-tree=" + s.o.Root,
		"-c", fmt.Sprintf("gc.auto=%d", looseLimit), "-c", "gc.autoDetach=false",
		"-c", "gc.pruneExpire=2.weeks.ago", "-c", "core.hooksPath=" + s.abs(indexDir+"/no-hooks"),
		"-c", "core.sharedRepository=0600", "gc", "--auto", "--quiet",
	}
}

// startDetached starts git apart from us: its end is not waited for, and our own does
// not end it.
func (s *Store) startDetached(args ...string) error {
	cmd := s.command(context.Background(), args...) // it goes on after the call
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // for a process of ours that lives longer: what gc reports is not needed
	return nil
}
