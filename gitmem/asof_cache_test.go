package gitmem_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// pastGenerations returns the generation of each shard of the past.
func (l *lab) pastGenerations(dir string) map[string]string {
	l.t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(filepath.Join(l.status(dir).IndexDir, "asof", "*", "CURRENT"))
	if err != nil {
		l.t.Fatal(err)
	}
	for _, f := range files {
		out[filepath.Base(filepath.Dir(f))] = l.read(f)
	}
	return out
}

func kinds(shards map[string]string) map[string]int {
	out := map[string]int{}
	for name := range shards {
		kind, _, _ := strings.Cut(name, "-")
		out[kind]++
	}
	return out
}

func TestAsOfBuildsEachStateOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.now = fixedNow().AddDate(0, 0, 3)
	ask := func(asOf string) {
		w.ask(w.repo.dir, "relay", gitmem.Filter{AsOf: asOf})
	}
	ask("2024-04-01")
	first := w.pastGenerations(w.repo.dir)
	equal(t, "shards of one moment", map[string]int{"rules": 1, "memory": 1, "transcripts": 1, "history": 1}, kinds(first))
	ask("2024-04-01")
	equal(t, "shards after the same question", first, w.pastGenerations(w.repo.dir))
	ask("2024-04-20T08:00:00Z") // between the same two commits
	equal(t, "shards of a moment at which nothing had changed", first, w.pastGenerations(w.repo.dir))
	ask("2024-06-01")
	equal(t, "shards after another commit", map[string]int{"rules": 1, "memory": 1, "transcripts": 1, "history": 2},
		kinds(w.pastGenerations(w.repo.dir)))
	w.appendTo(w.transcript,
		transcriptText(t, w.repo.dir, sessionB, turn{role: "user", at: "2025-03-12T09:00:00Z", text: "Go on"}))
	was := w.pastGenerations(w.repo.dir)
	ask("2024-04-01")
	equal(t, "shards after a session went on", was, w.pastGenerations(w.repo.dir))
}

func TestAsOfWritesOnlyItsCache(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.askAll()
	before := filesBelow(t, w.base)
	index := w.status(w.repo.dir).IndexDir
	w.ask(w.repo.dir, "relay", gitmem.Filter{AsOf: "2024-06-01"})
	w.search(w.repo.dir, "relay", gitmem.Filter{AsOf: "HEAD~1"})
	for name, text := range filesBelow(t, w.base) {
		if old, there := before[name]; (!there || old != text) && !strings.HasPrefix(name, filepath.Join(index, "asof")+
			string(filepath.Separator)) {
			t.Errorf("%s was written", name)
		}
	}
}

func TestAsOfKeepsTheStatesUsedLast(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	var shas []string
	for day := 1; day <= 7; day++ {
		shas = append(shas, r.commit("2024-03-0"+string(rune('0'+day)), "Ada Example", "a.txt", "Change number "+
			string(rune('0'+day))))
	}
	ask := func(sha string) {
		l.now = l.now.Add(time.Minute)
		l.ask(r.dir, "change", gitmem.Filter{AsOf: sha})
	}
	for _, sha := range shas[:4] {
		ask(sha)
	}
	four := l.pastGenerations(r.dir)
	ask(shas[0])
	equal(t, "shards of four states", four, l.pastGenerations(r.dir))
	ask(shas[4]) // the second state is the least recently used
	ask(shas[5])
	now := l.pastGenerations(r.dir)
	equal(t, "kept shards", map[string]int{"rules": 1, "memory": 1, "transcripts": 1, "history": 4}, kinds(now))
	gone := 0
	for name := range four {
		if now[name] == "" {
			gone++
		}
	}
	equal(t, "states that left", 2, gone)
	ask(shas[0])
	equal(t, "shards after the first state again, which was used since", now, l.pastGenerations(r.dir))
	l.holds(l.ask(r.dir, "change", gitmem.Filter{AsOf: shas[1]}), "Change number 2")
}

