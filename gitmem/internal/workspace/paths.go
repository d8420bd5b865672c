package workspace

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// MemoryPaths returns the slash paths relative to the root that a command line path can mean, most likely first:
// relative to the working folder, to the root, and to the project's own memory.
func (w *Workspace) MemoryPaths(ctx context.Context, what string) []string {
	root := RealPath(w.Root)
	var out []string
	add := func(p string) {
		rel, err := filepath.Rel(root, p)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return
		}
		rel = filepath.ToSlash(rel)
		if slices.Contains(out, rel) {
			return
		}
		if store.Allowed(rel) || store.Allowed(rel+"/x.md") || rel == "gitmem" || strings.HasPrefix(rel, "projects") {
			out = append(out, rel)
		}
	}
	seen := filepath.FromSlash(what)
	if filepath.IsAbs(seen) {
		add(RealMissing(seen))
		return out
	}
	add(RealMissing(filepath.Join(w.Options.Dir, seen)))
	if !filepath.IsLocal(seen) {
		return out
	}
	add(filepath.Join(root, seen))
	if p, err := w.Place(ctx); err == nil {
		add(filepath.Join(root, filepath.FromSlash(MemoryDir(p)), seen))
		add(filepath.Join(root, filepath.FromSlash(p.Project.Dir), seen))
	}
	return out
}

// CheckoutPaths returns the paths, relative to the root, of a name in the client's folders for all the project's
// checkouts, on this machine and others.
func (w *Workspace) CheckoutPaths(ctx context.Context, name string) []string {
	p, err := w.Place(ctx)
	if err != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil
	}
	var out []string
	for folder, id := range w.Folders() {
		if rel := path.Join("projects", folder, "memory", filepath.ToSlash(name)); id == p.Project.ID && store.Allowed(rel) {
			out = append(out, rel)
		}
	}
	slices.Sort(out)
	return out
}

// CutLine splits a line number off the end of a path.
func CutLine(what string) (name string, line int, ok bool) {
	i := strings.LastIndexByte(what, ':')
	if i <= 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(what[i+1:])
	return what[:i], line, err == nil && line > 0
}
