package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// wander changes a world by a small step: usually it appends lines to a source, and sometimes a source is truncated,
// rewritten, removed or restored with the same ids, or its documents move to another source.
func wander(r *rand.Rand, w, gone world) {
	keys := slices.Sorted(maps.Keys(w))
	key := keys[r.IntN(len(keys))]
	docs := slices.Clone(w[key])
	switch n := r.IntN(20); {
	case n < 11:
		for range 1 + r.IntN(6) {
			docs = append(docs, randomDoc(r, key, len(docs)))
		}
	case n < 13:
		docs = docs[:r.IntN(len(docs)+1)]
	case n < 14:
		for i := range docs {
			docs[i] = randomDoc(r, key, i)
		}
	case n < 16 && len(w) > 2:
		gone[key] = docs
		delete(w, key)
		return
	case n < 18 && len(gone) > 0:
		key = slices.Sorted(maps.Keys(gone))[0]
		docs = gone[key]
		delete(gone, key)
	case n < 19 && len(docs) > 0: // the same ids from another source, in one step
		to := key + "'"
		for _, d := range docs {
			d.Source = to
			w[to] = append(w[to], d)
		}
		delete(w, key)
		return
	default:
		key = fmt.Sprintf("new%05d", r.IntN(100_000))
		docs = []index.Doc{randomDoc(r, key, 0)}
	}
	w[key] = docs
}

// TestLongWalk runs hundreds of steps and compares the index with the documents after every few of them, and with a
// single build at the end. Segments are joined, links are patched and rewritten, rows are removed and added again, and
// compacted in a few steps.
func TestLongWalk(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED under -short: nothing of it is concurrent")
	}
	steps := 60
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		steps = 240
	}
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r, gone := newRand(100+seed), world{}
			w := randomWorld(r, 3, 10)
			s := index.Open(t.TempDir(), index.Options{})
			if seed == 1 {
				s.SetSizes(3, 5) // a step may write several segments
			}
			compacted := 0
			for step := range steps {
				if res := refresh(t, s, w); res.Compacted {
					compacted++
				}
				if step%16 == 0 {
					check(t, s, w)
				}
				if t.Failed() {
					t.Fatalf("step %d", step)
				}
				wander(r, w, gone)
			}
			refresh(t, s, w)
			check(t, s, w)
			once := index.Open(t.TempDir(), index.Options{})
			refresh(t, once, w)
			if diff := cmp.Diff(read(t, once), read(t, s)); diff != "" {
				t.Errorf("%d steps differ from one build (-once +steps):\n%.4000s", steps, diff)
			}
			if err := s.Verify(); err != nil {
				t.Error(err)
			}
			if compacted == steps || steps > 200 && compacted < 2 {
				t.Errorf("%d of %d steps left out what was dead", compacted, steps)
			}
		})
	}
}
