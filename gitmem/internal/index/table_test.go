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

// TestExtremes stores values at the edges of what a row can hold.
func TestExtremes(t *testing.T) {
	t.Parallel()
	w := world{"": {
		{ID: "", Text: "empty id"},
		{ID: "a:0", Order: math.MinInt64, Offset: math.MaxInt64, Length: -1, Time: time.UnixMilli(-1).UTC()},
		{ID: "a:00", Order: math.MaxInt64, Session: "s", Time: time.UnixMilli(0).UTC()},
		{ID: "a:123456789012345", Session: "s", Order: math.MinInt64, Time: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)},
		{ID: "a:1234567890123456", Time: time.Date(1, 1, 1, 0, 0, 0, 1e6, time.UTC)},
		{ID: ":7", Paths: []string{"", "x", ""}},
		{ID: "no number:", Author: "a\x00b", Title: "日本"},
		{ID: "0123456789012345678901234567890123456789"},
	}}
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, w)
	// The comparison of orders in expected would overflow on these values.
	got, want := read(t, s), expected(w)
	seven := want.Rows[":7"]
	seven.Paths = []string{"x"} // an empty path is none
	want.Rows[":7"] = seven
	want.Next, want.Prev = map[string]string{"a:123456789012345": "a:00"}, map[string]string{"a:00": "a:123456789012345"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("snapshot (-want +got):\n%s", diff)
	}
}

func tableBytes(t testing.TB, n int) []byte {
	t.Helper()
	var docs []index.Doc
	r := newRand(uint64(n))
	for i := range n {
		docs = append(docs, randomDoc(r, "src", i))
	}
	var b bytes.Buffer
	if err := index.WriteTable(&b, docs); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDamagedTables changes each byte of a table. A header that was given a
// new checksum is a forgery that nothing can notice; it must do no harm.
func TestDamagedTables(t *testing.T) {
	t.Parallel()
	good := tableBytes(t, 20)
	if err := index.WalkTable(good); err != nil {
		t.Fatal(err)
	}
	for at := range len(good) {
		for _, seal := range []bool{false, true} {
			b := bytes.Clone(good)
			b[at] ^= 0xFF
			if seal {
				index.SealTable(b)
			}
			if index.WalkTable(b) == nil && !seal {
				t.Errorf("byte %d changed, and nothing noticed", at)
			}
		}
	}
	for n := range len(good) {
		if index.WalkTable(good[:n]) == nil {
			t.Errorf("cut to %d bytes, and nothing noticed", n)
		}
	}
}

func FuzzTable(f *testing.F) {
	for _, n := range []int{0, 1, 9} {
		f.Add(tableBytes(f, n), 0, uint64(0))
		f.Add(tableBytes(f, n), 20, uint64(1<<40))
		f.Add(tableBytes(f, n), 100, uint64(7))
	}
	f.Fuzz(func(_ *testing.T, b []byte, at int, value uint64) {
		b = bytes.Clone(b)
		for i := range 8 {
			if at >= 0 && at < len(b)-i {
				b[at+i] ^= byte(value >> (8 * i))
			}
		}
		index.SealTable(b)
		_ = index.WalkTable(b)
	})
}

func FuzzParts(f *testing.F) {
	f.Add(index.EncodeMarks(map[string]index.Mark{"k": {Key: "k", Size: 1, Hash: "h"}, "l": {Key: "l"}}))
	f.Add([]byte("gmdocs1\n\x01\x03abc\x02\x01\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00----"))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = bytes.Clone(b)
		index.SealTail(b)
		_ = index.DecodeDocmap(b)
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

// BenchmarkOpenTable shows that opening decodes nothing.
func BenchmarkOpenTable(b *testing.B) {
	for _, n := range []int{1000, 350_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			raw := tableBytes(b, n)
			b.ReportMetric(float64(len(raw))/float64(n), "B/row")
			for b.Loop() {
				if err := index.ParseTable(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
