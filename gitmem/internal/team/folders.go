package team

import (
	"cmp"
	"slices"
	"strings"
)

// Folder is a part of the tree in an [Overview].
type Folder struct {
	// Path is a folder with a slash at its end, "" for the top. FilesOnly says that its
	// folders stand for themselves.
	Path      string
	FilesOnly bool
}

// holds tells whether a path lies in the folder.
func (f Folder) holds(p string) bool {
	rest, ok := strings.CutPrefix(p, f.Path)
	return ok && (!f.FilesOnly || !strings.Contains(rest, "/"))
}

// How folders are cut: one that has more than a tenth of all is looked into, as long
// as there are not too many.
const (
	heavyShare  = 0.10
	mostFolders = 40
)

// cutFolders divides the tree at a depth that fits it: the heaviest folder is replaced
// by what it holds until none is much of the whole. weight is by path number, 0 for
// what is left out.
func (h *History) cutFolders(root string, weight []float64) []Folder {
	total := 0.0
	var files []int
	for i, w := range weight {
		if w > 0 && strings.HasPrefix(h.paths[i], root) {
			total += w
			files = append(files, i)
		}
	}
	slices.SortFunc(files, func(a, b int) int { return cmp.Compare(h.paths[a], h.paths[b]) })
	var done []branch
	open := []branch{{Folder{Path: root}, files, total}}
	for len(open) > 0 && len(open)+len(done) < mostFolders {
		slices.SortFunc(open, func(a, b branch) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.Path, b.Path))
		})
		if open[0].weight < heavyShare*total && open[0].Path != root {
			break
		}
		parts := open[0].parts(h.paths, weight)
		if len(parts) == 1 && parts[0].FilesOnly {
			done = append(done, open[0])
			open = open[1:]
			continue
		}
		open = open[1:]
		for _, p := range parts {
			if p.FilesOnly {
				done = append(done, p)
			} else {
				open = append(open, p)
			}
		}
	}
	var out []Folder
	for _, b := range append(done, open...) {
		out = append(out, b.Folder)
	}
	return out
}

// branch is a folder with its files, sorted by path.
type branch struct {
	Folder
	files  []int
	weight float64
}

// parts are the folders in a branch, and the files right in it as one more.
func (b branch) parts(paths []string, weight []float64) []branch {
	var out []branch
	at := map[string]int{}
	for _, f := range b.files {
		name, _, isDir := strings.Cut(strings.TrimPrefix(paths[f], b.Path), "/")
		folder := Folder{Path: b.Path, FilesOnly: true}
		if isDir {
			folder = Folder{Path: b.Path + name + "/"}
		}
		key := folder.Path
		if !isDir {
			key = "" // no folder is called so
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, branch{Folder: folder})
		}
		out[i].files = append(out[i].files, f)
		out[i].weight += weight[f]
	}
	return out
}
