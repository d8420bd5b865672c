package git_test

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// overwrite replaces a read-only file; without bytes it removes it.
func overwrite(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if b == nil {
		return
	}
	if err := os.WriteFile(path, b, 0o444); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedObjects(t *testing.T) {
	t.Parallel()
	for name, bytes := range map[string][]byte{
		"missing":   nil,
		"empty":     {},
		"not zlib":  []byte("this is no zlib stream"),
		"cut short": {0x78, 0x01, 0x4b, 0xca, 0xc9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reason := damagedCommit(t, bytes)
			if name == "empty" && !strings.Contains(reason, "is empty") {
				t.Errorf("the reason is %q", reason)
			}
			damagedTree(t, bytes)
		})
	}
}

// damagedCommit damages a commit in the middle: later commits are still read.
func damagedCommit(t *testing.T, b []byte) (reason string) {
	dir := sample(t)
	bad := run(t, dir, "rev-parse", "HEAD~2")
	overwrite(t, looseObject(filepath.Join(dir, ".git"), bad), b)
	r := open(t, dir)
	commits := walk(t, r, git.WalkOptions{Paths: true})
	if len(commits) != 2 || !commits[1].ChangesMissing || commits[0].ChangesMissing {
		t.Errorf("walked %+v; want two commits, the older one without its changes", commits)
	}
	skipped := r.Skipped()
	if len(skipped) != 2 || skipped[0].Object != bad {
		t.Errorf("skipped %v; want the commit and the changes of its child", skipped)
	}
	_, err := r.Commit(bad)
	if err == nil {
		t.Error("Commit gives the damaged commit")
	}
	return skipped[0].Reason
}

// damagedTree damages a folder: only the commits that changed it lose changes.
func damagedTree(t *testing.T, b []byte) {
	dir := sample(t)
	bad := run(t, dir, "rev-parse", "HEAD~2:src")
	overwrite(t, looseObject(filepath.Join(dir, ".git"), bad), b)
	r := open(t, dir)
	var missing []bool
	for _, c := range walk(t, r, git.WalkOptions{Paths: true}) {
		missing = append(missing, c.ChangesMissing)
	}
	if !slices.Equal(missing, []bool{true, false, true, false}) {
		t.Errorf("changes missing: %v; want those of the commits that added and dropped the folder", missing)
	}
	if s := r.Skipped(); len(s) != 2 || !strings.Contains(s[0].Reason, bad) {
		t.Errorf("skipped %v; want two that name the tree", s)
	}
}

