package crush

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// isTracked reports whether the repository around a file has a file of that name in git's index. Crush
// keeps git from its databases, so that one which is tracked came with the repository: others may have
// written what stands there as the user's words.
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
				bytes.Contains(index, []byte(filepath.Base(file)+"-wal\x00")) // SQLite lays it over the database
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
