package gitmem

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Many files whose stamps alone have changed, as a backup that is put back leaves
// them, are read once more and not at every question from then on; few are.
func TestNewStampsOfOldBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		files int
		again bool // are read at each question
	}{{manyRestamps - 1, true}, {manyRestamps, false}} {
		t.Run(fmt.Sprintf("%d files", tt.files), func(t *testing.T) {
			t.Parallel()
			m := seer(t, time.Now().Add(time.Hour))
			files := sessions(t, m, tt.files)
			ask := func() {
				if r, err := m.Search(t.Context(), "thermistor", Filter{Project: "all"}); err != nil || len(r.Hits) != 20 {
					t.Fatalf("%d hits, %v", len(r.Hits), err)
				}
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

// sessions writes so many transcripts of one message.
func sessions(t *testing.T, m *Memory, n int) (files []string) {
	t.Helper()
	dir := filepath.Join(m.client, "projects", "-home-dev")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		session := fmt.Sprintf("%08d-da76-4824-88b8-a4521df67882", i)
		files = append(files, filepath.Join(dir, session+".jsonl"))
		line := fmt.Sprintf(`{"type":"user","uuid":"u","sessionId":%q,"timestamp":"2025-03-09T14:00:00Z","cwd":"/home/dev","promptSource":"typed",`+
			`"message":{"role":"user","content":"Solder thermistor %d"}}`+"\n", session, i)
		if err := os.WriteFile(files[i], []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// changedStamps counts the transcripts whose stamps are not those of their marks.
func changedStamps(t *testing.T, m *Memory, files []string) (n int) {
	t.Helper()
	v, err := m.begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	for _, s := range v.shards {
		if s.name != "transcripts" {
			continue
		}
		var marks map[string]index.Mark
		look := func(m map[string]index.Mark, _ index.State) (index.Update, error) {
			marks = m
			return index.Update{}, nil
		}
		if _, err := s.index.Refresh(t.Context(), look); err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if !untouched(marks[name], stamp(name, info)) {
				n++
			}
		}
	}
	return n
}
