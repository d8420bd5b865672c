//go:build linux || darwin

package store

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// freeSpace returns the bytes that we may still write on the disk of a folder.
func freeSpace(dir string) (free int64, ok bool) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}

// writable asks the system whether we may write to a folder, without writing.
func writable(dir string) error { return unix.Access(dir, unix.W_OK) }
