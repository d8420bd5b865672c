package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

const rootCommit = "1234567890123456789012345678901234567890"

func project(t *testing.T, s *store.Store, id store.Identity, create bool) store.Project {
	t.Helper()
	p, err := s.Project(t.Context(), id, create)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProjectIsFoundByRemoteOrRoot(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	first := store.Identity{Remotes: []string{"github.com/acme/pump", "gitlab.com/me/pump"}, Root: rootCommit,
		Folder: "/home/me/pump"}
	computed := project(t, s, first, false)
	if computed.Exists || computed.ID != "github.com/acme/pump" || computed.Dir != "gitmem/projects/github.com/acme/pump" {
		t.Errorf("got %+v", computed)
	}
	if entries, _ := os.ReadDir(filepath.Join(s.Root(), "gitmem/projects")); len(entries) > 0 {
		t.Error("something was written")
	}
	want := project(t, s, first, true)
	if !want.Exists || len(want.Files()) != 1 {
		t.Fatalf("got %+v", want)
	}
	for name, id := range map[string]store.Identity{
		"the same":       first,
		"second remote":  {Remotes: []string{"gitlab.com/me/pump"}},
		"renamed remote": {Remotes: []string{"github.com/other/pump"}, Root: rootCommit, Folder: "/home/me/pump"},
		"only the root":  {Root: rootCommit},
		"case of forges": {Remotes: []string{"github.com/ACME/Pump"}},
	} {
		if got := project(t, s, id, false); got.ID != want.ID {
			t.Errorf("%s: got %s, want %s", name, got.ID, want.ID)
		}
	}
	for name, id := range map[string]store.Identity{
		"fork":         {Remotes: []string{"github.com/other/pump"}, Root: rootCommit, Folder: "/home/me/fork"},
		"other remote": {Remotes: []string{"github.com/acme/other"}, Folder: "/home/me/pump"},
		"other root":   {Root: strings.Repeat("a", 40), Folder: "/home/me/pump"},
	} {
		if got := project(t, s, id, false); got.ID == want.ID {
			t.Errorf("%s: got %s", name, got.ID)
		}
	}
}

func TestProjectGainsAliases(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	folder := store.Identity{Folder: "/home/me/new"}
	first := project(t, s, folder, true)
	if !strings.HasPrefix(first.ID, "path/") {
		t.Errorf("got %s", first.ID)
	}
	folder.Root = rootCommit
	if p := project(t, s, folder, true); p.ID != first.ID {
		t.Errorf("after the first commit: got %s, want %s", p.ID, first.ID)
	}
	renamed := store.Identity{Remotes: []string{"github.com/acme/new"}, Root: rootCommit, Folder: "/home/me/new"}
	if p := project(t, s, renamed, true); p.ID != first.ID {
		t.Errorf("after a remote: got %s, want %s", p.ID, first.ID)
	}
	moved := store.Identity{Remotes: []string{"github.com/acme/new"}, Folder: `C:\src\new one`}
	got := project(t, s, moved, true)
	want := []store.Checkout{{Machine: "testhost", Path: "/home/me/new"}, {Machine: "testhost", Path: `C:\src\new one`}}
	if diff := cmp.Diff(want, got.Checkouts); diff != "" || got.ID != first.ID {
		t.Errorf("%s: %s", got.ID, diff)
	}
	if diff := cmp.Diff([]string{"github.com/acme/new", "local/" + rootCommit}, got.Aliases()); diff != "" {
		t.Error(diff)
	}
	text := read(t, s.Root(), first.Dir+"/project.md")
	want2 := "---\nformat: 1\nkind: project\nproject: " + first.ID + "\nfolders:\n  - testhost: /home/me/new\n" +
		"  - \"testhost: C:\\\\src\\\\new one\"\nroots:\n  - \"" + rootCommit + "\"\nremotes:\n  - github.com/acme/new\n---\n"
	if !strings.HasPrefix(text, want2) {
		t.Error(cmp.Diff(want2, text))
	}
	before := read(t, s.Root(), first.Dir+"/project.md")
	project(t, s, moved, true)
	if got := read(t, s.Root(), first.Dir+"/project.md"); got != before {
		t.Error("nothing was new, but the file was written")
	}
}

func TestProjectFileByHand(t *testing.T) {
	t.Parallel()
	id := store.Identity{Remotes: []string{"h.org/a/b", "h.org/c/d"}, Root: rootCommit, Folder: "/x"}
	const dir = "gitmem/projects/h.org/a/b"
	for name, c := range map[string]struct{ in, want string }{
		"flow": {
			"---\nremotes: [h.org/a/b, 'h.org/z/z'] # mine\nroots: []\nowner: me\n---\nbody\n",
			"---\nremotes: [h.org/a/b, 'h.org/z/z', h.org/c/d] # mine\nroots: [\"" + rootCommit +
				"\"]\nowner: me\nfolders:\n  - testhost: /x\n---\nbody\n"},
		"single": {
			"---\nremotes: h.org/a/b\n---\n",
			"---\nremotes: [h.org/a/b, h.org/c/d]\nroots:\n  - \"" + rootCommit + "\"\nfolders:\n  - testhost: /x\n---\n"},
		"odd block": {
			"---\nremotes:   # all\n# first\n- h.org/a/b\n\nroots:\nfolders:\n    - testhost: \"/x\"\nx: 1\n---",
			"---\nremotes:   # all\n# first\n- h.org/a/b\n- h.org/c/d\n\nroots:\n  - \"" + rootCommit +
				"\"\nfolders:\n    - testhost: \"/x\"\nx: 1\n---"},
		"crlf": {
			"---\r\nremotes:\r\n  - h.org/a/b\r\n---\r\n",
			"---\r\nremotes:\r\n  - h.org/a/b\r\n  - h.org/c/d\r\nroots:\r\n  - \"" + rootCommit +
				"\"\r\nfolders:\r\n  - testhost: /x\r\n---\r\n"},
		"no YAML beside it": {
			"---\ntitle: Payments: the new one\nremotes:\n  - h.org/a/b\nowner: @me\n<<<<<<< ours\n\tx\n---\n",
			"---\ntitle: Payments: the new one\nremotes:\n  - h.org/a/b\n  - h.org/c/d\nowner: @me\n<<<<<<< ours\n\tx\n" +
				"roots:\n  - \"" + rootCommit + "\"\nfolders:\n  - testhost: /x\n---\n"},
		"no frontmatter": {
			"hello\n",
			"---\nformat: 1\nkind: project\nproject: h.org/a/b\nremotes:\n  - h.org/a/b\n  - h.org/c/d\nroots:\n  - \"" +
				rootCommit + "\"\nfolders:\n  - testhost: /x\n---\n\nhello\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := initStore(t, t.TempDir())
			write(t, s.Root(), dir+"/project.md", c.in)
			p := project(t, s, id, true)
			if diff := cmp.Diff(c.want, read(t, s.Root(), dir+"/project.md")); diff != "" {
				t.Error(diff)
			}
			again := project(t, s, id, true)
			if diff := cmp.Diff(p, again); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.want, read(t, s.Root(), dir+"/project.md")); diff != "" {
				t.Errorf("written twice: %s", diff)
			}
		})
	}
}

