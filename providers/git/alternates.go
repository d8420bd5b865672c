package git

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxAlternateDepth is git's own limit for chains of alternates.
const maxAlternateDepth = 5

// alternates returns dir and the object folders that it borrows from, directly and indirectly, without
// duplicates.
func alternates(dir string) (dirs []string, problems []Skip) {
	dirs = []string{dir} // a cycle ends here
	var visit func(dir string, depth int)
	visit = func(dir string, depth int) {
		b, err := ReadFile(filepath.Join(dir, "info", "alternates"), maxConfig)
		if err != nil {
			return
		}
		for line := range strings.Lines(string(b)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			if quoted, err := strconv.Unquote(line); err == nil && line[0] == '"' {
				line = quoted
			}
			other := absFrom(dir, filepath.FromSlash(line))
			switch {
			case slices.Contains(dirs, other):
			case depth > maxAlternateDepth:
				problems = append(problems, Skip{Object: other, Reason: "objects are borrowed over too many steps"})
			case !isDir(other):
				problems = append(problems, Skip{Object: other, Reason: "objects are borrowed from a folder that is not there"})
			default:
				dirs = append(dirs, other)
				visit(other, depth+1)
			}
		}
	}
	visit(dir, 1)
	return dirs[1:], problems
}
