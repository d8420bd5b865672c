package index

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

const (
	lockFile = "lock"
	// trashPrefix is the prefix of a generation that is being removed.
	trashPrefix = "old-"
	lockPoll    = 10 * time.Millisecond
	// lockProbe is longer than another process holds the lock only to probe it.
	lockProbe = time.Millisecond
)

// lock takes the writer's lock, waiting up to LockWait; ok is false if another writer holds it. It creates the shard's
// directory.
func (s *Shard) lock(ctx context.Context) (unlock func(), ok bool, err error) {
	patience := time.NewTimer(s.opt.LockWait)
	defer patience.Stop()
	unlock, _, err = s.lockUnless(ctx, patience.C, func() bool { return false })
	return unlock, unlock != nil, err
}

// lockUnless is like lock, but waits no longer than patience, and stops when enough returns true: then stopped is true.
// If it does not get the lock, unlock is nil.
func (s *Shard) lockUnless(ctx context.Context, patience <-chan time.Time,
	enough func() bool) (unlock func(), stopped bool, err error) {
	unlock, ok, err := osfile.Lock(s.path(lockFile))
	poll, pause := time.NewTicker(lockPoll), time.NewTimer(lockProbe)
	defer poll.Stop()
	defer pause.Stop()
	waits := s.opt.LockWait > 0
	for again := true; !ok && err == nil && again; unlock, ok, err = osfile.Lock(s.path(lockFile)) {
		if enough() {
			return nil, true, nil
		}
		if !waits { // retry once in any case: another process may only have probed it, see Busy
			<-pause.C
			again = false
			continue
		}
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-patience:
			return nil, false, nil
		case <-poll.C:
		}
	}
	if err != nil {
		return nil, false, fmt.Errorf("lock the index: %w", err)
	}
	return unlock, false, nil
}

// linkFile adds a file of the base to the new generation: as a hard link, or a copy if links are unsupported.
func (b *build) linkFile(name string) error {
	src, dst := b.base.path(name), b.gen.path(name)
	if !b.shard.noLinks && os.Link(src, dst) == nil {
		return nil
	}
	return copyFile(src, dst)
}

func copyFile(src, dst string) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	return osfile.WriteFile(dst, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// setCurrent makes a generation the current one.
func (s *Shard) setCurrent(name string) error {
	if err := osfile.Replace(s.path(currentFile), s.path(currentFile+".tmp"),
		osfile.Bytes([]byte(name+"\n"))); err != nil {
		return err
	}
	return osfile.SyncDir(s.dir)
}

// removeGenerations removes every generation except keep: older ones, and those of killed writers. It renames a
// generation first, so that no reader finds half of one; if open files prevent that, as on Windows, a later writer
// removes it.
func (s *Shard) removeGenerations(keep string) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if _, ok := generationNumber(name); ok && name != keep {
			if os.Rename(s.path(name), s.path(trashPrefix+name)) == nil {
				name = trashPrefix + name
			}
		}
		if strings.HasPrefix(name, trashPrefix) {
			_ = os.RemoveAll(s.path(name)) // the next writer retries
		}
	}
	return nil
}

// nextName returns an unused generation name.
func (s *Shard) nextName() (string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return "", err
	}
	last := 0
	for _, e := range entries {
		if n, ok := generationNumber(strings.TrimPrefix(e.Name(), trashPrefix)); ok {
			last = max(last, n)
		}
	}
	return fmt.Sprintf("g%08d", last+1), nil
}
