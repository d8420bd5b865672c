package gitmem_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// forget forgets in a lab and says what was done.
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

// TestForgetKeptTranscript removes gitmem's own copy of a transcript, never the
// client's, and makes no new one.
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

// TestForgetCopies looks into what else of gitmem's own may hold a text.
func TestForgetCopies(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	const text = "The staging cupboard opens with the code of Bob"
	l.with(dir, func(m *gitmem.Memory) error { _, err := m.Note(t.Context(), text, false); return err })
	trace := l.write(filepath.Join(l.root, "gitmem", ".index", "trace", "2025-03-10.jsonl"),
		`{"detail":"the staging CUPBOARD opens with the code of bob"}`+"\n"+`{"detail":"other"}`+"\n")
	// What nobody asks from here is not built anew, so it has to go at once.
	for _, top := range []string{filepath.Join(l.root, "gitmem", ".index"), aside(l)} {
		l.write(filepath.Join(top, "shards", "rules-0123456789ab", "g00000001", "old.terms"), "cupboard")
	}
	l.forget(dir, true, "cupboard")
	if got := mustRead(t, trace); strings.Contains(strings.ToLower(got), "cupboard") || !strings.Contains(got, "other") {
		t.Errorf("trace: %s", got)
	}
	for _, top := range []string{l.root, l.cache} {
		err := filepath.WalkDir(top, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if strings.Contains(strings.ToLower(mustRead(t, name)), "cupboard") {
				t.Errorf("%s still holds it", name)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// aside is where a lab's indexes lie while it has no store.
func aside(l *lab) string {
	sum := sha256.Sum256([]byte(l.root))
	return filepath.Join(l.cache, "gitmem", hex.EncodeToString(sum[:6]))
}

func mustRead(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestForgetBesideNotes lets others write notes while something is forgotten, also
// from history: every note that was acknowledged is there.
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