// TestAsOfFollowsTheTranscripts: messages can't change, but a file may vanish.
func TestAsOfFollowsTheTranscripts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.wells()
	l.now = fixedNow().AddDate(0, 0, 7)
	undated := transcriptText(t, r.dir, sessionA, turn{role: "user", text: "Undated is the bucket"})
	file := l.write(filepath.Join(l.root, "projects", munge(r.dir), sessionA+".jsonl"),
		undated+transcriptText(t, r.dir, sessionA,
			turn{role: "user", at: "2025-03-10T09:00:00Z", text: "Which rope holds the bucket?"},
			turn{role: "assistant", text: "The undated rope holds the bucket."},
			turn{role: "assistant", at: "2025-03-12T09:00:00.500Z", text: "A newer rope holds the bucket."},
			turn{role: "assistant", text: "An undated newer rope holds the bucket."}))
	l.write(filepath.Join(l.root, "projects", munge(r.dir), sessionB+".jsonl"),
		strings.ReplaceAll(undated, sessionA, sessionB))
	lines := func(asOf string) (ids []string) {
		for _, h := range l.search(r.dir, "bucket rope", gitmem.Filter{AsOf: asOf, Layer: "transcripts"}).Hits {
			ids = append(ids, h.ID[strings.LastIndex(h.ID, ":")+1:])
		}
		slices.Sort(ids)
		return ids
	}
	equal(t, "before anything was said", 0, len(lines("2025-03-09")))
	equal(t, "at the first turn", []string{"1", "2", "3"}, lines("2025-03-10T09:00:00Z"))
	equal(t, "a second before the next", []string{"1", "2", "3"}, lines("2025-03-12T08:59:59Z"))
	equal(t, "in the second of the next", []string{"1", "2", "3", "4", "5"}, lines("2025-03-12T09:00:00Z"))
	equal(t, "at the first turn, once more", []string{"1", "2", "3"}, lines("2025-03-10T09:00:00Z"))
	l.write(file, strings.ReplaceAll(l.read(file), "Which rope", "Which chain"))
	equal(t, "after the file was rewritten", []string{"1", "2", "3"}, lines("2025-03-10T09:00:00Z"))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	equal(t, "after the file was deleted", 0, len(lines("2025-03-10T09:00:00Z")))
}

// TestAsOfForgetsWhatIsExcludedNow: present exclusions also apply to past states.
func TestAsOfForgetsWhatIsExcludedNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.note(w.repo.dir, "The fuse box is made of porcelain")
	w.now = fixedNow().AddDate(0, 0, 3)
	w.holds(w.ask(w.repo.dir, "oscillator drifts below minus ten degrees", gitmem.Filter{AsOf: "yesterday"}), "crystal")
	past := filepath.Join(w.status(w.repo.dir).IndexDir, "asof")
	for name := range w.pastGenerations(w.repo.dir) { // deleted with the earlier index
		w.write(filepath.Join(past, name, "probe"), "")
	}
	w.write(filepath.Join(w.root, "gitmem", "local.yaml"), "exclude:\n  - "+w.repo.dir+"\n")
	w.lacks(w.ask(w.repo.dir, "oscillator drifts below minus ten degrees", gitmem.Filter{AsOf: "yesterday"}), "crystal")
	if probes, err := filepath.Glob(filepath.Join(past, "*", "probe")); err != nil || len(probes) > 0 {
		t.Errorf("indexes from before are still there: %q, %v", probes, err)
	}
	if _, ok := w.pastGenerations(w.repo.dir)[fmt.Sprintf("memory-%x", sha256.Sum256(nil))[:len("memory-")+16]]; !ok {
		t.Errorf("the index of memory is not the empty one: %v", w.pastGenerations(w.repo.dir))
	}
	w.write(filepath.Join(w.root, "gitmem", "local.yaml"), "exclude: [\n")
	a := w.ask(w.repo.dir, "oscillator drifts below minus ten degrees", gitmem.Filter{AsOf: "yesterday"})
	w.lacks(a, "crystal")
	if !strings.Contains(a.Answer, "Memory, transcripts could not be searched") {
		t.Errorf("with a configuration that can't be read: %s", describe(a))
	}
	w.write(filepath.Join(w.root, "gitmem", "local.yaml"), "exclude: []\n")
	w.holds(w.ask(w.repo.dir, "oscillator drifts below minus ten degrees", gitmem.Filter{AsOf: "yesterday"}), "crystal")
}

// TestAsOfKeepsForgottenThingsHidden: history may contain them permanently.
func TestAsOfKeepsForgottenThingsHidden(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.wells()
	l.note(r.dir, "The secret door is behind the crystal cabinet")
	l.now = l.now.AddDate(0, 0, 3)
	ask := func() gitmem.Answer {
		return l.ask(r.dir, "where is the secret door?", gitmem.Filter{AsOf: "yesterday", Layer: "memory"})
	}
	l.holds(ask(), "cabinet")
	dir := filepath.Join(l.status(r.dir).IndexDir, "asof")
	l.with(r.dir, func(m *gitmem.Memory) error {
		f, err := m.PlanForget(t.Context(), []string{"The secret door is behind the crystal cabinet"}, false)
		if err != nil {
			return err
		}
		_, err = m.Forget(t.Context(), f)
		return err
	})
	equal(t, "files of past indexes", 0, len(filesBelow(t, dir)))
	l.lacks(ask(), "cabinet")
}
