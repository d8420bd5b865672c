package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// If only the stamps of many files have changed, as after restoring a backup, the files are read once more and not at
// every later question; a few files are read at every question.
func TestNewStampsOfOldBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		files int
		again bool // they are read at each question
	}{{manyRestamps - 1, true}, {manyRestamps, false}} {
		t.Run(fmt.Sprintf("%d files", tt.files), func(t *testing.T) {
			t.Parallel()
			m := seer(t, time.Now().Add(time.Hour))
			files := sessions(t, m, tt.files)
			ask := func() {
				p, err := m.ws.Place(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				open, err := m.openShards(t.Context(), p, nil)
				if err != nil {
					t.Fatal(err)
				}
				CloseAll(open.Snaps)
			}
			ask()
			for _, file := range files {
				if err := os.Chtimes(file, time.Time{}, time.Now().Add(-time.Minute)); err != nil {
					t.Fatal(err)
				}
			}
			ask()
			if got := changedStamps(t, m, files) > 0; got != tt.again {
				t.Errorf("read again at the next question: %v, want %v", got, tt.again)
			}
		})
	}
}

// sessions writes n transcripts of one message each.
func sessions(t *testing.T, m *Sources, n int) (files []string) {
	t.Helper()
	dir := filepath.Join(m.ws.ClientDir, "projects", "-home-dev")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		session := fmt.Sprintf("%08d-da76-4824-88b8-a4521df67882", i)
		files = append(files, filepath.Join(dir, session+".jsonl"))
		line := fmt.Sprintf(`{"type":"user","uuid":"u","sessionId":%q,"timestamp":"2025-03-09T14:00:00Z","cwd":"/home/dev",`+
			`"promptSource":"typed",`+
			`"message":{"role":"user","content":"Solder thermistor %d"}}`+"\n", session, i)
		if err := os.WriteFile(files[i], []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// changedStamps returns the number of transcripts whose stamps differ from their marks.
func changedStamps(t *testing.T, m *Sources, files []string) (n int) {
	t.Helper()
	p, err := m.ws.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shards, err := m.Shards(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shards {
		if s.Name != "transcripts" {
			continue
		}
		var marks map[string]index.Mark
		look := func(m map[string]index.Mark, _ index.State) (index.Update, error) {
			marks = m
			return index.Update{}, nil
		}
		if _, err := s.Index.Refresh(t.Context(), look); err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if !untouched(marks[name], Stamp(name, info)) {
				n++
			}
		}
	}
	return n
}
