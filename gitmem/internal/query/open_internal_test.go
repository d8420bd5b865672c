package query

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Open returns the reader of one call.
func Open(o workspace.Options) (*Reader, error) {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	ws, err := workspace.New(o, redact.New())
	if err != nil {
		return nil, err
	}
	return New(ws, ingest.New(ws), &search.Ranker{}), nil
}

// Close ends the call.
func (rd *Reader) Close() error { return rd.src.Close() }

// seer returns the reader of an empty home at a moment.
func seer(t *testing.T, now time.Time) *Reader {
	t.Helper()
	home := t.TempDir()
	m, err := Open(workspace.Options{Dir: home, Home: home, CacheDir: filepath.Join(home, "cache"), Now: func() time.Time {
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}
