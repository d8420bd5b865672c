package index_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// TestLongLists has terms whose lists extend over several blocks, some with high frequencies.
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

// TestBuildOfManySegments merges several times until there is one segment, and then runs steps whose segments have
// interleaved rows.
func TestBuildOfManySegments(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	s.SetSizes(250, 5)
	w := randomWorld(newRand(12), 2, 500)
	refresh(t, s, w)
	if files := segmentFiles(t, s, "bleve/*.zap"); len(files) != 1 {
		t.Errorf("segments %v, want one that all were joined to", files)
	}
	check(t, s, w)
	mixed := 0
	for step := range 14 {
		key := fmt.Sprint("more", step)
		for i := range 3 + (step+1)%2*200 { // the small ones are merged past the large ones
			w[key] = append(w[key], randomDoc(newRand(uint64(i)), key, i))
		}
		if res := refresh(t, s, w); res.Rebuilt {
			t.Errorf("step = %+v", res)
		}
		snap, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if groups, segments := snap.Groups(); groups < segments {
			mixed++
		}
		if err := snap.Close(); err != nil {
			t.Error(err)
		}
	}
	check(t, s, w)
	if mixed == 0 {
		t.Error("no step left segments with rows among each other's")
	}
}

// TestBuildOfManyTerms: if documents have far more words than earlier ones, a batch of a fixed size would use too much
// memory.
func TestBuildOfManyTerms(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	s.SetSizes(10, 5)
	s.SetTerms(500)
	w := world{}
	for i := range 42 {
		var text strings.Builder
		text.WriteString("relay")
		for n := range i / 30 * 120 {
			fmt.Fprintf(&text, " w%dx%d", i, n)
		}
		w["src"] = append(w["src"], index.Doc{ID: fmt.Sprintf("src:%d", i), Source: "src", Text: text.String()})
	}
	refresh(t, s, w)
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if _, segments := snap.Groups(); segments < 2 {
		t.Errorf("%d segments: all was one batch after the other", segments)
	}
	for term, want := range map[string]int{"relai": 42, "w30x119": 1, "w41x7": 1} {
		if n, err := snap.DocFreq(t.Context(), index.Text, term); n != want || err != nil {
			t.Errorf("%s: %d documents, %v, want %d", term, n, err, want)
		}
	}
}

func FuzzDocs(f *testing.F) {
	s := index.Open(f.TempDir(), index.Options{})
	refresh(f, s, randomWorld(newRand(1), 2, 40))
	f.Add([]byte("gmdocs2\n\x01\x01a\x05\x01\x00\x00\x05\x00\x00\x00\x00"), 10)
	f.Fuzz(func(t *testing.T, b []byte, rows int) {
		index.SealTail(b)
		again, err := index.DecodeDocs(b, rows)
		if err == nil && len(again) > len(b) && !bytes.Equal(again, b) {
			t.Errorf("%x was read and is written as %x", b, again)
		}
	})
}
