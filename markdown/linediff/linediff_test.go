package linediff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown/linediff"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"insert", "a\nc\n", "a\nb\nc\n", "-1,0 +1,1;"},
		{"delete all", "a\nb\n", "", "-0,2 +0,0;"},
		{"from nothing", "", "a\n", "-0,0 +0,1;"},
		{"replace", "a\nb\nc\n", "a\nx\ny\nc\n", "-1,1 +1,2;"},
		{"two changes", "a\nb\nc\nd\n", "b\nc\nx\n", "-0,1 +0,0;-3,1 +2,1;"},
		{"line end", "a\r\nb\n", "a\nb\n", "-0,1 +0,1;"},
		{"final line end", "a\nb", "a\nb\n", "-1,1 +1,1;"},
		{"ends of lines are no lines", "xb\n", "yb\n", "-0,1 +0,1;"},
		{"a note in a list stays one", "# A\n\n- x\n\n# B\n\n- y\n", "# A\n\n- x\n\n# N\n\n- n\n\n# B\n\n- y\n",
			"-4,0 +4,4;"},
		{"a moved line", "a\nb\nc\nd\n", "d\na\nb\nc\n", "-0,0 +0,1;-3,1 +4,0;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, d := range []*linediff.Differ{{}, {AsGit: true}} {
				if got := places(d.Diff([]byte(tt.a), []byte(tt.b))); got != tt.want {
					t.Errorf("got %q, want %q; as git: %v", got, tt.want, d.AsGit)
				}
				check(t, d, []byte(tt.a), []byte(tt.b))
			}
		})
	}
}

// lines splits a text after each "\n".
func lines(b []byte) [][]byte {
	var out [][]byte
	for l := range bytes.Lines(b) {
		out = append(out, l)
	}
	return out
}

// check checks properties of any two texts: the hunks are in order and don't touch, have the right lines and
// bytes, and give the second text when they are applied to the first.
func check(t *testing.T, d *linediff.Differ, a, b []byte) (added, removed int) {
	t.Helper()
	la, lb := lines(a), lines(b)
	var out []byte
	at, end := 0, -1
	hunks := d.Diff(a, b)
	for _, h := range hunks {
		if h.Old.Len()+h.New.Len() == 0 || h.Old.Start <= end || h.Old.End > len(la) || h.New.End > len(lb) {
			t.Fatalf("Diff(%q, %q): hunk %v is empty, touches the one before or leads out", a, b, h)
		}
		if string(h.Removed) != string(bytes.Join(la[h.Old.Start:h.Old.End], nil)) ||
			string(h.Added) != string(bytes.Join(lb[h.New.Start:h.New.End], nil)) {
			t.Fatalf("Diff(%q, %q): hunk %v holds other bytes than its lines", a, b, h)
		}
		if !bytes.HasPrefix(a[h.OldAt:], h.Removed) || !bytes.HasPrefix(b[h.NewAt:], h.Added) ||
			linediff.CountLines(a[:h.OldAt]) != h.Old.Start {
			t.Fatalf("Diff(%q, %q): hunk %v does not begin where it says", a, b, h)
		}
		out = append(out, bytes.Join(la[at:h.Old.Start], nil)...)
		out = append(out, h.Added...)
		at, end = h.Old.End, h.Old.End
	}
	if out = append(out, bytes.Join(la[at:], nil)...); !bytes.Equal(out, b) {
		t.Fatalf("Diff(%q, %q) applied gives %q", a, b, out)
	}
	added, removed = linediff.Counts(hunks)
	if added-removed != linediff.CountLines(b)-linediff.CountLines(a) {
		t.Fatalf("Diff(%q, %q) adds %d and removes %d lines", a, b, added, removed)
	}
	return added, removed
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nx\nc"))
	f.Add([]byte("a\r\n\r\nb"), []byte("\r\nb\na\r\n"))
	f.Add([]byte("x\nx\ny\nx\ny\n"), []byte("y\nx\nx\ny\n"))
	f.Add([]byte("\n\n\n\x00"), []byte("\n\x00\n"))
	f.Add([]byte("a\nb\n\nc\n"), []byte("a\nb\n\nb\n\nc\n"))
	f.Add([]byte("\tx\n}\n\n\ty\n}\n"), []byte("\ty\n}\n\n\tx\n}"))
	f.Add([]byte{}, []byte("\n\n\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		check(t, &linediff.Differ{AsGit: true}, a, b)
		if got, err := patched(a, linediff.Unified("f", "f", a, linediff.Diff(a, b), 3)); err != nil || got != string(b) {
			t.Fatalf("unified text of %q and %q: %q, %v", a, b, got, err)
		}
		d := new(linediff.Differ)
		added, removed := check(t, d, a, b)
		// The reverse comparison need not find the same lines, but the same number, unless it hits the work limit,
		// for which texts of this size are too small.
		back, forth := check(t, d, b, a)
		if len(a)+len(b) < 500 && (added != forth || removed != back) {
			t.Fatalf("Diff(%q, %q) changes +%d -%d, and the other way round +%d -%d", a, b, added, removed, back, forth)
		}
	})
}

