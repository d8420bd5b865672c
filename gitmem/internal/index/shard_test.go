package index_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/google/go-cmp/cmp"
)

// world is a set of sources with documents, as a caller would scan them. Its plan compares the content of each source
// with the marks.
type world map[string][]index.Doc

func (w world) docs(keys []string) iter.Seq2[index.Doc, error] {
	return func(yield func(index.Doc, error) bool) {
		for _, k := range keys {
			for _, d := range w[k] {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

func (w world) mark(key string) index.Mark {
	return index.Mark{Key: key, Hash: fmt.Sprintf("%x", index.Hash(fmt.Sprint(w[key]))), Lines: int64(len(w[key]))}
}

func (w world) plan(marks map[string]index.Mark, _ index.State) (index.Update, error) {
	var up index.Update
	var changed []string
	for _, k := range slices.Sorted(maps.Keys(w)) {
		if m, ok := marks[k]; !ok || m != w.mark(k) {
			changed = append(changed, k)
			if ok {
				up.Drop = append(up.Drop, k)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(marks)) {
		if _, ok := w[k]; !ok {
			up.Drop, up.Forget = append(up.Drop, k), append(up.Forget, k)
		}
	}
	if len(changed) > 0 {
		up.Docs = w.docs(changed)
		up.Marks = func() []index.Mark {
			var out []index.Mark
			for _, k := range changed {
				out = append(out, w.mark(k))
			}
			return out
		}
	}
	return up, nil
}

func vocabulary() []string {
	return strings.Fields(`relay pump board driver firmware optocoupler zeroCross calibrate boot range test antenna
		internal/pump/driver.go max_open_conns getPeakCurrent the of and café 数据库 ABC-12 v1.2.3 Redis cache eviction
		latency budget retry backoff schema migration rollback feature branch merge review`)
}

func sentence(r *rand.Rand, n int) string {
	v := vocabulary()
	out := make([]string, n)
	for i := range out {
		out[i] = v[r.IntN(len(v))]
	}
	return strings.Join(out, " ")
}

func randomDoc(r *rand.Rand, source string, line int) index.Doc {
	d := index.Doc{
		ID: fmt.Sprintf("transcript:%s:%d", source, line), Source: source, Layer: "transcripts", Type: "discussion",
		Role: []string{"user", "assistant"}[line%2], Project: "github.com/acme/pump", Session: fmt.Sprint("s-", line%3),
		Author: []string{"", "ann", "bob"}[r.IntN(3)], File: source + ".jsonl", Order: int64(r.IntN(5)) - 2,
		Offset: int64(line * 100), Length: int64(r.IntN(1000)), Text: sentence(r, r.IntN(40)),
	}
	if r.IntN(3) > 0 {
		d.Time = time.UnixMilli(1_700_000_000_000 + int64(r.IntN(1e9))).UTC()
	}
	if r.IntN(4) == 0 {
		d.Session, d.ID = "", fmt.Sprintf("git:commit:%s%04d", source, line)
	}
	if r.IntN(3) == 0 {
		d.Title, d.Tool = sentence(r, 3), "Edit Bash"
		d.Paths = []string{"firmware/relay.c", "docs/" + source + ".md"}
		d.Also, d.Release = []string{"Ann <ann@x>", "Bob <bob@x>"}[:r.IntN(3)], []string{"", "v1.2.0"}[r.IntN(2)]
		if d.DiffTerms = sentence(r, r.IntN(20)); d.DiffTerms != "" {
			d.Churn = []uint32{r.Uint32N(1<<r.IntN(20)) + 1, 0}
		}
		if len(d.Also) == 0 {
			d.Also = nil
		}
		d.Reviewers = [][]string{nil, {"Cy <cy@x>"}, {"Ann <ann@x>", "Dee <dee@x>"}}[r.IntN(3)]
	}
	return d
}

func randomWorld(r *rand.Rand, sources, docs int) world {
	w := world{}
	for s := range sources {
		key := fmt.Sprintf("src%02d", s)
		for line := range docs {
			w[key] = append(w[key], randomDoc(r, key, line))
		}
	}
	return w
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// content is the whole content of a snapshot, by id instead of by row.
type content struct {
	Rows     map[string]index.Row
	Next     map[string]string
	Prev     map[string]string
	Postings map[string][]string
	Average  map[index.Field]float64
	Sessions map[string]int
	Marks    map[string]index.Mark
}

func allFields() []index.Field {
	return []index.Field{index.Text, index.Title, index.Tool, index.Paths, index.DiffTerms}
}

func read(t testing.TB, s *index.Shard) content {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatalf("Snapshot: %v", err)
	}
	defer snap.Close()
	return readSnapshot(t, snap)
}

func readSnapshot(t testing.TB, snap *index.Snapshot) content {
	t.Helper()
	c := content{
		Rows: map[string]index.Row{}, Next: map[string]string{}, Prev: map[string]string{}, Postings: map[string][]string{},
		Average: map[index.Field]float64{}, Sessions: map[string]int{}, Marks: snap.Marks(),
	}
	for i := range snap.Rows() {
		if snap.Dead(i) {
			continue
		}
		r := snap.Row(i)
		c.Rows[r.ID] = r
		if n := snap.Next(i); n >= 0 {
			c.Next[r.ID] = snap.Row(int(n)).ID
		}
		if p := snap.Prev(i); p >= 0 {
			c.Prev[r.ID] = snap.Row(int(p)).ID
		}
		if s := snap.SessionOf(i); s >= 0 {
			c.Sessions[r.Session] = snap.SessionTokens(s)
		}
	}
	if len(c.Rows) != snap.Live() {
		t.Errorf("Live() = %d, counted %d", snap.Live(), len(c.Rows))
	}
	for _, f := range allFields() {
		c.Average[f] = snap.AverageLength(f)
		readPostings(t, snap, f, c.Postings)
	}
	return c
}

func readPostings(t testing.TB, snap *index.Snapshot, f index.Field, into map[string][]string) {
	t.Helper()
	for term, err := range snap.Terms(f, "") {
		if err != nil {
			t.Fatalf("Terms(%s): %v", f, err)
		}
		last := int32(-1)
		err := snap.Postings(t.Context(), f, term, func(row int32, freq, length int) {
			if row <= last {
				t.Errorf("postings of %s %q: row %d after %d", f, term, row, last)
			}
			last = row
			key := string(f) + " " + term
			into[key] = append(into[key], fmt.Sprintf("%s %d/%d", snap.Row(int(row)).ID, freq, length))
		})
		if err != nil {
			t.Fatalf("Postings(%s, %q): %v", f, term, err)
		}
	}
	for _, list := range into {
		slices.Sort(list)
	}
}

// expected returns the content that a snapshot of a world must have.
func expected(w world) content {
	c := content{
		Rows: map[string]index.Row{}, Next: map[string]string{}, Prev: map[string]string{}, Postings: map[string][]string{},
		Average: map[index.Field]float64{}, Sessions: map[string]int{}, Marks: map[string]index.Mark{},
	}
	sessions := map[string][]index.Doc{}
	sums := map[index.Field][2]int{}
	for key, docs := range w {
		c.Marks[key] = w.mark(key)
		for _, d := range docs {
			tokens := index.Terms(d.Text)
			c.Rows[d.ID] = index.Row{ID: d.ID, Source: d.Source, Layer: d.Layer, Type: d.Type, Role: d.Role, Project: d.Project,
				Session: d.Session, Author: d.Author, File: d.File, Order: d.Order, Offset: d.Offset, Length: d.Length,
				Tokens: len(tokens), Time: d.Time, Hash: d.Hash(), Paths: d.Paths,
				Churn: d.Churn, Also: d.Also, Reviewers: d.Reviewers, Release: d.Release}
			if d.Session != "" {
				sessions[d.Session] = append(sessions[d.Session], d)
				c.Sessions[d.Session] += len(tokens)
			}
			expectPostings(d, c.Postings, sums)
		}
	}
	for _, list := range c.Postings {
		slices.Sort(list)
	}
	for _, f := range allFields() {
		c.Average[f] = 0
		if s := sums[f]; s[1] > 0 {
			c.Average[f] = float64(s[0]) / float64(s[1])
		}
	}
	for _, docs := range sessions {
		slices.SortFunc(docs, func(a, b index.Doc) int {
			if a.Order != b.Order {
				return int(a.Order - b.Order)
			}
			return strings.Compare(a.ID, b.ID)
		})
		for i := 1; i < len(docs); i++ {
			c.Next[docs[i-1].ID], c.Prev[docs[i].ID] = docs[i].ID, docs[i-1].ID
		}
	}
	return c
}

func expectPostings(d index.Doc, into map[string][]string, sums map[index.Field][2]int) {
	for f, text := range map[index.Field]string{index.Text: d.Text, index.Title: d.Title, index.Tool: d.Tool,
		index.Paths: strings.Join(d.Paths, " "), index.DiffTerms: d.DiffTerms} {
		terms := index.Terms(text)
		if len(terms) == 0 {
			continue
		}
		sums[f] = [2]int{sums[f][0] + len(terms), sums[f][1] + 1}
		freq := map[string]int{}
		for _, term := range terms {
			freq[term]++
		}
		for term, n := range freq {
			key := string(f) + " " + term
			into[key] = append(into[key], fmt.Sprintf("%s %d/%d", d.ID, n, len(terms)))
		}
	}
}

func check(t testing.TB, s *index.Shard, w world) {
	t.Helper()
	if diff := cmp.Diff(expected(w), read(t, s)); diff != "" {
		t.Fatalf("snapshot (-want +got):\n%.4000s", diff)
	}
}

func refresh(t testing.TB, s *index.Shard, w world) index.Result {
	t.Helper()
	res, err := s.Refresh(t.Context(), w.plan)
	if err != nil {
		t.Fatalf("Refresh: %v", err)
	}
	return res
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	s := index.Open(filepath.Join(t.TempDir(), "shard"), index.Options{})
	if st, err := s.State(); st != index.Missing || err != nil {
		t.Fatalf("State before = %v, %v", st, err)
	}
	if _, err := s.Snapshot(); !errors.Is(err, index.ErrMissing) {
		t.Fatalf("Snapshot before = %v", err)
	}
	if _, err := os.Stat(s.Dir()); err == nil {
		t.Fatal("a look made the directory")
	}
	w := randomWorld(newRand(1), 4, 30)
	if res := refresh(t, s, w); !res.Rebuilt || res.Added != 120 || res.State != index.Missing {
		t.Errorf("first refresh = %+v", res)
	}
	check(t, s, w)
	first := refresh(t, s, w)
	if first.State != index.Current || first.Rebuilt || first.Added != 0 {
		t.Errorf("refresh without change = %+v", first)
	}
	w["src01"] = w["src01"][:20]
	w["new"] = []index.Doc{randomDoc(newRand(9), "new", 1)}
	delete(w, "src02")
	res := refresh(t, s, w)
	if res.State != index.Stale || res.Rebuilt || res.Added != 21 || res.Removed != 60 ||
		res.Generation == first.Generation {
		t.Errorf("refresh = %+v", res)
	}
	check(t, s, w)
	if err := s.Verify(); err != nil {
		t.Errorf("Verify: %v", err)
	}
	if st, err := s.State(); st != index.Current || err != nil {
		t.Errorf("State after = %v, %v", st, err)
	}
}

func TestEmptyShard(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := world{}
	refresh(t, s, w)
	check(t, s, w)
	if err := s.Verify(); err != nil {
		t.Errorf("Verify: %v", err)
	}
	w["a"] = []index.Doc{{ID: "a:1", Source: "a", Text: "hello"}}
	if res := refresh(t, s, w); res.Rebuilt || res.Added != 1 {
		t.Errorf("refresh of an empty generation = %+v", res)
	}
	check(t, s, w)
	w["a"] = nil
	refresh(t, s, w)
	check(t, s, w)
}

func TestDuplicateIDs(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	give := func(docs ...index.Doc) index.Result {
		res, err := s.Refresh(t.Context(), func(map[string]index.Mark, index.State) (index.Update, error) {
			return index.Update{Docs: world{"": docs}.docs([]string{""})}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	first := index.Doc{ID: "transcript:x:1", Text: "first"}
	second := index.Doc{ID: "transcript:x:1", Text: "second"}
	if res := give(first, second, index.Doc{ID: "transcript:x:01"}); res.Duplicates != 1 || res.Added != 2 {
		t.Errorf("two in one update = %+v, want the first kept", res)
	}
	if got := read(t, s).Rows["transcript:x:1"].Hash; got != index.Hash("first") {
		t.Errorf("kept the wrong document")
	}
	if res := give(second); res.Added != 1 || res.Removed != 1 {
		t.Errorf("an id that came again = %+v, want it replaced", res)
	}
	if c := read(t, s); c.Rows["transcript:x:1"].Hash != index.Hash("second") || len(c.Rows) != 2 {
		t.Errorf("rows after replacing: %v", c.Rows)
	}
}

func TestPlanErrorsChangeNothing(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := randomWorld(newRand(3), 2, 10)
	refresh(t, s, w)
	boom := errors.New("boom")
	for name, plan := range map[string]index.Plan{
		"plan": func(map[string]index.Mark, index.State) (index.Update, error) { return index.Update{}, boom },
		"documents": func(map[string]index.Mark, index.State) (index.Update, error) {
			return index.Update{Drop: []string{"src00"}, Docs: func(yield func(index.Doc, error) bool) {
				_ = yield(index.Doc{ID: "z"}, nil) && yield(index.Doc{}, boom)
			}}, nil
		},
	} {
		if _, err := s.Refresh(t.Context(), plan); !errors.Is(err, boom) {
			t.Errorf("%s: error = %v", name, err)
		}
		check(t, s, w)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w2 := maps.Clone(w)
	w2["more"] = randomWorld(newRand(4), 1, 5)["src00"]
	if _, err := s.Refresh(ctx, w2.plan); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled refresh: %v", err)
	}
	check(t, s, w)
	if left := generations(t, s); len(left) != 1 {
		t.Errorf("generations left: %v", left)
	}
}

func generations(t testing.TB, s *index.Shard) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Dir(), "*0*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
