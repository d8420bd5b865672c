package markdown_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/markdown"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, a, b, want string }{
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"insert", "a\nc\n", "a\nb\nc\n", "-1,0 +1,1;"},
		{"delete all", "a\nb\n", "", "-0,2 +0,0;"},
		{"from nothing", "", "a\n", "-0,0 +0,1;"},
		{"replace", "a\nb\nc\n", "a\nx\ny\nc\n", "-1,1 +1,2;"},
		{"two changes", "a\nb\nc\nd\n", "b\nc\nx\n", "-0,1 +0,0;-3,1 +2,1;"},
		{"line end", "a\r\nb\n", "a\nb\n", "-0,1 +0,1;"},
		{"final newline", "a\nb", "a\nb\n", "-1,1 +1,1;"},
		{"a note in a list stays one", "# A\n\n- x\n\n# B\n\n- y\n", "# A\n\n- x\n\n# N\n\n- n\n\n# B\n\n- y\n", "-4,0 +4,4;"},
		{"a moved line", "a\nb\nc\nd\n", "d\na\nb\nc\n", "-0,0 +0,1;-3,1 +4,0;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, h := range markdown.Diff([]byte(tt.a), []byte(tt.b)) {
				got += fmt.Sprintf("-%d,%d +%d,%d;", h.Old.Start, h.Old.Len(), h.New.Start, h.New.Len())
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			checkDiff(t, []byte(tt.a), []byte(tt.b))
		})
	}
}

// checkDiff holds for any two texts: applied, the hunks give the second one, and
// they are as far apart as promised.
func checkDiff(t *testing.T, a, b []byte) {
	t.Helper()
	var out []byte
	at, end := 0, -1
	for _, h := range markdown.Diff(a, b) {
		if h.Old.Len()+h.New.Len() == 0 || h.Old.Start <= end {
			t.Fatalf("hunk %+v is empty or touches the one before it", h)
		}
		if got := bytes.Count(a[:h.OldSpan.Start], []byte("\n")); got != h.Old.Start {
			t.Fatalf("hunk %+v starts on line %d", h, got)
		}
		out = append(append(out, a[at:h.OldSpan.Start]...), h.NewSpan.Of(b)...)
		at, end = h.OldSpan.End, h.Old.End
	}
	if out = append(out, a[at:]...); !bytes.Equal(out, b) {
		t.Fatalf("Diff(%q, %q) applied gives %q", a, b, out)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nx\nc"))
	f.Add([]byte("a\r\n\r\nb"), []byte("\r\nb\na\r\n"))
	f.Add([]byte("x\nx\ny\nx\ny\n"), []byte("y\nx\nx\ny\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		checkDiff(t, a, b)
		if got, err := patched(a, markdown.Unified("f", "f", a, b, 3)); err != nil || got != string(b) {
			t.Fatalf("unified text of %q and %q: %q, %v", a, b, got, err)
		}
	})
}

// few makes a text of few different lines, so that lines repeat.
func few(rnd *rand.Rand, lines, kinds int) []byte {
	var b []byte
	for range rnd.IntN(lines + 1) {
		b = append(b, fmt.Sprintf("%d\n", rnd.IntN(kinds))...)
	}
	return b
}

// TestDiffIsShort compares with the fewest changes there are, on texts in which
// no line can be an anchor.
func TestDiffIsShort(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		twice := bytes.Repeat([]byte("0\n1\n2\n"), 2) // so that no line is unique
		a, b := append(few(rnd, 12, 3), twice...), append(few(rnd, 12, 3), twice...)
		a, b = append(a, few(rnd, 12, 3)...), append(b, few(rnd, 12, 3)...)
		checkDiff(t, a, b)
		changed := 0
		for _, h := range markdown.Diff(a, b) {
			changed += h.Old.Len() + h.New.Len()
		}
		x, y := strings.Fields(string(a)), strings.Fields(string(b))
		if want := len(x) + len(y) - 2*commonLines(x, y); changed < want || !hasUnique(x, y) && changed != want {
			t.Fatalf("seed %d: %d lines changed, %d would do:\n%q\n%q", seed, changed, want, a, b)
		}
	}
}

