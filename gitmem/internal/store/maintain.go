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

// StartMaintenance starts git to pack the repository if it has about 2,000 loose objects; otherwise, or without git, it
// does nothing. It does not wait for git, and returns whether it started it. It holds no lock of ours, so appending and
// committing continue meanwhile. If another gc is running (gc.pid), git leaves the work to that one.
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

// wantsPacking reports whether a gc would pack. One folder in 256 is the sample of all loose objects, as in git gc
// --auto.
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

// gcArgs returns the command line of a gc that no user setting can make harmful: it does not prune objects that we have
// just written and that no reference names yet, runs no hooks, and writes packs that other users can't read.
func (s *Store) gcArgs() []string {
	return []string{
		"--git-dir=" + s.GitDir(), "--work-tree=" + s.o.Root,
		"-c", fmt.Sprintf("gc.auto=%d", looseLimit), "-c", "gc.autoDetach=false",
		"-c", "gc.pruneExpire=2.weeks.ago", "-c", "core.hooksPath=" + s.abs(indexDir+"/no-hooks"),
		"-c", "core.sharedRepository=0600", "gc", "--auto", "--quiet",
	}
}

// startDetached starts git as an independent process: we do not wait for it, and it survives us.
func (s *Store) startDetached(args ...string) error {
	cmd := s.command(context.Background(), args...) // it outlives the call
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // reaps the child; the output of gc is not needed
	return nil
}
