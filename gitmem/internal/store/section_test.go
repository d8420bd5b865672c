package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// sectionEnv turns the test binary into a process that adds sections: the root.
const sectionEnv = "GITMEM_TEST_SECTION"

const sectionRounds = 60

func sectionChild(root string) int {
	s, err := store.Open(store.Options{Root: root, Now: time.Now, Machine: "child", LockWait: 5 * time.Minute})
	if err != nil {
		return fail(err)
	}
	if err := addSections(context.Background(), s); err != nil {
		return fail(err)
	}
	return 0
}

// addSections does what the end of a session does: it checks whether the section exists and appends it if not. Each
// round starts with a file that is missing or gets one more section.
func addSections(ctx context.Context, s *store.Store) error {
	for i := range sectionRounds {
		err := s.Rewrite(ctx, sectionFile(i), func(old []byte) ([]store.Insertion, error) {
			section := fmt.Sprintf("## Session %d\n", i)
			if bytes.Contains(old, []byte(section)) {
				return nil, nil
			}
			if old == nil {
				section = "# Day\n" + section
			}
			return []store.Insertion{{At: len(old), Text: clean(section)}}, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func sectionFile(i int) string { return fmt.Sprintf("gitmem/sessions/%d.md", i/4) }

// TestOneSectionOfMany has processes and goroutines add the same sections to the same files concurrently.
func TestOneSectionOfMany(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			own, err := store.Open(options(t, s.Root()))
			if err != nil {
				t.Error(err)
				return
			}
			defer own.Close()
			if err := addSections(t.Context(), own); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			cmd := childOf(sectionEnv, s.Root())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	for i := range sectionRounds {
		text := read(t, s.Root(), sectionFile(i))
		if n := strings.Count(text, fmt.Sprintf("## Session %d\n", i)); n != 1 {
			t.Errorf("section %d is there %d times", i, n)
		}
		if n := strings.Count(text, "# Day\n"); n != 1 || !strings.HasPrefix(text, "# Day\n") {
			t.Errorf("%d headers: %q", n, text)
		}
	}
	left, _ := filepath.Glob(filepath.Join(s.Root(), "gitmem/sessions", ".gitmem-*"))
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestRewriteMakesAMissingFile(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	const rel = "gitmem/sessions/2026/2026-11-20.md"
	calls := 0
	err := s.Rewrite(t.Context(), rel, func(old []byte) ([]store.Insertion, error) {
		if calls++; old != nil {
			t.Errorf("got %q of a missing file", old)
		}
		return []store.Insertion{{At: 0, Text: clean("# Day\n")}}, nil
	})
	if err != nil || calls != 1 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	if got := read(t, s.Root(), rel); got != "# Day\n" {
		t.Errorf("got %q", got)
	}
	fi, err := os.Stat(filepath.Join(s.Root(), rel))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 { // Windows has no such bits
		t.Errorf("mode %v", fi.Mode())
	}
	// An empty file differs from a missing one.
	write(t, s.Root(), "gitmem/empty.md", "")
	err = s.Rewrite(t.Context(), "gitmem/empty.md", func(old []byte) ([]store.Insertion, error) {
		if old == nil {
			t.Error("nil for an empty file")
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}
