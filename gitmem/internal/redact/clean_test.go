package redact_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// maxPerThousand is the maximum number of findings in a thousand lines of text without secrets.
const maxPerThousand = 0.02

// TestCleanTextStays counts false findings in code without secrets. For Go's library these are product sources, not
// tests: tests of net/http and crypto contain passwords and keys, which are rightly found.
func TestCleanTextStays(t *testing.T) {
	t.Parallel()
	all := sources(t, "net/http/*.go", "net/url/*.go", "net/smtp/*.go", "crypto/*/*.go", "encoding/*/*.go", "go/*/*.go",
		"cmd/compile/internal/types2/*.go", "cmd/compile/internal/syntax/*.go",
		"cmd/go/internal/*/*.go", "os/*.go", "text/template/*.go", "html/template/*.go", "database/sql/*.go",
		"archive/*/*.go", "hash/*/*.go", "math/*/*.go", "internal/*/*.go")
	for name := range all {
		if strings.HasSuffix(name, "_test.go") {
			delete(all, name)
		}
	}
	for name, s := range ownFiles(t) {
		all[name] = s
	}
	for name, s := range generated() {
		all[name] = s
	}
	checkClean(t, all)
}

func checkClean(t *testing.T, all map[string]string) {
	t.Helper()
	r := redact.New()
	lines, wrong := 0, 0
	for name, s := range all {
		lines += strings.Count(s, "\n")
		_, found := r.Text(s)
		for _, f := range found {
			wrong++
			from := strings.LastIndexByte(s[:f.Start], '\n') + 1
			line, _, _ := strings.Cut(s[from:], "\n")
			t.Logf("%s:%d: %s %.60q in %.160q", name, strings.Count(s[:f.Start], "\n")+1, f.Kind, s[f.Start:f.End],
				strings.TrimSpace(line))
		}
	}
	rate := float64(wrong) * 1000 / float64(lines)
	t.Logf("%d findings in %d lines of %d files: %.3f per 1000 lines", wrong, lines, len(all), rate)
	if lines < 5000 || rate > maxPerThousand {
		t.Errorf("%.3f findings per 1000 lines of %d, want at most %.3f", rate, lines, maxPerThousand)
	}
}

// ownFiles returns the files of this repository, except this package and its test data, which are about secrets.
func ownFiles(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if d.Name() == ".git" || d.Name() == "redact" || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		case !slices.Contains([]string{".go", ".md", ".mod", ".sum"}, filepath.Ext(path)),
			strings.HasSuffix(path, "_test.go"):
			return nil
		}
		b, err := os.ReadFile(path)
		all[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
