package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// judged is a question and the document that answers it.
type judged struct{ query, gold string }

// judgedSet generates documents whose word frequencies are as uneven as those of a language, and questions with three
// words of one document and three of others.
func judgedSet(rnd *rand.Rand, docs, questions int) ([]index.Doc, []judged) {
	zipf := rand.NewZipf(rnd, 1.2, 8, 1500)
	word := func() string { return fmt.Sprintf("word%dx", zipf.Uint64()) }
	var all []index.Doc
	for i := range docs {
		var text []string
		for range 14 {
			text = append(text, word())
		}
		all = append(all, doc(fmt.Sprintf("d%04d", i), "", strings.Join(text, " ")))
	}
	var asked []judged
	for range questions {
		gold := all[rnd.IntN(docs)]
		words := strings.Fields(gold.Text)
		rnd.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		asked = append(asked, judged{strings.Join(append(words[:3], word(), word(), word()), " "), gold.ID})
	}
	return all, asked
}

// recalls returns the shares of questions whose answer is among the first 5 and 10.
func recalls(t *testing.T, snap *index.Snapshot, asked []judged, leg func(judged) []search.Leg) (at5, at10 float64) {
	t.Helper()
	snaps := []*index.Snapshot{snap}
	for _, j := range asked {
		q := search.Query{Text: j.query, Limit: 10, Docs: snap.Live()}
		legs := []search.Leg{search.Direct(snaps)}
		for _, l := range leg(j) {
			legs = append(legs, search.Guessing(l, q))
		}
		res, _, err := search.RunLegs(t.Context(), q, legs, time.Minute, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		switch at := slices.Index(ids(res.Hits), j.gold); {
		case at >= 0 && at < 5:
			at5 += 100 / float64(len(asked))
			fallthrough
		case at >= 0:
			at10 += 100 / float64(len(asked))
		}
	}
	return at5, at10
}

// rows returns a leg that returns rows in an order.
func rows(snap *index.Snapshot, order []int) search.Leg {
	return search.Leg{Name: "other", Weight: 0.7, Find: func(context.Context, search.Query) (search.Result, error) {
		var res search.Result
		for _, i := range order {
			res.Hits = append(res.Hits, search.Hit{Row: i, Doc: snap.Row(i)})
		}
		return res, nil
	}}
}

// A leg with meaningless ranks costs less than two points, and one that knows more than the words improves the result.
func TestALegOfRandomRanksCostsLittle(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	docs, asked := judgedSet(rnd, 800, 150)
	snap := build(t, docs)
	alone5, alone10 := recalls(t, snap, asked, func(judged) []search.Leg { return nil })
	if alone5 < 40 || alone10 > 98 {
		t.Fatalf("recall of the words alone is %.1f and %.1f: the set judges nothing", alone5, alone10)
	}
	for _, depth := range []int{20, 100, 800} {
		with5, with10 := recalls(t, snap, asked, func(judged) []search.Leg {
			return []search.Leg{rows(snap, rnd.Perm(len(docs))[:depth])}
		})
		if alone5-with5 >= 2 || alone10-with10 >= 2 {
			t.Errorf("%d random ranks: recall %.1f and %.1f, without them %.1f and %.1f", depth, with5, with10, alone5, alone10)
		}
	}
	knowing := func(j judged) []search.Leg {
		res, err := search.Run(t.Context(), []*index.Snapshot{snap},
			search.Query{Text: strings.Join(strings.Fields(j.query)[:3], " "), Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		for _, h := range res.Hits {
			order = append(order, h.Row)
		}
		return []search.Leg{rows(snap, order)}
	}
	if with5, with10 := recalls(t, snap, asked, knowing); with5 <= alone5 || with10 <= alone10 {
		t.Errorf("a leg that knows the words that count: recall %.1f and %.1f, without it %.1f and %.1f", with5, with10,
			alone5, alone10)
	}
	t.Logf("words alone: %.1f and %.1f", alone5, alone10)
}
