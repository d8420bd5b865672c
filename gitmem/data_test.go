package gitmem_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// TestChosenStrategies checks that only the requested strategies run, and that one without input reports that.
func TestChosenStrategies(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	for _, tt := range []struct {
		query      string
		strategies []string
		hits       int
		ok         map[string]bool
		confidence gitmem.Confidence
	}{
		{"crane", []string{"direct"}, 1, map[string]bool{"direct": true}, gitmem.High},
		{"crane", []string{"semantic"}, 0, map[string]bool{"semantic": false}, gitmem.None},
		{"crane", []string{"direct", "semantic", "expanded", "summaries"}, 1,
			map[string]bool{"direct": true, "semantic": false, "expanded": false, "summaries": false}, gitmem.High},
		{"PR of the crane", []string{"direct", "expanded"}, 1, map[string]bool{"direct": true, "expanded": true}, gitmem.Low},
		{"the", []string{"semantic"}, 0, map[string]bool{"semantic": false}, gitmem.None},
		{"robnicat", []string{"direct"}, 0, map[string]bool{"direct": true}, gitmem.None},
	} {
		r := l.search(dir, tt.query, gitmem.Filter{Strategies: tt.strategies, NoFallbacks: true, Expand: "minimal"})
		ok := map[string]bool{}
		for _, s := range r.Strategies {
			if ok[s.Name] = s.OK; s.OK == (s.Error != "") {
				t.Errorf("%s: strategy %+v", tt.query, s)
			}
		}
		equal(t, fmt.Sprintf("%s by %v", tt.query, tt.strategies), tt.ok, ok)
		if len(r.Hits) != tt.hits || r.Confidence != tt.confidence || len(r.Used)+len(r.Fallbacks)+len(r.Caveats) > 0 {
			t.Errorf("%s by %v: %d hits, confidence %s, %q %q %q", tt.query, tt.strategies, len(r.Hits), r.Confidence, r.Used,
				r.Fallbacks, r.Caveats)
		}
	}
}

// TestLayers checks the counts of each layer and whether its index can be read.
func TestLayers(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	l.note(dir, "The crane squeaks")
	layers := func() (list []gitmem.Layer, caveats []string) {
		l.with(dir, func(m *gitmem.Memory) (err error) {
			list, caveats, err = m.Data().Layers(t.Context(), gitmem.Filter{})
			return err
		})
		return list, caveats
	}
	list, caveats := layers()
	equal(t, "layers", []gitmem.Layer{
		{Name: "rules", Searchable: true}, {Name: "memory", Items: 1, Searchable: true},
		{Name: "summaries", Searchable: true},
		{Name: "transcripts", Items: 3, Newest: "2025-03-09", Searchable: true},
		{Name: "team", Items: 1, Newest: "2024-01-05", Searchable: true},
	}, list)
	equal(t, "caveats", []string{}, caveats)

	l.dropIndex(dir)
	l.write(filepath.Join(l.root, "gitmem", ".index"), "a file is in the way")
	l.write(filepath.Join(l.cache, "gitmem"), "a file is in the way")
	list, caveats = layers()
	if len(list) != 5 || list[3].Searchable || len(caveats) == 0 {
		t.Errorf("without an index: %+v, %q", list, caveats)
	}
}

