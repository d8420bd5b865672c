package team

import (
	"cmp"
	"slices"
	"strings"
)

// folder is a part of the tree in an [Overview].
type folder struct {
	// path ends with a slash, and is "" for the top; filesOnly means that its subfolders are separate parts.
	path      string
	filesOnly bool
	files     []int // numbers of its paths, sorted by name
	weight    float64
}

// Limits for dividing folders: one with more than a tenth of the total is divided, unless there are too many.
const (
	heavyShare  = 0.10
	mostFolders = 40
)

// cutFolders divides the tree at a suitable depth: it replaces the heaviest folder by its contents until no folder has
// a large share. weight is by path number, 0 for excluded paths.
func (h *History) cutFolders(root string, weight []float64) (done []folder) {
	all := folder{path: root}
	for i, w := range weight {
		if w > 0 && strings.HasPrefix(h.paths[i], root) {
			all.weight += w
			all.files = append(all.files, i)
		}
	}
	slices.SortFunc(all.files, func(a, b int) int { return cmp.Compare(h.paths[a], h.paths[b]) })
	open := []folder{all}
	for len(open) > 0 && len(open)+len(done) < mostFolders {
		slices.SortFunc(open, func(a, b folder) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.path, b.path))
		})
		heaviest := open[0]
		if heaviest.weight < heavyShare*all.weight && heaviest.path != root {
			break
		}
		open = open[1:]
		parts := heaviest.parts(h.paths, weight)
		if len(parts) == 1 && parts[0].filesOnly {
			done = append(done, heaviest)
			continue
		}
		for _, p := range parts {
			if p.filesOnly {
				done = append(done, p)
			} else {
				open = append(open, p)
			}
		}
	}
	return append(done, open...)
}

// parts returns the subfolders of a folder, and its direct files as one more part.
func (f folder) parts(paths []string, weight []float64) []folder {
	var out []folder
	at := map[string]int{}
	for _, file := range f.files {
		name, _, isDir := strings.Cut(strings.TrimPrefix(paths[file], f.path), "/")
		key := "" // no folder has this name
		if isDir {
			key = f.path + name + "/"
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, folder{path: cmp.Or(key, f.path), filesOnly: !isDir})
		}
		out[i].files = append(out[i].files, file)
		out[i].weight += weight[file]
	}
	return out
}
