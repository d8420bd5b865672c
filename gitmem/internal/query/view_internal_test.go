package query

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// say writes what was said in the only session, one message after the other.
func say(t *testing.T, m *Reader, texts ...string) {
	t.Helper()
	file := filepath.Join(m.ws.ClientDir, "projects", "-home-dev", "5bc6e072-da76-4824-88b8-a4521df67882.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i, text := range texts {
		_, err := fmt.Fprintf(f, `{"type":"user","uuid":"u%d","sessionId":"5bc6e072-da76-4824-88b8-a4521df67882","timestamp":"2025-03-09T14:00:00Z",`+
			`"cwd":"/home/dev","promptSource":"typed","message":{"role":"user","content":%q}}`+"\n", i, text)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// searching is a view that was opened and not brought up to date.
func searching(t *testing.T, m *Reader) (*View, search.Query) {
	t.Helper()
	v, err := m.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	v.Damaged = new(bool)
	return v, search.Query{Text: "thermistor", Limit: 20}
}

func lines(t *testing.T, v *View, q search.Query) []int64 {
	t.Helper()
	res, err := v.search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []int64
	for _, h := range res.Hits {
		out = append(out, h.Doc.Order)
	}
	slices.Sort(out)
	return out
}

// begun is a memory whose indexes hold one message.
func begun(t *testing.T) *Reader {
	t.Helper()
	m := seer(t, time.Now())
	say(t, m, "Solder the thermistor to the board")
	if r, err := m.Search(t.Context(), "thermistor", Filter{Project: "all"}); err != nil || len(r.Hits) != 1 {
		t.Fatalf("%v %v", r, err)
	}
	return m
}

// A message that comes while what was there before is searched is found: the search
// that was done ahead is not the answer.
func TestAChangeDuringTheSearchAhead(t *testing.T) {
	t.Parallel()
	m := begun(t)
	v, q := searching(t, m)
	if v.present() == nil {
		t.Fatal("nothing is there to be searched ahead")
	}
	at := slices.IndexFunc(v.Shards, func(s ingest.Shard) bool { return s.Name == "transcripts" })
	came := false
	v.Shards[at].Plan = func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		if !came { // both searches are under way
			came = true
			say(t, m, "The thermistor was burnt")
		}
		return (&ingest.TranscriptSource{M: m.src}).Plan(marks, st)
	}
	if err := v.ahead(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, v, q); !came || !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("lines %v were found, although 2 had come", got)
	}
}

// Where nothing has changed, the search that was done ahead is the answer, and says
// how its strategies went.
func TestASearchAheadStays(t *testing.T) {
	t.Parallel()
	v, q := searching(t, begun(t))
	if err := v.ahead(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if v.early == nil || len(v.strategies) == 0 {
		t.Fatal("nothing has changed, and yet what was found is searched again")
	}
	if got := lines(t, v, q); !slices.Equal(got, []int64{1}) || v.early != nil {
		t.Errorf("lines %v", got)
	}
}
