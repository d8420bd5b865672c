package git_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

func TestLineLog(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	one := commitFile(t, dir, "a", "one\ntwo\nthree\nfour\n", "One", 1)
	two := commitFile(t, dir, "a", "one\n2\nthree\nfour\n", "Two", 2)
	three := commitFile(t, dir, "a", "zero\none\n2\nthree\n4\n", "Three", 3)
	run(t, dir, "mv", "a", "b")
	commit(t, dir, "Move", 4)
	four := commitFile(t, dir, "b", "zero\none\nII\nthree\n4\n", "Four", 5)
	r := open(t, dir)
	for _, tt := range []struct {
		from, to int
		not      []string
		want     []string
	}{
		{3, 3, nil, []string{four + " b 3-3", two + " a 2-2", one + " a 2-2"}},
		{1, 1, nil, []string{three + " a 1-1"}},
		{5, 5, nil, []string{three + " a 5-5", one + " a 4-4"}},
		{3, 3, []string{two}, []string{four + " b 3-3"}},
		{4, 4, []string{one}, nil},
	} {
		var got []string
		for c, err := range r.LineLog(t.Context(), "HEAD", "b", tt.from, tt.to, tt.not...) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s %s %d-%d", c.Commit.Hash, c.Path, c.From, c.To))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("lines %d to %d: %s", tt.from, tt.to, d)
		}
	}
	for _, lines := range [][2]int{{0, 1}, {2, 1}, {1, 6}} {
		for _, err := range r.LineLog(t.Context(), "HEAD", "b", lines[0], lines[1]) {
			wantErr(t, err, git.ErrNotFound)
		}
	}
}

func TestFate(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	text := wordy(rand.New(rand.NewPCG(2, 2)), 12)
	write := func(name string, lines []string, n int) string {
		return commitFile(t, dir, name, strings.Join(lines, "\n")+"\n", fmt.Sprintf("Write %d", n), n)
	}
	start := write("old", text, 1)
	text[2] = "changed once"
	write("old", text, 2)
	text[2] = "changed twice"
	text = append([]string{"in front"}, text...)
	write("old", text, 3)
	run(t, dir, "mv", "old", "mid")
	commit(t, dir, "Move", 4)
	run(t, dir, "mv", "mid", "now")
	commit(t, dir, "Move again", 5)
	moved := append(append([]string{}, text[:8]...), text[10:]...) // lines 8 and 9 are removed
	moved = append(moved, text[6])                                 // line 6 moves to the end
	moved = append(moved[:6], moved[7:]...)
	write("now", moved, 6)
	r := open(t, dir)
	for _, tt := range []struct {
		what     string
		from, to int
		want     git.LineTrace
	}{
		{"further down", 1, 2, git.LineTrace{Path: "now", From: 2, To: 3, Same: true}},
		{"changed twice", 3, 3, git.LineTrace{Path: "now", From: 4, To: 4, Since: 2}},
		{"changed in part", 2, 4, git.LineTrace{Path: "now", From: 3, To: 5, Since: 2}},
		{"past others", 6, 6, git.LineTrace{Path: "now", From: 11, To: 11, Same: true}},
		{"taken away", 8, 9, git.LineTrace{Path: "now"}},
	} {
		got, err := r.TraceLines(t.Context(), start, "old", tt.from, tt.to, "HEAD")
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%s: %s %v", tt.what, d, err)
		}
	}
	if got, err := r.TraceLines(t.Context(), "HEAD", "now", 1, 3, "HEAD"); err != nil ||
		got != (git.LineTrace{Path: "now", From: 1, To: 3, Same: true}) {
		t.Errorf("nothing since: %+v %v", got, err)
	}
	_, err := r.TraceLines(t.Context(), start, "old", 1, 99, "HEAD")
	wantErr(t, err, git.ErrNotFound)
	run(t, dir, "rm", "-q", "now")
	commit(t, dir, "Drop it", 7)
	if got, err := open(t, dir).TraceLines(t.Context(), start, "old", 1, 1, "HEAD"); err != nil ||
		got != (git.LineTrace{}) {
		t.Errorf("file taken away: %+v %v", got, err)
	}
}

// TestLineLogOfFolder requests the lines of a folder.
func TestLineLogOfFolder(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "src/a.txt", "one\n", "Start", 0)
	for _, err := range open(t, dir).LineLog(t.Context(), "HEAD", "src", 1, 1) {
		wantErr(t, err, git.ErrNotFound)
	}
}
