//go:build !linux

package transcript

import "io/fs"

func entriesOf(list []fs.DirEntry) []entry {
	out := make([]entry, len(list))
	for i, e := range list {
		out[i] = entry{e.Name(), e.IsDir()}
	}
	return out
}
