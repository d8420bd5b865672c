package git_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// gitBlame returns git's origin of each line, as "commit path line".
func gitBlame(t *testing.T, dir, rev, path string) []string {
	t.Helper()
	var out []string
	paths := map[string]string{}
	at := ""
	line := ""
	for l := range strings.Lines(run(t, dir, "blame", "--porcelain", rev, "--", path) + "\n") {
		l = strings.TrimSuffix(l, "\n")
		f := strings.Fields(l)
		switch {
		case strings.HasPrefix(l, "\t"):
			out = append(out, at+" "+paths[at]+" "+line)
		case strings.HasPrefix(l, "filename "):
			paths[at] = strings.TrimPrefix(l, "filename ")
		case len(f) >= 3 && len(f[0]) == 40:
			if _, err := strconv.Atoi(f[1]); err == nil {
				at, line = f[0], f[1]
			}
		}
	}
	return out
}

func blamed(t *testing.T, r *git.Repository, rev, path string) []string {
	t.Helper()
	lines, err := r.Blame(t.Context(), rev, path, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range lines {
		out = append(out, fmt.Sprintf("%s %s %d", l.Commit, l.Path, l.Original))
	}
	return out
}

// wordy returns text of n lines that are unlikely to occur twice.
func wordy(rnd *rand.Rand, n int) []string {
	var out []string
	for range n {
		out = append(out, fmt.Sprintf("line %d of %d", rnd.IntN(1000), rnd.IntN(1000)))
	}
	return out
}

// TestBlameAgainstGit compares with git over a history with branches, merges and renames.
func TestBlameAgainstGit(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 8))
	dir := newRepo(t)
	text := func(lines []string) string { return strings.Join(lines, "\n") + "\n" }
	lines := wordy(rnd, 40)
	name := "src/a.txt"
	commitFile(t, dir, name, text(lines), "Start", 0)
	edit := func(n int) {
		for range 1 + rnd.IntN(3) {
			at := rnd.IntN(len(lines) - 5)
			rest := append([]string{}, lines[at+rnd.IntN(4):]...)
			lines = append(append(lines[:at:at], wordy(rnd, rnd.IntN(4))...), rest...)
		}
		commitFile(t, dir, name, text(lines), fmt.Sprintf("Edit %d", n), n)
	}
	for n := 1; n < 24; n++ {
		edit(n)
		switch {
		case n == 6 || n == 18:
			next := fmt.Sprintf("lib/%d.txt", n)
			writeFile(t, dir, "lib/other", "x\n")
			run(t, dir, "mv", name, next)
			if name = next; n == 18 { // not the same content
				lines = append(lines, wordy(rnd, 6)...)
				writeFile(t, dir, name, text(lines))
				run(t, dir, "add", "--", name)
			}
			commit(t, dir, "Move", n)
		case n%5 == 0:
			run(t, dir, "switch", "-q", "-c", fmt.Sprintf("topic%d", n), "HEAD~2")
			commitFile(t, dir, name, runIn(t, dir, "", "show", "HEAD:"+name)+"one more "+strconv.Itoa(n)+"\n", "Topic", n)
			run(t, dir, "switch", "-q", "main")
			if _, err := tryGit(dir, "", "merge", "-q", "--no-edit", fmt.Sprintf("topic%d", n)); err != nil {
				run(t, dir, "checkout", "--ours", name)
				run(t, dir, "add", name)
				commit(t, dir, "Merge", n)
			}
			lines = strings.Split(strings.TrimSuffix(runIn(t, dir, "", "show", "HEAD:"+name), "\n"), "\n")
		}
	}
	r := open(t, dir)
	want := gitBlame(t, dir, "HEAD", name)
	if d := cmp.Diff(want, blamed(t, r, "HEAD", name)); d != "" || len(want) < 20 {
		t.Errorf("%d lines: %s", len(want), d)
	}
	old := gitBlame(t, dir, "HEAD~8", "lib/6.txt")
	if d := cmp.Diff(old, blamed(t, r, "HEAD~8", "lib/6.txt")); d != "" {
		t.Error(d)
	}
	part, err := r.Blame(t.Context(), "HEAD", name, 5, 7)
	if err != nil || len(part) != 3 || part[0].Line != 5 || fmt.Sprintf("%s %s %d", part[1].Commit, part[1].Path,
		part[1].Original) != want[5] {
		t.Errorf("lines 5 to 7: %v %v", part, err)
	}
}

