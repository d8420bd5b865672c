package ingest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// openedSources returns the sources of one call.
func openedSources(t *testing.T, o workspace.Options) *Sources {
	t.Helper()
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	ws, err := workspace.New(o, redact.New())
	if err != nil {
		t.Fatal(err)
	}
	m := New(ws)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// seer returns the sources of an empty home folder at a given time.
func seer(t *testing.T, now time.Time) *Sources {
	t.Helper()
	home := t.TempDir()
	return openedSources(t, workspace.Options{Dir: home, Home: home, CacheDir: filepath.Join(home, "cache"),
		Now: func() time.Time {
			return now
		}})
}
