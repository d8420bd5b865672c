package crush

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// isTracked reports whether the index of the surrounding git repository contains a file of that name. Crush excludes
// its databases from git, so a tracked database came with the repository, and others may have forged the user's words
// in it.
func isTracked(file string) bool {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		if link, err := os.ReadFile(git); err == nil { // as in a linked working tree
			git = strings.TrimSpace(strings.TrimPrefix(string(link), "gitdir:"))
			if !filepath.IsAbs(git) {
				git = filepath.Join(dir, git)
			}
		}
		if index, err := os.ReadFile(filepath.Join(git, "index")); err == nil {
			return bytes.Contains(index, []byte(filepath.Base(file)+"\x00")) ||
				bytes.Contains(index, []byte(filepath.Base(file)+"-wal\x00")) // SQLite overlays it on the database
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
