package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// minute returns the time of the n-th commit of a test.
func minute(n int) time.Time { return time.Unix(1700000000+60*int64(n), 0) }

// TestFrozenAtAgreesWithGit compares with the commit that git finds on the same line, and with all commits
// that git reaches from there.
func TestFrozenAtAgreesWithGit(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a", "1", "one", 1)
	commitFile(t, dir, "a", "2", "two", 3)
	run(t, dir, "checkout", "-q", "-b", "side")
	commitFile(t, dir, "b", "1", "on a branch", 5)
	run(t, dir, "checkout", "-q", "main")
	commitFile(t, dir, "a", "3", "three", 7)
	run(t, dir, "merge", "-q", "--no-commit", "--no-ff", "side")
	commit(t, dir, "merge", 9)
	run(t, dir, "update-ref", "refs/remotes/origin/main", "side")
	for n := range 12 {
		r := open(t, dir)
		p, err := r.FrozenAt(minute(n))
		if err != nil {
			t.Fatal(err)
		}
		before := "--before=" + minute(n).Format(time.RFC3339)
		head := run(t, dir, "rev-list", "-1", "--first-parent", before, "main")
		far := run(t, dir, "rev-list", "-1", "--first-parent", before, "side")
		var tips []string
		for _, tip := range p.Tips {
			tips = append(tips, tip.Hash)
		}
		want := []string{head, far}
		if far == head {
			want = want[:1]
		}
		if head == "" {
			want = nil
		}
		if diff := cmp.Diff(want, tips); diff != "" || p.Head != head || p.Shallow {
			t.Errorf("minute %d: head %q, want %q; tips (-want +got):\n%s", n, p.Head, head, diff)
		}
		r.Freeze(p)
		if _, err := r.Tips(); head == "" {
			wantErr(t, err, git.ErrEmpty)
			continue
		}
		reached := strings.Fields(run(t, dir, append([]string{"rev-list"}, tips...)...))
		for _, id := range strings.Fields(run(t, dir, "rev-list", "--all")) {
			got, err := r.Reachable(t.Context(), id[:12])
			if there := strings.Contains(strings.Join(reached, " "), id); there != (got == id) {
				t.Errorf("minute %d: Reachable(%s) = %q, %v; git reaches it: %v", n, id[:12], got, err, there)
			}
			if got == "" {
				wantErr(t, err, git.ErrNotFound)
			}
		}
		if len(walk(t, r, git.WalkOptions{}, tips...)) != len(reached) {
			t.Errorf("minute %d: the history has another length than git's %d", n, len(reached))
		}
	}
}

func TestPastOfShallowAndEmpty(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	if p, err := r.FrozenAt(minute(5)); err != nil || p.Head != "" || len(p.Tips) > 0 || p.Shallow {
		t.Errorf("of an empty repository: %+v, %v", p, err)
	}
	dir := sample(t)
	clone := filepath.Join(tempDir(t), "clone")
	run(t, dir, "clone", "-q", "--depth=2", "file://"+dir, clone)
	r = open(t, clone)
	if p, err := r.FrozenAt(minute(0)); err != nil || !p.Shallow || p.Head != "" {
		t.Errorf("before a shallow clone ends: %+v, %v", p, err)
	}
	if p, err := r.FrozenAt(minute(2)); err != nil || p.Shallow || p.Head == "" {
		t.Errorf("within a shallow clone: %+v, %v", p, err)
	}
}

func TestFrozenMailmapAndHead(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	first := commitFile(t, dir, "a", "1", "one", 1)
	second := commitFile(t, dir, ".mailmap", "Ada Lovelace <ada@example.org>\n", "map", 2)
	writeFile(t, dir, ".mailmap", "Augusta Ada <ada@example.org>\n") // in the work tree only
	for at, want := range map[string]string{first: "Ada", second: "Ada Lovelace"} {
		r := open(t, dir)
		r.Freeze(git.Frozen{Head: at, Tips: []git.Ref{{Name: "then", Hash: at}}})
		if c, err := r.Commit("HEAD"); err != nil || c.Hash != at || c.Author.Name != want {
			t.Errorf("HEAD at %s is %s by %s, %v; want it by %s", at, c.Hash, c.Author.Name, err, want)
		}
	}
	if c, err := open(t, dir).Commit("HEAD"); err != nil || c.Author.Name != "Augusta Ada" {
		t.Errorf("today's author is %s, %v", c.Author.Name, err)
	}
	r := open(t, dir)
	r.Freeze(git.Frozen{})
	_, err := r.Head()
	wantErr(t, err, git.ErrEmpty)
	if c, err := r.Commit(first); err != nil || c.Author.Name != "Ada" {
		t.Errorf("without a HEAD: by %s, %v", c.Author.Name, err)
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	writeFile(t, dir, "AGENTS.md", "rules\n")
	writeFile(t, dir, "docs/rules/go.md", "go\n")
	for name, target := range map[string]string{
		"CLAUDE.md": "AGENTS.md", "deep/up.md": "../CLAUDE.md", ".claude": "docs", "docs/self.md": "self.md",
		"a": "b", "b": "a",
		"out.md": "../../etc/passwd", "root.md": "/etc/passwd", "gone.md": "nowhere.md", "docs/rules/twin.md": "go.md",
		"top.md": ".",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Skip("SKIPPED: no symbolic links here: ", err)
		}
	}
	run(t, dir, "add", "--all")
	commit(t, dir, "links", 1)
	r := open(t, dir)
	for name, want := range map[string]string{
		"AGENTS.md": "AGENTS.md", "CLAUDE.md": "AGENTS.md", "deep/up.md": "AGENTS.md", ".claude/rules": "docs/rules",
		".claude/rules/twin.md": "docs/rules/go.md", "docs": "docs", "docs/self.md": "", "a": "", "out.md": "", "root.md": "",
		"gone.md": "",
		"nothing": "", "AGENTS.md/x": "", "top.md": "",
	} {
		e, err := r.Follow("HEAD", name)
		if want == "" {
			wantErr(t, err, git.ErrNotFound)
			continue
		}
		if err != nil || e.Path != want {
			t.Errorf("Follow(%s) = %s, %v; want %s", name, e.Path, err, want)
			continue
		}
		text, err := r.Content(e)
		if isDir := e.Mode == 0o40000; isDir {
			wantErr(t, err, git.ErrNotFound)
		} else if disk, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil ||
			string(text) != string(disk) {
			t.Errorf("Content(%s) = %q, %v; want %q", name, text, err, disk)
		}
	}
}
