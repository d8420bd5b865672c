package index

import (
	"cmp"
	"context"
	"hash/maphash"
	"iter"
	"reflect"
	"strings"
)

// Difference describes how two snapshots differ that should be equal.
type Difference struct {
	Compared int    // number of compared documents
	Passed   int    // number of documents of sources that have changed since, which prove nothing
	Count    int    // number of documents that differ, are missing or should not exist
	First    string // smallest id of these documents
	Detail   string // error in this document, or in the whole snapshot
}

// Compare reports how a snapshot differs from a freshly built one: both should have the same documents with the same
// fields, lengths and term frequencies, in any order of rows. Sources whose marks differ, such as files that have grown
// since, are omitted: the next refresh reads them.
//
// It uses about 50 bytes per document and stores no text.
func (s *Snapshot) Compare(ctx context.Context, fresh *Snapshot) (d Difference, err error) {
	seed := maphash.MakeSeed()
	have, err := s.termSums(ctx, seed)
	if err != nil {
		return d, err
	}
	want, err := fresh.termSums(ctx, seed)
	if err != nil {
		return d, err
	}
	same := sameSources(s, fresh)
	rows := map[uint64]int{} // rows of s, by the hashes of their ids
	for i, r := range s.rowsOf(same, &d.Passed) {
		rows[maphash.String(seed, r.ID)] = i
	}
	for i, r := range fresh.rowsOf(same, &d.Passed) {
		d.Compared++
		id := maphash.String(seed, r.ID)
		row, ok := rows[id]
		delete(rows, id)
		if !ok {
			d.note(r.ID, "is in its source and not in the index")
		} else if field := differing(s.Row(row), r); field != "" {
			d.note(r.ID, "is indexed with other details than its source has: "+field)
		} else if have[row] != want[i] {
			d.note(r.ID, "is indexed under other words than its source has")
		}
	}
	for _, row := range rows {
		d.note(s.ID(row), "is in the index and in no source")
	}
	return d, nil
}

// sameSources reports which sources are the same bytes in both snapshots. The caller's data in the marks must be equal,
// but not the time of reading.
func sameSources(a, b *Snapshot) map[string]bool {
	same := map[string]bool{}
	for key, m := range a.gen.marks {
		other, ok := b.gen.marks[key]
		same[key] = ok && m.Hash == other.Hash && m.Offset == other.Offset && m.Lines == other.Lines && m.Data == other.Data
	}
	return same
}

// rowsOf yields the live rows of some sources, and counts the other rows.
func (s *Snapshot) rowsOf(sources map[string]bool, others *int) iter.Seq2[int, Row] {
	return func(yield func(int, Row) bool) {
		for i := range s.Rows() {
			if s.Dead(i) {
				continue
			}
			if r := s.Row(i); !sources[r.Source] {
				*others++
			} else if !yield(i, r) {
				return
			}
		}
	}
}

// termSums returns, for each row, the sum of hashes of its postings, which does not depend on their order.
func (s *Snapshot) termSums(ctx context.Context, seed maphash.Seed) ([]uint64, error) {
	sums := make([]uint64, s.Rows())
	type posting struct {
		field        Field
		term         string
		freq, length int
	}
	for _, f := range allFields {
		for term, err := range s.Terms(f, "") {
			if err != nil {
				return nil, err
			}
			err = s.Postings(ctx, f, term, func(row int32, freq, length int) {
				sums[row] += maphash.Comparable(seed, posting{f, term, freq, length})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return sums, ctx.Err()
}

func (d *Difference) note(id, what string) {
	d.Count++
	if d.First == "" || id < d.First {
		d.First, d.Detail = id, what
	}
}

// differing returns the name of the first field in which two rows differ, or "".
func differing(a, b Row) string {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			f := x.Type().Field(i)
			return cmp.Or(f.Tag.Get("differs"), strings.ToLower(f.Name))
		}
	}
	return ""
}
