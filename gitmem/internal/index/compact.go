package index

import (
	"errors"
	"fmt"
	"os"
)

// noRow marks a row that compacting drops.
const noRow = ^uint32(0)

// compact copies the live rows into one part, if tombstones have accumulated in the generation being built. It reads no
// source, since rows are copied. Rows are renumbered in their order; bleve identifies documents by their serial numbers
// and drops dead ones when it merges. It returns the new number of each row.
func (b *build) compact() (to []uint32, err error) {
	w, lengths := newTableWriter(nil), [fields][]uint32{}
	w.serial = b.table.serial
	err = guarded(func() (err error) {
		to, err = w.copyLive(b.table, &lengths)
		return err
	})
	if err != nil {
		return nil, b.markDamage(err)
	}
	old := b.parts
	b.parts = nil
	if w.rows > 0 {
		if err := b.endPart(w, &lengths); err != nil {
			return nil, err
		}
	}
	b.table = w
	return to, b.removeParts(old)
}

// removeParts removes the files of parts that the generation no longer has.
func (b *build) removeParts(names []string) (err error) {
	for _, name := range names {
		err = errors.Join(err, os.Remove(b.gen.path(name)))
	}
	return err
}

// copyLive appends the live rows of another writer, whose parts are all written, with the lengths of their fields. It
// returns the new number of each row, or noRow.
func (w *tableWriter) copyLive(from *tableWriter, lengths *[fields][]uint32) ([]uint32, error) {
	view, to := from.view(), make([]uint32, from.rows)
	view.sessions = from.sessionTokens.n
	for i := range to {
		if to[i] = noRow; from.isDead(i) {
			continue
		}
		r := view.row(i)
		row, err := w.addHashed(&Doc{
			ID: r.ID, Source: r.Source, Layer: r.Layer, Type: r.Type, Role: r.Role, Project: r.Project, Session: r.Session,
			Author: r.Author, File: r.File, Order: r.Order, Time: r.Time, Offset: r.Offset, Length: r.Length,
			Paths: r.Paths, Churn: r.Churn, Also: r.Also, Reviewers: r.Reviewers, Release: r.Release,
		}, r.Hash, uint32(view.at(colSerial, i)))
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		to[i] = uint32(row)
		p, at := view.partOf(i)
		for f := range lengths {
			lengths[f] = append(lengths[f], uint32(p.cols[colTokens+f].at(at)))
		}
	}
	return to, nil
}
