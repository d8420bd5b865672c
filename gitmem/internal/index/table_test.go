package index_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// TestExtremes stores the extreme values of a row.
func TestExtremes(t *testing.T) {
	t.Parallel()
	w := world{"": {
		{ID: "", Text: "empty id"},
		{ID: "a:0", Order: math.MinInt64, Offset: math.MaxInt64, Length: -1, Time: time.UnixMilli(-1).UTC()},
		{ID: "a:00", Order: math.MaxInt64, Session: "s", Time: time.UnixMilli(0).UTC()},
		{ID: "a:123456789012345", Session: "s", Order: math.MinInt64, Time: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)},
		{ID: "a:1234567890123456", Time: time.Date(1, 1, 1, 0, 0, 0, 1e6, time.UTC)},
		{ID: "a:7#tool"}, {ID: "a:7#"}, {ID: "a:7"}, {ID: "#tool"}, {ID: "a:07#x"}, {ID: "a:7#x:8#tool"}, {ID: "a:7#x8"},
		{ID: ":7", Paths: []string{"", "x", ""}},
		{ID: "no number:", Author: "a\x00b", Title: "日本"},
		{ID: "0123456789012345678901234567890123456789"},
	}}
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, w)
	// The comparison of orders in expected would overflow on these values.
	got, want := read(t, s), expected(w)
	seven := want.Rows[":7"]
	seven.Paths = []string{"x"} // an empty path is omitted
	want.Rows[":7"] = seven
	want.Next, want.Prev = map[string]string{"a:123456789012345": "a:00"}, map[string]string{"a:00": "a:123456789012345"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("snapshot (-want +got):\n%s", diff)
	}
}

func tableOf(t testing.TB, n int) index.Table {
	t.Helper()
	var docs []index.Doc
	r := newRand(uint64(n))
	for i := range n {
		docs = append(docs, randomDoc(r, "src", i))
	}
	table, err := index.WriteTable(docs)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestDamagedTables changes each byte of a part and of the live file. A changed header with a corrected checksum cannot
// be detected, but must do no harm.
func TestDamagedTables(t *testing.T) {
	t.Parallel()
	good := tableOf(t, 20)
	if err := good.Walk(); err != nil {
		t.Fatal(err)
	}
	for at := range len(good.Part) {
		for _, seal := range []bool{false, true} {
			bad := good
			bad.Part = bytes.Clone(good.Part)
			bad.Part[at] ^= 0xFF
			if seal {
				index.SealTable(bad.Part)
			}
			if bad.Walk() == nil && !seal {
				t.Errorf("byte %d changed, and nothing noticed", at)
			}
		}
	}
	for n := range len(good.Part) {
		if bad := (index.Table{Part: good.Part[:n], Links: good.Links, Live: good.Live}); bad.Walk() == nil {
			t.Errorf("cut to %d bytes, and nothing noticed", n)
		}
	}
	for at := range len(good.Live) {
		bad := good
		bad.Live = bytes.Clone(good.Live)
		bad.Live[at] ^= 0xFF
		if bad.Walk() == nil {
			t.Errorf("byte %d of the live file changed, and nothing noticed", at)
		}
	}
	for at := range len(good.Links) {
		bad := good
		bad.Links = bytes.Clone(good.Links)
		bad.Links[at] ^= 0xFF
		if bad.Walk() == nil {
			t.Errorf("byte %d of the links changed, and nothing noticed", at)
		}
	}
}

// TestMadeUpCounts has files of a few hundred bytes whose headers claim two billion rows: memory for them must not be
// allocated.
func TestMadeUpCounts(t *testing.T) {
	t.Parallel()
	good, forged := tableOf(t, 3), index.Table{}.Forge(1<<31-3)
	for name, bad := range map[string]index.Table{
		"all":   forged,
		"part":  {Part: forged.Part, Links: good.Links, Live: good.Live},
		"links": {Part: good.Part, Links: forged.Links, Live: good.Live},
		"live":  {Part: good.Part, Links: good.Links, Live: forged.Live},
	} {
		if bad.Open() == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func FuzzTable(f *testing.F) {
	for _, n := range []int{0, 1, 9} {
		f.Add(n, 0, 0, uint64(0))
		f.Add(n, 0, 20, uint64(1<<40))
		f.Add(n, 1, 100, uint64(7))
		f.Add(n, 2, 40, uint64(1<<63))
	}
	f.Fuzz(func(t *testing.T, n, file, at int, value uint64) {
		table := tableOf(t, max(0, n%30))
		for i, b := range []*[]byte{&table.Part, &table.Links, &table.Live} {
			*b = bytes.Clone(*b)
			for k := range 8 {
				if i == file && at >= 0 && at < len(*b)-k {
					(*b)[at+k] ^= byte(value >> (8 * k))
				}
			}
		}
		index.SealTable(table.Part)
		index.SealLive(table.Live)
		index.SealLinks(table.Links)
		_ = table.Walk()
	})
}

func FuzzParts(f *testing.F) {
	f.Add(index.EncodeMarks(map[string]index.Mark{"k": {Key: "k", Size: 1, Hash: "h"}, "l": {Key: "l"}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = bytes.Clone(b)
		index.SealTail(b)
		marks, err := index.DecodeMarks(b)
		if err != nil {
			return
		}
		again, err := index.DecodeMarks(index.EncodeMarks(marks))
		if diff := cmp.Diff(marks, again); err != nil || diff != "" {
			t.Errorf("marks do not survive: %v\n%s", err, diff)
		}
	})
}

// BenchmarkOpenTable: opening decodes nothing.
func BenchmarkOpenTable(b *testing.B) {
	for _, n := range []int{1000, 350_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			raw := tableOf(b, n)
			b.ReportMetric(float64(len(raw.Part)+len(raw.Links)+len(raw.Live))/float64(n), "B/row")
			for b.Loop() {
				if err := raw.Open(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
