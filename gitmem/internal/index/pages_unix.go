//go:build unix

package index

import "golang.org/x/sys/unix"

// releasePages releases the pages of a mapped file from this process, which gets them again
// from the system's cache when it reads on. Writes to them would be lost.
func releasePages(mapped []byte) {
	_ = unix.Madvise(mapped, unix.MADV_DONTNEED) // if it fails the pages stay
}
