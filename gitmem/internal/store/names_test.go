package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// remoteNames returns remotes whose names some system can't store, or confuses with each other.
func remoteNames() []string {
	long := strings.Repeat("long", 80)
	return []string{
		"https://github.com/Acme/Pump", "https://gitlab.com/acme/pump", "https://example.com/ACME/pump",
		"https://example.com/acme/PUMP",
		"https://example.com/con/nul", "https://example.com/aux.md/prn.x.y", "https://example.com/com1/LPT9.git",
		"https://example.com/conin$/clock$",
		"https://example.com/a./b ", "https://example.com/a%20/b", "https://example.com/a.b./c..",
		"https://example.com/.git/.GIT", "https://example.com/GIT~1/x",
		"https://example.com/.g\u200cit/x", "https://example.com/a:b/c*d?e\"f<g>h|i", "https://example.com/a.md:b/c",
		"https://example.com/..%2f..%2fetc/x",
		"https://example.com/\u00fcber/x", "https://example.com/u\u0308ber/x", "https://example.com/\u212aelvin/x",
		"https://example.com/\uff0egit/x",
		"https://example.com/id_rsa/x.pem", "https://example.com/settings.json/.env", "https://example.com/a.lock/b.tmp",
		"https://example.com/sessions/project.md",
		"https://example.com/" + long + "/x", "https://example.com/" + long + "2/x", "https://example.com/" +
			strings.Repeat("LONG", 50) + "/x",
		"https://example.com/" + strings.Repeat("\u9577", 90) + "/x", "https://" + strings.Repeat("h", 300) + ".com/a/b",
		"https://example.com/" + strings.Repeat("a/", 900) + "z", "https://example.com/" + strings.Repeat("b/", 900) + "z",
	}
}

