package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

const (
	lockFile = "lock"
	// trashPrefix begins the name of a generation on its way out.
	trashPrefix = "old-"
	lockPoll    = 10 * time.Millisecond
	// lockProbe is longer than somebody holds a lock who only asks for it.
	lockProbe = time.Millisecond
)

// lock takes the writer's lock, waiting up to LockWait; ok is false when
// another writer keeps it. It makes the shard's directory.
func (s *Shard) lock(ctx context.Context) (unlock func(), ok bool, err error) {
	patience := time.NewTimer(s.opt.LockWait)
	defer patience.Stop()
	unlock, _, err = s.lockUnless(ctx, patience.C, func() bool { return false })
	return unlock, unlock != nil, err
}

// lockUnless is lock, but waits no longer than patience, and not once enough says so:
// then stopped is true. Without either, unlock is nil.
func (s *Shard) lockUnless(ctx context.Context, patience <-chan time.Time, enough func() bool) (unlock func(), stopped bool, err error) {
	unlock, ok, err := TryLock(s.path(lockFile))
	poll, pause := time.NewTicker(lockPoll), time.NewTimer(lockProbe)
	defer poll.Stop()
	defer pause.Stop()
	waits := s.opt.LockWait > 0
	for again := true; !ok && err == nil && again; unlock, ok, err = TryLock(s.path(lockFile)) {
		if enough() {
			return nil, true, nil
		}
		if !waits { // once more all the same: somebody may only have looked, see Busy
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

func writeBytes(path string, b []byte) error {
	return osfile.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// linkFile makes a file of the base one of the new generation: the same file, or a copy
// where links don't work.
func (b *build) linkFile(name string) error {
	src, dst := b.base.path(name), b.gen.path(name)
	if b.shard.link(src, dst) == nil {
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

// setCurrent makes a generation the one in use.
func (s *Shard) setCurrent(name string) error {
	temp := s.path(currentFile + ".tmp")
	if err := writeBytes(temp, []byte(name+"\n")); err != nil {
		return err
	}
	if err := rename(temp, s.path(currentFile)); err != nil {
		return err
	}
	return syncDir(s.dir)
}

// rename replaces dst. Windows refuses while somebody reads it, so it is tried
// for a second.
func rename(src, dst string) error {
	err := os.Rename(src, dst)
	for range 100 {
		if err == nil || runtime.GOOS != "windows" || !errors.Is(err, fs.ErrPermission) {
			return err
		}
		<-time.After(lockPoll)
		err = os.Rename(src, dst)
	}
	return err
}

// removeGenerations removes every generation but keep: older ones, and what a killed
// writer left. A generation is renamed first, so that no reader finds half of
// one; where a reader's files keep that from working, as on Windows, it is
// left to a later writer.
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
			_ = os.RemoveAll(s.path(name)) // what stays is tried again by the next writer
		}
	}
	return nil
}

// nextName returns a generation name that was not used before.
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
