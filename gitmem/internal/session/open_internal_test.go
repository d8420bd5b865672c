package session

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// seer returns the sessions of an empty home at a moment.
func seer(t *testing.T, now time.Time) *Sessions {
	t.Helper()
	home := t.TempDir()
	o := workspace.Options{
		Dir: home, Home: home, CacheDir: filepath.Join(home, "cache"), Now: func() time.Time { return now },
		Getenv: func(string) string { return "" }, Warn: func(string) {},
	}
	ws, err := workspace.New(o, redact.New())
	if err != nil {
		t.Fatal(err)
	}
	src := ingest.New(ws)
	t.Cleanup(func() { _ = src.Close() })
	return New(ws, src, query.New(ws, src, &search.Ranker{}))
}
