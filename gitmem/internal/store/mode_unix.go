//go:build !windows

package store

import "io/fs"

// fileMode returns the mode by which git tracks a file.
func fileMode(fi fs.FileInfo, _ uint32) uint32 {
	if fi.Mode()&0o100 != 0 {
		return modeExec
	}
	return modeFile
}
