package gitmem

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Index brings every index of this place up to date, as a question would, and tells
// what they hold then. One that a question is bringing up to date is waited for, up
// to 5 s. Of two processes that call Index, the second gets ErrLocked at once: the
// first one serves both.
func (m *Memory) Index(ctx context.Context) ([]ShardStatus, error) {
	unlock, ok, err := index.TryLock(m.indexerLock())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("another process brings the indexes up to date: %w", ErrLocked)
	}
	defer unlock()
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	m.rules = nil // read anew: a Memory may be open for long
	m.tellCapture(p)
	m.patient = true
	shards, err := m.shards(ctx, p)
	m.patient = false
	if err != nil {
		return nil, err
	}
	m.forgotten() // read once, before several ask
	errs := make([]error, len(shards))
	m.each(shards, func(i int) {
		res, err := shards[i].index.Refresh(ctx, shards[i].plan)
		m.mended(shards[i].name, res)
		if err == nil && res.Busy {
			err = ErrLocked
		}
		if err != nil {
			errs[i] = fmt.Errorf("%s index: %w", shards[i].name, err)
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	m.embedRest(ctx)
	return m.IndexStatus(ctx)
}

func (m *Memory) indexerLock() string { return filepath.Join(m.indexDir(), "indexer.lock") }

// indexerLog takes what a detached indexer says.
func (m *Memory) indexerLog() string { return filepath.Join(m.indexDir(), "indexer.log") }

// maxIndexerLog is the size from which on the log is begun anew.
const maxIndexerLog = 64 << 10

// IndexerCommand is how a process is started that calls [Memory.Index] for the
// working folder that it finds itself in, and ends.
type IndexerCommand struct {
	Program string   // its file, as os.Executable gives it
	Argv    []string // with its name first
	Env     []string // as os.Environ gives it
}

// DetachIndexer starts an indexer as a process of its own and does not wait for it:
// it has a session of its own, so that it outlives the caller, none of the caller's
// files but a log beside the indexes, and a lower priority where the system knows
// such. started is false where one is running already. An error, which a hook may
// pass over, means that the next question does the work.
func (m *Memory) DetachIndexer(c IndexerCommand) (started bool, err error) {
	unlock, ok, err := index.TryLock(m.indexerLock())
	if err != nil || !ok {
		return false, err
	}
	unlock() // the indexer takes it; of two that were started at once, one ends
	log, err := m.openIndexerLog()
	if err != nil {
		return false, fmt.Errorf("start an indexer: %w", err)
	}
	defer log.Close()
	cmd := exec.Cmd{Path: c.Program, Args: c.Argv, Env: c.Env, Dir: m.o.Dir, Stdout: log, Stderr: log, SysProcAttr: apart()}
	if err := cmd.Start(); err != nil {
		return false, fmt.Errorf("start an indexer: %w", err)
	}
	humble(cmd.Process.Pid)
	go func() { _ = cmd.Wait() }() // for a caller that lives on; the log has the rest
	return true, nil
}

func (m *Memory) openIndexerLog() (*os.File, error) {
	mode := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if info, err := os.Stat(m.indexerLog()); err == nil && info.Size() > maxIndexerLog {
		mode |= os.O_TRUNC
	}
	return os.OpenFile(m.indexerLog(), mode, 0o600)
}
