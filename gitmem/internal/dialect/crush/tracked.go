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
		if info, err := os.Stat(git); err == nil {
			if !info.IsDir() {
				git = linkedGit(dir, git)
			}
			index, _ := os.ReadFile(filepath.Join(git, "index")) // without one nothing is tracked
			return bytes.Contains(index, []byte(filepath.Base(file)+"\x00"))
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// linkedGit is the git directory that a .git file names, as that of a linked working tree.
func linkedGit(dir, file string) string {
	text, _ := os.ReadFile(file)
	git := strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir:"))
	if filepath.IsAbs(git) {
		return git
	}
	return filepath.Join(dir, git)
}
