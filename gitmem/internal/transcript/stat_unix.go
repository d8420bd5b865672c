//go:build linux || darwin

package transcript

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// folder is an open folder, through which its files are looked at: a short way for
// the system, and there are thousands.
type folder struct {
	path string
	f    *os.File
	fd   int
}

// openFolder opens nothing but a folder: a pipe would wait for ever.
func openFolder(path string) (*folder, error) {
	for {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		switch {
		case err == nil:
			return &folder{path: path, f: os.NewFile(uintptr(fd), path), fd: fd}, nil
		case !errors.Is(err, unix.EINTR):
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

func (d *folder) close() { _ = d.f.Close() } // read-only: nothing can be lost

// entries lists the folder, in no order.
func (d *folder) entries() ([]fs.DirEntry, error) { return d.f.ReadDir(-1) }

// stat follows links, as reading does.
func (d *folder) stat(name string) (st Stat, regular bool, err error) {
	var s unix.Stat_t
	for {
		err = unix.Fstatat(d.fd, name, &s, 0)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return Stat{}, false, &fs.PathError{Op: "stat", Path: filepath.Join(d.path, name), Err: err}
	}
	return Stat{Size: s.Size, MtimeNs: s.Mtim.Nano(), CtimeNs: s.Ctim.Nano(), Inode: s.Ino}, s.Mode&unix.S_IFMT == unix.S_IFREG, nil
}