// TestDamagedPack flips the bytes of a pack one by one: in any case the walk must end, and whatever is left
// out must be counted or be an error.
func TestDamagedPack(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	run(t, dir, "repack", "-q", "-a", "-d")
	packs, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("packs: %v, %v", packs, err)
	}
	sound, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	hurt := 0
	for at := 12; at < len(sound); at += 7 {
		b := slices.Clone(sound)
		b[at] ^= 0xff
		overwrite(t, packs[0], b)
		loc, err := git.Discover(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := git.Open(loc)
		if err != nil {
			t.Fatal(err)
		}
		n, failed := 0, false
		for c, err := range r.Walk(t.Context(), []string{"HEAD"}, git.WalkOptions{Paths: true}) {
			failed = failed || err != nil
			if err == nil && !c.ChangesMissing {
				n++
			}
		}
		if n < 4 && !failed && len(r.Skipped()) == 0 {
			t.Errorf("byte %d: %d whole commits of 4 and nothing counted", at, n)
		}
		if n < 4 {
			hurt++
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if hurt == 0 {
		t.Error("no damage was noticed at all")
	}
}

// TestSecondCopy reads an object from its intact copy.
func TestSecondCopy(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	borrower := cloneOf(t, dir, "--no-hardlinks", "--bare")
	run(t, borrower, "repack", "-q", "-a", "-d")
	writeFile(t, borrower, "objects/info/alternates", filepath.ToSlash(filepath.Join(dir, ".git", "objects"))+"\n")
	pack := onlyPack(t, borrower)
	b := []byte(readAll(t, pack))
	for i := range b[12 : len(b)-20] {
		b[12+i] ^= 0xff
	}
	overwrite(t, pack, b)
	r := open(t, borrower)
	if n := len(walk(t, r, git.WalkOptions{Paths: true})); n != 4 || len(r.Skipped()) > 0 {
		t.Errorf("%d commits, skipped %v; want all four from the lender", n, r.Skipped())
	}
}

// TestCutPack truncates a pack before it is opened.
func TestCutPack(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	run(t, dir, "repack", "-q", "-a", "-d")
	pack := onlyPack(t, dir)
	b := []byte(readAll(t, pack))
	for _, n := range []int{0, 1, 11, 12, 40, len(b) / 2, len(b) - 40} {
		overwrite(t, pack, b[:n])
		r := open(t, dir)
		whole, failed := 0, false
		for c, err := range r.Walk(t.Context(), []string{"HEAD"}, git.WalkOptions{Paths: true}) {
			failed = failed || err != nil
			if err == nil && !c.ChangesMissing {
				whole++
			}
		}
		if whole >= 4 || !failed && len(r.Skipped()) == 0 {
			t.Errorf("%d bytes: %d whole commits, failed %v, skipped %v", n, whole, failed, r.Skipped())
		}
	}
}

// TestOddCommits stores commits that git itself would not write.
func TestOddCommits(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	const tree = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
	run(t, dir, "hash-object", "-t", "tree", "-w", os.DevNull)
	for name, c := range map[string]struct{ raw, subject, author string }{
		"no author": {tree + "\nHello\n", "Hello", "|||1970-01-01T00:00:00Z"},
		"latin1": {tree + "author J\xf6rg <j@x.org> 5 +0000\nencoding ISO-8859-1\n\nGr\xfc\xdfe \x80\n", "Grüße €",
			"Jörg|j@x.org||1970-01-01T00:00:05Z"},
		"not utf-8": {tree + "author J\xf6rg <j@x.org> 5 +0000\n\nGr\xfc\xdfe\n", "Gr\uFFFDe",
			"J\uFFFDrg|j@x.org||1970-01-01T00:00:05Z"},
		"signed": {tree +
			"author A <a@x.org> 5 -0730\ngpgsig -----BEGIN\n tree 0\n author no\n\x20\n -----END\n\n\n\nHello\nworld\n\nBody\n",
			"Hello world", "A|a@x.org||1969-12-31T16:30:05-07:30"},
		"odd zone":    {tree + "author A <a@x.org> 5 +9999\n\nx", "x", "A|a@x.org||1970-01-01T00:00:05Z"},
		"no zone":     {tree + "author A <a@x.org> 5\n\nx", "x", "A|a@x.org||1970-01-01T00:00:05Z"},
		"double zone": {tree + "author A <a@x.org> 5 --700\n\nx", "x", "A|a@x.org||1970-01-01T00:00:05Z"},
		"far future":  {tree + "author A <a@x.org> 99999999999999999999 +0000\n\nx", "x", "A|a@x.org||1970-01-01T00:00:00Z"},
		"year 30000":  {tree + "author A <a@x.org> 888888888888 +0000\n\nx", "x", "A|a@x.org||1970-01-01T00:00:00Z"},
		"brackets":    {tree + "author A <<a@x.org>> 5 +0000\n\nx", "x", "A|<a@x.org||1970-01-01T00:00:05Z"},
		"no message":  {tree + "author A <a@x.org> 5 +0000\n", "", "A|a@x.org||1970-01-01T00:00:05Z"},
	} {
		id := strings.TrimSpace(runIn(t, dir, c.raw, "hash-object", "-t", "commit", "-w", "--stdin", "--literally"))
		got, err := open(t, dir).Commit(id)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		author := strings.Join([]string{got.Author.Name, got.Author.Email, "",
			got.Author.When.Format("2006-01-02T15:04:05Z07:00")}, "|")
		if diff := cmp.Diff([]string{c.subject, c.author}, []string{got.Subject, author}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if _, err := got.Author.When.MarshalJSON(); err != nil {
			t.Errorf("%s: the time can't be written as JSON: %v", name, err)
		}
	}
}

// TestOldModes has a tree with mode bits that current versions of git do not write.
func TestOldModes(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "plain", "x", "One", 0)
	commitFile(t, dir, "run", "x", "Two", 1)
	id := run(t, dir, "rev-parse", "HEAD:plain")
	var raw strings.Builder
	for _, e := range []string{"100664 plain", "100775 run"} {
		b, err := hex.DecodeString(id)
		if err != nil {
			t.Fatal(err)
		}
		raw.WriteString(e + "\x00" + string(b))
	}
	tree := strings.TrimSpace(runIn(t, dir, raw.String(), "hash-object", "-t", "tree", "-w", "--stdin", "--literally"))
	run(t, dir, "update-ref", "HEAD", run(t, dir, "commit-tree", "-p", "HEAD", "-m", "Odd modes", tree))
	got := nameStatus(walk(t, open(t, dir), git.WalkOptions{Paths: true}))
	if diff := cmp.Diff(gitNameStatus(t, dir), got); diff != "" || !strings.HasSuffix(got[0], "\nM run") {
		t.Errorf("(-git +walk):\n%s", diff)
	}
}

func TestNonUTF8Path(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	stream := "blob\nmark :1\ndata 1\nx\ncommit refs/heads/main\ncommitter A <a@x.org> 5 +0000\ndata 1\nx\n" +
		"M 100644 :1 \"caf\\351/\\303\\251.txt\"\n\n"
	runIn(t, dir, stream, "fast-import", "--quiet")
	r := open(t, dir)
	const path = "caf\xe9/é.txt"
	c, err := r.Commit("main")
	if err != nil || len(c.Changes) != 1 || c.Changes[0].Path != path {
		t.Fatalf("Commit = %+v, %v", c, err)
	}
	if b, err := r.Blob("main", path); err != nil || string(b) != "x" {
		t.Errorf("Blob = %q, %v", b, err)
	}
	items, _, err := fetch(t, git.NewSource(r), cursorStart())
	if err != nil || items[0].Paths[0] != "caf\uFFFD/é.txt" {
		t.Errorf("item %+v, %v", items, err)
	}
}

func TestWalkStops(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	r := open(t, dir)
	for range r.Walk(t.Context(), []string{"HEAD"}, git.WalkOptions{}) {
		break
	}
	known := run(t, dir, "rev-parse", "HEAD~2")
	for _, o := range []git.WalkOptions{{}, {Paths: true}, {Not: []string{known}}} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last error
		for _, last = range r.Walk(ctx, []string{"HEAD"}, o) {
			cancel()
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("Walk with %+v ended with %v, want the context's error", o, last)
		}
	}
	for _, err := range r.Walk(t.Context(), []string{"nosuch"}, git.WalkOptions{}) {
		wantErr(t, err, git.ErrNotFound)
	}
}
