//go:build unix

package git_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

// TestCutWhileMapped truncates the files of a pack after they were mapped: the part after the cut is damaged,
// and the process continues.
func TestCutWhileMapped(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{".pack", ".idx"} {
		t.Run(suffix, func(t *testing.T) {
			t.Parallel()
			dir, tips := importHistory(t, randomHistory(5, 400, false))
			run(t, dir, "repack", "-q", "-a", "-d")
			whole := len(walk(t, open(t, dir), git.WalkOptions{}, tips...))
			r := open(t, dir)
			if _, err := r.Commit(tips[0]); err != nil {
				t.Fatal(err)
			}
			path := strings.TrimSuffix(onlyPack(t, dir), ".pack") + suffix
			if err := os.Chmod(path, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, 4096); err != nil {
				t.Fatal(err)
			}
			n, failed := 0, false
			for c, err := range r.Walk(t.Context(), tips, git.WalkOptions{Paths: true}) {
				failed = failed || err != nil
				if err == nil && !c.ChangesMissing {
					n++
				}
			}
			if n >= whole || !failed && len(r.Skipped()) == 0 {
				t.Errorf("%d whole commits of %d, failed %v, skipped %d", n, whole, failed, len(r.Skipped()))
			}
			if s := r.Skipped(); len(s) > 0 && !strings.Contains(s[0].Reason, "object ") {
				t.Errorf("%q does not name the object", s[0].Reason)
			}
		})
	}
}
