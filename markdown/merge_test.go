package markdown_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/markdown/linediff"
)

func TestMerge3(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, base, ours, theirs, want string
		conflicts                      int
	}{
		{"both sides", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", 0},
		{"the same change", "a\nb\n", "a\nx\n", "a\nx\n", "a\nx\n", 0},
		{"the same line", "a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n", "a\nx\nc\n", 1},
		{"changed and deleted", "a\nb\nc\n", "a\nx\nc\n", "a\nc\n", "a\nx\nc\n", 1},
		{"two additions at one place", "a\n", "a\nx\n", "a\ny\n", "a\nx\n", 1},
		{"changes that touch", "a\nb\n", "x\nb\n", "a\ny\n", "x\nb\n", 1},
		{"a deletion beside an addition", "a\nb\nc\n", "a\nc\n", "a\nb\nx\nc\n", "a\nx\nc\n", 0},
		{"an addition beside a deletion", "a\nb\nc\n", "a\nx\nb\nc\n", "a\nc\n", "a\nx\nc\n", 0},
		{"deletions that touch", "a\nb\nc\nd\n", "a\nc\nd\n", "a\nb\nd\n", "a\nd\n", 0},
		{"an addition inside a deletion", "a\nb\nc\nd\n", "a\nd\n", "a\nb\nx\nc\nd\n", "a\nd\n", 1},
		{"all deleted and added behind", "a\n", "", "a\nx\n", "x\n", 0},
		{"line ends", "a\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nc\r\n", "A\r\nb\r\nC\r\n", 0},
		{"no final newline", "a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC", 0},
		{"added behind no final newline", "a\nb", "a\nb\nx", "a\nb\ny", "a\nb\nx", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, conflicts := markdown.Merge3([]byte(tt.base), []byte(tt.ours), []byte(tt.theirs))
			if string(got) != tt.want || len(conflicts) != tt.conflicts {
				t.Errorf("got %q with %d conflicts, want %q with %d", got, len(conflicts), tt.want, tt.conflicts)
			}
			checkMerge(t, []byte(tt.base), []byte(tt.ours), []byte(tt.theirs))
		})
	}
}

// checkMerge checks properties of any three texts.
func checkMerge(t *testing.T, base, ours, theirs []byte) {
	t.Helper()
	for _, law := range []struct {
		name            string
		b, o, th, merge []byte
	}{
		{"only ours", base, ours, base, ours}, {"only theirs", base, base, theirs, theirs},
		{"both the same", base, ours, ours, ours},
	} {
		if got, c := markdown.Merge3(law.b, law.o, law.th); !bytes.Equal(got, law.merge) || len(c) > 0 {
			t.Fatalf("%s: Merge3(%q, %q, %q) = %q with %d conflicts", law.name, law.b, law.o, law.th, got, len(c))
		}
	}
	merged, conflicts := markdown.Merge3(base, ours, theirs)
	turned, turnedConflicts := markdown.Merge3(base, theirs, ours)
	if len(conflicts) != len(turnedConflicts) {
		t.Fatalf("Merge3(%q, %q, %q): %d conflicts, turned %d", base, ours, theirs, len(conflicts), len(turnedConflicts))
	}
	out, at := []byte{}, 0
	for i, c := range conflicts {
		o := turnedConflicts[i]
		if c.Base != o.Base || c.Ours != o.Theirs || c.Theirs != o.Ours || !bytes.Equal(c.OursText, o.TheirsText) ||
			!bytes.Equal(c.TheirsText, o.OursText) {
			t.Fatalf("conflict %+v, turned %+v", c, o)
		}
		for _, part := range []struct {
			text, want []byte
			at         markdown.Lines
		}{{base, c.BaseText, c.Base}, {ours, c.OursText, c.Ours}, {theirs, c.TheirsText, c.Theirs}} {
			if got := bytes.Join(slices.Collect(bytes.Lines(part.text))[part.at.Start:part.at.End],
				nil); !bytes.Equal(got, part.want) {
				t.Fatalf("lines %v hold %q, the conflict says %q", part.at, got, part.want)
			}
		}
		if !bytes.Equal(c.At.Of(merged), c.OursText) || bytes.Equal(c.OursText, c.TheirsText) {
			t.Fatalf("conflict %+v in %q", c, merged)
		}
		out = append(append(out, merged[at:c.At.Start]...), c.TheirsText...)
		at = c.At.End
	}
	if out = append(out, merged[at:]...); !bytes.Equal(out, turned) {
		t.Fatalf("Merge3(%q, %q, %q) = %q, turned %q", base, ours, theirs, merged, turned)
	}
	byKeys := !slices.ContainsFunc([][]byte{base, ours, theirs}, func(b []byte) bool {
		return markdown.Parse(b).Front == nil
	})
	if len(conflicts) == 0 && !byKeys {
		checkCounts(t, base, ours, theirs, merged)
	}
}

