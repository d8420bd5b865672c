package session

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// Limits for the project's other memory in a session context.
const (
	contextTaskBytes   = 256 << 10
	contextMemories    = 8         // files of other folders
	contextMemoryBytes = 32 << 10  // of each: the client itself loads 25 KB
	contextOwnBytes    = 256 << 10 // of the folder's own, to omit duplicates
)

// tasks returns the open tasks of the project's lists, urgent ones first.
func (c *contextBuilder) tasks() []sessioncontext.Line {
	var open []cite.Unit
	for _, dir := range c.p.Dirs() {
		f := cite.File{Path: dir + "/" + tasks.File, Area: cite.AreaTasks, Project: c.p.Project.ID}
		open = append(open, slice.Filter(c.units(f, contextTaskBytes), func(u cite.Unit) bool {
			return u.Done != nil && !*u.Done
		})...)
	}
	slices.SortStableFunc(open, func(a, b cite.Unit) int {
		return slices.Index(tasks.States(), a.State) - slices.Index(tasks.States(), b.State)
	})
	return slice.Map(open, sessioncontext.TaskLine)
}

// memory returns the lines of MEMORY.md that the client does not load itself: in the project's other folders, in
// memory's own root if that is not the client's, and everywhere if the client's settings name another folder or none.
func (c *contextBuilder) memory() (out []sessioncontext.Line) {
	seen := c.ownMemory()
	for i, name := range c.otherMemories() {
		if i == contextMemories {
			c.skip("memory of more folders", errors.New("not looked at"))
			break
		}
		f := cite.File{Path: "projects/" + name + "/memory/MEMORY.md", Area: cite.AreaMemory, Project: name}
		if c.s.ws.ExcludedMemory(f.Path, c.p.Project.ID) != "" {
			continue
		}
		units := c.s.src.AttributedUnits(f.Path, c.units(f, contextMemoryBytes))
		out = append(out, sessioncontext.MemoryLines(units, seen)...)
	}
	return out
}

// units returns the units of a file, none if it is missing or can't be read.
func (c *contextBuilder) units(f cite.File, most int) []cite.Unit {
	b, err := c.read(f, most)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.skip(f.Path, err)
		}
		return nil
	}
	units, _ := cite.Units(f, b)
	return units
}

// ownMemory returns the lines that the client loads itself.
func (c *contextBuilder) ownMemory() map[string]bool {
	lines := map[string]bool{}
	tree := ingest.FolderTree{Dir: c.s.ws.ClientMemory(c.p).Dir}
	f := cite.File{Path: "MEMORY.md"}
	if tree.Dir == "" || !ofClaudeCode(c.o.Session) {
		return lines
	}
	info, err := tree.Stat(f)
	if err != nil || info.Size() > contextOwnBytes {
		return lines
	}
	b, err := tree.Read(f)
	if err != nil {
		return lines
	}
	n, at := 0, 0
	for line := range strings.Lines(c.s.ws.Redactor.Lines(string(b))) {
		if n++; n > lint.LoadedLines || at >= lint.LoadedBytes {
			break
		}
		at += len(line)
		key, _ := sessioncontext.MemoryKey(line)
		lines[key] = true
	}
	return lines
}

// LoadsOwn reports whether the client of a session loads the MEMORY.md of a place that gitmem writes. Only
// Claude Code loads one.
func (s *Sessions) LoadsOwn(p *workspace.Place, session string) bool {
	return ofClaudeCode(session) && s.ws.LoadsOwn(p)
}

func ofClaudeCode(session string) bool { return transcript.ClientOf(session) == transcript.ClaudeCode }

// otherMemories returns the client's names of the project's folders, except the one whose memory it loads itself.
func (c *contextBuilder) otherMemories() []string {
	folders := append(slices.Clone(c.places()), c.p.Project.Folders()...)
	var names []string
	for _, f := range folders {
		if name := transcript.ProjectFolder(f); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if c.s.LoadsOwn(c.p, c.o.Session) {
		own := transcript.ProjectFolder(c.p.Folder)
		names = slices.DeleteFunc(names, func(n string) bool { return n == own })
	}
	return names
}
