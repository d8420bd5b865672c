//go:build unix

package embed

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading; an empty or too large one is an error.
func mapFile(path string, most int64) (data []byte, release func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > most {
		return nil, nil, fmt.Errorf("%s: not a file of 1 to %d bytes", path, most)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w", path, err)
	}
	return b, func() { _ = unix.Munmap(b) }, nil
}
