package index_test

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// anew compares a shard with one that is built from scratch.
func anew(t *testing.T, s *index.Shard, w world) index.Difference {
	t.Helper()
	fresh := index.Open(t.TempDir(), index.Options{})
	refresh(t, fresh, w)
	want, err := fresh.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	have, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer have.Close()
	d, err := have.Compare(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCompareFindsNothing: after many steps only the order of rows differs.
func TestCompareFindsNothing(t *testing.T) {
	t.Parallel()
	r := newRand(5)
	w := randomWorld(r, 4, 30)
	s := index.Open(t.TempDir(), index.Options{})
	for range 6 {
		refresh(t, s, w)
		mutate(r, w)
	}
	if d := anew(t, s, w); d.Count != 0 || d.Passed == 0 {
		t.Errorf("with a change that waits: %+v", d)
	}
	refresh(t, s, w)
	changed := maps.Clone(w) // the same number of documents with other words
	key := slices.Sorted(maps.Keys(w))[0]
	changed[key] = slices.Clone(w[key])
	changed[key][0].Text += " relay"
	if d := anew(t, s, changed); d.Count != 0 || d.Passed != 2*len(w[key]) {
		t.Errorf("with another change that waits: %+v, want %d passed", d, 2*len(w[key]))
	}
	if d := anew(t, s, w); d.Count != 0 || d.Passed != 0 || d.Compared == 0 {
		t.Errorf("up to date: %+v", d)
	}
}

// TestCompareFindsWrongDocuments: the shard was built from documents that do not match its marks. All checksums are
// correct, so that only a comparison can find it.
func TestCompareFindsWrongDocuments(t *testing.T) {
	t.Parallel()
	change := func(f func(d *index.Doc)) func(d index.Doc) []index.Doc {
		return func(d index.Doc) []index.Doc { f(&d); return []index.Doc{d} }
	}
	tests := []struct {
		name, says string
		feed       func(d index.Doc) []index.Doc
	}{
		{"missing", "is in its source and not in the index", func(index.Doc) []index.Doc { return nil }},
		{"one too many", "is in the index and in no source", func(d index.Doc) []index.Doc {
			more := d
			more.ID += "0"
			return []index.Doc{d, more}
		}},
		{"other text", "token count", change(func(d *index.Doc) { d.Text += " relay" })},
		{"the same words in another order", "title or text", change(func(d *index.Doc) {
			words := strings.Fields(d.Text)
			slices.Reverse(words)
			d.Text = strings.Join(words, " ") + " "
		})},
		{"other title", "title or text", change(func(d *index.Doc) { d.Title += " relay" })},
		{"other tool", "other words", change(func(d *index.Doc) { d.Tool = "relay" })},
		{"other offset", "offset", change(func(d *index.Doc) { d.Offset++ })},
		{"other length", "length", change(func(d *index.Doc) { d.Length++ })},
		{"other project", "project", change(func(d *index.Doc) { d.Project += "x" })},
		{"other time", "time", change(func(d *index.Doc) { d.Time = d.Time.AddDate(0, 0, 1) })},
		{"other order", "order", change(func(d *index.Doc) { d.Order += 1000 })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := randomWorld(newRand(9), 3, 20)
			key := slices.Sorted(maps.Keys(w))[0]
			victim := w[key][2].ID
			s := index.Open(t.TempDir(), index.Options{})
			_, err := s.Refresh(t.Context(), func(marks map[string]index.Mark, st index.State) (index.Update, error) {
				up, err := w.plan(marks, st)
				if up.Docs != nil {
					up.Docs = fed(up.Docs, victim, tt.feed)
				}
				return up, err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Verify(); err != nil {
				t.Fatalf("Verify: %v", err)
			}
			if d := anew(t, s, w); d.Count != 1 || !strings.HasPrefix(d.First, victim) || !strings.Contains(d.Detail, tt.says) {
				t.Errorf("%+v, want 1 at %s with %q", d, victim, tt.says)
			}
		})
	}
}

// fed replaces one document by others.
func fed(docs iter.Seq2[index.Doc, error], id string, feed func(index.Doc) []index.Doc) iter.Seq2[index.Doc, error] {
	return func(yield func(index.Doc, error) bool) {
		for d, err := range docs {
			list := []index.Doc{d}
			if d.ID == id {
				list = feed(d)
			}
			for _, d := range list {
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

// TestCompareFindsTampering with the strings of the table, after correcting every checksum.
func TestCompareFindsTampering(t *testing.T) {
	t.Parallel()
	w := world{"a": {{ID: "x:1", Source: "a", Project: "pump", Text: "one relay"},
		{ID: "x:2", Source: "a", Project: "pump", Text: "two relays"}}}
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, w)
	tamper(t, s, "pump", "jump")
	if err := s.Verify(); err != nil {
		t.Fatalf("Verify: %v, want every checksum to hold", err)
	}
	if d := anew(t, s, w); d.Count != 2 || d.First != "x:1" || !strings.Contains(d.Detail, "project") {
		t.Errorf("%+v, want both documents", d)
	}
}

// tamper replaces bytes in the table of a shard and corrects the checksums and times.
func tamper(t *testing.T, s *index.Shard, old, with string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Dir(), "g*", "*.rows"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if b = bytes.Replace(b, []byte(old), []byte(with), 1); !bytes.Contains(b, []byte(with)) {
		t.Fatalf("the table does not hold %q", old)
	}
	index.SealTableTail(b)
	info, err := os.Stat(found[0])
	if err == nil {
		err = os.WriteFile(found[0], b, 0o600)
	}
	if err == nil {
		err = os.Chtimes(found[0], info.ModTime(), info.ModTime())
	}
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(filepath.Dir(found[0]), "MANIFEST")
	raw, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var man map[string]any
	if err := json.Unmarshal(raw[:len(raw)-9], &man); err != nil {
		t.Fatal(err)
	}
	text := string(raw[:len(raw)-9])
	for _, f := range man["Files"].([]any) {
		if file := f.(map[string]any); file["Path"] == filepath.Base(found[0]) {
			text = index.SetCRC(text, filepath.Base(found[0]), b)
		}
	}
	if err := os.WriteFile(manifest, index.SealManifest([]byte(text)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLookOnly: damage is reported and nothing is recorded.
func TestLookOnly(t *testing.T) {
	t.Parallel()
	w := randomWorld(newRand(3), 2, 20)
	dir := t.TempDir()
	refresh(t, index.Open(dir, index.Options{}), w)
	looking := index.Open(dir, index.Options{ReadOnly: true})
	damage{"middle", "g*/bleve/*.zap", scramble(half, 64), true}.do(t, looking)
	if err := looking.Verify(); err == nil {
		t.Error("the damage was not found")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "g*", "damaged")); len(left) > 0 {
		t.Errorf("it was noted: %v", left)
	}
	if err := index.Open(dir, index.Options{}).Verify(); err == nil {
		t.Error("the damage was not found the second time")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "g*", "damaged")); len(left) != 1 {
		t.Error("it was not noted")
	}
}

// TestStrings: Strings yields the strings of rows and marks.
func TestStrings(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, world{"source": {{ID: "x:1", Source: "source", Project: "pump", Author: "ada",
		Paths: []string{"relay.c"}, Text: "unseen"}}})
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	got := slices.Collect(snap.Strings())
	for _, want := range []string{"x:", "source", "pump", "ada", "relay.c"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}