func TestProjectInAFolderThatIsNoUTF8(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	id := store.Identity{Root: rootCommit, Folder: "/home/u/caf\xe9"}
	want := project(t, s, id, true)
	before := read(t, s.Root(), want.Files()[0])
	if diff := cmp.Diff(want, project(t, s, id, true)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, read(t, s.Root(), want.Files()[0])); diff != "" {
		t.Errorf("it grew: %s", diff)
	}
	if got, ok, err := s.ProjectAt(id.Folder); err != nil || !ok || got.ID != want.ID {
		t.Errorf("of the folder: %+v, %t, %v", got, ok, err)
	}
}

func TestProjects(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	for _, r := range []string{"z.org/x", "github.com/acme/sessions", "github.com/Acme/.github", "gitlab.com/g/sub/con"} {
		project(t, s, store.Identity{Remotes: []string{r}}, true)
		if err := s.Append(store.Identify(store.Identity{Remotes: []string{r}}).Dir+"/sessions/2026/2026-11-20.md", clean(""),
			clean("x")); err != nil {
			t.Error(err)
		}
	}
	all, err := s.Projects()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	want := []string{"github.com/Acme/.github", "github.com/acme/sessions", "gitlab.com/g/sub/con", "z.org/x"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Error(diff)
	}
}

