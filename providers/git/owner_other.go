//go:build !unix

package git

// ownedByUser returns true: owners of files are not checked on this system.
func ownedByUser(_, _ string) bool { return true }
