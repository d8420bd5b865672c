package gitmem_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// world is a project with content in every layer.
type world struct {
	*lab
	repo       *repo
	project    string // memory folder of the project
	transcript string // of a running session
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{lab: newLab(t)}
	w.repo = w.lab.repo("pump")
	w.repo.git("remote", "add", "origin", "git@github.com:acme/pump.git")
	w.write(filepath.Join(w.root, "CLAUDE.md"), "# Mine\n\nAnswer in short sentences and name the unit of every figure.\n")
	w.write("pump/CLAUDE.md",
		"# Pump\n\n## Errors\n\nWrap errors with the path of the file.\n\n## Naming\n\n"+
			"Name a register after its data sheet.\n")
	w.repo.commit("2024-03-01", "Ada Example", "firmware/relay.c",
		"Add the relay driver\n\nThe relay is driven by a transistor because the pin gives four milliampere only.")
	w.repo.commit("2024-05-11", "Bo Example", "firmware/inrush.c",
		"Limit the inrush current\n\nThe fuse blew at every start, so that an inrush limiter is needed.")
	w.repo.commit("2024-09-20", "Ada Example", "docs/range.md", "Document the range test")
	w.note(w.repo.dir, "Measure the inrush current before choosing a fuse")
	w.project = filepath.Join(w.root, "gitmem/projects/github.com/acme/pump")
	w.write(filepath.Join(w.project, "decisions/2025-01-15-use-lora.md"), decisionLora)
	w.write(filepath.Join(w.project, "tasks.md"),
		"---\nformat: 1\nkind: tasks\n---\n\n# Tasks\n\n- [ ] feat-range: Repeat the range test outdoors (pending) "+
			"^task-feat-range\n- [x] feat-relay: Relay driver (completed) ^task-feat-relay\n")
	archived := w.transcriptFile(w.repo.dir, sessionA, relayTurns()...)
	w.endSession(w.repo.dir, sessionA, archived)
	w.transcript = w.transcriptFile(w.repo.dir, sessionB, turn{role: "user", at: "2025-03-10T09:00:00Z",
		text: "Calibrate the oscillator at boot"},
		turn{role: "assistant", at: "2025-03-10T09:05:00Z",
			text: "The oscillator drifts below minus ten degrees because its crystal has no compensation."})
	return w
}

const decisionLora = `---
format: 1
kind: decision
id: 2025-01-15-use-lora
date: 2025-01-15
status: accepted
---

# Use LoRa for the telemetry

## Context

The pump stands two kilometres from the house.

## Decision

Telemetry goes over LoRa.

## Why

Wireless LAN does not reach the well, and a cellular contract costs more than the pump.
`

// table returns a question for each of the seven kinds and each of the five layers.
func table() []question {
	return []question{
		{"where did I leave off?", gitmem.Filter{}},
		{"what was I working on last week?", gitmem.Filter{}},
		{"what did we do in May 2024?", gitmem.Filter{}},
		{"who knows about the relay?", gitmem.Filter{}},
		{"why is the relay driven by a transistor?", gitmem.Filter{}},
		{"why does telemetry go over LoRa?", gitmem.Filter{}},
		{"when was the inrush current limited?", gitmem.Filter{}},
		{"how do we wrap errors?", gitmem.Filter{}},
		{"ten ampere relay for the pump", gitmem.Filter{}},
		{"why did we buy a nuclear submarine?", gitmem.Filter{}},
		{"unit of every figure", gitmem.Filter{Layer: "rules"}},
		{"inrush current before choosing a fuse", gitmem.Filter{Layer: "memory"}},
		{"repeat the range test outdoors", gitmem.Filter{Layer: "memory"}},
		{"optocoupler too slow for the zero-cross detector", gitmem.Filter{Layer: "summaries"}},
		{"oscillator drifts below minus ten degrees", gitmem.Filter{Layer: "transcripts"}},
		{"document the range test", gitmem.Filter{Layer: "team"}},
		{"relay", gitmem.Filter{Project: "all", Limit: 20}},
		{"inrush limiter", gitmem.Filter{Since: "2024-04-01", Until: "2025-03-01"}},
		{"relay", gitmem.Filter{Author: []string{"Ada"}, Path: []string{"firmware/"}}},
		{"relay", gitmem.Filter{Session: sessionA[:8]}},
	}
}

type question struct {
	text   string
	filter gitmem.Filter
}

// askAll answers the whole table in one process.
func (w *world) askAll() map[string]gitmem.Answer {
	w.t.Helper()
	out := map[string]gitmem.Answer{}
	w.with(w.repo.dir, func(m *gitmem.Memory) error {
		for _, q := range table() {
			a, err := m.Ask(w.t.Context(), q.text, q.filter)
			if err != nil {
				return err
			}
			out[q.text+" "+asJSON(w.t, q.filter)] = timeless(a)
		}
		return nil
	})
	return out
}

