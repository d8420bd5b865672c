// Package install changes files of other programs. It replaces a file completely, follows symbolic
// links, and refuses if the file was changed after it was read. It keeps a record of the change,
// so that it can be undone. The caller decides the content and why it changes.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrChanged means that somebody wrote a file between reading and writing it here.
var ErrChanged = errors.New("the file was changed meanwhile")

// File is a file as it was read.
type File struct {
	Path   string // as requested
	Bytes  []byte
	Exists bool

	target string // behind symbolic links
	mode   fs.FileMode
}

// maxLinks is how many symbolic links are followed, as in operating systems.
const maxLinks = 40

// Read reads a file, which need not exist. Links are followed even if their target does not
// exist yet, as in a dotfiles repository.
func Read(path string) (File, error) {
	f := File{Path: path, target: path, mode: 0o600}
	for range maxLinks {
		info, err := os.Lstat(f.target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return f, nil
		case err != nil:
			return f, err
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(f.target)
			if err != nil {
				return f, err
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(f.target), to)
			}
			f.target = to
			continue
		case !info.Mode().IsRegular():
			return f, fmt.Errorf("%s is no regular file", f.target)
		}
		f.Exists, f.mode = true, info.Mode().Perm()
		f.Bytes, err = os.ReadFile(f.target)
		return f, err
	}
	return f, fmt.Errorf("%s: too many symbolic links", path)
}

// Writable rejects a read-only file, which a rename would replace regardless.
func (f File) Writable() error {
	if f.Exists && f.mode&0o200 == 0 {
		return fmt.Errorf("%s is read-only: %w", f.target, fs.ErrPermission)
	}
	return nil
}

// Write replaces the file with b, all or nothing, keeps its permissions, and creates the folders above. The
// error is [ErrChanged] if the file has changed since it was read.
func (f File) Write(b []byte) error {
	if err := f.Writable(); err != nil {
		return err
	}
	dir := filepath.Dir(f.target)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".gitmem-*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	err = errors.Join(err, tmp.Chmod(f.mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = f.unchanged()
	}
	if err == nil {
		err = os.Rename(tmp.Name(), f.target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	syncFolder(dir)
	removeStale(dir)
	return nil
}

// staleAfter is how much older than the last change of its folder an abandoned temporary file is.
const staleAfter = 10 * time.Second

// removeStale removes the temporary files of killed processes in a folder.
func removeStale(dir string) {
	names, err := filepath.Glob(filepath.Join(dir, ".gitmem-*.tmp"))
	now, statErr := os.Stat(dir)
	if err != nil || statErr != nil {
		return // a folder's name may be an invalid pattern
	}
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() &&
			now.ModTime().Sub(info.ModTime()) > staleAfter {
			_ = os.Remove(name) // the next call tries again
		}
	}
}

// WriteMode is [File.Write] with the given permissions for a new file.
func (f File) WriteMode(b []byte, mode fs.FileMode) error {
	if !f.Exists {
		f.mode = mode
	}
	return f.Write(b)
}

// unchanged checks again whether the file is as it was read.
func (f File) unchanged() error {
	now, err := Read(f.Path)
	if err != nil {
		return err
	}
	if now.Exists != f.Exists || now.target != f.target || !bytes.Equal(now.Bytes, f.Bytes) {
		return fmt.Errorf("%s: %w", f.Path, ErrChanged)
	}
	return nil
}

// Remove removes the file; the error is [ErrChanged] as in [File.Write].
func (f File) Remove() error {
	if err := f.Writable(); err != nil {
		return err
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.target); err != nil {
		return err
	}
	removeStale(filepath.Dir(f.target))
	return nil
}

// RemoveFolder removes an empty folder, but not a link to one.
func RemoveFolder(dir string) {
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		_ = os.Remove(dir) // fails unless it is empty
	}
}

// syncFolder makes a new name durable if the system supports it.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
