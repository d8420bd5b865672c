package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"hash/maphash"
	"iter"
	"reflect"
	"slices"
	"strings"
)

// Difference says how two snapshots differ that should be the same.
type Difference struct {
	Compared int    // documents that were compared
	Passed   int    // documents of sources that have changed since, which prove nothing
	Count    int    // documents that differ, are missing or should not be there
	First    string // id of the first of them, by id
	Detail   string // what is wrong with it, or with the whole
}

// Compare looks whether a snapshot holds what one that was built afresh holds:
// the same documents with the same fields, lengths and terms as often, in any
// order of rows. Sources whose marks differ, such as files that have grown since,
// are left out: the next refresh takes them.
//
// It keeps some 50 bytes for each document and no text.
func (s *Snapshot) Compare(ctx context.Context, fresh *Snapshot) (Difference, error) {
	seed := maphash.MakeSeed()
	same := sameSources(s, fresh)
	have, passed, err := s.digests(ctx, seed, same)
	if err != nil {
		return Difference{}, err
	}
	want, more, err := fresh.digests(ctx, seed, same)
	if err != nil {
		return Difference{}, err
	}
	d := Difference{Compared: len(want), Passed: passed + more}
	d.pair(have, want, s, fresh)
	if d.Count == 0 && d.Passed == 0 {
		d.Detail = totals(s, fresh)
		if d.Detail != "" {
			d.Count = 1
		}
	}
	return d, nil
}

// sameSources says for which sources the two read the same bytes. What the caller
// keeps in a mark beside them has to be equal, but for when the source was read.
func sameSources(a, b *Snapshot) map[string]bool {
	same := map[string]bool{}
	for key, m := range a.gen.marks {
		other, ok := b.gen.marks[key]
		same[key] = ok && m.Hash == other.Hash && m.Offset == other.Offset && m.Lines == other.Lines && m.Data == other.Data
	}
	return same
}

// digest stands for one document.
type digest struct {
	id    [2]uint64 // hashes of its citation id
	row   int32
	facts uint64 // hash of the row
	terms uint64 // sum of the hashes of its postings
}

func (a digest) before(b digest) int {
	return cmp.Or(cmp.Compare(a.id[0], b.id[0]), cmp.Compare(a.id[1], b.id[1]))
}

// digests returns the digests of the live rows of some sources, sorted, and how
// many other live rows there are.
func (s *Snapshot) digests(ctx context.Context, seed maphash.Seed, same map[string]bool) ([]digest, int, error) {
	terms, err := s.termSums(ctx, seed)
	if err != nil {
		return nil, 0, err
	}
	var out []digest
	passed := 0
	for i := range s.Rows() {
		if s.Dead(i) {
			continue
		}
		r := s.Row(i)
		if !same[r.Source] {
			passed++
			continue
		}
		out = append(out, digest{id: idHash(r.ID), row: int32(i), facts: r.hash(seed), terms: terms[i]})
	}
	slices.SortFunc(out, digest.before)
	return out, passed, nil
}

func idHash(id string) [2]uint64 {
	h := fnv.New128a()
	h.Write([]byte(id))
	sum := h.Sum(nil)
	return [2]uint64{binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:])}
}

// hash stands for everything that a row says.
func (r Row) hash(seed maphash.Seed) uint64 {
	return maphash.String(seed, fmt.Sprintf("%#v", r))
}

// termSums adds up, for each row, hashes of its postings: the sum is the same in
// whatever order they come.
func (s *Snapshot) termSums(ctx context.Context, seed maphash.Seed) ([]uint64, error) {
	sums := make([]uint64, s.Rows())
	for _, f := range [...]Field{Text, Title, Tool, Paths, DiffTerms, Day} {
		for term, err := range s.Terms(f, "") {
			if err != nil {
				return nil, err
			}
			base := maphash.Comparable(seed, [2]string{string(f), term})
			err = s.Postings(ctx, f, term, func(row int32, freq, length int) {
				sums[row] += mix(base + uint64(freq)<<32 + uint64(length))
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return sums, ctx.Err()
}

// mix spreads a value over 64 bits (the finisher of splitmix64), so that sums of
// such values do not collide by cancelling out.
func mix(v uint64) uint64 {
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// pair goes through two sorted lists and counts what is not in both.
func (d *Difference) pair(have, want []digest, s, fresh *Snapshot) {
	for len(have) > 0 || len(want) > 0 {
		switch order := next(have, want); {
		case order < 0:
			d.note(s, have[0].row, "is in the index and in no source")
			have = have[1:]
		case order > 0:
			d.note(fresh, want[0].row, "is in its source and not in the index")
			want = want[1:]
		default:
			if have[0].facts != want[0].facts {
				d.note(fresh, want[0].row, "is indexed with other details than its source has: "+differing(s.Row(int(have[0].row)), fresh.Row(int(want[0].row))))
			} else if have[0].terms != want[0].terms {
				d.note(fresh, want[0].row, "is indexed under other words than its source has")
			}
			have, want = have[1:], want[1:]
		}
	}
}

// next says which of two lists has the lower head; an empty one has none.
func next(have, want []digest) int {
	switch {
	case len(have) == 0:
		return 1
	case len(want) == 0:
		return -1
	}
	return have[0].before(want[0])
}

func (d *Difference) note(s *Snapshot, row int32, what string) {
	d.Count++
	if id := s.Row(int(row)).ID; d.First == "" || id < d.First {
		d.First, d.Detail = id, what
	}
}

// differing names the first field in which two rows differ.
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

// totals compares what is kept of all documents together, "" where it is equal.
func totals(a, b *Snapshot) string {
	for _, f := range [...]Field{Text, Title, Tool, Paths, DiffTerms} {
		if n, _ := f.number(); a.t.sums[n] != b.t.sums[n] {
			return "the sum of lengths of the field " + string(f) + " is wrong"
		}
	}
	for i := range a.Rows() {
		if next := a.Next(i); next >= 0 && !a.Dead(i) && (a.Dead(int(next)) || a.Prev(int(next)) != int32(i)) {
			return "the neighbours within a session do not fit together"
		}
	}
	return ""
}

// Strings yields every string that the table holds, and the keys and data of the
// marks, for a search for what should not be there.
func (s *Snapshot) Strings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for ref := 1; ref < s.t.strings(); ref++ {
			if !yield(s.String(uint32(ref))) {
				return
			}
		}
		for key, m := range s.gen.marks {
			if !yield(key) || !yield(m.Data) {
				return
			}
		}
	}
}
