package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// gitLock is a git lock file that we hold: <target>.lock, created exclusively, which replaces the target by a rename.
type gitLock struct {
	disk    *disk
	target  string // relative to the root
	record  string // second name of the same inode, in recordsDir
	linked  bool   // false if hard links do not work
	written bool   // has content
	keep    bool   // keep the record if the lock can't be committed
	f       *os.File
}

// lockGit takes the lock of a file in our git directory, retrying until ctx ends. The caller holds the flock.
func (s *Store) lockGit(ctx context.Context, name string) (*gitLock, error) {
	l := &gitLock{disk: s.disk, target: s.gitPath(name)}
	var err error
	// The name of the record, which is linked to the lock's name, encodes the target.
	if l.f, l.record, err = l.disk.create(recordsDir, url.PathEscape(l.target)+"@", "", filePerm); err != nil {
		return nil, fmt.Errorf("lock %s: %w", l.target, err)
	}
	// A git that has just started needs longer than 8 ms to take the lock itself.
	for pause := time.Millisecond; ; pause = min(2*pause, 8*time.Millisecond) {
		err := l.take()
		if err == nil {
			return l, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			l.drop()
			return nil, fmt.Errorf("lock %s: %w", l.target, err)
		}
		select {
		case <-ctx.Done():
			l.drop()
			return nil, s.busy(ctx.Err(), l.target+".lock exists: another git is at work, or died")
		case <-time.After(pause):
		}
	}
}

// take creates the lock; fs.ErrExist means that another process holds it.
func (l *gitLock) take() error {
	err := l.disk.link(l.record, l.target+".lock")
	if errors.Is(err, fs.ErrNotExist) {
		if err := l.disk.mkdir(path.Dir(l.target)); err != nil {
			return err
		}
		err = l.disk.link(l.record, l.target+".lock")
	}
	l.linked = err == nil
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return l.takeWithoutLink()
}

// takeWithoutLink is for file systems without hard links: the record then contains the inode number of the lock. A
// crash between creating and recording it leaves a lock that is not recognised as ours.
func (l *gitLock) takeWithoutLink() error {
	f, err := l.disk.open(l.target+".lock", os.O_RDWR|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
		return err
	}
	fi, err := f.Stat()
	if err == nil {
		_, err = l.disk.write(l.f, []byte(inodeText(fi)))
	}
	if err != nil {
		f.Close()
		_ = l.disk.remove(l.target + ".lock")
		return err
	}
	_ = l.f.Close()
	l.f = f
	return nil
}

func inodeText(fi fs.FileInfo) string {
	return "inode " + strconv.FormatUint(uint64(sysStat(fi).ino), 10) + "\n"
}

// write sets the content of the lock, which becomes that of its target. A second call replaces the content.
func (l *gitLock) write(b []byte) error {
	err := l.rewind()
	if err == nil {
		l.written = true
		_, err = l.disk.write(l.f, b)
	}
	if err != nil {
		return fmt.Errorf("write %s.lock: %w", l.target, err)
	}
	return nil
}

func (l *gitLock) rewind() error {
	if !l.written {
		return nil
	}
	if _, err := l.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return l.disk.truncate(l.f, 0)
}

// commit renames the lock to its target.
func (l *gitLock) commit() error {
	err := l.f.Close()
	l.f = nil
	if err == nil {
		err = l.disk.rename(l.target+".lock", l.target)
	}
	if err != nil {
		l.release()
		return fmt.Errorf("replace %s: %w", l.target, err)
	}
	_ = l.disk.remove(l.record) // a stray record refers to no lock
	return nil
}

// rollback releases the lock. After commit it does nothing.
func (l *gitLock) rollback() {
	if l.f == nil {
		return
	}
	_ = l.f.Close()
	l.f = nil
	l.release()
}

// release removes the lock and its record. A linked record prevents reuse of the inode, so it is removed last: a
// process that finds it can remove both. An inode number in a record that is not linked could soon be that of another
// process's lock, so such a record is removed first.
func (l *gitLock) release() {
	first, second := l.target+".lock", l.record
	if l.keep {
		if !l.linked { // the record stays, and must not refer to the inode of a future lock
			if f, err := l.disk.open(l.record, os.O_WRONLY|os.O_TRUNC, filePerm); err == nil {
				_ = f.Close()
			}
		}
		_ = l.disk.remove(first)
		return
	}
	if !l.linked {
		first, second = second, first
	}
	err := l.disk.remove(first)
	if err != nil && l.linked && !errors.Is(err, fs.ErrNotExist) {
		return // the record stays, so that the next holder of the flock removes both
	}
	_ = l.disk.remove(second)
}

// drop discards a lock that was never taken.
func (l *gitLock) drop() {
	_ = l.f.Close()
	_ = l.disk.remove(l.record)
}

// recordTarget returns the file that a record's lock protects.
func recordTarget(record string) (string, bool) {
	escaped, _, ok := strings.Cut(record, "@")
	if !ok {
		return "", false
	}
	target, err := url.PathUnescape(escaped)
	return target, err == nil && fs.ValidPath(target)
}