// checkCounts checks that no line is lost or duplicated: the number of each line is that in base, plus and
// minus the changes of each side. Equal changes of both sides count once, so it only checks bounds.
func checkCounts(t *testing.T, base, ours, theirs, merged []byte) {
	t.Helper()
	nb, nm := counts(base), counts(merged)
	addO, cutO := changedLines(base, ours)
	addT, cutT := changedLines(base, theirs)
	for _, in := range []map[string]int{nb, addO, addT, nm} {
		for l := range in {
			least := nb[l] + max(addO[l], addT[l]) - cutO[l] - cutT[l]
			most := nb[l] + addO[l] + addT[l] - max(cutO[l], cutT[l])
			if nm[l] < least || nm[l] > most {
				t.Fatalf("%q is there %d times, not %d to %d:\n%q\n%q\n%q\n%q", l, nm[l], least, most, base, ours, theirs, merged)
			}
		}
	}
}

// changedLines counts the lines that the changes add and remove.
func changedLines(a, b []byte) (added, cut map[string]int) {
	var plus, minus []byte
	for _, h := range linediff.Diff(a, b) {
		plus, minus = append(plus, h.Added...), append(minus, h.Removed...)
	}
	return counts(plus), counts(minus)
}

func counts(text []byte) map[string]int {
	out := map[string]int{}
	for l := range bytes.Lines(text) {
		out[string(l)]++
	}
	return out
}

func FuzzMerge3(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nx\nc\n"), []byte("a\nb\nc\nd"))
	f.Add([]byte("a\r\nb"), []byte("b"), []byte("a\r\nb\r\n\n"))
	f.Add([]byte(""), []byte("x"), []byte("y\n"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		checkMerge(t, base, ours, theirs)
	})
}

// TestMergeOfEdits edits a text on both sides at random, which covers more cases than random bytes.
func TestMergeOfEdits(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4000) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		base := few(rnd, 20, 8)
		ours, theirs := edited(rnd, base, "o"), edited(rnd, base, "t")
		checkMerge(t, base, ours, theirs)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// few returns a text with few different lines, so that lines repeat.
func few(rnd *rand.Rand, lines, kinds int) []byte {
	var b []byte
	for range rnd.IntN(lines + 1) {
		b = append(b, fmt.Sprintf("%d\n", rnd.IntN(kinds))...)
	}
	return b
}

func edited(rnd *rand.Rand, text []byte, mark string) []byte {
	lines := slices.Collect(bytes.Lines(text))
	for range rnd.IntN(4) {
		at := rnd.IntN(len(lines) + 1)
		switch {
		case rnd.IntN(2) == 0 || at == len(lines):
			lines = slices.Insert(lines, at, fmt.Appendf(nil, "%s%d\n", mark, rnd.IntN(3)))
		case rnd.IntN(2) == 0:
			lines = slices.Delete(lines, at, at+1)
		default:
			lines = slices.Replace(lines, at, at+1, fmt.Appendf(nil, "%s%d\n", mark, rnd.IntN(3)))
		}
	}
	return bytes.Join(lines, nil)
}

func TestConflictMark(t *testing.T) {
	t.Parallel()
	got := "a\n<<<<<<< draft\nx\n=======\ny\n>>>>>>> file\n"
	if at := markdown.ConflictMark([]byte(got)); at != 2 {
		t.Errorf("the first mark stands on line %d", at)
	}
	if at := markdown.ConflictMark([]byte("Title\n=======\n\n> > quoted\n")); at != 0 {
		t.Errorf("a heading and a quote are taken for a mark, line %d", at)
	}
}
