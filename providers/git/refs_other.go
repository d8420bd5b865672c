//go:build !unix

package git

// isNotDir says that a part of a path is a file, which is told as a missing file
// here.
func isNotDir(error) bool { return false }