// TestWithoutIndex checks that without a readable index sources are shown and sessions are found, except the asking
// one, with a caveat.
func TestWithoutIndex(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	commit := l.search(dir, "crane", gitmem.Filter{Layer: "team"}).Hits[0].ID
	if err := os.RemoveAll(filepath.Join(l.cache, "gitmem")); err != nil {
		t.Fatal(err)
	}
	l.write(filepath.Join(l.cache, "gitmem"), "a file is in the way")
	o := l.options(dir)
	o.Getenv = func(name string) string { return map[string]string{"CLAUDE_CODE_SESSION_ID": sessionB}[name] }
	m, err := gitmem.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := m.Shown(t.Context(), commit, gitmem.ShowOptions{Files: true, Later: true})
	if err != nil || !strings.HasPrefix(shown.Text, "feat: authenticate") || len(shown.Changes) != 1 ||
		!strings.HasPrefix(shown.Caveat, "What became of") {
		t.Errorf("%+v, %v", shown, err)
	}
	r, err := m.SearchAll(t.Context(), []string{"robnicat"}, gitmem.Filter{Detailed: true})
	if err != nil || len(r.Hits) != 3 || len(r.Caveats) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	a, err := m.Ask(t.Context(), "what about robnicat?", gitmem.Filter{})
	if text := strings.Join(a.Suggestions, "\n"); err != nil || !strings.Contains(text, sessionA) ||
		strings.Contains(text, sessionB) {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestRecentSessions checks that sessions are listed newest first, however many records one has, without forgotten,
// excluded or asking ones.
func TestRecentSessions(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	const sessionLong = "9c1d02e9-0000-4000-8000-000000000003"
	var long []turn
	for i := range 1500 {
		long = append(long, turn{role: "user", at: time.Date(2025, 3, 9, 15, 0, i, 0, time.UTC).Format(time.RFC3339),
			text: fmt.Sprintf("Turn the winch %d", i)})
	}
	l.transcriptFile(dir, sessionLong, long...)
	l.note(dir, "The crane squeaks")
	f := filepath.Join(l.root, "projects", munge(dir), sessionA+".jsonl")
	l.endSession(dir, sessionA, f)
	sessions := func(f gitmem.Filter) (out []string) {
		l.with(dir, func(m *gitmem.Memory) error {
			list, err := m.Data().Sessions(t.Context(), f)
			for _, s := range list {
				out = append(out, s.Day+" "+s.ID[:8]+" "+s.FirstPrompt+" | "+s.Summary+" "+s.Page[:18])
			}
			return err
		})
		return out
	}
	a := "2025-03-08 3f2a91c4 Grease the hyperfrobnicatorium, then compare a === b there | Grease the " +
		"hyperfrobnicatorium, then compare a === b there /sessions/3f2a91c4"
	b, c := "2025-03-09 7b1d02e9 Paint the hyperfrobnicatorium |  /sessions/7b1d02e9",
		"2025-03-09 9c1d02e9 Turn the winch 0 |  /sessions/9c1d02e9"
	equal(t, "all", []string{c, b, a}, sessions(gitmem.Filter{}))
	equal(t, "the last", []string{c}, sessions(gitmem.Filter{Limit: 1})[:1])
	equal(t, "but one", []string{b, a}, sessions(gitmem.Filter{Except: sessionLong}))
	l.forget(dir, false, "transcript:"+sessionB)
	equal(t, "without a forgotten one", []string{c, a}, sessions(gitmem.Filter{}))
	l.configure("exclude: ['" + dir + "']\n")
	equal(t, "of an excluded folder", []string(nil), sessions(gitmem.Filter{Project: "all"}))
}

// TestGrepTranscripts checks the literal search, which withholds what a search withholds.
func TestGrepTranscripts(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	grep := func(text string, f gitmem.Filter) []string {
		var r gitmem.Results
		l.with(dir, func(m *gitmem.Memory) (err error) {
			r, err = m.Data().Grep(t.Context(), text, f)
			return err
		})
		return hitIDs(r)
	}
	a1, a2, b1 := "transcript:"+sessionA+":1", "transcript:"+sessionA+":2", "transcript:"+sessionB+":1"
	equal(t, "a part of words", []string{b1, a2, a1}, grep("HE HYPERFROBNIC", gitmem.Filter{}))
	equal(t, "words in another order", []string{}, grep("hyperfrobnicatorium the", gitmem.Filter{}))
	equal(t, "a limit", []string{b1}, grep("robnicat", gitmem.Filter{Limit: 1}))
	equal(t, "but one session", []string{a2, a1}, grep("robnicat", gitmem.Filter{Except: sessionB}))
	equal(t, "an expression", []string{}, grep("hyper.*", gitmem.Filter{}))
	equal(t, "a secret", []string{}, grep("0123456789abc", gitmem.Filter{}))
	for _, bad := range []string{"", " \n", fmt.Sprintf("%01001d", 0)} {
		if _, err := l.open(dir).Data().Grep(t.Context(), bad, gitmem.Filter{}); !errors.Is(err, gitmem.ErrUsage) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
	l.write(filepath.Join(l.root, "gitmem", ".paused"), `{"pauses": [{"folder": "", "since": "2025-03-09T00:00:00Z"}]}`)
	equal(t, "with a pause", []string{a2, a1}, grep("robnicat", gitmem.Filter{}))
	l.configure("exclude: ['" + dir + "']\n")
	equal(t, "of an excluded folder", []string{}, grep("robnicat", gitmem.Filter{Project: "all"}))
}

// TestMeaningAlone checks that a search by meaning alone finds text without a word of the query, and that an unusable
// model is a reason and not an error.
func TestMeaningAlone(t *testing.T) {
	t.Parallel()
	l, e := newLab(t), newEmbedder(t)
	dir := filepath.Join(l.base, "pump")
	l.mkdir(dir)
	l.note(dir, "The login lasts for a day")
	l.note(dir, "The motor turns left")
	search := func(query string, strategies ...string) (r gitmem.Results) {
		return l.search(dir, query, gitmem.Filter{Strategies: strategies, NoFallbacks: true, Expand: "none", Limit: 1})
	}
	oneModel(t, l, dir)
	for _, r := range []gitmem.Results{search("authentication", "semantic"),
		search("authentication", "direct", "semantic")} {
		if s, hits := semantic(r); !s.OK || !strings.Contains(hits, "login lasts") || r.Confidence != gitmem.Low {
			t.Errorf("%+v, %s, confidence %s", s, hits, r.Confidence)
		}
	}
	if r := search("authentication", "direct"); len(r.Hits) != 0 || len(r.Strategies) != 1 {
		t.Errorf("by words: %+v", r)
	}
	e.down = true
	l.configure("embed:\n  endpoint: " + e.URL + "\n  model: m\n")
	for _, query := range []string{"login", "the"} {
		r := search(query, "semantic")
		if s, _ := semantic(r); s.OK || s.Error == "" || len(r.Hits) != 0 || r.Confidence != gitmem.None {
			t.Errorf("a server that is down, %s: %+v", query, r)
		}
	}
}

// TestWithoutAnyFolder checks that without a readable or writable index, as in a read-only sandbox, the history, notes
// and transcripts are read directly.
func TestWithoutAnyFolder(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	l.note(dir, "The crane squeaks in the cold")
	l.dropIndex(dir)
	l.write(filepath.Join(l.root, "gitmem", ".index"), "a file is in the way")
	l.write(filepath.Join(l.cache, "gitmem"), "a file is in the way")
	for query, want := range map[string]string{
		"authenticated operators": "git:commit:",
		"cold crane":              "memory:",
		"robnicat":                "transcript:",
	} {
		r := l.search(dir, query, gitmem.Filter{})
		if len(r.Hits) == 0 || !strings.HasPrefix(r.Hits[0].ID, want) || r.Complete ||
			!strings.Contains(strings.Join(r.Caveats, "\n"), "sandbox") {
			t.Errorf("%s: %v, %q", query, hitIDs(r), r.Caveats)
		}
	}
	if r := l.search(dir, "crane", gitmem.Filter{Layer: "memory"}); len(r.Hits) != 1 {
		t.Errorf("in one layer: %v", hitIDs(r))
	}
	a, err := l.open(dir).Ask(t.Context(), "how is the crane operator authenticated?", gitmem.Filter{})
	if text := strings.Join(a.Suggestions, "\n"); err != nil ||
		!strings.Contains(text, "authenticate the crane operator") || !strings.Contains(text, "git:commit:") {
		t.Errorf("%+v, %v", a, err)
	}
}
