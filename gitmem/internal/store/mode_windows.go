package store

import "io/fs"

// fileMode returns the mode by which git tracks a file: files have no execute
// bit here, so what HEAD says stays.
func fileMode(_ fs.FileInfo, old uint32) uint32 {
	if old == modeExec {
		return modeExec
	}
	return modeFile
}
