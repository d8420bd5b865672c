package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// key returns a text in the format of a key that is not valid anywhere; n makes it unique.
func key(n int) string { return fmt.Sprintf("ghp_16C7e42F292c6912E7710c838347Ae17%04d", n) }

// TestSecrets plants a key in every place of a store and finds each once, at its location, without printing it.
func TestSecrets(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	root := s.Root()
	id := func(args ...string) string { return inStore(t, s, args...) }
	write(t, root, "gitmem/a.md", "harmless\n")
	first := commit(t, s, store.Change{Subject: "first"})

	// In history only: the store itself would hold back such a file.
	write(t, root, "gitmem/old.md", "one\ntwo\ntoken "+key(1)+"\n")
	id("add", "gitmem/old.md")
	id("commit", "--quiet", "--message", "by hand")
	had := id("rev-parse", "HEAD")
	write(t, root, "gitmem/old.md", "and again "+key(1)+"\n") // a further version adds no finding
	id("commit", "--quiet", "--all", "--message", "by hand again")
	id("rm", "--quiet", "gitmem/old.md")
	id("commit", "--quiet", "--message", "gone\n\nthe key was "+key(2))
	said := id("rev-parse", "HEAD")
	id("gc", "--quiet") // later objects are loose, earlier ones packed

	id("commit", "--quiet", "--allow-empty", "--message", "who", "--author=Ada "+key(3)+" <ada@example.org>")
	wrote := id("rev-parse", "HEAD")
	id("branch", "try-"+key(4), first)
	id("tag", "--annotate", "--message", "with "+key(5), "v1")
	id("remote", "add", "origin", "https://ada:"+key(6)+"@example.org/memory.git")
	write(t, root, "gitmem/lost.md", "lost "+key(7)+"\n")
	id("add", "gitmem/lost.md")
	id("commit", "--quiet", "--message", "reset away")
	lost := id("rev-parse", "HEAD")
	id("reset", "--quiet", "--hard", "HEAD~1")
	write(t, t.TempDir(), "blob", "")
	blob := filepath.Join(t.TempDir(), "blob")
	if err := os.WriteFile(blob, []byte("blob "+key(8)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	unreached := id("hash-object", "-w", blob)

	write(t, root, "gitmem/held.md", "\nheld "+key(9)+"\n")
	write(t, root, "gitmem/"+key(10)+".md", "by its name\n")
	write(t, root, "gitmem/notes.txt", "refused, and on disk "+key(11)+"\n")
	write(t, root, "gitmem/.index/trace/2026-11-20.jsonl", `{"detail":"`+key(12)+`"}`+"\n")
	tag := id("rev-parse", "v1")

	got := []string{}
	seen, err := s.Secrets(t.Context(), nil)
	for _, f := range seen.Found {
		if strings.Contains(fmt.Sprintf("%+v", f), "16C7e42F") {
			t.Errorf("a find says the secret: %+v", f)
		}
		got = append(got, fmt.Sprintf("%s %s:%d %.7s", f.Where, f.Path, f.Line, f.Commit))
	}
	if err != nil || len(seen.Unread) > 0 {
		t.Fatalf("%v, not read: %v", err, seen.Unread)
	}
	want := []string{
		"file gitmem/held.md:2 ", "name gitmem/[redacted:github-token].md:0 ", "file gitmem/notes.txt:1 ",
		"cache gitmem/.index/trace/2026-11-20.jsonl:1 ", "repository .git/config:",
		"name refs/heads/try-[redacted:github-token]:0 ",
		"history gitmem/old.md:3 " + had[:7], "message commit " + said[:12] + ":", "author commit " + wrote[:12] + ":",
		"history tag " + tag[:12] + ":", "history gitmem/lost.md:1 " + lost[:7], "unreachable object " +
			unreached[:12] + ":1 ",
	}
	for _, w := range want {
		n := 0
		for _, g := range got {
			if strings.HasPrefix(g, w) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q was found %d times in\n%s", w, n, strings.Join(got, "\n"))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d finds, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
}

// TestSecretsReadEachObjectOnce checks the counts for a clean store.
func TestSecretsReadEachObjectOnce(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	for i := range 20 {
		write(t, s.Root(), fmt.Sprintf("gitmem/%d.md", i%5), fmt.Sprintf("text %d\n", i))
		commit(t, s, store.Change{Subject: "change"})
	}
	seen, err := s.Secrets(t.Context(), nil)
	if err != nil || len(seen.Found) > 0 {
		t.Fatalf("found %v, %v", seen.Found, err)
	}
	objects := strings.Fields(inStore(t, s, "count-objects"))[0]
	if diff := cmp.Diff(objects, fmt.Sprint(seen.Objects)); diff != "" || seen.Commits != 20 {
		t.Errorf("objects (-git +read): %s, %d commits, want 20", diff, seen.Commits)
	}
}

// TestSecretsInLargeFiles checks the line of a finding, however the text is split for reading.
func TestSecretsInLargeFiles(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	line := strings.Repeat("relay ", 170) + "\n"
	text := strings.Repeat(line, 20_000) // some 20 MiB
	write(t, s.Root(), "gitmem/large.md", text[:len(line)*16_000]+"token "+key(1)+"\n"+text[len(line)*16_000:]+
		"token "+key(2)+"\n")
	seen, err := s.Secrets(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, f := range seen.Found {
		got = append(got, f.Line)
	}
	if diff := cmp.Diff([]int{16_001, 20_002}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
