//go:build !windows

package store

import (
	"io/fs"
	"syscall"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// sysStat returns the stat data that git stores besides size, mode and mtime.
func sysStat(fi fs.FileInfo) (st statData) {
	if sys, ok := fi.Sys().(*syscall.Stat_t); ok {
		ns, _ := osfile.ChangeTime(fi) // 0 if unknown: git then compares contents once
		st.ctimeSec, st.ctimeNsec = uint32(ns/1e9), uint32(ns%1e9)
		st.dev, st.ino = uint32(sys.Dev), uint32(sys.Ino)
		st.uid, st.gid = sys.Uid, sys.Gid
	}
	return st
}

// linkCount returns the number of names of a file.
func linkCount(fi fs.FileInfo) uint64 {
	if sys, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(sys.Nlink)
	}
	return 1
}
