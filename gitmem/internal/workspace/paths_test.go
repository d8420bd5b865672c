package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

func TestCutLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, name string
		line     int
		ok       bool
	}{
		{"MEMORY.md:7", "MEMORY.md", 7, true},
		{"a:b.md:12", "a:b.md", 12, true},
		{"MEMORY.md", "", 0, false},
		{"MEMORY.md:", "MEMORY.md", 0, false},
		{"MEMORY.md:0", "MEMORY.md", 0, false},
		{"MEMORY.md:-1", "MEMORY.md", -1, false},
		{"MEMORY.md:x", "MEMORY.md", 0, false},
		{":7", "", 0, false},
		{"", "", 0, false},
	} {
		if name, line, ok := workspace.CutLine(tt.in); name != tt.name || line != tt.line || ok != tt.ok {
			t.Errorf("CutLine(%q) = %q, %d, %v", tt.in, name, line, ok)
		}
	}
}

func TestBelow(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("a", "pump")
	for in, want := range map[string]bool{
		folder: true, filepath.Join(folder, "b"): true, folder + "s": false, "a": false, "": false,
		filepath.Join("b", folder): false,
	} {
		if got := workspace.Below(in, folder); got != want {
			t.Errorf("Below(%q) = %v", in, got)
		}
	}
}

func TestAbsolute(t *testing.T) {
	t.Parallel()
	dir := newMachine(t).home
	for in, want := range map[string]string{
		"a": filepath.Join(dir, "a"), filepath.Join("..", "a"): filepath.Join(filepath.Dir(dir), "a"), "": dir,
		filepath.Join(dir, "b") + string(filepath.Separator): filepath.Join(dir, "b"),
	} {
		if got := workspace.Absolute(in, dir); got != want {
			t.Errorf("Absolute(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestLinks resolves the links of paths whose last parts do not exist.
func TestLinks(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	real := m.mkdir("real")
	link(t, real, m.path("link"))
	for in, want := range map[string]string{
		"link": real, "link/a/b": filepath.Join(real, "a", "b"), "real/../link/a": filepath.Join(real, "a"),
		"none/a": m.path("none/a"),
	} {
		if got := workspace.RealMissing(m.path(in)); got != want {
			t.Errorf("RealMissing(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{m.path("link"): real, m.path("link/a"): m.path("link/a"), "": ""} {
		if got := workspace.RealPath(in); got != want {
			t.Errorf("RealPath(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMemoryPaths(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	root, dir := m.mkdir(".claude"), m.mkdir("pump")
	w := m.open(dir)
	memory := "projects/" + transcript.ProjectFolder(dir) + "/memory/"
	p, err := w.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"a name", "MEMORY.md", []string{memory + "MEMORY.md", p.Project.Dir + "/MEMORY.md"}},
		{"seen from the root", "gitmem/profile.md", []string{"gitmem/profile.md", memory + "gitmem/profile.md",
			p.Project.Dir + "/gitmem/profile.md"}},
		{"absolute", filepath.Join(root, "gitmem", "profile.md"), []string{"gitmem/profile.md"}},
		{"absolute elsewhere", m.path("pump/README.md"), nil},
		{"seen from the folder", filepath.Join("..", ".claude", "gitmem"), []string{"gitmem"}},
		{"above the root", filepath.Join("..", "README.md"), nil},
	} {
		if diff := cmp.Diff(tt.want, w.MemoryPaths(t.Context(), tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestProjectName(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	for in, want := range map[string]string{
		"projects/-p/a.jsonl": "-p", "projects/-p/memory/MEMORY.md": "-p", "gitmem/transcripts/-q/a.jsonl": "-q",
		"projects/a.jsonl": "", "gitmem/profile.md": "", "../a/b": "",
	} {
		if got := w.ProjectName(w.Path(in)); got != want {
			t.Errorf("ProjectName(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"projects/-p/memory/MEMORY.md": "github.com/acme/pump", "projects/-q/memory/MEMORY.md": "-q", "gitmem/profile.md": "",
	} {
		if got := w.ProjectOf(map[string]string{"-p": "github.com/acme/pump"}, in); got != want {
			t.Errorf("ProjectOf(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTraceDirs(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	cache := m.path("cache/gitmem/trace")
	if diff := cmp.Diff([]string{cache}, w.DirsOfTraces()); diff != "" {
		t.Errorf("without a store (-want +got):\n%s", diff)
	}
	m.mkdir(".claude/gitmem")
	if diff := cmp.Diff([]string{m.path(".claude/gitmem/.index/trace"), cache}, w.DirsOfTraces()); diff != "" {
		t.Errorf("with a store (-want +got):\n%s", diff)
	}
}

// TestEraseContextFiles checks that only the contexts are deleted.
func TestEraseContextFiles(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	context, other := m.write("index/sessions/a.said", "secret"), m.write("index/sessions/a.json", "{}")
	if err := workspace.EraseContextFiles(m.path("index")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{context: false, other: true} {
		if found, _ := filepath.Glob(name); len(found) == 1 != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	if err := workspace.EraseContextFiles(m.path("none")); err != nil {
		t.Errorf("no folder: %v", err)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: links need a right here")
	}
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}
