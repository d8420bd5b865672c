package osfile

import (
	"io/fs"
	"syscall"
)

// ChangeTime returns a file's change time in nanoseconds and its inode, which a program that restores the modification
// time does not restore; 0 if the system has none.
func ChangeTime(info fs.FileInfo) (ctimeNs int64, inode uint64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ctim.Nano(), st.Ino
}
