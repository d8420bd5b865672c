package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stream writes documents as gitmem bench does: 17 fields each.
func stream(t *testing.T, texts ...string) string {
	t.Helper()
	var b []byte
	for i, text := range texts {
		for field := range fields {
			s := ""
			switch field {
			case 0:
				s = "transcript:s#" + string(rune('1'+i))
			case 14:
				s = text
			case 16:
				s = "src/valve.go\n"
			}
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
	}
	name := filepath.Join(t.TempDir(), "documents")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func call(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

func TestBuildAppendAndAsk(t *testing.T) {
	db := filepath.Join(t.TempDir(), "fts5.db")
	call(t, "build", db, stream(t, "the relay opens", "a valve closes", strings.Repeat("long ", 2000)+"relay"))
	if out := call(t, "query", db, "relay", "nowhere"); !strings.HasPrefix(out, "1. transcript:s#1 ") || strings.Count(out, "\n   > ") != 2 {
		t.Errorf("asked for relay:\n%s", out)
	}
	call(t, "append", db, stream(t, "relays open as well"))
	if out := call(t, "query", db, "relay"); strings.Count(out, "\n   > ") != 3 {
		t.Errorf("asked for relay after one more was appended:\n%s", out)
	}
	queries := filepath.Join(t.TempDir(), "queries")
	if err := os.WriteFile(queries, []byte("relay\nvalve closes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got timed
	if err := json.Unmarshal([]byte(call(t, "warm", db, queries, "3")), &got); err != nil {
		t.Fatal(err)
	}
	if got.Queries != 2 || len(got.WallMS) != 6 || got.Hits != 3+4 {
		t.Errorf("warm told %+v; want 2 queries, 6 times, 7 hits", got)
	}
}

func TestMatch(t *testing.T) {
	if got, want := match(`src/open_valve.go "Relay" src #12`), `"src" OR "open" OR "valve" OR "go" OR "relay" OR "12"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTornStream(t *testing.T) {
	name := stream(t, "text")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b[:len(b)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"build", filepath.Join(t.TempDir(), "db"), name}, &bytes.Buffer{}); err == nil {
		t.Error("a torn stream was no error")
	}
}
