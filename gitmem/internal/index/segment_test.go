package index_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func segmentOf(t testing.TB, n, workers int) (terms, rows []byte) {
	t.Helper()
	var docs []index.Doc
	r := newRand(uint64(n))
	for i := range n {
		docs = append(docs, randomDoc(r, "src", i))
	}
	terms, rows, err := index.WriteSegment(docs, workers)
	if err != nil {
		t.Fatal(err)
	}
	return terms, rows
}

// TestWorkersMakeTheSameSegment, however the batches fall to them.
func TestWorkersMakeTheSameSegment(t *testing.T) {
	t.Parallel()
	want, _ := segmentOf(t, 3000, 1)
	for workers := 2; workers <= 4; workers++ {
		if got, rows := segmentOf(t, 3000, workers); !bytes.Equal(got, want) {
			t.Errorf("%d workers made another segment: %v", workers, index.WalkSegment(got, rows))
		}
	}
}

// TestLongLists has terms with lists over many slices of the pool, some with high
// frequencies, and terms at the edges of a block of the dictionary.
func TestLongLists(t *testing.T) {
	t.Parallel()
	w := world{}
	for i := range 3000 {
		text := fmt.Sprintf("every word%d", i%97)
		if i%3 == 0 {
			text += " third third third"
		}
		if i%1000 == 0 {
			for range 300 {
				text += " often"
			}
		}
		w["src"] = append(w["src"], index.Doc{ID: fmt.Sprintf("src:%d", i), Source: "src", Text: text})
	}
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, w)
	check(t, s, w)
}

// TestBuildOfManySegments has too little memory for one.
func TestBuildOfManySegments(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	s.SetSegmentBytes(1)
	w := randomWorld(newRand(12), 4, 1000)
	refresh(t, s, w)
	if files := segmentFiles(t, s, "*.terms"); len(files) != 1 || filepath.Base(files[0]) < "s000005" {
		t.Errorf("segments %v, want one that several were joined to", files)
	}
	check(t, s, w)
	w["more"] = randomWorld(newRand(13), 1, 50)["src00"]
	for i := range w["more"] {
		w["more"][i] = randomDoc(newRand(uint64(i)), "more", i)
	}
	if res := refresh(t, s, w); res.Rebuilt {
		t.Errorf("step = %+v", res)
	}
	check(t, s, w)
}

func FuzzSegment(f *testing.F) {
	for _, at := range []int{9, 200, 1 << 12} {
		f.Add(20, at, uint64(1))
		f.Add(200, at, uint64(0xffffffffff))
	}
	f.Fuzz(func(t *testing.T, n, at int, value uint64) {
		terms, rows := segmentOf(t, min(max(1, n), 200), 1)
		for i := range 8 {
			if at >= 0 && at < len(terms)-i {
				terms[at+i] ^= byte(value >> (8 * i))
			}
		}
		index.SealSegment(terms)
		_ = index.WalkSegment(terms, rows)
	})
}
