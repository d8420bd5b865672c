package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// MaxMarkdown is the maximum size of a file that is split into citable units. A caveat reports larger files, which
// nobody wrote by hand.
const MaxMarkdown = 32 << 20

// FolderTree is a folder of Markdown files on disk. It implements cite.Tree.
type FolderTree struct {
	Dir    string // root on disk
	m      *Sources
	places []string                                // see WalkMarkdown
	file   func(rel string) (f cite.File, ok bool) // the citable file at a slash path below Dir
	// links may point out of Dir: for the user's own rules, which are often kept with dotfiles
	open  bool
	place *workspace.Place // of the repository for its rules, otherwise nil
}

// Files lists the files of the folder.
func (t FolderTree) Files() ([]cite.File, error) {
	if t.place != nil {
		return t.ruleFiles()
	}
	return t.filesAt(t.places)
}

// filesAt lists the files at or below the given places.
func (t FolderTree) filesAt(places []string) ([]cite.File, error) {
	var files []cite.File
	err := t.m.WalkMarkdown(t.Dir, places, func(rel string) {
		if f, ok := t.file(rel); ok {
			files = append(files, f)
		}
	})
	return files, err
}

// rel returns the slash-separated path of a file below the folder.
func (t FolderTree) rel(f cite.File) string { return strings.TrimPrefix(f.Path, "~/") }

// fsys opens the folder. Unless the tree is open, it rejects links out of the folder: a cloned repository may contain a
// link to any file of the reader's.
func (t FolderTree) fsys() (fsys fs.FS, done func() error, err error) {
	if t.open {
		return os.DirFS(t.Dir), func() error { return nil }, nil
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), root.Close, nil
}

// Stat describes a regular file. It rejects other files: a pipe would block forever, and a device has no end.
func (t FolderTree) Stat(f cite.File) (fs.FileInfo, error) {
	l, err := t.Stats()
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.Stat(f)
}

// folderStats describes many files of a tree.
type folderStats struct {
	tree FolderTree
	root *os.Root // nil if the tree is open
	dir  string   // slash path of the last checked folder, which is inside the root
}

// Stats opens the folder for many calls of Stat.
func (t FolderTree) Stats() (l *folderStats, err error) {
	l = &folderStats{tree: t}
	if !t.open {
		l.root, err = os.OpenRoot(t.Dir)
	}
	return l, err
}

// Stat describes a regular file.
func (l *folderStats) Stat(f cite.File) (info fs.FileInfo, err error) {
	rel := l.tree.rel(f)
	name := filepath.Join(l.tree.Dir, filepath.FromSlash(rel))
	if l.root == nil {
		info, err = os.Stat(name)
		return l.tree.regular(rel, info, err)
	}
	if dir := path.Dir(rel); dir != l.dir { // files usually come folder by folder
		if _, err := l.root.Stat(dir); err != nil {
			return nil, err
		}
		l.dir = dir
	}
	info, err = os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = l.root.Stat(rel)
	}
	return l.tree.regular(rel, info, err)
}

// Close closes the folder.
func (l *folderStats) Close() {
	if l.root != nil {
		_ = l.root.Close() // read-only, so errors do not matter
	}
}

// regular returns an error for a file that is not regular or too large.
func (t FolderTree) regular(rel string, info fs.FileInfo, err error) (fs.FileInfo, error) {
	refuse := func(why string) error {
		return &fs.PathError{Op: "read", Path: filepath.Join(t.Dir, filepath.FromSlash(rel)), Err: errors.New(why)}
	}
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, refuse("not a regular file")
	case info.Size() > MaxMarkdown:
		return nil, refuse("larger than 32 MiB")
	}
	return info, nil
}

// Read returns the content of a regular file.
func (t FolderTree) Read(f cite.File) ([]byte, error) {
	fsys, done, err := t.fsys()
	if err != nil {
		return nil, err
	}
	defer done()
	info, err := fs.Stat(fsys, t.rel(f))
	if _, err = t.regular(t.rel(f), info, err); err != nil {
		return nil, err
	}
	b, err := fs.ReadFile(fsys, t.rel(f))
	if err == nil && t.m != nil {
		b = t.m.Mask(f, b)
	}
	return b, err
}

// memoryTrees returns the citable files of memory: those of the store, the client's own, and plans.
func (src *Sources) memoryTrees() []cite.Tree {
	if !src.ws.Present() {
		return []cite.Tree{src.files.memory}
	}
	return []cite.Tree{src.MemoryTree(), src.plans()}
}

// ruleTrees returns the citable rules of a workspace: the user's own, and those of its repository.
func (src *Sources) ruleTrees(p *workspace.Place) []cite.Tree {
	out := []cite.Tree{src.files.user}
	if src.ws.Present() {
		out = []cite.Tree{src.UserRules()}
	}
	if !src.ws.AtHead() {
		return append(out, src.files.repository)
	}
	if t, ok := src.RepositoryRules(p); ok {
		out = append(out, t)
	}
	return out
}

