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

// DirsOfTraces returns the folders in which hooks leave traces.
func (w *Workspace) DirsOfTraces() []string {
	return TraceDirs(w.Options.Getenv, w.Options.Home, w.Options.CacheDir)
}

// DisplayName returns a place's name for people: its project, or the folder if the project only has an id.
func (p *Place) DisplayName() string {
	if strings.HasPrefix(p.Project.ID, "path/") || strings.HasPrefix(p.Project.ID, "local/") {
		return filepath.Base(p.Folder)
	}
	return p.Project.ID
}

const (
	ContextSuffix   = ".said"
	MaxContextFiles = 100 // maximum number of files kept
)

// EraseContextFiles deletes the stored session contexts, which may contain forgotten text.
func EraseContextFiles(indexes string) error {
	names, err := filepath.Glob(filepath.Join(indexes, "sessions", "*"+ContextSuffix))
	for _, name := range names {
		err = errors.Join(err, osfile.Remove(name))
	}
	return err
}

// KeptDir returns the folder of transcripts that outlive the client's own, in folders with the client's names. The
// store's allow-list and its .gitignore refuse them: they are raw, and stay on this machine.
func (w *Workspace) KeptDir() string { return filepath.Join(w.Root, "gitmem", "transcripts") }

// ClientProjects returns the client's folder of transcripts and memory, with a folder for each project.
func (w *Workspace) ClientProjects() string { return filepath.Join(w.ClientDir, "projects") }

// Stores returns the session stores of this user's other clients than Claude Code.
func (w *Workspace) Stores() transcript.Stores { return w.stores }

// TranscriptRoots returns the folders of the client's transcripts and of the kept ones.
func (w *Workspace) TranscriptRoots() []string { return []string{w.ClientProjects(), w.KeptDir()} }

// Path returns the path on disk of a file or folder of memory, given relative to the root.
func (w *Workspace) Path(rel string) string { return filepath.Join(w.Root, filepath.FromSlash(rel)) }

// MemoryDir returns the client's memory folder of a place, relative to the root.
func MemoryDir(p *Place) string {
	return path.Join("projects", transcript.ProjectFolder(p.Folder), "memory")
}

// SameHistory returns the ids of projects that share only the first commit with a place.
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

// ProjectName returns the client's name of the folder of a transcript, "" for another file.
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

// ProjectOf returns the project of a memory file, regardless of the working folder. The client's folders are identified
// by their munged name, which project.md maps; a folder that no project.md lists keeps that name.
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

// PlanProject is the project of every plan, since plans do not name their own: a person is shown all of them, and the
// client, which may be shown one project only, none.
const PlanProject = "plans"

// SessionName returns the name for files of a session: its id, or a hash if the id contains a secret.
func (w *Workspace) SessionName(session string) string {
	if _, secret := w.Redactor.Name(session); secret {
		return store.ShortHash(session)
	}
	return session
}
