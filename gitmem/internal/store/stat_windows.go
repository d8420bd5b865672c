package store

import (
	"io/fs"
	"syscall"
)

// sysStat returns the stat data that git stores besides size, mode and mtime. Git for Windows stores the creation time
// as ctime and leaves the rest zero.
func sysStat(fi fs.FileInfo) (st statData) {
	if sys, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		ns := sys.CreationTime.Nanoseconds()
		st.ctimeSec, st.ctimeNsec = uint32(ns/1e9), uint32(ns%1e9)
	}
	return st
}

// linkCount returns 1: a FileInfo on Windows has no link count.
func linkCount(fs.FileInfo) uint64 { return 1 }
