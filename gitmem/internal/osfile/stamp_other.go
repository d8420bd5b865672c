//go:build !linux && !darwin

package osfile

import "io/fs"

// ChangeTime returns zeros: it supports neither change time nor inode on this system.
func ChangeTime(fs.FileInfo) (ctimeNs int64, inode uint64) { return 0, 0 }
