package workspace

import (
	"cmp"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/providers/git"
)

// folderRules is the information on a session's folder that rules and pauses need.
type folderRules struct {
	folders []string // the folder itself, and the root of its main work tree
	rule    string   // the rule that excludes it, "" for none
}

// ExcludedHere returns the rule that excludes the working folder's place, "" for none, as do all functions below.
func (w *Workspace) ExcludedHere(p *Place) (rule string) {
	if rule = w.CoveredHere(w.Policy().Rules, p); rule == "" && p.Untrusted != nil {
		rule = w.excludedFolder(w.Options.Dir)
	}
	return rule
}

// CoveredHere returns the rule that covers the working folder's place: by any of its folders or remotes.
func (w *Workspace) CoveredHere(rules config.Matcher, p *Place) string {
	if rules.Empty() {
		return ""
	}
	remotes := slices.Concat(p.Identity.Remotes, p.Project.Remotes)
	for _, folder := range []string{w.Options.Dir, RealPath(w.Options.Dir), p.Folder, p.Loc.WorkTree} {
		if rule, ok := rules.Excluded(folder, remotes...); ok {
			return rule
		}
	}
	return ""
}

// rulesOf examines a folder once. If the folder no longer exists, the records in project.md of it or of a parent folder
// are used.
func (w *Workspace) rulesOf(folder string) folderRules {
	return remembered(&w.Policy().folders, folder, func() folderRules { return w.findRules(folder) })
}

func (w *Workspace) findRules(folder string) folderRules {
	pol := w.Policy()
	if !filepath.IsAbs(folder) { // of another system: it can't be examined here
		s := folderRules{folders: []string{folder}}
		s.rule, _ = pol.Rules.Excluded(folder)
		return s
	}
	real := RealPath(folder)
	s := folderRules{folders: []string{real}}
	main, remotes := w.Checkout(real)
	if main != "" && main != real {
		s.folders = append(s.folders, main)
	}
	for _, f := range append([]string{folder}, s.folders...) {
		if rule, ok := pol.Rules.Excluded(f, remotes...); ok {
			s.rule = rule
			break
		}
	}
	return s
}

// Checkout returns the main work tree and the remotes of the repository that contains a folder, none if it can't be
// read.
func (w *Workspace) Checkout(folder string) (main string, remotes []string) {
	loc, err := git.Discover(folder, elsewhere(w.Options.Getenv))
	found := err == nil && !w.ownRepository(loc)
	if found {
		main = mainFolder(loc)
	}
	if !w.Policy().Rules.HasRemotes() {
		return main, nil
	}
	if u, ok := errors.AsType[*git.UntrustedError](err); ok {
		remotes = remotesAt(u.Location, w.Options.Getenv) // a false claim only excludes it
	} else if found {
		remotes = remotesAt(loc, w.Options.Getenv)
	}
	if w.Store == nil {
		return main, remotes
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if p, ok, err := w.Store.ProjectAt(dir); err == nil && ok {
			return main, append(remotes, append(p.Aliases(), p.ID)...)
		}
		if dir == main || dir == filepath.Dir(dir) {
			return main, remotes
		}
	}
}

// remotesAt lists the remotes of a repository, including the readable part of a damaged configuration.
func remotesAt(loc git.Location, getenv func(string) string) []string {
	repo, err := git.Open(loc)
	if err != nil {
		return nil
	}
	defer repo.Close()
	ids, _ := remotesOf(repo, getenv)
	return ids
}

// excludedFolder returns the rule that excludes sessions in a folder.
func (w *Workspace) excludedFolder(folder string) string {
	if folder == "" || w.Policy().Rules.Empty() {
		return ""
	}
	return w.rulesOf(folder).rule
}

// ExcludedFile is excludedFolder for a file of the working folder.
func (w *Workspace) ExcludedFile(name string) string {
	rules := w.Policy().Rules
	if rules.Empty() {
		return ""
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(RealPath(w.Options.Dir), name)
	}
	if rule, ok := rules.Excluded(name); ok {
		return rule
	}
	return w.excludedFolder(filepath.Dir(name))
}

// excludedName is excludedFolder if only the client's name of the folder is known, as for its memory. It searches for
// the folder itself first, since different folders may have the same name.
func (w *Workspace) excludedName(name string) string {
	pol := w.Policy()
	if pol.Rules.Empty() || name == "" {
		return ""
	}
	return remembered(&pol.names, name, func() (rule string) {
		folders := w.foldersNamed(name)
		for _, f := range folders {
			rule = cmp.Or(rule, w.excludedFolder(f))
		}
		if len(folders) == 0 {
			rule, _ = pol.Rules.ExcludedName(name, transcript.ProjectFolder)
		}
		return rule
	})
}