// TestProjectsLookPastLogs puts a file that looks like a project among a project's own files: no name of a project
// leads there, so it is not visited.
func TestProjectsLookPastLogs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := initStore(t, root)
	p := project(t, s, store.Identity{Remotes: []string{"github.com/acme/pump"}}, true)
	for _, dir := range []string{"sessions/2026", "observations/2026-11", "decisions"} {
		write(t, root, p.Dir+"/"+dir+"/project.md", read(t, root, p.Dir+"/project.md"))
	}
	o, warnings := options(t, root), []string(nil)
	o.Warn = func(w string) { warnings = append(warnings, w) }
	other, err := store.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	all, err := other.Projects()
	if err != nil || len(all) != 1 || len(warnings) > 0 {
		t.Errorf("%d projects, %v, warnings %q", len(all), err, warnings)
	}
}

func TestProjectCredentialsStayOut(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	token := "ghp_" + strings.Repeat("a1B2", 9)
	p := project(t, s, store.Identity{Remotes: []string{"h.org/a/b"}, Folder: "/x/" + token}, true)
	if strings.Contains(read(t, s.Root(), p.Dir+"/project.md"), token) {
		t.Error("a token was written")
	}
	write(t, s.Root(), "gitmem/a.md", time.Now().String())
	commit(t, s, store.Change{Subject: "x " + token, Trailers: []string{"Gitmem-Op: " + token}})
	if got := inStore(t, s, "log", "-p", "--all"); strings.Contains(got, token) {
		t.Error("a token was committed")
	}
}

func TestIdentifyNothing(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	if p := store.Identify(store.Identity{}); p.ID != "" {
		t.Errorf("got %+v", p)
	}
	if _, err := s.Project(t.Context(), store.Identity{}, true); err == nil {
		t.Error("a project from nothing")
	}
}

// TestProjectsWithOneRoot has a project without a remote, and forks with one each.
func TestProjectsWithOneRoot(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	remote := func(r string, folder string) store.Identity {
		return store.Identity{Remotes: []string{"h.org/" + r}, Root: rootCommit, Folder: folder}
	}
	local := project(t, s, store.Identity{Root: rootCommit, Folder: "/x"}, true)
	if a := project(t, s, remote("a/pump", "/a"), true); a.ID != local.ID {
		t.Errorf("the first remote makes %s", a.ID)
	}
	b := project(t, s, remote("b/pump", "/b"), true)
	if b.ID != "h.org/b/pump" {
		t.Errorf("the second remote makes %s", b.ID)
	}
	if p := project(t, s, store.Identity{Root: rootCommit, Folder: "/b"}, false); p.ID != local.ID {
		t.Errorf("without a remote it is %s", p.ID) // ProjectAt is better for a folder
	}
	c := project(t, s, remote("c/pump", "/c"), true)
	if err := s.Link(t.Context(), b, c, false); err != nil {
		t.Fatal(err)
	}
	before := read(t, s.Root(), b.Dir+"/project.md")
	if err := s.Link(t.Context(), c, b, false); err != nil || read(t, s.Root(), b.Dir+"/project.md") != before {
		t.Errorf("linked twice: %v", err)
	}
	for _, x := range [][2]store.Project{{b, c}, {c, b}} {
		if p := project(t, s, store.Identity{Remotes: x[0].Remotes}, false); len(p.Linked) != 1 || p.Linked[0] != x[1].ID {
			t.Errorf("%s is linked with %v", p.ID, p.Linked)
		}
	}
	if err := s.Link(t.Context(), b, c, true); err != nil {
		t.Fatal(err)
	}
	for _, x := range []store.Project{b, c} {
		if p := project(t, s, store.Identity{Remotes: x.Remotes}, true); len(p.Linked) != 0 || p.ID != x.ID {
			t.Errorf("%s is linked with %v", p.ID, p.Linked)
		}
	}
	write(t, s.Root(), b.Dir+"/project.md", "---\nlinked: [h.org/c/pump]\n---\n")
	if err := s.Link(t.Context(), b, c, true); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("a list in brackets: %v", err)
	}
}