func TestBlameOddFiles(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	one := commitFile(t, dir, "crlf", "a\r\nb\r\n", "One", 1)
	commitFile(t, dir, "empty", "", "Empty", 2)
	two := commitFile(t, dir, "crlf", "a\r\nc", "Two", 3)
	commitFile(t, dir, "bin", "\x00\x01\nx\n", "Binary", 4)
	r := open(t, dir)
	lines, err := r.Blame(t.Context(), "HEAD", "crlf", 0, 0)
	want := []git.BlameLine{{Line: 1, Text: "a", Commit: one, Path: "crlf", Original: 1},
		{Line: 2, Text: "c", Commit: two, Path: "crlf", Original: 2}}
	if d := cmp.Diff(want, lines); d != "" || err != nil {
		t.Error(d, err)
	}
	if lines, err := r.Blame(t.Context(), "HEAD", "empty", 0, 0); err != nil || len(lines) != 0 {
		t.Error(lines, err)
	}
	if d := cmp.Diff(gitBlame(t, dir, "HEAD", "bin"), blamed(t, r, "HEAD", "bin")); d != "" {
		t.Error(d)
	}
	for _, tt := range []struct {
		path     string
		from, to int
	}{{"none", 0, 0}, {"crlf", 2, 3}, {"crlf", 3, 3}, {"crlf", 0, 1}, {"", 0, 0}, {"crlf/x", 0, 0}} {
		_, err := r.Blame(t.Context(), "HEAD", tt.path, tt.from, tt.to)
		wantErr(t, err, git.ErrNotFound)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = r.Blame(ctx, "HEAD", "crlf", 0, 0)
	wantErr(t, err, context.Canceled)
}

// Visited commits that do not change the file count as work too: there may be tens of thousands.
func TestBlameLinesLooksNotFar(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	first := commitFile(t, dir, "a.txt", "one\n", "One", 1)
	for n := range 12 {
		commitFile(t, dir, "b.txt", strings.Repeat("b\n", n+1), "Other", n+2)
	}
	for most, want := range map[int]string{4 * git.VisitWork: "", 40 * git.VisitWork: first} {
		lines, work, err := open(t, dir).BlameLines(t.Context(), "HEAD", "a.txt", []int{1}, most)
		if err != nil || len(lines) != 1 || lines[0].Commit != want || work > most+2*git.VisitWork {
			t.Errorf("within %d: %v, work %d, %v; want commit %q", most, lines, work, err, want)
		}
	}
}

func TestFollowPath(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	text := strings.Join(wordy(rand.New(rand.NewPCG(1, 1)), 20), "\n")
	first := commitFile(t, dir, "a/one.txt", text, "Add", 1)
	commitFile(t, dir, "other", "x\n", "Elsewhere", 2)
	run(t, dir, "mv", "a/one.txt", "two.txt")
	moved := commit(t, dir, "Move", 3)
	run(t, dir, "switch", "-q", "-c", "side", "HEAD~1")
	commitFile(t, dir, "other", "y\n", "Beside", 4)
	run(t, dir, "switch", "-q", "main")
	run(t, dir, "merge", "-q", "--no-edit", "side")
	last := commitFile(t, dir, "two.txt", text+"\nmore\n", "Say more", 6)
	r := open(t, dir)
	var got []string
	for c, err := range r.FollowPath(t.Context(), "HEAD", "two.txt", true) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%c %s %s<%s %s +%d-%d", c.Op, c.Commit.Hash, c.Path, c.From, c.Commit.Subject,
			c.Added, c.Removed))
	}
	want := []string{"M " + last + " two.txt< Say more +2-1", "R " + moved + " two.txt<a/one.txt Move +0-0", "A " + first +
		" a/one.txt< Add +20-0"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	n := 0
	for c, err := range r.FollowPath(t.Context(), moved+"~1", "a", true) {
		if n++; err != nil || c.Commit.Hash != first {
			t.Error(c.Commit.Hash, err)
		}
	}
	if n != 1 {
		t.Errorf("%d commits of a folder", n)
	}
	for c, err := range r.FollowPath(t.Context(), "HEAD", "two.txt", false) {
		if err != nil || c.Added+c.Removed > 0 {
			t.Errorf("%s: +%d-%d are counted though nobody asks, %v", c.Commit.Subject, c.Added, c.Removed, err)
		}
	}
}

func TestFollowPathErrors(t *testing.T) {
	t.Parallel()
	r := open(t, sample(t))
	for _, err := range r.FollowPath(t.Context(), "HEAD", "src/relay.go", true) {
		wantErr(t, err, git.ErrNotFound)
		if !errors.Is(err, git.ErrNotFound) {
			t.Fatal("it goes on")
		}
	}
}
