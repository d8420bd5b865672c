//go:build unix

package git

import (
	"os"
	"strconv"
	"syscall"
)

// ownedByUser reports whether the user owns a file. For root, the files of the user who called sudo count
// too.
func ownedByUser(path, sudo string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	owner, user := uint64(stat.Uid), uint64(os.Geteuid())
	if caller, err := strconv.ParseUint(sudo, 10, 32); err == nil && user == 0 && owner == caller {
		return true
	}
	return owner == user
}