// foldersNamed lists the known folders with one of the client's names.
func (w *Workspace) foldersNamed(name string) []string {
	var out []string
	add := func(folder string) {
		if transcript.ProjectFolder(folder) == name && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	if w.current != nil {
		add(w.current.Folder)
	}
	for _, p := range w.AllProjects() {
		for _, f := range w.FoldersHere(p) {
			add(f)
		}
	}
	for _, root := range w.TranscriptRoots() {
		// the pattern is valid: a name has no special character
		files, _ := filepath.Glob(filepath.Join(root, name, "*.jsonl"))
		for _, f := range files[:min(len(files), 3)] {
			if cwd := FirstFolder(f); cwd != "" {
				add(cwd)
			}
		}
	}
	return out
}

// FirstFolder returns the folder in which a transcript begins.
func FirstFolder(file string) string {
	for msg, err := range transcript.All(file) {
		if err != nil || msg.Cwd != "" {
			return msg.Cwd
		}
	}
	return ""
}

// AllProjects returns the projects in the store.
func (w *Workspace) AllProjects() []store.Project {
	p := w.Policy()
	p.allOnce.Do(func() { p.all = w.readProjects() })
	return p.all
}

func (w *Workspace) readProjects() []store.Project {
	if w.Store == nil {
		return nil
	}
	all, err := w.Store.Projects()
	if err != nil {
		w.Caveat("The projects' folders could not be read: %v", err)
	}
	return all
}

// FoldersHere returns a project's checkouts on this machine.
func (w *Workspace) FoldersHere(p store.Project) []string {
	var out []string
	for _, at := range p.Checkouts {
		if at.Machine == "" || at.Machine == w.Options.Machine {
			out = append(out, at.Path)
		}
	}
	return out
}

// excludedProject returns the rule that excludes a project's memory: it covers one of its remotes, or every one of its
// folders on this machine.
func (w *Workspace) excludedProject(id string) string {
	pol := w.Policy()
	if pol.Rules.Empty() || id == "" {
		return ""
	}
	return remembered(&pol.projects, id, func() string { return w.projectRule(id) })
}

func (w *Workspace) projectRule(id string) string {
	rules := w.Policy().Rules
	rule, _ := rules.Excluded("", id)
	if p := w.current; rule == "" && p != nil {
		if p.Project.ID == id || slices.ContainsFunc(p.Earlier, func(e store.Project) bool { return e.ID == id }) {
			rule = w.ExcludedHere(p)
		}
	}
	i := slices.IndexFunc(w.AllProjects(), func(p store.Project) bool { return p.ID == id })
	if rule != "" || i < 0 {
		return rule
	}
	p := w.AllProjects()[i]
	if rule, ok := rules.Excluded("", p.Aliases()...); ok {
		return rule
	}
	for _, f := range w.FoldersHere(p) {
		if rule = w.excludedFolder(f); rule == "" {
			return ""
		}
	}
	return rule
}

// ExcludedMemory returns the rule that excludes the project of a memory file.
func (w *Workspace) ExcludedMemory(rel string, project string) (rule string) {
	if parts := strings.Split(rel, "/"); parts[0] == "projects" && len(parts) > 1 {
		rule = w.excludedName(parts[1])
	}
	return cmp.Or(rule, w.excludedProject(project))
}

// excludedDoc returns the rule that excludes the project of an indexed document: a folder,
// the client's name of one, or a project's id.
func (w *Workspace) excludedDoc(project string) string {
	switch {
	case filepath.IsAbs(project):
		return w.excludedFolder(project)
	case strings.Contains(project, "/"):
		return w.excludedProject(project)
	}
	return w.excludedName(project)
}

// Withheld reports whether a record of a transcript is kept out of memory: its folder is excluded, or it was written
// while capture was paused. name is the client's name of the transcript's folder, for records without a folder.
func (w *Workspace) Withheld(cwd, name string, at time.Time) bool {
	_, paused := w.PausedRecord(cwd, at)
	return paused || w.ExcludedRecord(cwd, name) != ""
}

// ExcludedRecord returns the rule that excludes a record of a transcript by its folder, or, if the record has none, by
// the client's name of the transcript's folder.
func (w *Workspace) ExcludedRecord(cwd, name string) string {
	if cwd == "" {
		return w.excludedName(name)
	}
	return w.excludedFolder(cwd)
}

// PausedRecord reports whether a record was written while capture was paused, and since when.
func (w *Workspace) PausedRecord(cwd string, at time.Time) (since time.Time, ok bool) {
	pauses := w.Policy().Pauses
	if len(pauses) == 0 || at.IsZero() {
		return time.Time{}, false
	}
	x, ok := pauses.At(at, func(folder string) bool {
		return cwd != "" && slices.ContainsFunc(w.rulesOf(cwd).folders, func(f string) bool { return belowFold(f, folder) })
	})
	return x.Since, ok
}

// belowFold is Below for folders that different programs may spell differently.
func belowFold(p, folder string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		p, folder = strings.ToLower(p), strings.ToLower(folder)
	}
	return Below(p, folder)
}

// Unexcluded restricts a scope to what is not excluded. An update removes excluded documents from an index; this is for
// an index that another process holds at that moment. The history and the rules of the working folder's own project are
// kept.
func (w *Workspace) Unexcluded(p *Place, holds func(string) bool) func(string) bool {
	if w.Policy().Rules.Empty() {
		return holds
	}
	return func(project string) bool {
		if holds != nil && !holds(project) {
			return false
		}
		return project == "" || project == p.Project.ID || w.excludedDoc(project) == ""
	}
}
