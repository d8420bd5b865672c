//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

func tempName() string { return "gitmem-" + strconv.Itoa(os.Geteuid()) }

// onlyOwn refuses a folder that is not this user's, or that others may look into.
func onlyOwn(dir string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to other users", dir)
	}
	return nil
}