// hasUnique tells whether trimming equal ends may leave a line that is unique.
func hasUnique(x, y []string) bool {
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	nx, ny := map[string]int{}, map[string]int{}
	for _, l := range x {
		nx[l]++
	}
	for _, l := range y {
		ny[l]++
	}
	for l, n := range nx {
		if n == 1 && ny[l] == 1 {
			return true
		}
	}
	return false
}

// commonLines is the length of a longest common subsequence, by the table.
func commonLines(x, y []string) int {
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

// TestDiffIsBounded gives it texts that share many lines in no order.
func TestDiffIsBounded(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 1))
	a, b := make([]byte, 0, 400_000), make([]byte, 0, 400_000)
	for range 200_000 {
		a = append(a, byte('a'+rnd.IntN(2)), '\n')
		b = append(b, byte('a'+rnd.IntN(2)), '\n')
	}
	start := time.Now()
	checkDiff(t, a, b)
	if took := time.Since(start); isNightly() && took > linearBound {
		t.Errorf("200,000 hostile lines took %v", took)
	}
}

// patched applies a unified difference of one file.
func patched(a []byte, text string) (string, error) {
	if text == "" {
		return string(a), nil
	}
	old := strings.SplitAfter(string(a), "\n")
	lines := strings.SplitAfter(text, "\n")[2:]
	var out strings.Builder
	at := 0
	for i, l := range lines {
		if l == "" || l[0] == '\\' {
			continue
		}
		body := l[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\ No newline`) {
			body = strings.TrimSuffix(body, "\n")
		}
		switch l[0] {
		case '@':
			var from, n int
			if _, err := fmt.Sscanf(l, "@@ -%d", &from); err != nil {
				return "", err
			}
			if _, err := fmt.Sscanf(l, "@@ -%d,%d", &from, &n); err != nil || n > 0 {
				from--
			}
			for ; at < from; at++ {
				out.WriteString(old[at])
			}
		case '+':
			out.WriteString(body)
		default:
			if old[at] != body {
				return "", fmt.Errorf("line %d is %q, not %q", at+1, old[at], body)
			}
			at++
			if l[0] == ' ' {
				out.WriteString(body)
			}
		}
	}
	return out.String() + strings.Join(old[at:], ""), nil
}

func TestUnified(t *testing.T) {
	t.Parallel()
	a := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11"
	b := "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	want := "--- a/f\n+++ b/f\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n@@ -10,2 +10,3 @@\n 10\n-11\n\\ No newline at end of file\n+11\n+12\n"
	if diff := cmp.Diff(want, markdown.Unified("f", "f", []byte(a), []byte(b), 1)); diff != "" {
		t.Error(diff)
	}
	if got := markdown.Unified("", "f", nil, []byte("x\n"), 3); got != "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n" {
		t.Errorf("a new file: %q", got)
	}
}

// TestUnifiedForGit lets git apply what is written.
func TestUnifiedForGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, so whether it reads our differences is NOT checked")
	}
	dir := t.TempDir()
	var patch strings.Builder
	want := map[string]string{}
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		a, b := few(rnd, 40, 6), few(rnd, 40, 6)
		if seed%3 == 0 {
			a = bytes.TrimSuffix(a, []byte("\n"))
		}
		if seed%5 == 0 {
			b = bytes.TrimSuffix(b, []byte("\n"))
		}
		if len(a) == 0 || len(b) == 0 || bytes.Equal(a, b) {
			continue
		}
		name := fmt.Sprintf("f%d", seed)
		if err := os.WriteFile(filepath.Join(dir, name), a, 0o600); err != nil {
			t.Fatal(err)
		}
		want[name] = string(b)
		patch.WriteString("diff --git a/" + name + " b/" + name + "\n" + markdown.Unified(name, name, a, b, 3))
	}
	c := exec.Command("git", "apply", "--whitespace=nowarn", "-")
	c.Dir, c.Stdin = dir, strings.NewReader(patch.String())
	c.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	for name, text := range want {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != text {
			t.Errorf("%s: git made %q of it, %v; want %q", name, b, err, text)
		}
	}
}
