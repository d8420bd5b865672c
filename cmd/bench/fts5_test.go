//go:build cgo && sqlite_fts5

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// stream writes documents, each in a separate session.
func stream(t *testing.T, first int, texts ...string) string {
	t.Helper()
	var docs []corpus.Document
	for i, text := range texts {
		n := string(rune('0' + first + i))
		docs = append(docs, corpus.Document{ID: "s" + n + "#1", Session: "s" + n, Text: text, Path: "src/valve.go"})
	}
	name := filepath.Join(t.TempDir(), "documents")
	if _, _, err := corpus.WriteDocuments(name, slices.Values(docs)); err != nil {
		t.Fatal(err)
	}
	return name
}

func peer(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(t.Context(), append([]string{"fts5"}, args...), &out, &errs); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

func TestPeer(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "fts5.db")
	peer(t, "build", db, stream(t, 1, "the relay opens", "a valve closes", strings.Repeat("long ", 2000)+"relay"))
	if out := peer(t, "query", db, "relay", "nowhere"); !strings.HasPrefix(out, "1. s1#1 ") ||
		strings.Count(out, "\n   > ") != 2 {
		t.Errorf("asked for relay:\n%s", out)
	}
	peer(t, "append", db, stream(t, 4, "relays open as well"))
	if out := peer(t, "query", db, "relay"); strings.Count(out, "\n   > ") != 3 {
		t.Errorf("asked for relay after one more was appended:\n%s", out)
	}
	queries := filepath.Join(t.TempDir(), "queries")
	if err := os.WriteFile(queries, []byte("relay\nvalve closes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got map[string]float64
	if err := json.Unmarshal([]byte(peer(t, "warm", db, queries)), &got); err != nil || got["hits"] != 3+4 {
		t.Errorf("warm told %v, error %v; want 7 hits", got, err)
	}
	peer(t, "delete", db, "s1")
	if out := peer(t, "query", db, "relay"); strings.Contains(out, "s1#1") || strings.Count(out, "\n   > ") != 2 {
		t.Errorf("asked for relay after a session was deleted:\n%s", out)
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	if got, want := match(`src/open_valve.go "Relay" src #12`),
		`"src" OR "open" OR "valve" OR "go" OR "relay" OR "12"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTornStream(t *testing.T) {
	t.Parallel()
	name := stream(t, 1, "text")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b[:len(b)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"fts5", "build", filepath.Join(t.TempDir(), "db"), name}, &bytes.Buffer{},
		&bytes.Buffer{}); err == nil {
		t.Error("a torn stream was no error")
	}
}
