package index_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// TestMergesStayFewAndCheap simulates thousands of steps after a large segment, and limits the number of segments and
// of rows written per new row.
func TestMergesStayFewAndCheap(t *testing.T) {
	t.Parallel()
	r := newRand(4)
	for name, size := range map[string]func() int{
		"small steps": func() int { return 50 },
		"any steps":   func() int { return 1 + r.IntN(400) },
		"single rows": func() int { return 1 },
		"large and small": func() int {
			if r.IntN(10) == 0 {
				return 5000
			}
			return 3
		},
	} {
		rows := []int{350_000}
		most, came, written, longest := 0, 0, 0, 0
		for range 3000 {
			n := size()
			rows, came = append(rows, n), came+n
			if first := index.MergeFrom(rows); first < len(rows) {
				sum := 0
				for _, n := range rows[first:] {
					sum += n
				}
				rows = append(rows[:first], sum)
				written, longest = written+sum, max(longest, sum)
			}
			most = max(most, len(rows))
		}
		if rows[0] < 350_000 || written > 16*came || longest > 1<<18 || most > 20+came/25_000 {
			t.Errorf("%s: at most %d parts, %d rows written for %d, %d at once", name, most, written, came, longest)
		}
	}
}

// grown returns a shard of several segments and parts with some dead rows.
func grown(t *testing.T, o index.Options) (*index.Shard, world) {
	t.Helper()
	s := index.Open(t.TempDir(), o)
	s.SetSizes(5000, 20)
	w := world{"base": randomWorld(newRand(31), 1, 300)["src00"]}
	refresh(t, s, w)
	for i, n := range []int{120, 40, 30} {
		key := fmt.Sprint("step", i)
		for line := range n {
			w[key] = append(w[key], randomDoc(newRand(uint64(line)), key, line))
		}
		if i == 1 {
			w["step0"] = w["step0"][:100]
		}
		refresh(t, s, w)
	}
	check(t, s, w)
	return s, w
}

func segmentFiles(t *testing.T, s *index.Shard, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Dir(), "g*", pattern))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// TestStepsMerge runs steps until small segments have become larger ones.
func TestStepsMerge(t *testing.T) {
	t.Parallel()
	s, w := grown(t, index.Options{})
	most := 0
	for i := range 30 {
		key := fmt.Sprint("more", i)
		for line := range 1 + i%7 {
			w[key] = append(w[key], randomDoc(newRand(uint64(i)), key, line))
		}
		if res := refresh(t, s, w); res.Rebuilt {
			t.Fatalf("step %d built everything", i)
		}
		most = max(most, len(segmentFiles(t, s, "bleve/*.zap")))
	}
	check(t, s, w)
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
	if d := anew(t, s, w); d.Count != 0 || d.Compared == 0 {
		t.Errorf("compared with one build: %+v", d)
	}
	if most < 4 || most > 10 {
		t.Errorf("at most %d segments", most)
	}
}

// TestDamageToOneOfSeveral applies each kind of damage to each of several segments.
func TestDamageToOneOfSeveral(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"bleve/*.zap", "*.rows"} {
		for _, d := range []damage{
			{"cut", pattern, cutTo(half), false}, {"empty", pattern, cutTo(empty), false}, {"missing", pattern, nil, false},
			{"middle, same time", pattern, scramble(half, 300), true}, {"end, same time", pattern, scramble(footer, 40), true},
			{"start, same time", pattern, scramble(empty, 100), true},
		} {
			t.Run(pattern+" "+d.name, func(t *testing.T) {
				t.Parallel()
				s, w := grown(t, index.Options{})
				files := segmentFiles(t, s, pattern)
				if len(files) < 3 {
					t.Fatalf("only %v", files)
				}
				name := files[len(files)/2]
				d.file = "g*/" + strings.Replace(pattern, "*", strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), 1)
				d.do(t, s)
				if !d.keeps {
					readAll(t, s)
				}
				w["last"] = []index.Doc{{ID: "last:1", Source: "last", Text: "relay"}}
				if res := refresh(t, s, w); !res.Rebuilt || res.State != index.Corrupt {
					t.Errorf("%s: Refresh = %+v", name, res)
				}
				check(t, s, w)
			})
		}
	}
}

// TestChecksOnceADay: with a clock, changed bytes with unchanged size and time are found by the first step after a day.
func TestChecksOnceADay(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	s, w := grown(t, index.Options{Now: func() time.Time { return now }})
	files := segmentFiles(t, s, "bleve/*.zap")
	damage{"middle", "g*/bleve/" + filepath.Base(files[0]), scramble(half, 100), true}.do(t, s)
	step := func(n int) index.Result {
		key := fmt.Sprint("s", now.Unix(), n)
		w[key] = []index.Doc{{ID: key + ":1", Source: key, Text: "relay"}}
		return refresh(t, s, w)
	}
	now = now.Add(23 * time.Hour)
	if res := step(0); res.Rebuilt {
		t.Errorf("within the day: %+v", res)
	}
	now = now.Add(2 * time.Hour)
	if res := step(1); !res.Rebuilt || res.State != index.Corrupt {
		t.Errorf("after a day: %+v", res)
	}
	check(t, s, w)
}

// TestWithoutLinks copies unchanged files where hard links fail.
func TestWithoutLinks(t *testing.T) {
	t.Parallel()
	s, w := grown(t, index.Options{})
	s.WithoutLinks()
	w["last"] = []index.Doc{{ID: "last:1", Source: "last", Text: "relay"}}
	if res := refresh(t, s, w); res.Rebuilt {
		t.Errorf("Refresh = %+v", res)
	}
	check(t, s, w)
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}