// few returns a text with few different lines, so that lines repeat.
func few(rnd *rand.Rand, most, kinds int) []byte {
	var b []byte
	for range rnd.IntN(most + 1) {
		b = append(b, fmt.Sprintf("%d\n", rnd.IntN(kinds))...)
	}
	return b
}

// TestDiffIsShortest compares with the minimum number of changes.
func TestDiffIsShortest(t *testing.T) {
	t.Parallel()
	var d linediff.Differ
	for seed := range uint64(4000) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		a, b := few(rnd, 40, 1+rnd.IntN(12)), few(rnd, 40, 1+rnd.IntN(12))
		added, removed := check(t, &d, a, b)
		x, y := strings.Fields(string(a)), strings.Fields(string(b))
		if want := len(x) + len(y) - 2*common(x, y); added+removed != want {
			t.Fatalf("seed %d: %d lines changed, %d would do:\n%q\n%q", seed, added+removed, want, a, b)
		}
	}
}

// TestDiffOfVersions: cached data of an earlier text changes no result.
func TestDiffOfVersions(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		d := linediff.Differ{AsGit: true, IgnoreSpace: seed%2 == 1}
		now := few(rnd, 400, 1+rnd.IntN(300))
		for range 40 {
			old := edited(rnd, now)
			fresh := linediff.Differ{AsGit: true, IgnoreSpace: d.IgnoreSpace}
			if got, want := places(d.Diff(old, now)), places(fresh.Diff(old, now)); got != want {
				t.Fatalf("seed %d: Diff(%q, %q) gives %s, and %s at first", seed, old, now, got, want)
			}
			if rnd.IntN(6) > 0 { // otherwise the next one has the same child, as if a merge has two parents
				now = old
			}
		}
	}
}

// edited replaces some lines of a text.
func edited(rnd *rand.Rand, text []byte) []byte {
	all := lines(text)
	for range rnd.IntN(4) {
		at := rnd.IntN(len(all) + 1)
		end := min(at+rnd.IntN(3), len(all))
		var put [][]byte
		for range rnd.IntN(3) * rnd.IntN(300) / 100 {
			put = append(put, fmt.Appendf(nil, "%*d\n", rnd.IntN(6), rnd.IntN(500)))
		}
		all = slices.Concat(all[:at], put, all[end:])
	}
	out := bytes.Join(all, nil)
	if rnd.IntN(5) == 0 {
		out = append(bytes.TrimSuffix(out, []byte("\n")), []byte("  ")[rnd.IntN(3):]...)
	}
	return out
}

// TestIgnoreSpace compares with the result for texts without white space.
func TestIgnoreSpace(t *testing.T) {
	t.Parallel()
	blind, plain := linediff.Differ{AsGit: true, IgnoreSpace: true}, linediff.Differ{AsGit: true}
	for seed := range uint64(3000) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		text := func() []byte {
			var b []byte
			for range rnd.IntN(60) {
				b = append(b, []string{"a", "b", "x y", "}", " ", "  ", "\t", "\r", "\n", "\n", "\n", "\n\n", "é",
					"\x00"}[rnd.IntN(14)]...)
			}
			return b
		}
		a, b := text(), text()
		got, want := places(blind.Diff(a, b)), places(plain.Diff(linediff.WithoutSpace(a), linediff.WithoutSpace(b)))
		if got != want {
			t.Fatalf("seed %d: %q and %q give %s, want %s", seed, a, b, got, want)
		}
	}
}

// common returns the length of a longest common subsequence, by dynamic programming.
func common(x, y []string) int {
	row := make([]int, len(y)+1)
	for _, l := range x {
		before := 0
		for j := range y {
			old := row[j+1]
			if l == y[j] {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = old
		}
	}
	return row[len(y)]
}

// TestDiffIsBounded compares large texts with few different lines in random order. After the work limit of a
// comparison, the rest counts as replaced.
func TestDiffIsBounded(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	var a, b []byte
	for range 200_000 {
		a, b = append(a, byte('a'+rnd.IntN(8)), '\n'), append(b, byte('a'+rnd.IntN(8)), '\n')
	}
	check(t, &linediff.Differ{AsGit: true}, a, b)
	d := new(linediff.Differ)
	check(t, d, a, b)
	hunks := d.Diff(a, b)
	longest := 0
	for _, h := range hunks {
		longest = max(longest, h.Old.Len())
	}
	if len(hunks) < 1000 || longest < 10_000 {
		t.Errorf("%d hunks, the longest of %d lines: want many short ones and a long rest", len(hunks), longest)
	}
}

func TestBinary(t *testing.T) {
	t.Parallel()
	late := append(bytes.Repeat([]byte("a"), 8000), 0)
	if linediff.Binary(late) || !linediff.Binary(late[1:]) || linediff.Binary(nil) {
		t.Error("a zero byte counts within the first 8000 bytes and nowhere else")
	}
}

func TestCountLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "\n\n": 2, "a\nb": 2} {
		if got := linediff.CountLines([]byte(text)); got != want {
			t.Errorf("CountLines(%q) = %d, want %d", text, got, want)
		}
	}
}
