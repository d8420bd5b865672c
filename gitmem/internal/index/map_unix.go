//go:build unix

package index

import (
	"errors"
	"os"

	mmap "github.com/blevesearch/mmap-go"
	"golang.org/x/sys/unix"
)

var errEmptyFile = errors.New("empty file")

// mapFile maps a file privately: writes to its bytes stay in this process.
func mapFile(path string) (data []byte, release func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() == 0 {
		return nil, nil, errors.Join(err, errEmptyFile)
	}
	m, err := mmap.Map(f, mmap.COPY, 0)
	if err != nil {
		return nil, nil, err
	}
	return m, func() { _ = m.Unmap() }, nil
}

// releasePages releases the pages of a mapped file from this process, which gets them again
// from the system's cache when it reads on. Writes to them would be lost.
func releasePages(mapped []byte) {
	_ = unix.Madvise(mapped, unix.MADV_DONTNEED) // if it fails the pages stay
}