// MemoryTree returns the root's memory: the store's files, and the client's memory folders, which exist without any
// store.
func (src *Sources) MemoryTree() FolderTree {
	known := sync.OnceValue(src.ws.Folders)
	return FolderTree{m: src, Dir: src.ws.Root, places: []string{profile.File, "gitmem/projects", "projects/*/memory"},
		file: func(rel string) (cite.File, bool) {
			area := cite.AreaOf(rel)
			if area == cite.AreaNone || !store.Allowed(rel) {
				return cite.File{}, false
			}
			return cite.File{Path: rel, Area: area, Project: src.ws.ProjectOf(known(), rel)}, true
		}}
}

// UserRules returns the rules that a user keeps for every project.
func (src *Sources) UserRules() FolderTree {
	return FolderTree{m: src, Dir: src.ws.ClientDir, places: []string{"CLAUDE.md", "rules"}, open: true,
		file: func(rel string) (cite.File, bool) {
			return cite.File{Path: "~/" + rel, Area: cite.AreaRules}, true
		}}
}

// plans returns the plans that the client wrote, with their modification times.
func (src *Sources) plans() FolderTree {
	return FolderTree{m: src, Dir: src.ws.ClientDir, places: []string{"plans"}, file: func(rel string) (cite.File, bool) {
		info, err := os.Stat(filepath.Join(src.ws.ClientDir, filepath.FromSlash(rel)))
		if err != nil { // it was deleted
			return cite.File{}, false
		}
		return cite.File{Path: "~/" + rel, Area: cite.AreaPlan, Project: workspace.PlanProject,
			Time: info.ModTime().UTC().Truncate(time.Second)}, true
	}}
}

// WalkMarkdown calls found for every .md file at or below the given slash-separated places, which may contain a * for
// one folder, in sorted order. It ignores missing places and skips dot folders, unless a place names one. It adds a
// caveat for unreadable files.
func (src *Sources) WalkMarkdown(dir string, places []string, found func(rel string)) error {
	fsys := os.DirFS(dir)
	for _, place := range places {
		starts := []string{place}
		if above, under, ok := strings.Cut(place, "/*/"); ok {
			starts = starts[:0]
			for _, name := range foldersIn(fsys, above) {
				starts = append(starts, above+"/"+name+"/"+under)
			}
		}
		for _, start := range starts {
			err := fs.WalkDir(fsys, start, func(rel string, d fs.DirEntry, err error) error {
				switch {
				case errors.Is(err, fs.ErrNotExist):
					return nil
				case err != nil:
					src.ws.Caveat("%s can't be read and is not searched: %v", rel, err)
					if d != nil && d.IsDir() {
						return fs.SkipDir
					}
					return nil
				case d.IsDir() && rel != start && strings.HasPrefix(path.Base(rel), "."):
					return fs.SkipDir
				case !d.IsDir() && strings.HasSuffix(rel, ".md"):
					found(rel)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// foldersIn returns the names of the readable folders in a folder, including links to folders.
func foldersIn(fsys fs.FS, dir string) []string {
	entries, _ := fs.ReadDir(fsys, dir)
	var out []string
	for _, e := range entries {
		isDir := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			info, err := fs.Stat(fsys, dir+"/"+e.Name())
			isDir = err == nil && info.IsDir()
		}
		if isDir {
			out = append(out, e.Name())
		}
	}
	return out
}

// onceTree lists the files of a tree once: a question fetches many units of few files.
type onceTree struct {
	cite.Tree
	once  sync.Once
	files []cite.File
	err   error             // of listing them
	read  map[string][]byte // cache of file contents, nil to read them each time
}

func once(trees []cite.Tree, reuse bool) []cite.Tree {
	out := make([]cite.Tree, len(trees))
	for i, t := range trees {
		o := &onceTree{Tree: t}
		if reuse {
			o.read = map[string][]byte{}
		}
		out[i] = o
	}
	return out
}

// Files lists the files of the tree once.
func (t *onceTree) Files() ([]cite.File, error) {
	t.once.Do(func() { t.files, t.err = t.Tree.Files() })
	return t.files, t.err
}

// Read reads a file of the tree.
func (t *onceTree) Read(f cite.File) ([]byte, error) {
	if b, ok := t.read[f.Path]; ok {
		return b, nil
	}
	b, err := t.Tree.Read(f)
	if err == nil && t.read != nil {
		t.read[f.Path] = b
	}
	return b, err
}

// Resolver returns a resolver of citations. With reuse, files are read once, for fetching many hits; otherwise each
// lookup reads its file again, but lists files only once.
func (src *Sources) Resolver(p *workspace.Place, reuse bool) (*cite.Resolver, error) {
	repo, err := src.ws.Repository(p)
	if err != nil {
		return nil, err
	}
	trees := once(append(src.memoryTrees(), src.ruleTrees(p)...), reuse)
	unread := func(err error) { src.ws.Caveat("Ideas are left out: %v", err) }
	return &cite.Resolver{Elsewhere: src.elsewhere(p), Unread: unread, Trees: trees, ConfigRoot: src.ws.ClientDir,
		Stores: src.ws.Stores(), KeptDir: src.ws.KeptDir(), Repository: repo, Project: p.Project.ID,
		Redactor: src.ws.Redactor}, nil
}
