package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// Append adds text to a file, for hooks: no lock, no fsync, no commit. A missing file is created atomically with header
// and text; to an existing one text is added by one write in append mode. Text starts on its own line and ends with a
// newline; missing newlines are added. Empty text does not change an existing file. The path must be Allowed; links are
// refused (ErrNotAllowed).
//
// If Append returns an error, no part of text is in the file.
func (s *Store) Append(rel string, header, text redact.Clean) error {
	if !s.allowed(rel) {
		return fmt.Errorf("append to %q: %w", rel, ErrNotAllowed)
	}
	if err := s.appendTo(rel, header.String(), withNewline(text.String())); err != nil {
		return fmt.Errorf("append to %s: %w", rel, err)
	}
	if err := s.setAside(undoneEdit{path: rel, wrote: []byte(withNewline(header.String()) + text.String())}); err != nil {
		s.o.Warn(fmt.Sprintf("what was appended to %s is only there, and git may take it back: %v", rel, err))
	}
	return nil
}

func withNewline(text string) string {
	if text == "" || text[len(text)-1] == '\n' {
		return text
	}
	return text + "\n"
}

func (s *Store) appendTo(rel, header, text string) error {
	for try := 0; ; try++ {
		err := s.appendExisting(rel, text)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if header+text == "" {
			return nil
		}
		err = s.createWhole(rel, []byte(withNewline(header)+text), false)
		if !errors.Is(err, fs.ErrExist) || try == 5 {
			return err
		}
	}
}

// appendExisting returns fs.ErrNotExist if there is no file.
func (s *Store) appendExisting(rel, text string) error {
	f, err := s.disk.openPlain(rel, os.O_RDWR|os.O_APPEND)
	if err != nil || text == "" {
		return errors.Join(err, closeIf(f))
	}
	defer f.Close()
	line := text
	if open, err := endsOpen(f); err != nil {
		return err
	} else if open {
		line = "\n" + text
	}
	if err := s.appendOnce(f, []byte(line)); err != nil {
		return err
	}
	return s.follow(rel, f, text)
}

func closeIf(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

// endsOpen reports whether the last line of a file lacks its newline.
func endsOpen(f *os.File) (bool, error) {
	fi, err := f.Stat()
	if err != nil || fi.Size() == 0 {
		return false, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], fi.Size()-1); err != nil && err != io.EOF {
		return false, err
	}
	return last[0] != '\n', nil
}

// appendOnce makes one write in append mode. It truncates a partial write unless another process has already written
// after it.
func (s *Store) appendOnce(f *os.File, b []byte) error {
	n, err := s.disk.write(f, b)
	if err == nil {
		return nil
	}
	if n > 0 {
		end, seekErr := f.Seek(0, io.SeekCurrent)
		fi, statErr := f.Stat()
		if seekErr == nil && statErr == nil && fi.Size() == end {
			err = errors.Join(err, s.disk.truncate(f, end-int64(n)))
		}
	}
	return err
}

// follow checks whether the file we wrote to is still the one at its path: a rewrite may have replaced it between our
// open and our write. The rewriter checks too, so under the lock it is certain whether the text was kept.
// fs.ErrNotExist means that the file was deleted together with the text.
func (s *Store) follow(rel string, f *os.File, text string) error {
	if s.sameAt(rel, f) {
		return nil
	}
	// No caller's context: text that is already written must not be lost because a hook was cancelled.
	unlock, err := s.Lock(context.Background())
	if err != nil {
		return err
	}
	defer unlock()
	if s.sameAt(rel, f) {
		return nil
	}
	now, _, err := s.disk.readPlain(rel)
	if err == nil && bytes.Contains(now, []byte(text)) {
		return nil // the rewrite kept the text
	}
	if err != nil {
		return err // fs.ErrNotExist: the file was deleted under our write and is created again
	}
	return s.appendExisting(rel, text)
}

func (s *Store) sameAt(rel string, f *os.File) bool {
	now, err := s.disk.root.Lstat(rel)
	if err != nil {
		return false
	}
	mine, err := f.Stat()
	return err == nil && os.SameFile(now, mine)
}

// createWhole creates a file atomically with all of its content, or returns fs.ErrExist if the file exists. With sync
// the content is durable.
func (s *Store) createWhole(rel string, content []byte, sync bool) error {
	if err := s.disk.plainParents(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp, err := s.disk.temp(path.Dir(rel), content, filePerm, sync)
	if err != nil {
		return err
	}
	err = s.disk.link(temp, rel)
	_ = s.disk.remove(temp) // hidden and ignored if it remains
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.createExclusive(rel, content, sync)
}

// createExclusive creates a file, or returns fs.ErrExist if it exists. It replaces createWhole for files that no other
// process writes, and on file systems without hard links. There, another writer could see the file before its content,
// and then waits behind one write of ours.
func (s *Store) createExclusive(rel string, content []byte, sync bool) error {
	f, err := s.disk.open(rel, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, filePerm)
	if err != nil {
		return err
	}
	err = s.appendOnce(f, content)
	if fi, statErr := f.Stat(); err != nil && statErr == nil && fi.Size() == 0 {
		err = errors.Join(err, s.disk.remove(rel))
	}
	if err == nil && sync {
		err = s.disk.fsync(f)
	}
	return errors.Join(err, f.Close())
}
