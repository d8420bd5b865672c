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

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/markdown/linediff"
)

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
	want := "--- a/f\n+++ b/f\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n@@ -10,2 +10,3 @@\n 10\n-11\n" +
		"\\ No newline at end of file\n+11\n+12\n"
	if diff := cmp.Diff(want, linediff.Unified("f", "f", []byte(a), linediff.Diff([]byte(a), []byte(b)), 1)); diff != "" {
		t.Error(diff)
	}
	if got := linediff.Unified("", "f", nil, linediff.Diff(nil, []byte("x\n")),
		3); got != "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n" {
		t.Errorf("a new file: %q", got)
	}
}

// TestUnifiedForGit applies the result with git.
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
		patch.WriteString("diff --git a/" + name + " b/" + name + "\n" +
			linediff.Unified(name, name, a, linediff.Diff(a, b), 3))
	}
	c := exec.Command("git", "apply", "--whitespace=nowarn", "-")
	c.Dir, c.Stdin = dir, strings.NewReader(patch.String())
	c.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	for name, text := range want {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != text {
			t.Errorf("%s: git made %q of it, %v; want %q", name, b, err, text)
		}
	}
}
