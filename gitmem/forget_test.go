package gitmem_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// forget forgets in a lab and returns what was done.
func (l *lab) forget(dir string, history bool, what ...string) (done gitmem.Forgotten) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) error {
		plan, err := m.PlanForget(l.t.Context(), what, history)
		if err != nil {
			return err
		}
		done, err = m.Forget(l.t.Context(), plan)
		return err
	})
	return done
}

// TestForgetKeptTranscript checks that gitmem's own copy of a transcript is removed, never the client's, and that no
// new one is made.
func TestForgetKeptTranscript(t *testing.T) {
	t.Parallel()
	l, dir, client, kept := keepers(t)
	l.with(dir, func(m *gitmem.Memory) error { _, err := m.Init(t.Context()); return err })
	if did := l.keep(dir, sessionA, client); did == "" {
		t.Fatal("nothing was kept")
	}
	before, err := os.ReadFile(client)
	if err != nil {
		t.Fatal(err)
	}
	done := l.forget(dir, false, "transcript:"+sessionA+":1")
	if len(done.Hidden) != 1 || !strings.Contains(strings.Join(done.Caveats, " "), "kept") {
		t.Errorf("told: %+v", done)
	}
	if _, err := os.Stat(kept); err == nil {
		t.Error("the copy is still there")
	}
	if did := l.keep(dir, sessionA, client); did != "" {
		t.Errorf("kept again: %s", did)
	}
	if _, err := os.Stat(kept); err == nil {
		t.Error("there is a new copy")
	}
	if after, err := os.ReadFile(client); err != nil || string(after) != string(before) {
		t.Errorf("the client's transcript was touched: %v", err)
	}
}

func mustRead(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestForgetBesideNotes writes notes while something is forgotten, also from history: every acknowledged note must
// exist.
func TestForgetBesideNotes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	l.with(dir, func(m *gitmem.Memory) error {
		_, err := m.Note(t.Context(), "Begin with the first of all notes", false)
		return err
	})
	var mu sync.Mutex
	var noted []string
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := range 6 {
				text := fmt.Sprintf("Writer %d says %d times that valve %d%d leaks", w, i, w, i)
				l.with(dir, func(m *gitmem.Memory) error {
					_, err := m.Note(t.Context(), text, true)
					if err == nil {
						mu.Lock()
						noted = append(noted, text)
						mu.Unlock()
					}
					return err
				})
			}
		})
	}
	for i := range 4 {
		l.with(dir, func(m *gitmem.Memory) error {
			_, err := m.Note(t.Context(), fmt.Sprintf("A slip of the tongue, number %d of several", i), true)
			return err
		})
		l.forget(dir, i%2 == 0, "slip", "tongue")
	}
	wg.Wait()
	file := filepath.Join(l.root, "projects", munge(dir), "memory", "MEMORY.md")
	got := mustRead(t, file)
	if len(noted) != 12 || strings.Contains(got, "slip") {
		t.Errorf("%d notes, the file:\n%s", len(noted), got)
	}
	for _, text := range noted {
		if strings.Count(got, text) != 1 {
			t.Errorf("%q is there %d times", text, strings.Count(got, text))
		}
	}
}
