package transcript

import "path/filepath"

// entry is a name in a folder.
type entry struct {
	name string
	dir  bool // a folder itself, not a link to one
}

// inPath is the name as paths of what is below it go on.
func (e entry) inPath() string {
	if e.dir {
		return e.name + string(filepath.Separator)
	}
	return e.name
}
