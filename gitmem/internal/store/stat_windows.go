package store

import (
	"io/fs"
	"syscall"
)

// sysStat returns what git keeps of a file beside size, mode and mtime. Git
// for Windows stores the creation time as ctime and leaves the rest zero.
func sysStat(fi fs.FileInfo) (st statData) {
	if sys, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		ns := sys.CreationTime.Nanoseconds()
		st.ctimeSec, st.ctimeNsec = uint32(ns/1e9), uint32(ns%1e9)
	}
	return st
}

// linkCount is not in a FileInfo here.
func linkCount(fs.FileInfo) uint64 { return 1 }
