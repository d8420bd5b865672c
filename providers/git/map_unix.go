//go:build unix

package git

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading. The mapping outlives the file's removal, so
// that git can replace a pack while it is read here.
func mapFile(f *os.File, size int64) (data []byte, release func(), err error) {
	if size <= 0 || int64(int(size)) != size {
		return nil, nil, errors.New("a file of a size that can't be mapped")
	}
	m, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return m, func() { _ = unix.Munmap(m) }, nil
}
