//go:build unix

package gitmem_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// An index that is truncated while it is mapped, which would crash an unprepared process, counts as damaged: it is
// rebuilt and the question answered.
func TestIndexCutWhileMapped(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{"*.rows", "*.zap", "live"} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			l, dir := newYard(t)
			l.search(dir, "hyperfrobnicatorium", gitmem.Filter{})
			o, cut := l.options(dir), 0
			o.Getenv = func(name string) string {
				if name != "CLAUDE_CODE_SESSION_ID" || cut > 0 { // called once the indexes are open
					return ""
				}
				err := filepath.WalkDir(l.base, func(name string, d os.DirEntry, err error) error {
					if match, _ := filepath.Match(ending, filepath.Base(name)); err == nil && match && !d.IsDir() {
						cut++
						err = os.Truncate(name, 0)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
				return ""
			}
			m, err := gitmem.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			a, err := m.Ask(t.Context(), "what about the hyperfrobnicatorium?", gitmem.Filter{})
			if err != nil || cut == 0 {
				t.Fatalf("%d files were cut: %v", cut, err)
			}
			l.holds(a, "hyperfrobnicatorium")
		})
	}
}
