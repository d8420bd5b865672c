// Package install changes files that belong to others: whole, behind symbolic links,
// never between somebody's reading and writing, and so that it can be undone.
//
// It knows files and what is remembered of them. What stands in them, and why it is
// changed, is its caller's.
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
	Path   string // as it was asked for
	Bytes  []byte
	Exists bool

	target string // behind symbolic links
	mode   fs.FileMode
}

// maxLinks is how many symbolic links are followed, as systems do.
const maxLinks = 40

// Read reads a file, which need not be there. Links are followed also where they
// lead to nothing yet, as the links of a dotfiles repository may.
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

// writable refuses a file that its owner protected: a rename would not ask.
func (f File) writable() error {
	if f.Exists && f.mode&0o200 == 0 {
		return fmt.Errorf("%s is read-only: %w", f.target, fs.ErrPermission)
	}
	return nil
}

// Write puts b in the place of the file, all or nothing, with its permissions, and makes
// the folders above. The error is [ErrChanged] when the file is no longer as it was read.
func (f File) Write(b []byte) error {
	if err := f.writable(); err != nil {
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
	dropLeft(dir)
	return nil
}

// leftAfter is how much older than the last change of its folder a file is that
// nobody is writing.
const leftAfter = 10 * time.Second

// dropLeft removes what killed processes left beside a file: copies of it that had
// not taken its place.
func dropLeft(dir string) {
	names, err := filepath.Glob(filepath.Join(dir, ".gitmem-*.tmp"))
	now, statErr := os.Stat(dir)
	if err != nil || statErr != nil {
		return // a folder's name may be no pattern
	}
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && now.ModTime().Sub(info.ModTime()) > leftAfter {
			_ = os.Remove(name) // the next call does
		}
	}
}

// WriteMode is [File.Write] for a file that gets other permissions when it is new.
func (f File) WriteMode(b []byte, mode fs.FileMode) error {
	if !f.Exists {
		f.mode = mode
	}
	return f.Write(b)
}

// unchanged looks once more whether the file is as it was read.
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

// Remove removes the file; the error is [ErrChanged] as that of [File.Write].
func (f File) Remove() error {
	if err := f.writable(); err != nil {
		return err
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.target); err != nil {
		return err
	}
	dropLeft(filepath.Dir(f.target))
	return nil
}

// RemoveFolder removes a folder that nothing lies in; a link to one stays.
func RemoveFolder(dir string) {
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		_ = os.Remove(dir) // refused where something lies in it
	}
}

// syncFolder makes a new name last where the system can.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
