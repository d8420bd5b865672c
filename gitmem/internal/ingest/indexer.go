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

// Update brings every index of this place up to date, as a question would, and tells
// what they hold then, also what changes of a history do that was indexed by its
// messages first. One that a question is bringing up to date is waited for, up
// to 5 s. Of two processes that call it for one repository, the second gets ErrLocked at
// once: the first one serves both. Of those for several, one brings memory and transcripts
// up to date, which all have in common, and the others leave that to it.
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
	src.Forgotten() // read once, before several ask
	errs := make([]error, len(shards))
	src.Each(shards, func(i int) {
		if !ownsShared && ofAllPlaces(shards[i]) {
			return
		}
		res, err := shards[i].Index.Refresh(ctx, shards[i].Plan)
		src.reportRebuilt(shards[i].Name, res)
		if err == nil && res.Rebuilt { // of transcripts the newest only
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

// ofAllPlaces reports whether a shard serves every place.
func ofAllPlaces(s Shard) bool { return s.Name == "memory" || s.Name == "transcripts" }

// indexerLock is held by who brings the indexes of this place up to date.
func (src *Sources) indexerLock() string {
	name := "indexer"
	if loc, err := git.Discover(src.ws.Options.Dir, src.ws.Options.Getenv); err == nil {
		name += "-" + store.ShortHash(loc.CommonDir)
	}
	return filepath.Join(src.ws.IndexDir(), name+".lock")
}

// maxIndexerLog is the size from which on the log of detached processes is begun anew.
const maxIndexerLog = 64 << 10

// Command is how a process is started that works in the background, in the working
// folder of the Memory that starts it.
type Command struct {
	Program string   // its file, as os.Executable gives it
	Argv    []string // with its name first
	Env     []string // as os.Environ gives it
}

// StartIndexer starts a process that calls [Sources.Update], as Detach does.
// started is false where one is running already. An error, which a hook may pass
// over, means that the next question does the work.
func (src *Sources) StartIndexer(c Command) (started bool, err error) {
	unlock, ok, err := osfile.Lock(src.indexerLock())
	if err != nil || !ok {
		return false, err
	}
	unlock() // the indexer takes it; of two that were started at once, one ends
	if err := src.Detach(c, nil); err != nil {
		return false, err
	}
	return true, nil
}

// maxDetachedInput is less than a pipe holds on any system, so that writing it does
// not wait for a reader.
const maxDetachedInput = 4 << 10

// Detach starts a process and does not wait for it: it has a session of its own, so
// that it outlives the caller, none of the caller's files but a log beside the
// indexes, and a lower priority where the system knows such. Its standard input, of
// 4 KiB at most, is there before it starts.
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
	go func() { _ = cmd.Wait() }() // for a caller that lives on; the log has the rest
	return nil
}

// pipeWith is the reading end of a pipe that holds b and nothing more.
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
