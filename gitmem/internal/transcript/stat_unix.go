//go:build linux || darwin

package transcript

import (
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openDir opens nothing but a folder: a pipe would wait for ever.
func openDir(path string) (fd int, err error) {
	for {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		switch {
		case err == nil:
			return fd, nil
		case !errors.Is(err, unix.EINTR):
			return -1, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

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
