package browse

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
)

// MemoryArgs select what is shown of memory.
type MemoryArgs struct {
	Tab    string // one of memoryTabs
	File   string // path, or the bare name of a rules file
	ID     string // citation to highlight, instead of File
	AsOf   string // day, "" for today
	View   string // of the file: "" for its text, lines, history, diff, commit or edit
	Since  string // of the view diff: a time or a commit
	Commit string // of the view commit
	Line   int32  // of the view edit
	All    bool   // list every file
}

// MemoryView is a tab of memory with a file or a list.
type MemoryView struct {
	Tab       string
	Tabs      []MemoryTab
	Slider    *SliderView
	Day       string        // day that is shown, "" for today
	Files     []MemoryEntry // of the tab
	More      int32         // number of omitted files
	File      *FileView
	Decisions []gitmem.KnownDecision
	Tasks     []TaskView
	Orders    []ProfileValue
	Caveats   []string
	Edit      bool
}

// MemoryTab is a kind of files.
type MemoryTab struct {
	Name  string
	Files int32
}

// MemoryEntry is a file in a list.
type MemoryEntry struct{ Path, Folder, Name string }

// TaskView is a task of the list.
type TaskView struct{ ID, Title, State, Reason, By string }

// memoryTabs are the kinds of files with a tab, in order.
var memoryTabs = [...]string{"memory", "rules", "decisions", "tasks", "orders", "archive", "logs", "plans"}

// mostFiles is how many files a tab lists.
const mostFiles = 100

func (s *site) memoryPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	v, err := s.memory(ctx, MemoryArgs{
		Tab: q.Get("tab"), File: q.Get("file"), ID: q.Get("id"), AsOf: q.Get("asof"),
		View: q.Get("view"), Since: q.Get("since"), Commit: q.Get("commit"), Line: number(q, "line"), All: q.Get("all") != "",
	})
	return page{"Memory", "memory", v}, err
}

// memory reads a tab of memory, or a file with its tab.
func (s *site) memory(ctx context.Context, a MemoryArgs) (v MemoryView, err error) {
	v.Edit = s.edit
	if v.Slider, v.Day, err = s.asOf(ctx, a.AsOf); err != nil {
		return v, err
	}
	a.AsOf = v.Day
	marked, err := s.marked(ctx, a)
	if err != nil {
		return v, err
	}
	name := cmp.Or(marked.Path, a.File)
	v.Tab = cmp.Or(a.Tab, memoryTabs[0])
	opened := func(f gitmem.MemoryFile) bool {
		return f.Path == name || name == "" && f.Kind == v.Tab && (v.Tab == "memory" || v.Tab == "rules")
	}
	files, err := s.m.History().Files(ctx, a.AsOf, opened)
	if err != nil {
		return v, err
	}
	if name == "" {
		name = firstOf(files, opened)
	}
	for _, f := range files.List {
		if f.Path == name {
			v.Tab = f.Kind
		}
	}
	v.list(files, a.All)
	v.Caveats = slice.Map(files.Caveats, gitmem.Redacted)
	if name != "" || marked.ID != "" {
		v.File, err = s.file(ctx, a, files, name, marked)
		return v, err
	}
	return v, s.entries(ctx, &v, a.AsOf)
}

// marked looks up the citation to highlight, or the rules file with a bare name.
func (s *site) marked(ctx context.Context, a MemoryArgs) (gitmem.Shown, error) {
	id := a.ID
	if id == "" && a.Tab == "rules" && a.File != "" && !strings.HasSuffix(a.File, ".md") {
		id = "/memory?tab=rules&file=" + url.QueryEscape(a.File)
	}
	if id == "" {
		return gitmem.Shown{}, nil
	}
	shown, err := s.m.Shown(ctx, id, gitmem.ShowOptions{AsOf: a.AsOf})
	if a.ID == "" {
		shown.Line = 0
	}
	return shown, err
}

// firstOf returns the file that a tab opens: the one that is loaded at each session start, otherwise the
// first.
func firstOf(files gitmem.MemoryFiles, opened func(gitmem.MemoryFile) bool) (name string) {
	for _, f := range files.List {
		if opened(f) && (name == "" || path.Base(f.Path) == "MEMORY.md" || f.Path == "CLAUDE.md") {
			name = f.Path
		}
	}
	return name
}

// list sets the tabs and the files of the current one; if there are many, only the newest.
func (v *MemoryView) list(files gitmem.MemoryFiles, all bool) {
	for _, tab := range memoryTabs {
		of := slice.Filter(files.List, func(f gitmem.MemoryFile) bool { return f.Kind == tab })
		if len(of) > 0 || tab == v.Tab {
			v.Tabs = append(v.Tabs, MemoryTab{tab, int32(len(of))})
		}
		if tab != v.Tab {
			continue
		}
		if tab == "archive" || tab == "logs" || tab == "decisions" { // by date
			slices.Reverse(of)
		}
		if !all {
			v.More = int32(max(0, len(of)-mostFiles))
		}
		for _, f := range of[:len(of)-int(v.More)] {
			v.Files = append(v.Files, MemoryEntry{f.Path, path.Dir(f.Path), path.Base(f.Path)})
		}
	}
}

// entries sets the decisions, tasks or orders of the tab.
func (s *site) entries(ctx context.Context, v *MemoryView, asOf string) (err error) {
	switch v.Tab {
	case "decisions":
		v.Decisions, err = s.m.History().Decisions(ctx, asOf)
	case "tasks":
		list, err := s.m.Tasks().At(ctx, asOf)
		for _, t := range list {
			v.Tasks = append(v.Tasks, TaskView{t.ID, t.Title, t.State, t.Reason, strings.TrimSpace(t.Trust.Mark())})
		}
		return err
	case "orders":
		p, err := s.m.Profile().At(ctx, asOf)
		for _, e := range p.Entries {
			if strings.HasPrefix(strings.TrimPrefix(e.Path, "project."), "orders.") {
				v.Orders = append(v.Orders, profileValue(e))
			}
		}
		return err
	}
	return err
}
