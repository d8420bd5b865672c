package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// disk is every way in which the store changes the file system, below one root. Names
// are slash paths below it.
type disk struct {
	root *os.Root
	// around, which only tests set, is called instead of each step, which it makes by do.
	around func(st *step, do func() error) error

	count atomic.Uint64 // numbers temporary files
}

// step is a change of the file system, an opening of a file or a run of git.
type step struct {
	op   string
	name string   // what changes; of an open file as the system names it
	data []byte   // what is written
	args []string // of git
}

func (d *disk) do(st *step, f func() error) error {
	if d.around == nil {
		return f()
	}
	return d.around(st, f)
}

func (d *disk) open(name string, flag int, perm fs.FileMode) (f *os.File, err error) {
	st := &step{op: "read", name: name}
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		st.op = "open"
	}
	err = d.do(st, func() (err error) { f, err = d.root.OpenFile(name, flag, perm); return err })
	return f, err
}

func (d *disk) write(f *os.File, b []byte) (n int, err error) {
	st := &step{op: "write", name: f.Name(), data: b}
	err = d.do(st, func() (err error) { n, err = f.Write(st.data); return err })
	return n, err
}

func (d *disk) fsync(f *os.File) error { return d.do(&step{op: "fsync", name: f.Name()}, f.Sync) }

func (d *disk) syncDir(name string) error {
	return d.do(&step{op: "syncDir", name: name}, func() error { return osfile.SyncDir(d.abs(name)) })
}

func (d *disk) truncate(f *os.File, size int64) error {
	return d.do(&step{op: "truncate", name: f.Name()}, func() error { return f.Truncate(size) })
}

func (d *disk) rename(from, to string) error {
	return d.do(&step{op: "rename", name: to}, func() error {
		return osfile.RetryBusy(func() error { return d.root.Rename(from, to) })
	})
}

func (d *disk) link(from, to string) error {
	return d.do(&step{op: "link", name: to}, func() error { return d.root.Link(from, to) })
}

func (d *disk) remove(name string) error {
	return d.do(&step{op: "remove", name: name}, func() error { return d.root.Remove(name) })
}

// mkdir makes a folder with its parents.
func (d *disk) mkdir(name string) error {
	return d.do(&step{op: "mkdir", name: name}, func() error { return d.root.MkdirAll(name, dirPerm) })
}

// unique returns a name that no other live process of this machine uses.
func (d *disk) unique() string {
	return strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(d.count.Add(1), 10)
}

// create makes a new file with a unique name in dir, and dir if needed.
func (d *disk) create(dir, prefix, suffix string, perm fs.FileMode) (*os.File, string, error) {
	for {
		name := path.Join(dir, prefix+d.unique()+suffix)
		f, err := d.openMaking(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue // left by a process that had our id before
		}
		return f, name, err
	}
}

// openMaking opens a file, and makes its folder if that is missing.
func (d *disk) openMaking(name string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := d.open(name, flag, perm)
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.mkdir(path.Dir(name)); err != nil {
			return nil, err
		}
		f, err = d.open(name, flag, perm)
	}
	return f, err
}

// temp writes data to a new hidden file in dir and closes it. On an error
// nothing is left.
func (d *disk) temp(dir string, data []byte, perm fs.FileMode, sync bool) (name string, err error) {
	f, name, err := d.create(dir, tempPrefix, tempSuffix, perm)
	if err != nil {
		return "", err
	}
	_, err = d.write(f, data)
	if err == nil && sync {
		err = d.fsync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = d.remove(name) // the first error matters
		return "", err
	}
	return name, nil
}

const (
	tempPrefix = ".gitmem-"
	tempSuffix = ".tmp"
)

// isTemp says whether a file name is one that temp gives.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// plain checks that no part of a path is a symbolic link and that the path is
// a regular file. A link could lead a commit, and thus a remote, to contents
// from elsewhere.
func (d *disk) plain(rel string) (fs.FileInfo, error) {
	if err := d.plainParents(rel); err != nil {
		return nil, err
	}
	fi, err := os.Lstat(d.abs(rel))
	if err != nil || fi.Mode().IsRegular() {
		return fi, err
	}
	if fi.IsDir() {
		return nil, fmt.Errorf("%s is a folder: %w", rel, fs.ErrNotExist)
	}
	return nil, fmt.Errorf("%w: %s is not a regular file", ErrNotAllowed, rel)
}

// plainParents checks that no folder above a path is a link. It returns
// fs.ErrNotExist if one is missing or a file.
func (d *disk) plainParents(rel string) error {
	for i := range len(rel) {
		if rel[i] != '/' {
			continue
		}
		fi, err := os.Lstat(d.abs(rel[:i]))
		if err != nil {
			return err
		}
		if fi.Mode().IsRegular() {
			return fmt.Errorf("%s is not a folder: %w", rel[:i], fs.ErrNotExist)
		}
		if !fi.IsDir() {
			return fmt.Errorf("%w: %s is not a plain folder", ErrNotAllowed, rel[:i])
		}
	}
	return nil
}

func (d *disk) abs(rel string) string {
	return filepath.Join(d.root.Name(), filepath.FromSlash(rel))
}

// errNotFile says that something else than a file is where git or we keep one.
var errNotFile = errors.New("is no file")

// swapTries bounds how often a file that is replaced between a look and an open is
// looked at again.
const swapTries = 100

// openPlain opens a regular file without following links: what was opened is the
// file that a look found, and the folders above were plain before and after. A
// link that comes and goes within these few system calls is not seen.
func (d *disk) openPlain(rel string, flag int) (*os.File, error) {
	for try := 0; ; try++ {
		before, err := d.plain(rel)
		if err != nil {
			return nil, err
		}
		f, err := d.open(rel, flag, filePerm)
		if err != nil {
			return nil, err
		}
		after, err := f.Stat()
		swapped := err == nil && !os.SameFile(before, after)
		if err == nil && !swapped {
			err = d.plainParents(rel)
		}
		if err == nil && !swapped {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
		if try == swapTries {
			return nil, fmt.Errorf("%w: %s: it keeps being replaced", ErrNotAllowed, rel)
		}
	}
}

// readFile reads a file whole that others may have put something else in the place
// of: a pipe would be waited for without end.
func (d *disk) readFile(name string) ([]byte, error) {
	if fi, err := d.root.Stat(name); err == nil && !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, errNotFile)
	}
	return d.root.ReadFile(name)
}

// readPlain reads a regular file whole, together with a FileInfo that fits the
// bytes: a file that grows while it is read is read again.
func (d *disk) readPlain(rel string) ([]byte, fs.FileInfo, error) {
	f, err := d.openPlain(rel, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return readStable(f)
}

func readStable(f *os.File) ([]byte, fs.FileInfo, error) {
	for try := 0; ; try++ {
		before, err := f.Stat()
		if err != nil {
			return nil, nil, err
		}
		var buf bytes.Buffer
		buf.Grow(int(before.Size()) + bytes.MinRead)
		if _, err := buf.ReadFrom(io.NewSectionReader(f, 0, 1<<62)); err != nil {
			return nil, nil, err
		}
		b := buf.Bytes()
		after, err := f.Stat()
		if err != nil {
			return nil, nil, err
		}
		if after.Size() == int64(len(b)) && after.ModTime().Equal(before.ModTime()) {
			return b, after, nil
		}
		if try == 5 {
			return b, before, nil // fits no later state, so nobody takes the file for unchanged
		}
	}
}
