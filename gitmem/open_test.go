package gitmem_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gitmem/gitmem/gitmem"
)

// A line that another process forgets is hidden for a Memory that is already open.
func TestForgottenByAnotherProcess(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The spare fuses lie behind the crystal cabinet")
	m := l.open(r.dir)
	ask := func() gitmem.Answer {
		t.Helper()
		a, err := m.Ask(t.Context(), "where do the spare fuses lie?", gitmem.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	l.holds(ask(), "crystal cabinet")
	l.forget(r.dir, false, "spare fuses crystal cabinet")
	l.write(filepath.Join("home", "notes.md"), "")
	l.write(filepath.Join(l.root, "projects", munge(r.dir), "memory", "MEMORY.md"),
		"- The spare fuses lie behind the crystal cabinet\n")
	l.lacks(ask(), "crystal cabinet") // restored by hand, it stays hidden
}

// A caveat of one question is not repeated with the next one.
func TestCaveatsBelongToOneQuestion(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The spare fuses lie behind the crystal cabinet")
	m := l.open(r.dir)
	caveats := func() string {
		t.Helper()
		a, err := m.Ask(t.Context(), "where do the spare fuses lie?", gitmem.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(a.Caveats, "\n")
	}
	l.configure("exclude: [\n")
	if got := caveats(); !strings.Contains(got, "local.yaml") {
		t.Fatalf("caveats %q do not tell of the configuration", got)
	}
	l.configure("capture: on\n")
	if got := caveats(); strings.Contains(got, "local.yaml") {
		t.Errorf("caveats of an earlier question are told: %q", got)
	}
}

// life is a store that somebody works on between questions.
type life struct {
	*lab
	r   *repo
	rng *rand.Rand
	n   int
}

func (w *life) thing() string {
	return []string{"fuse", "valve", "relay", "pump", "gasket", "sensor"}[w.rng.IntN(6)]
}

// happens changes something: memory, its rules, or the repository.
func (w *life) happens() string {
	w.t.Helper()
	w.n++
	memory := filepath.Join(w.root, "projects", munge(w.r.dir), "memory", "MEMORY.md")
	switch w.rng.IntN(9) {
	case 0, 1:
		w.note(w.r.dir, fmt.Sprintf("The %s of shelf %d is spare part %d", w.thing(), w.n, w.rng.IntN(1000)))
		return "note"
	case 2:
		b, err := os.ReadFile(memory)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			w.t.Fatal(err)
		}
		w.write(memory, string(b)+fmt.Sprintf("- By hand: the %s number %d leaks\n", w.thing(), w.n))
		return "edit"
	case 3:
		err := forgetNow(w.t.Context(), w.open(w.r.dir), w.thing())
		if err != nil && !errors.Is(err, gitmem.ErrNotFound) && !errors.Is(err, gitmem.ErrNoStore) {
			w.t.Fatal(err)
		}
		return "forget"
	case 4:
		w.with(w.r.dir, func(m *gitmem.Memory) error { _, err := m.Pause(w.t.Context(), gitmem.PauseOptions{}); return err })
		return "pause"
	case 5:
		w.with(w.r.dir, func(m *gitmem.Memory) error { _, err := m.Resume(w.t.Context(), false); return err })
		return "resume"
	case 6:
		w.configure([]string{"capture: off\n", "exclude: [\n", "exclude: ['" + w.r.dir + "']\n", "recall: off\n",
			""}[w.rng.IntN(5)])
		return "config"
	case 7:
		w.write(filepath.Join(w.r.dir, "CLAUDE.md"), fmt.Sprintf("# Rules\n\nOpen the %s %d times.\n", w.thing(), w.n))
		return "rules"
	}
	w.r.commit("2024-01-01", "Ada Example", fmt.Sprintf("f%d.txt", w.n),
		fmt.Sprintf("Replace the %s because part %d broke", w.thing(), w.n))
	return "commit"
}

func forgetNow(ctx context.Context, m *gitmem.Memory, what string) error {
	f, err := m.PlanForget(ctx, []string{what}, false)
	if err == nil {
		_, err = m.Forget(ctx, f)
	}
	return err
}

// asked returns the result of a Memory for one question of many kinds.
func (w *life) asked(m *gitmem.Memory, kind int, thing string) any {
	ctx := w.t.Context()
	var out any
	var err error
	switch kind {
	case 0:
		out, err = m.Ask(ctx, "why was the "+thing+" replaced?", gitmem.Filter{})
	case 1:
		out, err = m.Ask(ctx, "where is the "+thing+"?", gitmem.Filter{Layer: "memory"})
	case 2:
		out, err = m.Search(ctx, thing, gitmem.Filter{Limit: 5})
	case 3:
		out, err = m.Sessions().Context(ctx, gitmem.ContextOptions{})
	case 4:
		out, err = m.Sessions().Recall(ctx, gitmem.RecallOptions{Prompt: "tell me about the " + thing + " on its shelf"})
	case 5:
		out, err = m.Capture(ctx)
	case 6:
		out, err = m.Stats(ctx, gitmem.Filter{})
	}
	if err != nil {
		return err.Error()
	}
	return out
}

// TestOneMemoryIsManyFreshOnes is a law: questions on one Memory have the same answers as on fresh ones, whatever
// happens in between.
func TestOneMemoryIsManyFreshOnes(t *testing.T) {
	t.Parallel()
	w := &life{lab: newLab(t), rng: rand.New(rand.NewPCG(7, 11))}
	w.r = w.repo("pump")
	w.r.commit("2024-01-01", "Ada Example", "a.txt", "Choose the membrane pump because the gear pump leaked")
	kept := w.open(w.r.dir)
	told, did := 0, map[string]int{}
	questions := 150
	if isNightly() {
		questions = 1000
	}
	for i := range questions {
		if w.rng.IntN(2) == 0 {
			did[w.happens()]++
		}
		kind, thing := w.rng.IntN(7), w.thing()
		both := [2]*gitmem.Memory{kept, w.open(w.r.dir)}
		var got [2]any
		for _, which := range [2][]int{{0, 1}, {1, 0}}[w.rng.IntN(2)] {
			got[which] = w.asked(both[which], kind, thing)
		}
		same := cmp.FilterPath(func(p cmp.Path) bool {
			name := p.Last().String()
			return name == ".Ms" || name == ".MS" || name == ".ElapsedMS" || name == ".Elapsed" || name == ".ElapsedMs"
		}, cmp.Ignore())
		if diff := cmp.Diff(got[1], got[0], same, cmpopts.EquateErrors(), cmpopts.IgnoreUnexported(gitmem.SessionContext{},
			gitmem.Recalled{}, gitmem.Hit{})); diff != "" {
			t.Fatalf("question %d of kind %d after %v (-fresh +kept):\n%s", i, kind, did, diff)
		}
		if a, ok := got[0].(gitmem.Answer); ok && a.Verdict != gitmem.NotRecorded {
			told++
		}
	}
	if told < 20 || len(did) < 8 {
		t.Errorf("%d answers, %v: the test says little", told, did)
	}
}

// TestManyGoroutinesOnOneMemory asks, notes and forgets concurrently: only expected errors occur, and no resources
// leak.
func TestManyGoroutinesOnOneMemory(t *testing.T) {
	w := &life{lab: newLab(t)}
	w.r = w.repo("pump")
	w.r.commit("2024-01-01", "Ada Example", "a.txt", "Replace the valve because it leaked")
	w.note(w.r.dir, "The relay lies on shelf 3")
	m := w.open(w.r.dir)
	w.asked(m, 0, "valve")
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	rounds, until := 12, time.Time{}
	if isNightly() {
		rounds, until = 1<<30, time.Now().Add(time.Minute)
	}
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := 0; i < rounds && (until.IsZero() || time.Now().Before(until)); i++ {
				thing := []string{"valve", "relay", "sensor"}[(g+i)%3]
				var err error
				switch (g + i) % 8 {
				case 0:
					_, err = m.Note(t.Context(), fmt.Sprintf("Goroutine %d found sensor %d of batch %d", g, i, g*1000+i), true)
				case 1:
					err = forgetNow(t.Context(), m, fmt.Sprintf("sensor %d batch", i))
				default:
					_, err = m.Ask(t.Context(), "why was the "+thing+" replaced?", gitmem.Filter{})
				}
				if err != nil && !errors.Is(err, gitmem.ErrNotFound) {
					t.Errorf("goroutine %d, round %d: %v", g, i, err)
				}
			}
		})
	}
	group.Wait()
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for range 1_000_000 { // the end of a goroutine is signalled before it has ended
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		runtime.Gosched()
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		b := make([]byte, 1<<20)
		t.Errorf("%d goroutines, %d before:\n%s", n, goroutines, b[:runtime.Stack(b, true)])
	}
	if now := openFiles(t); len(now) > len(files) {
		t.Errorf("files are left open: %v", slices.DeleteFunc(now, func(f string) bool { return slices.Contains(files, f) }))
	}
}

// openFiles lists the descriptors of this process, none if the system does not provide them.
func openFiles(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name())); err == nil {
			names = append(names, to)
		}
	}
	return names
}
