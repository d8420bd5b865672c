package linediff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown/linediff"
)

func places(hunks []linediff.Hunk) string {
	var out strings.Builder
	for _, h := range hunks {
		fmt.Fprintf(&out, "-%d,%d +%d,%d;", h.Old.Start, h.Old.Len(), h.New.Start, h.New.Len())
	}
	return out.String()
}

func TestSlide(t *testing.T) {
	t.Parallel()
	f := func(name string) string { return "func " + name + "() {\n\tcall" + name + "()\n}\n\n" }
	for _, tt := range []struct{ name, a, b, want string }{
		{"a function between others", f("A") + f("C"), f("A") + f("B") + f("C"), "-4,0 +4,4;"},
		{"one taken away", f("A") + f("B") + f("C"), f("A") + f("C"), "-4,4 +4,0;"},
		{"the last of equal lines", "x\nx\n", "x\nx\nx\n", "-2,0 +2,1;"},
		{"nothing", "a\n", "a\n", ""},
		{"from nothing", "", "a\n", "-0,0 +0,1;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := places(linediff.Diff([]byte(tt.a), []byte(tt.b))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestSlideAgainstGit compares the positions of changes with git's.
func TestSlideAgainstGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED, NOT PASSED: this test compares with the git program, which is not on PATH")
	}
	rnd := rand.New(rand.NewPCG(3, 9))
	dir := t.TempDir()
	d := linediff.Differ{AsGit: true}
	same, total := 0, 60
	for range total {
		a, b := program(rnd, 30), []byte{}
		for i, block := range bytes.SplitAfter(a, []byte("\n\n")) {
			switch rnd.IntN(5) {
			case 0:
			case 1:
				b = append(append(b, block...), program(rnd, 1)...)
			case 2:
				b = append(b, bytes.Replace(block, []byte("\n"), fmt.Appendf(nil, " // %d\n", i), 1)...)
			default:
				b = append(b, block...)
			}
		}
		check(t, &d, a, b)
		if got, want := places(d.Diff(a, b)), byGit(t, dir, a, b); got == want {
			same++
		} else {
			t.Logf("got  %s\nwant %s", got, want)
		}
	}
	if same < total*95/100 {
		t.Errorf("only %d of %d comparisons stand where git's do", same, total)
	}
}

// program returns source text with similar functions.
func program(rnd *rand.Rand, functions int) []byte {
	var out []byte
	for range functions {
		out = fmt.Appendf(out, "func f%d() error {\n", rnd.IntN(100))
		for range rnd.IntN(4) {
			out = fmt.Appendf(out, "\tif err := g%d(); err != nil {\n\t\treturn err\n\t}\n", rnd.IntN(5))
		}
		out = append(out, "\treturn nil\n}\n\n"...)
	}
	return out
}

func byGit(t *testing.T, dir string, a, b []byte) string {
	t.Helper()
	for name, text := range map[string][]byte{"a": a, "b": b} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "diff", "--no-index", "--unified=0", "--indent-heuristic",
		"--diff-algorithm=myers", "a", "b")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	text, _ := cmd.Output() // exit code 1 means that they differ
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "@@") {
			continue
		}
		f := strings.Fields(line)
		oldStart, oldLen := hunkRange(f[1])
		newStart, newLen := hunkRange(f[2])
		fmt.Fprintf(&out, "-%d,%d +%d,%d;", oldStart, oldLen, newStart, newLen)
	}
	return out.String()
}

// hunkRange parses "-3,2": line numbers are from 1, but for an empty range it is the number of the line
// before.
func hunkRange(s string) (start, n int) {
	n = 1
	if _, err := fmt.Sscanf(s[1:], "%d,%d", &start, &n); err != nil {
		_, _ = fmt.Sscanf(s[1:], "%d", &start)
	}
	if n > 0 {
		start--
	}
	return start, n
}
