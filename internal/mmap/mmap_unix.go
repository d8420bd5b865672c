//go:build unix

package mmap

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// File maps the first bytes of a file. The mapping remains valid after the file is removed.
func File(f *os.File, size int64, private bool) (data []byte, release func(), err error) {
	if size <= 0 || int64(int(size)) != size {
		return nil, nil, errors.New("a file of a size that can't be mapped")
	}
	prot, flags := unix.PROT_READ, unix.MAP_SHARED
	if private {
		prot, flags = prot|unix.PROT_WRITE, unix.MAP_PRIVATE
	}
	m, err := unix.Mmap(int(f.Fd()), 0, int(size), prot, flags)
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %v", f.Name(), err) // not errors.ErrUnsupported: Open would read it
	}
	return m, func() { _ = unix.Munmap(m) }, nil
}

// Release releases the pages of a mapped file from this process; the next access gets them from the system's
// cache again. Private writes to them are lost.
func Release(mapped []byte) {
	_ = unix.Madvise(mapped, unix.MADV_DONTNEED) // if it fails the pages stay
}
