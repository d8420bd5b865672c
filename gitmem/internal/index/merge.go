package index

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Every step adds a segment. So that their number stays small and each document
// is seldom copied, the last segments become one when mergeWidth of them are of
// about the same size, and that again, as in a counter that carries. Only
// neighbours are joined, as their rows must follow each other; rows keep their
// numbers, tombstones too. What would have more than mergeRows rows stays as it
// is, to bound what a step may take.
const (
	mergeWidth = 4
	mergeRows  = 1 << 16
	mergeBase  = 64
)

// mergeFrom returns the first of the last segments that ought to be joined,
// len(rows) for none. rows are those of each segment.
func mergeFrom(rows []int) int {
	tail := slices.Clone(rows) // as it would be after the joins decided on
	for limit := mergeBase; limit <= mergeRows; limit *= mergeWidth {
		first, sum, alike := len(tail), 0, 0
		for first > 0 && tail[first-1] <= limit && sum+tail[first-1] <= mergeRows {
			first--
			sum += tail[first]
			if tail[first] > limit/mergeWidth || limit == mergeBase {
				alike++
			}
		}
		if alike >= mergeWidth {
			tail = append(tail[:first], sum)
		}
	}
	if len(tail) == len(rows) {
		return len(rows)
	}
	return len(tail) - 1
}

// mergeTail joins the last segments of the generation in the making where there
// are enough of them.
func (b *build) mergeTail() error {
	var rows []int
	for _, s := range b.segments {
		rows = append(rows, s.Rows)
	}
	first := mergeFrom(rows)
	if first == len(rows) {
		return nil
	}
	infos, parts := b.segments[first:], b.table.parts[first:]
	into := segmentInfo{Name: b.nextSegment()}
	for _, s := range infos {
		into.Rows += s.Rows
		if err := b.checkInput(s); err != nil {
			return err
		}
	}
	if err := b.mergeSegments(infos, parts, into, nil); err != nil {
		return err
	}
	var cols []growing
	if err := guarded(func() error { cols = joinParts(parts); return nil }); err != nil {
		return b.condemned(err)
	}
	err := osfile.WriteFile(b.gen.segmentPath(into, rowsExt), func(w io.Writer) error {
		return writeColumns(w, partMagic, partNumbers(parts[0].first, into.Rows, parts[0].firstString, parts[0].firstSession), cols)
	})
	if err != nil {
		return err
	}
	p, err := openPart(b.gen.segmentPath(into, rowsExt))
	if err != nil {
		return err
	}
	if err := b.removeSegments(infos); err != nil {
		return err
	}
	b.segments = append(b.segments[:first:first], into)
	b.table.parts = append(b.table.parts[:first:first], p)
	return nil
}

// mergeSegments joins the postings of segments. to, unless it is nil, has the numbers
// that the documents get.
func (b *build) mergeSegments(infos []segmentInfo, parts []*part, into segmentInfo, to []uint32) error {
	var inputs []*segment
	for i, s := range infos {
		seg, err := openSegment(b.gen.segmentPath(s, segmentExt), parts[i])
		if err != nil {
			return b.condemned(fmt.Errorf("%s: %w", s.Name, err))
		}
		inputs = append(inputs, seg)
	}
	err := osfile.WriteFile(b.gen.segmentPath(into, segmentExt), func(out io.Writer) error {
		w := newSegmentWriter(out, into.Rows)
		for place := range fields + 1 {
			if err := guarded(func() error { return w.field(joined(inputs, place, to)) }); err != nil {
				return err
			}
		}
		return w.finish()
	})
	return b.condemned(err)
}

// joined yields the terms of a field in segments that follow each other, with all
// of their postings, dead documents too; or, with to, under the numbers that it has
// for them and without those that are gone.
func joined(inputs []*segment, place int, to []uint32) iter.Seq2[[]byte, *list] {
	return func(yield func([]byte, *list) bool) {
		var all joinedTerms
		for _, s := range inputs {
			all = append(all, s.dicts[place].seek(nil))
		}
		r, l := newPostingsReader(), list{}
		var term []byte
		for least := all.least(); least != nil; least = all.least() {
			term, l = append(term[:0], least...), list{l.docs[:0], l.freqs[:0]}
			for i, it := range all {
				if it.done || !bytes.Equal(it.term, term) {
					continue
				}
				r.open(inputs[i], Day, it.at, it.value)
				for base := uint32(inputs[i].part.first - inputs[0].part.first); r.left > 0; {
					r.read(blockSize)
					l.take(&r.docs, base, to)
				}
				it.advance()
			}
			if len(l.docs) > 0 && !yield(term, &l) {
				return
			}
		}
	}
}

// take appends documents, counted from base, see joined.
func (l *list) take(docs *list, base uint32, to []uint32) {
	for k, doc := range docs.docs {
		doc += base
		if to != nil {
			if doc = to[doc]; doc == gone {
				continue
			}
		}
		l.docs, l.freqs = append(l.docs, doc), append(l.freqs, docs.freqs[k])
	}
}
