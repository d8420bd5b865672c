package workspace

import (
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// DirsOfTraces are the folders where hooks leave their trace.
func (w *Workspace) DirsOfTraces() []string {
	return TraceDirs(w.Options.Getenv, w.Options.Home, w.Options.CacheDir)
}

// DisplayName is what a person calls a place: its project, or the folder where that has no
// name but an id.
func (p *Place) DisplayName() string {
	if strings.HasPrefix(p.Project.ID, "path/") || strings.HasPrefix(p.Project.ID, "local/") {
		return filepath.Base(p.Folder)
	}
	return p.Project.ID
}

const (
	ContextSuffix   = ".said"
	MaxContextFiles = 100 // files that are kept
)

// EraseContextFiles deletes the context that sessions were given, which may hold what was forgotten.
func EraseContextFiles(indexes string) error {
	names, err := filepath.Glob(filepath.Join(indexes, "sessions", "*"+ContextSuffix))
	for _, name := range names {
		err = errors.Join(err, osfile.Remove(name))
	}
	return err
}

// KeptDir is where transcripts are kept that outlive the client's own, in folders
// with the client's names. The store's allow-list and its .gitignore refuse them:
// they are raw, and stay on this machine.
func (w *Workspace) KeptDir() string { return filepath.Join(w.Root, "gitmem", "transcripts") }

// ClientProjects is the client's folder with its transcripts and memory, a folder for each project.
func (w *Workspace) ClientProjects() string { return filepath.Join(w.ClientDir, "projects") }

// Stores are where other clients than Claude Code keep the sessions of this user.
func (w *Workspace) Stores() transcript.Stores { return w.stores }

// TranscriptRoots are the folders with the client's transcripts and the kept ones.
func (w *Workspace) TranscriptRoots() []string { return []string{w.ClientProjects(), w.KeptDir()} }

// Path is the path on disk of a file or folder of memory, by its name below the root.
func (w *Workspace) Path(rel string) string { return filepath.Join(w.Root, filepath.FromSlash(rel)) }

// MemoryDir is the client's memory folder of a place, below the root.
func MemoryDir(p *Place) string {
	return path.Join("projects", transcript.ProjectFolder(p.Folder), "memory")
}

// SameHistory names the projects that share the first commit of a place and nothing else.
func (w *Workspace) SameHistory(p *Place) (ids []string) {
	own := append(slices.Concat(p.Linked, p.Earlier), p.Project)
	for _, other := range w.AllProjects() {
		if other.HasRoot(p.Identity.Root) && !slices.ContainsFunc(own, func(o store.Project) bool {
			return o.ID == other.ID
		}) {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// ProjectName is the client's name of the folder that a transcript belongs to, "" for
// another file.
func (w *Workspace) ProjectName(file string) string {
	for _, root := range w.TranscriptRoots() {
		rel, err := filepath.Rel(root, file)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if name, _, nested := strings.Cut(filepath.ToSlash(rel), "/"); nested {
			return name
		}
	}
	return ""
}

// RealMissing resolves the links of a path whose last parts may not exist.
func RealMissing(p string) string {
	p = filepath.Clean(p)
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	dir := filepath.Dir(p)
	if dir == p {
		return p
	}
	return filepath.Join(RealMissing(dir), filepath.Base(p))
}

// ProjectOf names the project that a memory file belongs to, wherever it is asked
// from. The client's folders are known by their munged name, which project.md maps;
// one that no project.md lists keeps that name.
func (w *Workspace) ProjectOf(known map[string]string, rel string) string {
	if rest, ok := strings.CutPrefix(rel, "projects/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return cmp.Or(known[name], name)
	}
	id, _ := store.ProjectOf(rel)
	return id
}

// Folders maps the client's names of folders to projects.
func (w *Workspace) Folders() map[string]string {
	byMunged := func(func(string) string) (map[string]string, error) { return nil, nil }
	switch {
	case w.Past != nil && w.Past.Revision != nil:
		byMunged = w.Past.Revision.ProjectsByMunged
	case w.Past == nil && w.Store != nil:
		byMunged = w.Store.ProjectsByMunged
	}
	known, err := byMunged(transcript.ProjectFolder)
	if err != nil {
		w.Caveat("The projects' folders could not be read: %v", err)
	}
	return known
}

// PlanProject is the project of every plan, since no plan names its own: a person is shown
// all of them, and the client, which may be shown one project only, none.
const PlanProject = "plans"

// SessionName names files of a session: its id, or a hash of one that holds a secret.
func (w *Workspace) SessionName(session string) string {
	if _, secret := w.Redactor.Name(session); secret {
		return store.ShortHash(session)
	}
	return session
}
