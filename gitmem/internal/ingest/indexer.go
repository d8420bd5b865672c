package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers/git"
)

// Update refreshes every index of this workspace, as a question would, and returns their status. It also indexes the
// changes of commits of which only messages were indexed. It waits up to 5 s for an index that a question is
// refreshing. If another process runs Update for the same repository, it returns ErrLocked. Among processes for
// different repositories, only one refreshes memory and transcripts, which they share.
func (src *Sources) Update(ctx context.Context) ([]ShardStatus, error) {
	unlock, ok, err := osfile.Lock(src.indexerLock())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("another process brings the indexes up to date: %w", store.ErrLocked)
	}
	defer unlock()
	unlockShared, ownsShared, err := osfile.Lock(filepath.Join(src.ws.IndexDir(), "indexer-sessions.lock"))
	if err != nil {
		return nil, err
	}
	if ownsShared {
		defer unlockShared()
	}
	p, err := src.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	src.ws.ReportCapture(p)
	src.forges.Close()
	src.waits, src.forges = true, nil
	src.StartFetches(ctx, p)
	shards, err := src.Shards(ctx, p)
	defer func() { src.waits = false }()
	if err != nil {
		return nil, err
	}
	src.Forgotten() // read once, before concurrent use
	errs := make([]error, len(shards))
	src.Each(shards, func(i int) {
		if !ownsShared && ofAllPlaces(shards[i]) {
			return
		}
		res, err := shards[i].Index.Refresh(ctx, shards[i].Plan)
		src.reportRebuilt(shards[i].Name, res)
		if err == nil && res.Rebuilt { // only the newest transcripts
			res, err = shards[i].Index.Refresh(ctx, shards[i].Plan)
		}
		if err == nil && res.Busy {
			err = store.ErrLocked
		}
		if err != nil {
			errs[i] = fmt.Errorf("%s index: %w", shards[i].Name, err)
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	known := len(src.ws.Caveats)
	src.Forges(p).ReportFetches()
	if !ownsShared {
		src.ws.Caveat("Another process brings the indexes of memory and transcripts up to date, so they were left to it.")
	}
	src.ws.WarnOfCaveats(known)
	for _, s := range shards {
		if err := src.readRest(ctx, s); err != nil {
			return nil, fmt.Errorf("%s index: %w", s.Name, err)
		}
	}
	src.embedRest(ctx)
	return src.Status(ctx)
}

// ofAllPlaces reports whether a shard is shared by all workspaces.
func ofAllPlaces(s Shard) bool { return s.Name == "memory" || s.Name == "transcripts" }

// indexerLock returns the lock file of the process that refreshes this workspace's indexes.
func (src *Sources) indexerLock() string {
	name := "indexer"
	if loc, err := git.Discover(src.ws.Options.Dir, src.ws.Options.Getenv); err == nil {
		name += "-" + store.ShortHash(loc.CommonDir)
	}
	return filepath.Join(src.ws.IndexDir(), name+".lock")
}

// maxIndexerLog is the size at which the log of detached processes is restarted.
const maxIndexerLog = 64 << 10

// Command describes how to start a background process, in the working folder of the current process.
type Command struct {
	Program string   // its path, as from os.Executable
	Argv    []string // including the program name
	Env     []string // as from os.Environ
}

// StartIndexer starts a detached process that calls [Sources.Update]. started is false if one is already running. A
// hook may ignore an error, since the next question then does the work.
func (src *Sources) StartIndexer(c Command) (started bool, err error) {
	unlock, ok, err := osfile.Lock(src.indexerLock())
	if err != nil || !ok {
		return false, err
	}
	unlock() // the indexer takes it; of two started simultaneously, one exits
	if err := src.Detach(c, nil); err != nil {
		return false, err
	}
	return true, nil
}

// maxDetachedInput is smaller than a pipe's buffer on any system, so that writing it does not block.
const maxDetachedInput = 4 << 10

// Detach starts a process and does not wait for it. The process has its own session, so that it outlives the caller,
// inherits no files except a log next to the indexes, and has a lower priority if the system supports that. Its
// standard input, at most 4 KiB, is written before it starts.
func (src *Sources) Detach(c Command, stdin []byte) error {
	log, err := osfile.OpenLog(filepath.Join(src.ws.IndexDir(), "indexer.log"), maxIndexerLog)
	if err != nil {
		return fmt.Errorf("start a process in the background: %w", err)
	}
	defer log.Close()
	cmd := exec.Cmd{Path: c.Program, Args: c.Argv, Env: c.Env, Dir: src.ws.Options.Dir, Stdout: log, Stderr: log,
		SysProcAttr: ownSession()}
	if len(stdin) > 0 {
		in, err := pipeWith(stdin)
		if err != nil {
			return fmt.Errorf("start a process in the background: %w", err)
		}
		defer in.Close()
		cmd.Stdin = in
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start a process in the background: %w", err)
	}
	lowerPriority(cmd.Process.Pid)
	go func() { _ = cmd.Wait() }() // for a long-running caller; the log has the output
	return nil
}

// pipeWith returns the reading end of a pipe that contains only b.
func pipeWith(b []byte) (*os.File, error) {
	if len(b) > maxDetachedInput {
		return nil, fmt.Errorf("an input of %d bytes is more than the %d that can wait in a pipe", len(b), maxDetachedInput)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, errors.Join(err, w.Close(), r.Close())
	}
	if err := w.Close(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}
