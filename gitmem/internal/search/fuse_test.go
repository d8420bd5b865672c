package search_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// listing returns a leg that returns documents by their numbers, best first.
func listing(name string, weight float64, rows ...int) search.Leg {
	return search.Leg{Name: name, Weight: weight, Find: func(context.Context, search.Query) (search.Result, error) {
		var res search.Result
		for i, row := range rows {
			res.Hits = append(res.Hits, search.Hit{Row: row, Doc: index.Row{ID: fmt.Sprintf("d%03d", row)},
				Score: 1 / float64(i+1)})
		}
		return res, nil
	}}
}

func together(t *testing.T, each time.Duration, legs ...search.Leg) ([]string, []search.Outcome, error) {
	t.Helper()
	res, out, err := search.RunLegs(t.Context(), search.Query{Text: "word", Limit: 10}, legs, each, time.Now)
	ids := []string{}
	for _, h := range res.Hits {
		ids = append(ids, h.Doc.ID)
	}
	return ids, out, err
}

func TestOneLegAloneKeepsItsOrderAndScores(t *testing.T) {
	t.Parallel()
	res, out, err := search.RunLegs(t.Context(), search.Query{Text: "word"}, []search.Leg{listing("direct", 1, 7, 3, 5)},
		time.Minute, time.Now)
	if err != nil || len(out) != 1 || !out[0].OK || out[0].Hits != 3 {
		t.Fatalf("outcome %+v, error %v", out, err)
	}
	for i, want := range []struct {
		row   int
		score float64
	}{{7, 1}, {3, 0.5}, {5, 1.0 / 3}} {
		if h := res.Hits[i]; h.Row != want.row || h.Score != want.score || h.Fused != want.score {
			t.Errorf("hit %d: row %d with score %v and fused %v, want row %d with %v", i, h.Row, h.Score, h.Fused,
				want.row, want.score)
		}
	}
}

func TestLegsAreFusedByWeightedReciprocalRanks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		legs []search.Leg
		want []string
	}{
		{"both first", []search.Leg{listing("a", 1, 1, 2, 3), listing("b", 1, 1, 3, 2)}, []string{"d001", "d002", "d003"}},
		{"the heavier leg wins", []search.Leg{listing("a", 1, 1, 2), listing("b", 2, 2, 1)}, []string{"d002", "d001"}},
		{"a light leg adds at the end", []search.Leg{listing("a", 1, 1, 2), listing("b", 0.2, 9)},
			[]string{"d001", "d002", "d009"}},
		{"ties by id", []search.Leg{listing("a", 1, 4), listing("b", 1, 2)}, []string{"d002", "d004"}},
	} {
		ids, _, err := together(t, time.Minute, c.legs...)
		if diff := gocmp.Diff(c.want, ids); diff != "" || err != nil {
			t.Errorf("%s: error %v, order (-want +got):\n%s", c.name, err, diff)
		}
	}
}

func TestALegThatFailsOrIsLateCostsOnlyItself(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	failing := search.Leg{Name: "failing", Weight: 1, Find: func(context.Context, search.Query) (search.Result, error) {
		return search.Result{Hits: []search.Hit{{Row: 1}}}, broken
	}}
	slow := search.Leg{Name: "slow", Weight: 1, Find: func(ctx context.Context, _ search.Query) (search.Result, error) {
		<-ctx.Done()
		return search.Result{}, ctx.Err()
	}}
	ids, out, err := together(t, 20*time.Millisecond, listing("direct", 1, 5, 6), failing, slow)
	if diff := gocmp.Diff([]string{"d005", "d006"}, ids); diff != "" || err != nil {
		t.Errorf("error %v, order (-want +got):\n%s", err, diff)
	}
	if !out[0].OK || out[1].OK || !errors.Is(out[1].Err, broken) || !errors.Is(out[2].Err, search.ErrLate) {
		t.Errorf("outcomes %+v", out)
	}
	if _, _, err = together(t, 20*time.Millisecond, failing, slow); !errors.Is(err, broken) ||
		!errors.Is(err, search.ErrLate) {
		t.Errorf("every leg failed: error %v", err)
	}
}

func TestACancelledSearchEndsAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	patient := search.Leg{Name: "patient", Find: func(ctx context.Context, _ search.Query) (search.Result, error) {
		<-ctx.Done()
		return search.Result{}, ctx.Err()
	}}
	if _, _, err := search.RunLegs(ctx, search.Query{Text: "word"}, []search.Leg{patient}, time.Hour,
		time.Now); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// byMeaning returns a leg that returns documents with their cosines, best first.
func byMeaning(cosines map[int]float64) search.Leg {
	return search.Leg{Name: "semantic", Meaning: true, Find: func(context.Context, search.Query) (search.Result, error) {
		var res search.Result
		for row, c := range cosines {
			doc := index.Row{ID: fmt.Sprintf("d%03d", row)}
			if row >= 100 {
				doc.Layer = "transcripts"
			}
			res.Hits = append(res.Hits, search.Hit{Row: row, Doc: doc, Score: c})
		}
		slices.SortFunc(res.Hits, func(a, b search.Hit) int { return cmp.Compare(b.Score, a.Score) })
		return res, nil
	}}
}

func TestMeaningIsFusedByScore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		legs []search.Leg
		want []string
	}{
		{"what is far and has no word is left out",
			[]search.Leg{listing("direct", 1, 7), byMeaning(map[int]float64{7: 0.35, 9: 0.34})}, []string{"d007"}},
		{"what a leg did not find has nothing to do with it",
			[]search.Leg{listing("direct", 1, 1, 2), byMeaning(map[int]float64{9: 0.8})}, []string{"d001", "d009", "d002"}},
		{"alone", []search.Leg{byMeaning(map[int]float64{1: 0.4, 2: 0.6})}, []string{"d002", "d001"}},
		{"no cosine keeps the words' order", []search.Leg{listing("direct", 1, 3, 1, 2), byMeaning(nil)},
			[]string{"d003", "d001", "d002"}},
		{"both find it", []search.Leg{listing("direct", 1, 3, 1, 2), byMeaning(map[int]float64{2: 0.8, 9: 0.4})},
			[]string{"d002", "d003", "d001", "d009"}},
		{"a little nearer changes nothing",
			[]search.Leg{listing("direct", 1, 3, 1), byMeaning(map[int]float64{1: 0.5, 3: 0.4})}, []string{"d003", "d001"}},
		{"conversations count less",
			[]search.Leg{listing("direct", 1), byMeaning(map[int]float64{100: 0.7, 1: 0.55, 2: 0.45})},
			[]string{"d001", "d100", "d002"}},
	} {
		ids, _, err := together(t, time.Minute, c.legs...)
		if diff := gocmp.Diff(c.want, ids); diff != "" || err != nil {
			t.Errorf("%s: error %v, order (-want +got):\n%s", c.name, err, diff)
		}
	}
}
