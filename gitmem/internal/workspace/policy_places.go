package workspace

import (
	"errors"
	"os"
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

// folderRules is what rules and pauses have to know of a folder that a session worked in.
type folderRules struct {
	folders []string // the folder itself, and the root of its main work tree
	rule    string   // the rule that excludes it, "" for none
}

// ExcludedHere tells whether the working folder's place is excluded.
func (m *Workspace) ExcludedHere(p *Place) (rule string, ok bool) {
	if rule, ok = m.CoveredHere(m.Policy().Rules, p); !ok && p.Untrusted != nil {
		rule, ok = m.excludedFolder(m.Options.Dir)
	}
	return rule, ok
}

// CoveredHere tells whether rules cover the working folder's place: by any of the
// folders or remotes that it is known by.
func (m *Workspace) CoveredHere(rules config.Matcher, p *Place) (rule string, ok bool) {
	if rules.Empty() {
		return "", false
	}
	remotes := slices.Concat(p.Identity.Remotes, p.Project.Remotes)
	for _, folder := range []string{m.Options.Dir, RealPath(m.Options.Dir), p.Folder, p.Loc.WorkTree} {
		if rule, ok = rules.Excluded(folder, remotes...); ok {
			return rule, true
		}
	}
	return "", false
}

// rulesOf looks at a folder once. It need not exist any more: then what project.md
// remembers of it or of a folder above it has to do.
func (m *Workspace) rulesOf(folder string) folderRules {
	return remembered(&m.Policy().folders, folder, func() folderRules { return m.findRules(folder) })
}

func (m *Workspace) findRules(folder string) folderRules {
	pol := m.Policy()
	if !filepath.IsAbs(folder) { // of another system: nothing here can be looked at
		s := folderRules{folders: []string{folder}}
		s.rule, _ = pol.Rules.Excluded(folder)
		return s
	}
	real := RealPath(folder)
	s := folderRules{folders: []string{real}}
	main, remotes := m.Checkout(real)
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

// Checkout finds the main work tree and the remotes of the repository that a folder
// lies in. What can't be read has none.
func (m *Workspace) Checkout(folder string) (main string, remotes []string) {
	loc, err := git.Discover(folder, elsewhere(m.Options.Getenv))
	found := err == nil && !m.ownRepository(loc)
	if found {
		main = mainFolder(loc)
	}
	if !m.Policy().Rules.HasRemotes() {
		return main, nil
	}
	if u, ok := errors.AsType[*git.UntrustedError](err); ok {
		remotes = remotesAt(u.Location) // a false claim only excludes it
	} else if found {
		remotes = remotesAt(loc)
	}
	if m.Store == nil {
		return main, remotes
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if p, ok, err := m.Store.ProjectAt(dir); err == nil && ok {
			return main, append(remotes, append(p.Aliases(), p.ID)...)
		}
		if dir == main || dir == filepath.Dir(dir) {
			return main, remotes
		}
	}
}

// remotesAt lists the remotes of a repository; what could be read of a damaged
// configuration still counts.
func remotesAt(loc git.Location) []string {
	repo, err := git.Open(loc)
	if err != nil {
		return nil
	}
	defer repo.Close()
	ids, _ := remotesOf(repo)
	return ids
}

// excludedFolder tells whether a session in a folder is excluded.
func (m *Workspace) excludedFolder(folder string) (rule string, ok bool) {
	if folder == "" || m.Policy().Rules.Empty() {
		return "", false
	}
	rule = m.rulesOf(folder).rule
	return rule, rule != ""
}

// ExcludedFile is excludedFolder for a file of the working folder.
func (m *Workspace) ExcludedFile(name string) (rule string, ok bool) {
	pol := m.Policy()
	if pol.Rules.Empty() {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(RealPath(m.Options.Dir), name)
	}
	if rule, ok = pol.Rules.Excluded(name); ok {
		return rule, ok
	}
	return m.excludedFolder(filepath.Dir(name))
}

// excludedName is excludedFolder where only the client's name of the folder is
// known, as for its memory. The folder itself is looked for first, since names of
// different folders may look alike.
func (m *Workspace) excludedName(name string) (rule string, ok bool) {
	pol := m.Policy()
	if pol.Rules.Empty() || name == "" {
		return "", false
	}
	rule = remembered(&pol.names, name, func() string { return m.nameRule(name) })
	return rule, rule != ""
}

func (m *Workspace) nameRule(name string) string {
	folders := m.foldersNamed(name)
	for _, f := range folders {
		if rule, ok := m.excludedFolder(f); ok {
			return rule
		}
	}
	if len(folders) > 0 {
		return ""
	}
	rule, _ := m.Policy().Rules.ExcludedName(name, transcript.Munge)
	return rule
}

// foldersNamed lists the folders that are known to have a name of the client's.
func (m *Workspace) foldersNamed(name string) []string {
	var out []string
	add := func(folder string) {
		if transcript.Munge(folder) == name && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	if m.current != nil {
		add(m.current.Folder)
	}
	for _, p := range m.AllProjects() {
		for _, f := range m.FoldersHere(p) {
			add(f)
		}
	}
	for _, root := range []string{filepath.Join(m.ClientDir, "projects"), m.KeptDir()} {
		files, _ := filepath.Glob(filepath.Join(root, name, "*.jsonl")) // the pattern is well formed: a name has no special character
		for _, f := range files[:min(len(files), 3)] {
			if cwd := FirstFolder(f); cwd != "" {
				add(cwd)
			}
		}
	}
	return out
}

// FirstFolder is the folder that a transcript begins in.
func FirstFolder(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for msg, err := range transcript.NewReader(f, transcript.Position{}).All() {
		if err != nil || msg.Cwd != "" {
			return msg.Cwd
		}
	}
	return ""
}

// AllProjects are the projects that the store knows.
func (m *Workspace) AllProjects() []store.Project { return m.Policy().all() }

func (m *Workspace) readProjects() []store.Project {
	if m.Store == nil {
		return nil
	}
	all, err := m.Store.Projects()
	if err != nil {
		m.Caveat("The projects' folders could not be read: %v", err)
	}
	return all
}

// FoldersHere are a project's checkouts on this machine.
func (m *Workspace) FoldersHere(p store.Project) []string {
	var out []string
	for _, at := range p.Checkouts {
		if at.Machine == "" || at.Machine == m.Options.Machine {
			out = append(out, at.Path)
		}
	}
	return out
}

// excludedProject tells whether a project's memory is excluded: one of its remotes
// is, or every folder that it has on this machine.
func (m *Workspace) excludedProject(id string) (rule string, ok bool) {
	pol := m.Policy()
	if pol.Rules.Empty() || id == "" {
		return "", false
	}
	rule = remembered(&pol.projects, id, func() string { return m.projectRule(id) })
	return rule, rule != ""
}

func (m *Workspace) projectRule(id string) string {
	rules := m.Policy().Rules
	rule, _ := rules.Excluded("", id)
	if p := m.current; rule == "" && p != nil {
		ids := []string{p.Project.ID}
		for _, e := range p.Earlier {
			ids = append(ids, e.ID)
		}
		if slices.Contains(ids, id) {
			rule, _ = m.ExcludedHere(p)
		}
	}
	i := slices.IndexFunc(m.AllProjects(), func(p store.Project) bool { return p.ID == id })
	if rule != "" || i < 0 {
		return rule
	}
	p := m.AllProjects()[i]
	if rule, ok := rules.Excluded("", p.Aliases()...); ok {
		return rule
	}
	for _, f := range m.FoldersHere(p) {
		r, ok := m.excludedFolder(f)
		if !ok {
			return ""
		}
		rule = r
	}
	return rule
}

// ExcludedMemory tells whether a memory file belongs to an excluded project.
func (m *Workspace) ExcludedMemory(rel string, project string) (rule string, ok bool) {
	if parts := strings.Split(rel, "/"); parts[0] == "projects" && len(parts) > 1 {
		if rule, ok = m.excludedName(parts[1]); ok {
			return rule, ok
		}
	}
	return m.excludedProject(project)
}

// excludedDoc is the same question of the project of an indexed document: a folder,
// the client's name of one, or a project's id.
func (m *Workspace) excludedDoc(project string) bool {
	var ok bool
	switch {
	case filepath.IsAbs(project):
		_, ok = m.excludedFolder(project)
	case strings.Contains(project, "/"):
		_, ok = m.excludedProject(project)
	default:
		_, ok = m.excludedName(project)
	}
	return ok
}

// Withheld tells whether a record of a transcript is none of memory's business:
// its folder is excluded, or it was said while capture was paused. name is the
// client's name of the transcript's folder, for records that tell none.
func (m *Workspace) Withheld(cwd, name string, at time.Time) bool {
	if _, ok := m.ExcludedRecord(cwd, name); ok {
		return true
	}
	_, ok := m.PausedRecord(cwd, at)
	return ok
}

// ExcludedRecord tells whether a record of a transcript is excluded by its folder, or by
// the client's name of the transcript's where it names none.
func (m *Workspace) ExcludedRecord(cwd, name string) (rule string, ok bool) {
	if cwd == "" {
		return m.excludedName(name)
	}
	return m.excludedFolder(cwd)
}

// PausedRecord tells whether a record was written while capture was paused.
func (m *Workspace) PausedRecord(cwd string, at time.Time) (since time.Time, ok bool) {
	pauses := m.Policy().Pauses
	if len(pauses) == 0 || at.IsZero() {
		return time.Time{}, false
	}
	x, ok := pauses.At(at, func(folder string) bool {
		return cwd != "" && slices.ContainsFunc(m.rulesOf(cwd).folders, func(f string) bool { return belowFold(f, folder) })
	})
	return x.Since, ok
}

// belowFold is below for folders that different programs spelled.
func belowFold(p, folder string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		p, folder = strings.ToLower(p), strings.ToLower(folder)
	}
	return Below(p, folder)
}

// Unexcluded narrows a scope to what is not excluded. An index loses what is
// excluded when it is brought up to date; this is for one that another process holds
// at that moment. The history and the rules of the working folder's own project stay.
func (m *Workspace) Unexcluded(p *Place, holds func(string) bool) func(string) bool {
	if m.Policy().Rules.Empty() {
		return holds
	}
	return func(project string) bool {
		if holds != nil && !holds(project) {
			return false
		}
		return project == "" || project == p.Project.ID || !m.excludedDoc(project)
	}
}
