package search_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// rankedOf returns the ids and scores of a search over several shards.
func rankedOf(t *testing.T, r *search.Ranker, snaps []*index.Snapshot, q search.Query) []ranked {
	t.Helper()
	res, err := r.Run(t.Context(), snaps, q)
	if err != nil {
		t.Error(err)
	}
	out := []ranked{}
	for _, h := range res.Hits {
		out = append(out, ranked{h.Doc.ID, h.Score})
	}
	return out
}

// lawShards returns the documents in one shard, in two, and in one again with the sources in reverse order.
func lawShards(t *testing.T, w *rankWorld) (whole, reversed *index.Snapshot, halves []*index.Snapshot) {
	t.Helper()
	keys := slices.Sorted(maps.Keys(w.sources))
	var docs, back []index.Doc
	parts := [2][]index.Doc{}
	for i, key := range keys {
		docs = append(docs, w.sources[key]...)
		back = append(back, w.sources[keys[len(keys)-1-i]]...)
		parts[i%2] = append(parts[i%2], w.sources[key]...)
	}
	return build(t, docs), build(t, back), []*index.Snapshot{build(t, parts[0]), build(t, parts[1])}
}

func TestLawsOfRanking(t *testing.T) {
	t.Parallel()
	w := newRankWorld(t, 11)
	whole, reversed, halves := lawShards(t, w)
	one := []*index.Snapshot{whole}
	var r search.Ranker
	for range 60 {
		q := search.Query{Text: w.text(3) + " relay board", Limit: 30}
		want := rankedOf(t, &r, one, q)

		unheard := q
		unheard.Text += " zyzzyva"
		if diff := gocmp.Diff(want, rankedOf(t, &r, one, unheard)); diff != "" {
			t.Fatalf("%q: a term that no document holds changed the ranking (-without +with):\n%s", q.Text, diff)
		}
		split := rankedOf(t, &r, halves, q)
		if diff := gocmp.Diff(split, rankedOf(t, &r, halves, unheard)); diff != "" {
			t.Fatalf("%q: a term that no shard holds changed the ranking (-without +with):\n%s", q.Text, diff)
		}
		if diff := gocmp.Diff(split, rankedOf(t, &r, []*index.Snapshot{halves[1], nil, halves[0]}, q)); diff != "" {
			t.Fatalf("%q: the order of shards changed the ranking:\n%s", q.Text, diff)
		}
		if diff := gocmp.Diff(want, rankedOf(t, &r, []*index.Snapshot{reversed}, q)); diff != "" {
			t.Fatalf("%q: the order of rows changed the ranking:\n%s", q.Text, diff)
		}
		for _, limit := range []int{1, 2, 7, 20} {
			q.Limit = limit
			if diff := gocmp.Diff(want[:min(limit, len(want))], rankedOf(t, &r, one, q)); diff != "" {
				t.Fatalf("%q: the best %d are not the first of the best 30 (-30 +%d):\n%s", q.Text, limit, limit, diff)
			}
		}
	}
}

// TestMoreOftenIsNoWorse replaces a word of a document by one of the query.
func TestMoreOftenIsNoWorse(t *testing.T) {
	t.Parallel()
	w := newRankWorld(t, 12)
	docs := w.all()
	q := search.Query{Text: "relay board", Limit: len(docs)}
	scores := func() map[string]float64 {
		out := map[string]float64{}
		for _, h := range rankedOf(t, new(search.Ranker), []*index.Snapshot{build(t, docs)}, q) {
			out[h.ID] = h.Score
		}
		return out
	}
	before, tried := scores(), 0
	for i := range docs {
		text := docs[i].Text
		if tried == 12 || !strings.Contains(text, "relay") || !strings.Contains(text, "clamp") {
			continue
		}
		tried++
		docs[i].Text = strings.Replace(text, "clamp", "relay", 1)
		if after := scores()[docs[i].ID]; after < before[docs[i].ID] {
			t.Errorf("%q scores %v, and %v with one more relay", text, before[docs[i].ID], after)
		}
		docs[i].Text = text
	}
	if tried < 5 {
		t.Errorf("only %d documents to try", tried)
	}
}

// TestSessionInPieces grows a session in steps, so that its best turn is after rows of others: the bound of the session
// must include all of its pieces.
func TestSessionInPieces(t *testing.T) {
	t.Parallel()
	turn := func(session string, n int, text string) index.Doc {
		return index.Doc{ID: fmt.Sprintf("%s:%d", session, n), Source: session, Session: session, Order: int64(n), Text: text}
	}
	var docs []index.Doc
	for _, piece := range []string{
		"relay board" + strings.Repeat(" range battery antenna", 9), "fuse clamp",
		"relay relay relay relay relay board board",
	} {
		docs = append(docs, turn("pieces", len(docs), piece))
		for i := range 8 {
			docs = append(docs, turn(fmt.Sprintf("other%d", i), len(docs), "relay board fuse clamp sensor"))
		}
	}
	snap, ref := build(t, docs), newReference(docs)
	for _, text := range []string{"relay", "relay board", "relay board fuse", "clamp"} {
		for name, q := range variants(text) {
			for _, limit := range []int{1, 3, 20} {
				q.Limit = limit
				compareRanks(t, fmt.Sprintf("%s, %s, %d", text, name, limit), snap, ref, q)
			}
		}
	}
}

func TestRankerIsShared(t *testing.T) {
	t.Parallel()
	w := newRankWorld(t, 13)
	whole, _, halves := lawShards(t, w)
	var r search.Ranker
	var wg sync.WaitGroup
	for i := range 8 {
		snaps := [][]*index.Snapshot{{whole}, halves}[i%2]
		text := w.text(4) + " pump"
		wg.Go(func() {
			want := rankedOf(t, new(search.Ranker), snaps, search.Query{Text: text})
			for range 40 {
				if diff := gocmp.Diff(want, rankedOf(t, &r, snaps, search.Query{Text: text})); diff != "" {
					t.Errorf("%q ranked beside others (-alone +beside):\n%s", text, diff)
					return
				}
			}
		})
	}
	wg.Wait()
}
