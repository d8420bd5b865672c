package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/google/go-cmp/cmp"
)

// mutate changes a world as sources change: lines are appended, and files are truncated, rewritten, deleted and
// created.
func mutate(r *rand.Rand, w world) {
	keys := slices.Sorted(maps.Keys(w))
	fresh := fmt.Sprintf("new%03d", r.IntN(1000))
	for range 1 + r.IntN(3) {
		key := keys[r.IntN(len(keys))]
		docs := slices.Clone(w[key])
		switch r.IntN(5) {
		case 0:
			for range 1 + r.IntN(20) {
				docs = append(docs, randomDoc(r, key, len(docs)))
			}
		case 1:
			docs = docs[:r.IntN(len(docs)+1)]
		case 2:
			for i := range docs {
				docs[i] = randomDoc(r, key, i)
			}
		case 3:
			if len(w) > 2 {
				delete(w, key)
				keys = slices.Sorted(maps.Keys(w))
				continue
			}
		case 4:
			key, docs = fresh, randomWorld(r, 1, 10)["src00"]
			for i := range docs {
				docs[i] = randomDoc(r, fresh, i)
			}
		}
		w[key] = docs
	}
}

// TestStepsEqualOneBuild compares an index that grew by small updates with one that was built at once, and with the
// documents.
func TestStepsEqualOneBuild(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := newRand(seed)
			w := randomWorld(r, 3, 40)
			steps := index.Open(t.TempDir(), index.Options{})
			rebuilt := 0
			for range 12 {
				if res := refresh(t, steps, w); res.Rebuilt {
					rebuilt++
				}
				mutate(r, w)
			}
			refresh(t, steps, w)
			if rebuilt > 3 {
				t.Errorf("%d of 13 refreshes built everything", rebuilt)
			}
			once := index.Open(t.TempDir(), index.Options{})
			refresh(t, once, w)
			if diff := cmp.Diff(read(t, once), read(t, steps)); diff != "" {
				t.Errorf("steps differ from one build (-once +steps):\n%.4000s", diff)
			}
			check(t, steps, w)
			if err := steps.Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestManyDocuments indexes several batches of documents.
func TestManyDocuments(t *testing.T) {
	t.Parallel()
	common := func(source string, n int) (docs []index.Doc) {
		for i := range n {
			docs = append(docs, index.Doc{ID: fmt.Sprintf("%s:%d", source, i), Source: source, Session: "s", Order: int64(-i),
				Text: fmt.Sprintf("common word%d", i%7)})
		}
		return docs
	}
	s := index.Open(t.TempDir(), index.Options{})
	w := world{"some": common("some", 1500)}
	refresh(t, s, w)
	check(t, s, w)
	w["more"] = common("more", 5000)
	if res := refresh(t, s, w); res.Rebuilt {
		t.Error("the second step built everything")
	}
	check(t, s, w)
	var done []int
	once := index.Open(t.TempDir(), index.Options{Progress: func(n int) { done = append(done, n) }})
	refresh(t, once, w)
	check(t, once, w)
	if !slices.IsSorted(done) || len(done) < 10 || done[len(done)-1] != 6500 {
		t.Errorf("progress: %v", done)
	}
}

func TestCompaction(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := randomWorld(newRand(5), 4, 300)
	refresh(t, s, w)
	delete(w, "src00")
	delete(w, "src01")
	if res := refresh(t, s, w); res.Rebuilt || !res.Compacted || res.Removed != 600 || res.Added != 0 {
		t.Fatalf("half of the rows died: %+v", res)
	}
	if rows := rowsOf(t, s); rows != 600 {
		t.Errorf("rows after compaction = %d", rows)
	}
	check(t, s, w)
	clear(w)
	if res := refresh(t, s, w); !res.Compacted || res.Removed != 600 || rowsOf(t, s) != 0 {
		t.Errorf("all rows died: %+v, %d rows are left", res, rowsOf(t, s))
	}
	check(t, s, w)
	w["again"] = []index.Doc{randomDoc(newRand(6), "again", 0)}
	refresh(t, s, w)
	check(t, s, w)
}

func rowsOf(t testing.TB, s *index.Shard) int {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	return snap.Rows()
}

// TestCompactionWaitsForPatience: an indexer compacts a large index, even if nothing else is to be done; a question
// does not.
func TestCompactionWaitsForPatience(t *testing.T) {
	t.Parallel()
	dir, w := t.TempDir(), world{}
	for i := range 28_000 {
		key := fmt.Sprint("src", i%14)
		w[key] = append(w[key], index.Doc{ID: fmt.Sprintf("%s:%d", key, i), Source: key, Text: "relay"})
	}
	question, indexer := index.Open(dir, index.Options{}), index.Open(dir, index.Options{WaitForLock: true})
	refresh(t, question, w)
	for i := range 3 {
		delete(w, fmt.Sprint("src", i))
	}
	w["src3"] = w["src3"][:500]
	if res := refresh(t, question, w); res.Compacted || rowsOf(t, question) != 28_500 {
		t.Errorf("a question: %+v", res)
	}
	if res := refresh(t, indexer, w); !res.Compacted || rowsOf(t, question) != 20_500 {
		t.Errorf("an indexer with nothing new: %+v, %d rows", res, rowsOf(t, question))
	}
	if res := refresh(t, indexer, w); res.Compacted || res.State != index.Current {
		t.Errorf("an indexer that was here: %+v", res)
	}
	check(t, question, w)
}

// TestWhenToCompact: a question leaves a large index uncompacted for long.
func TestWhenToCompact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		rows, live        int
		question, indexer bool
	}{
		{"nothing dead", 350_000, 350_000, false, false},
		{"few dead", 350_000, 300_000, false, false},
		{"small, a few dead", 1000, 745, false, false},
		{"small, a quarter dead", 1100, 800, true, true},
		{"large, a third dead", 350_000, 230_000, false, true},
		{"large, nearly all dead", 350_000, 80_000, true, true},
		{"all dead", 350_000, 0, true, true},
	} {
		for who, want := range map[bool]bool{false: c.question, true: c.indexer} {
			if got := index.WantsCompacting(c.rows, c.live, who); got != want {
				t.Errorf("%s, patient %v: %v, want %v", c.name, who, got, want)
			}
		}
	}
}

func TestOptionsAndRebuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := randomWorld(newRand(6), 2, 20)
	refresh(t, index.Open(dir, index.Options{Fingerprint: "redact 1"}), w)
	other := index.Open(dir, index.Options{Fingerprint: "redact 2"})
	if st, err := other.State(); st != index.OtherOptions || err != nil {
		t.Fatalf("State = %v, %v", st, err)
	}
	if _, err := other.Snapshot(); err == nil {
		t.Error("a generation of other options was opened")
	}
	if res := refresh(t, other, w); !res.Rebuilt || res.State != index.OtherOptions {
		t.Errorf("refresh = %+v", res)
	}
	check(t, other, w)
	res, err := other.Refresh(t.Context(), func(map[string]index.Mark, index.State) (index.Update, error) {
		return index.Update{Rebuild: true, Docs: w.docs([]string{"src00"})}, nil
	})
	if err != nil || !res.Rebuilt || res.Added != 20 {
		t.Errorf("asked for a rebuild: %+v, %v", res, err)
	}
	if c := read(t, other); len(c.Rows) != 20 || len(c.Marks) != 0 {
		t.Errorf("after the rebuild: %d rows, %d marks", len(c.Rows), len(c.Marks))
	}
}

func TestMarksAlone(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := randomWorld(newRand(8), 2, 10)
	refresh(t, s, w)
	before := read(t, s)
	_, err := s.Refresh(t.Context(), func(map[string]index.Mark, index.State) (index.Update, error) {
		return index.Update{Forget: []string{"src00"}, Marks: func() []index.Mark {
			return []index.Mark{{Key: "x", Size: -1, MtimeNs: 1 << 62, CtimeNs: 3, Inode: 1<<64 - 1, Hash: "h",
				Offset: 5, Lines: 6,
				ScannedNs: 7, Data: "\x00é"}}
		}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(before.Marks, "src00")
	before.Marks["x"] = index.Mark{Key: "x", Size: -1, MtimeNs: 1 << 62, CtimeNs: 3, Inode: 1<<64 - 1,
		Hash: "h", Offset: 5,
		Lines: 6, ScannedNs: 7, Data: "\x00é"}
	if diff := cmp.Diff(before, read(t, s)); diff != "" {
		t.Errorf("after a change of marks alone (-want +got):\n%s", diff)
	}
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}

func TestLookups(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := randomWorld(newRand(10), 2, 30)
	refresh(t, s, w)
	delete(w, "src01")
	refresh(t, s, w)
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for i := range snap.Rows() {
		r := snap.Row(i)
		if got, ok := snap.Find(r.ID); ok == r.Dead || ok && got != i {
			t.Errorf("Find(%q) = %d, %v; row %d, dead %v", r.ID, got, ok, i, r.Dead)
		}
		for what, got := range map[string]string{r.Layer: snap.String(snap.LayerOf(i)), r.Type: snap.String(snap.TypeOf(i)),
			r.Project: snap.String(snap.ProjectOf(i)), r.Author: snap.String(snap.AuthorOf(i)),
			r.Role: snap.String(snap.RoleOf(i)),
			r.File: snap.String(snap.FileOf(i))} {
			if got != what {
				t.Errorf("row %d: reference of %q gives %q", i, what, got)
			}
		}
		if ref, ok := snap.StringRef(r.Project); !ok || ref != snap.ProjectOf(i) {
			t.Errorf("StringRef(%q) = %d, %v", r.Project, ref, ok)
		}
		if want := r.Time.Unix(); !r.Time.IsZero() && snap.Unix(i) != want {
			t.Errorf("Unix(%d) = %d, want %d", i, snap.Unix(i), want)
		}
	}
	if _, ok := snap.StringRef("never seen"); ok {
		t.Error("a string that no row has was found")
	}
	if _, ok := snap.Find("transcript:src00:99999"); ok {
		t.Error("an id that no row has was found")
	}
}
