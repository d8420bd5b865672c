package search_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// rankWorld is a set of documents that changes as sources do, its index, and the words in the documents.
type rankWorld struct {
	rng     *rand.Rand
	shard   *index.Shard
	sources map[string][]index.Doc
	changed map[string]int // by source, its first document that is not indexed; 0: none is unchanged
	words   []string
}

func newRankWorld(t *testing.T, seed uint64) *rankWorld {
	w := &rankWorld{
		rng: rand.New(rand.NewPCG(seed, 3)), shard: index.Open(t.TempDir(), index.Options{}),
		sources: map[string][]index.Doc{}, changed: map[string]int{},
		words: strings.Fields("relay relays relaying pump board voltage connection connected reconnects clamp sensor " +
			"driver's " +
			"range battery antenna don't probing fuse the of parseHTTPHeader getUserIDs retry_count src/pump/relay.go v2.4.1 " +
			"E0432 C++ @ada a1b2c3d4e5 .env src\\x.c acme/pump#482 " +
			"FW-2291 #482 well-known 東京都 検索 чай мёд café naïve Größe x 42 2024-03-15"),
	}
	for range 9 {
		w.write(w.newSource())
	}
	return w
}

// newSource names a session, a subagent of one, or documents outside any.
func (w *rankWorld) newSource() string {
	return []string{"s%03d", "s%03d", "s%03d/agent-1", "memory%03d"}[w.rng.IntN(4)]
}

func (w *rankWorld) write(form string) {
	key := fmt.Sprintf(form, w.rng.IntN(40))
	w.changed[key] = 0
	w.sources[key] = nil
	w.extend(key, 1+w.rng.IntN(40))
}

func (w *rankWorld) extend(key string, n int) {
	if _, ok := w.changed[key]; !ok {
		w.changed[key] = len(w.sources[key])
	}
	for range n {
		w.sources[key] = append(w.sources[key], w.doc(key, len(w.sources[key])))
	}
}

func (w *rankWorld) text(most int) string {
	out := make([]string, w.rng.IntN(most+1))
	for i := range out {
		u := w.rng.Float64()
		out[i] = w.words[int(u*u*float64(len(w.words)))]
	}
	return strings.Join(out, []string{" ", ", ", ". ", "\n"}[w.rng.IntN(4)])
}

func (w *rankWorld) doc(key string, n int) index.Doc {
	d := index.Doc{
		ID: fmt.Sprintf("%s:%d", key, n), Source: key, Layer: []string{"transcripts", "team"}[w.rng.IntN(2)],
		Type: []string{"", "fix", "tool"}[w.rng.IntN(3)], Author: []string{"", "Ada <ada@example.org>", "Bob"}[w.rng.IntN(3)],
		Project: []string{"p", "q"}[w.rng.IntN(2)], Order: int64(n / 2), // two turns of equal order are distinguished by id
		Time: time.Unix(1_700_000_000+int64(w.rng.IntN(1_000_000)), 0), Text: w.text(14),
	}
	if strings.HasPrefix(key, "s") {
		d.Session = key
	}
	if w.rng.IntN(3) == 0 {
		d.Title, d.Tool = w.text(4), w.text(2)
	}
	if w.rng.IntN(3) == 0 {
		d.Paths = []string{"src/" + w.words[w.rng.IntN(len(w.words))] + ".go", "docs/relay-board.md"}
	}
	if w.rng.IntN(3) == 0 {
		d.DiffTerms = w.text(20)
	}
	return d
}

// mutate makes sources grow, shrink, change, appear and vanish.
func (w *rankWorld) mutate() {
	for range 1 + w.rng.IntN(3) {
		keys := slices.Sorted(maps.Keys(w.sources))
		key := keys[w.rng.IntN(len(keys))]
		switch docs := w.sources[key]; w.rng.IntN(5) {
		case 0, 1:
			w.extend(key, 1+w.rng.IntN(9))
		case 2:
			w.changed[key] = 0
			w.sources[key] = docs[:w.rng.IntN(len(docs)+1)]
		case 3:
			w.write(w.newSource())
		case 4:
			delete(w.sources, key)
		}
	}
	if len(w.sources) < 4 {
		w.write(w.newSource())
	}
}

func (w *rankWorld) all() (docs []index.Doc) {
	for _, key := range slices.Sorted(maps.Keys(w.sources)) {
		docs = append(docs, w.sources[key]...)
	}
	return docs
}

// refresh indexes changes, or everything if requested.
func (w *rankWorld) refresh(t *testing.T) *index.Snapshot {
	t.Helper()
	_, err := w.shard.Refresh(t.Context(), func(marks map[string]index.Mark, _ index.State) (index.Update, error) {
		up, docs := w.update(marks)
		up.Docs = func(yield func(index.Doc, error) bool) {
			for _, d := range docs {
				if !yield(d, nil) {
					return
				}
			}
		}
		up.Marks = func() (out []index.Mark) {
			for key := range w.sources {
				out = append(out, index.Mark{Key: key})
			}
			return out
		}
		return up, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	clear(w.changed)
	snap, err := w.shard.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = snap.Close() })
	return snap
}

// update returns what the index has to drop and to read.
func (w *rankWorld) update(marks map[string]index.Mark) (up index.Update, docs []index.Doc) {
	for key := range marks {
		if _, ok := w.sources[key]; !ok {
			up.Drop, up.Forget = append(up.Drop, key), append(up.Forget, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w.sources)) {
		from, changed := w.changed[key]
		switch {
		case len(marks) == 0:
			from = 0
		case !changed:
			continue
		case from == 0:
			up.Drop = append(up.Drop, key)
		case w.rng.IntN(2) == 0:
			from = 0 // existing documents come again and replace their equals
		}
		docs = append(docs, w.sources[key][from:]...)
	}
	return up, docs
}

// compare compares queries of all kinds with the reference.
func (w *rankWorld) compare(t *testing.T, snap *index.Snapshot, n int) {
	t.Helper()
	ref := newReference(w.all())
	for range n {
		text := w.text(3) + " " + w.words[2+w.rng.IntN(len(w.words)-2)]
		for name, q := range variants(text) {
			compareRanks(t, fmt.Sprintf("query %q, %s", text, name), snap, ref, q)
		}
		q := search.Query{Terms: w.weighted(text)}
		compareRanks(t, fmt.Sprintf("weighted %v", q.Terms), snap, ref, q)
		for name, f := range w.filters() {
			f.Text = text
			compareRanks(t, fmt.Sprintf("query %q, %s", text, name), snap, ref, f)
		}
	}
}

// weighted returns the terms of a text and a few that expand them.
func (w *rankWorld) weighted(text string) []search.QueryTerm {
	terms := search.PlainTerms(referenceQuery(text))
	for i := range len(terms) {
		for _, t := range referenceTerms(w.words[w.rng.IntN(len(w.words))], true) {
			terms = append(terms, search.QueryTerm{Text: t, Weight: float64(1+w.rng.IntN(9)) / 10, For: i})
		}
	}
	return terms
}

func (w *rankWorld) filters() map[string]search.Query {
	since := time.Unix(1_700_000_000+int64(w.rng.IntN(1_000_000)), 0)
	return map[string]search.Query{
		"type": only(search.OnType, "fix"), "layer": {Layers: []string{"team"}}, "author": only(search.OnAuthor, "ada"),
		"since": {Range: search.Range{Since: since}}, "until": {Range: search.Range{Until: since}},
		"project": {Projects: func(p string) bool { return p == "q" }},
		"session": {Session: "s0"}, "but one": {Except: fmt.Sprintf("s%03d", w.rng.IntN(40))},
	}
}