func TestTheTableCoversKindsAndLayers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	kinds, layers, none := map[string]bool{}, map[string]bool{}, 0
	for q, a := range w.askAll() {
		kinds[string(a.Kind)] = true
		for _, c := range a.Citations {
			layers[c.Layer] = true
			if !strings.Contains(c.Excerpt+c.Title, " ") {
				t.Errorf("%s: citation %s has no excerpt", q, c.ID)
			}
		}
		if a.Confidence == gitmem.None {
			none++
			t.Log("not recorded:", q)
		}
	}
	equal(t, "kinds", map[string]bool{"continue": true, "recent": true, "who": true, "why": true, "when": true,
		"how": true, "general": true}, kinds)
	equal(t, "layers", map[string]bool{"rules": true, "memory": true, "summaries": true, "transcripts": true,
		"team": true}, layers)
	if none != 1 {
		t.Errorf("%d questions of the table found nothing, want one: that about the submarine", none)
	}
}

func TestDeletedIndexGivesEqualAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := w.askAll()
	w.dropIndex(w.repo.dir)
	equal(t, "answers from a new index", want, w.askAll())
	equal(t, "answers from the same index", want, w.askAll())
	w.with(w.repo.dir, func(m *gitmem.Memory) error {
		shards, err := m.Indexes().Rebuild(t.Context())
		for _, s := range shards {
			if s.State != "current" || s.Docs == 0 && s.Name != "docs" {
				t.Errorf("after a rebuild: %+v", s)
			}
		}
		return err
	})
	equal(t, "answers after a rebuild", want, w.askAll())
}

// TestGrowingIndexEqualsFreshOne asks between changes of every source, and compares the resulting index with one built
// at the end.
func TestGrowingIndexEqualsFreshOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.askAll()
	for i, step := range []func(){
		func() { w.repo.commit("2024-11-02", "Cy Example", "firmware/relay.c", "Debounce the relay") },
		func() { w.note(w.repo.dir, "The relay clicks twice when the fuse is loose") },
		func() {
			w.appendTo(w.transcript, transcriptText(t, w.repo.dir, sessionB, turn{role: "assistant", at: "2025-03-10T09:30:00Z",
				text: "The relay stays closed while the oscillator is calibrated."}))
		},
		func() {
			w.appendTo(filepath.Join(w.repo.dir, "CLAUDE.md"), "\n## Relays\n\nA relay gets a flyback diode.\n")
		},
		func() {
			w.write(filepath.Join(w.project, "tasks.md"),
				"---\nformat: 1\nkind: tasks\n---\n\n# Tasks\n\n- [ ] feat-diode: Flyback diode for the relay (pending) "+
					"^task-feat-diode\n")
		},
		func() { w.endSession(w.repo.dir, sessionB, w.transcript) },
		func() { w.repo.git("commit", "--quiet", "--amend", "--message", "Debounce the relay in software") },
		func() { w.write(w.transcript, transcriptText(t, w.repo.dir, sessionB, relayTurns()...)) },
	} {
		step()
		grown := w.askAll()
		w.dropIndex(w.repo.dir)
		equal(t, "answers after step "+string(rune('1'+i)), w.askAll(), grown)
	}
}

// TestManyStepsOneIndex is the same without a fresh build in between, so that one index goes through all changes.
func TestManyStepsOneIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.askAll()
	words := strings.Fields("anchor basalt copper dynamo engine funnel girder hammer")
	for i, word := range words {
		day := "2024-12-0" + string(rune('1'+i))
		w.repo.commit(day, "Ada Example", "docs/"+word+".md", "Describe the "+word+" of the pump")
		w.note(w.repo.dir, "The "+word+" needs paint")
		w.appendTo(w.transcript, transcriptText(t, w.repo.dir, sessionB,
			turn{role: "user", at: "2025-03-10T10:0" + string(rune('0'+i)) + ":00Z", text: "Look at the " + word +
				" of the relay"}))
		w.holds(w.ask(w.repo.dir, "which part needs paint: the "+word, gitmem.Filter{Layer: "memory"}), word)
	}
	grown := w.askAll()
	w.dropIndex(w.repo.dir)
	equal(t, "answers of an index that grew in 8 steps", w.askAll(), grown)
}

func TestAskingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.askAll()
	index := w.status(w.repo.dir).IndexDir
	before := filesBelow(t, index)
	w.askAll()
	equal(t, "index files", before, filesBelow(t, index))
	for _, s := range w.status(w.repo.dir).Shards {
		if s.State != "current" {
			t.Errorf("index %s is %s after a question", s.Name, s.State)
		}
	}
}

// TestIdentityWithoutACache rewrites the first commit of a repository without a remote, which identifies its project.
func TestIdentityWithoutACache(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")
	l.endSession(r.dir, sessionA, l.transcriptFile(r.dir, sessionA, relayTurns()...))
	r.git("commit", "--quiet", "--amend", "--message", "Begin with the motor")
	ask := func() gitmem.Answer {
		return timeless(l.ask(r.dir, "why the ten ampere relay?", gitmem.Filter{Layer: "summaries"}))
	}
	want := ask()
	l.dropIndex(r.dir)
	equal(t, "answer without the cache", want, ask())
}
