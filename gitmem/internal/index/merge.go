package index

import (
	"io"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Every step adds a part. To limit their number and the number of copies of a row, the last parts are joined when
// mergeWidth of them have about the same size, and the results again, like carries in a counter. Only adjacent parts
// are joined, as their rows must be consecutive; rows keep their numbers, including tombstones. Joins of more than
// mergeRows rows are skipped, to limit the time of a step.
const (
	mergeWidth = 4
	mergeRows  = 1 << 18
	mergeBase  = 64
)

// mergeFrom returns the first of the last parts to be joined, len(rows) for none. rows contains the number of rows of
// each part.
func mergeFrom(rows []int) int {
	tail := slices.Clone(rows) // the sizes after the joins decided so far
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

// mergeTail joins the last parts of the generation being built if there are enough of them.
func (b *build) mergeTail() error {
	var rows []int
	for _, p := range b.table.parts {
		rows = append(rows, p.rows)
	}
	first := mergeFrom(rows)
	if first == len(rows) {
		return nil
	}
	old, parts := b.parts[first:], b.table.parts[first:]
	var cols []columnBuilder
	if err := guarded(func() error { cols = joinParts(parts); return nil }); err != nil {
		return b.markDamage(err)
	}
	into := b.nextPart()
	err := osfile.WriteFile(b.gen.path(into), func(w io.Writer) error {
		return writeColumns(w, partMagic, partNumbers(parts[0].first, b.table.rows-parts[0].first, parts[0].firstString,
			parts[0].firstSession), cols)
	})
	if err != nil {
		return err
	}
	p, err := openMapped(&b.files, b.gen.path(into), parsePart)
	if err != nil {
		return err
	}
	if err := b.removeParts(old); err != nil {
		return err
	}
	b.parts = append(b.parts[:first:first], into)
	b.table.parts = append(b.table.parts[:first:first], p)
	return nil
}
