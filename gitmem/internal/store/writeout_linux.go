//go:build amd64 || arm64

package store

import (
	"os"
	"syscall"
)

// Flags of sync_file_range(2).
const (
	rangeWaitBefore = 1
	rangeWrite      = 2
	rangeWaitAfter  = 4
)

// startWriting makes the system start to write a file out. This is a hint: only an fsync makes it durable.
func startWriting(f *os.File) { writeRange(f, rangeWrite) }

// awaitWriting waits until a file has been written out. On ext4 and xfs the journal then has the location of the
// content, for all such files; the first fsync commits it for the others too.
func awaitWriting(f *os.File) { writeRange(f, rangeWaitBefore|rangeWrite|rangeWaitAfter) }

func writeRange(f *os.File, flags int) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _ = syscall.SyncFileRange(int(fd), 0, 0, flags) }) // a hint
}