// checkDir checks that a project's folder has a name that every system keeps unchanged and that differs from others
// even if case or normal forms are ignored.
func checkDir(t *testing.T, p store.Project) {
	t.Helper()
	if !store.Allowed(p.Dir + "/project.md") {
		t.Errorf("%.80q: the folder %.200q is not allowed", p.ID, p.Dir)
	}
	if strings.ToLower(p.Dir) != p.Dir || strings.ContainsFunc(p.Dir, func(r rune) bool {
		return r <= ' ' || r > '~'
	}) || len(p.Dir) > 600 {
		t.Errorf("%.80q: the folder %.200q is another one where case does not count, or too long", p.ID, p.Dir)
	}
	for seg := range strings.SplitSeq(p.Dir, "/") {
		if len(seg) > 255 || strings.ContainsAny(seg, `<>:"|?*\`) || strings.TrimRight(seg, ". ") != seg {
			t.Errorf("%.80q: the segment %.80q is no file name everywhere", p.ID, seg)
		}
	}
	if id, ok := store.ProjectOf(p.Dir + "/project.md"); !ok || id != p.ID {
		t.Errorf("%.80q: its folder names %.80q", p.ID, id)
	}
}

func TestNamesOnEverySystem(t *testing.T) {
	t.Parallel()
	dirs := map[string]string{}
	for _, address := range remoteNames() {
		id, ok := store.NormaliseRemote(address)
		if !ok {
			continue // refused, so that the root commit or the folder determines the name
		}
		p := store.Identify(store.Identity{Remotes: []string{id}})
		checkDir(t, p)
		if other, taken := dirs[p.Dir]; taken {
			t.Errorf("%.80q and %.80q share the folder %s", id, other, p.Dir)
		}
		dirs[p.Dir] = id
	}
	if len(dirs) < 25 {
		t.Errorf("only %d remotes were looked at", len(dirs))
	}
	short := store.Identify(store.Identity{Remotes: []string{"github.com/acme/pump"}})
	if short.ID != "github.com/acme/pump" || short.Dir != "gitmem/projects/github.com/acme/pump" {
		t.Errorf("an ordinary name is changed: %+v", short)
	}
}

// TestLongNamesAreFound creates projects whose names are too long for a folder, and finds each again through its
// project.md.
func TestLongNamesAreFound(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	folders := map[string]bool{}
	for _, address := range remoteNames() {
		id, ok := store.NormaliseRemote(address)
		if !ok {
			continue
		}
		made := project(t, s, store.Identity{Remotes: []string{id}}, true)
		if !made.Exists || folders[made.Dir] {
			t.Errorf("%.80q: %+v", id, made)
		}
		folders[made.Dir] = true
		if err := s.Append(made.Dir+"/sessions/2026/2026-11-20.md", clean("# Log\n"), clean("x")); err != nil {
			t.Errorf("%.80q: %v", id, err)
		}
		again := project(t, s, store.Identity{Remotes: []string{id}}, false)
		if again.Dir != made.Dir || again.ID != made.ID || len(again.Remotes) != 1 || again.Remotes[0] != id {
			t.Errorf("%.80q is found as %+v", id, again)
		}
	}
	all, err := s.Projects()
	if err != nil || len(all) != len(folders) {
		t.Errorf("%d projects, made %d, %v", len(all), len(folders), err)
	}
}

func FuzzProjectFolder(f *testing.F) {
	for _, address := range remoteNames() {
		f.Add(address, "https://github.com/acme/pump", "")
	}
	f.Add("", "", "/home/me/x")
	f.Add("a:b", "A:b", "C:\\x")
	f.Fuzz(func(t *testing.T, a, b, folder string) {
		var ids []string
		for _, address := range []string{a, b} {
			if id, ok := store.NormaliseRemote(address); ok {
				ids = append(ids, id)
				checkDir(t, store.Identify(store.Identity{Remotes: []string{id}}))
			}
		}
		if len(ids) == 2 && ids[0] != ids[1] {
			p, q := store.Identify(store.Identity{Remotes: ids[:1]}), store.Identify(store.Identity{Remotes: ids[1:]})
			if p.Dir == q.Dir {
				t.Errorf("%q and %q share %s", ids[0], ids[1], p.Dir)
			}
		}
		if p := store.Identify(store.Identity{Folder: folder}); p.ID != "" {
			checkDir(t, p)
		}
	})
}

// TestCaseOfNames has two checkouts whose remotes differ in case only: one project if the forge ignores case, otherwise
// two, and never one project's files in the other's folder.
func TestCaseOfNames(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	for _, c := range []struct {
		a, b string
		one  bool
	}{
		{"github.com/Acme/Pump", "github.com/acme/pump", true},
		{"example.com/Acme/pump", "example.com/acme/pump", false},
		{"example.com/\u00fcber/x", "example.com/u\u0308ber/x", false},
	} {
		a := project(t, s, store.Identity{Remotes: []string{c.a}}, true)
		b := project(t, s, store.Identity{Remotes: []string{c.b}}, true)
		if (a.Dir == b.Dir) != c.one || strings.EqualFold(a.Dir, b.Dir) != c.one {
			t.Errorf("%s lies in %s, %s in %s", c.a, a.Dir, c.b, b.Dir)
		}
	}
}

// TestHostileNamesAppend tests all ways in which a name reaches a path.
func TestHostileNamesAppend(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "root")
	s := initStore(t, root)
	commit(t, s, store.Change{})
	before := snapshotOf(t, filepath.Dir(root))
	n := 0
	for _, p := range refusedPaths() {
		if err := s.Append(p, clean("# x\n"), clean("x")); err == nil {
			t.Errorf("append to %q", p)
		}
		if err := s.Rewrite(t.Context(), p, func([]byte) ([]store.Insertion, error) {
			return []store.Insertion{{Text: clean("x")}}, nil
		}); err == nil {
			t.Errorf("rewrite of %q", p)
		}
		if _, err := s.Read("", p); err == nil {
			t.Errorf("read of %q", p)
		}
		if id, err := s.Commit(t.Context(), store.Change{Paths: []string{p}}); err == nil || id != "" {
			t.Errorf("commit of %q", p)
		}
		n += 5
	}
	after := snapshotOf(t, filepath.Dir(root))
	for name := range after {
		if _, ok := before[name]; !ok && !strings.Contains(filepath.ToSlash(name), "/gitmem/.index/") {
			t.Errorf("%s appeared", name)
		}
	}
	if runtime.GOOS != "windows" {
		if _, err := os.Stat(filepath.Join(root, "gitmem", "a.md:b")); err == nil {
			t.Error("a stream was made")
		}
	}
	t.Logf("%d refused calls", n)
}
