package index

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// gone stands for a row that compacting leaves out.
const gone = ^uint32(0)

// compact makes one segment of the live rows, where tombstones or segments have
// piled up in the generation in the making. It reads no source: what a row says and
// its postings are copied. Rows are numbered anew, in the order that they have.
func (b *build) compact() error {
	for _, s := range b.segments {
		if err := b.checkInput(s); err != nil {
			return err
		}
	}
	infos, parts := b.segments, b.table.parts
	into, to, lengths := segmentInfo{Name: b.nextSegment()}, []uint32(nil), [fields][]uint32{}
	w := newTableWriter(nil)
	err := guarded(func() (err error) {
		to, err = w.copyLive(b.table, &lengths)
		return err
	})
	if err != nil {
		return b.condemned(err)
	}
	b.segments = nil
	if into.Rows = w.rows; w.rows > 0 {
		if err := b.mergeSegments(infos, parts, into, to); err != nil {
			return err
		}
		rows := b.gen.segmentPath(into, rowsExt)
		if err := osfile.WriteFile(rows, func(out io.Writer) error { return w.endPart(out, &lengths) }); err != nil {
			return err
		}
		p, err := openPart(rows)
		if err != nil {
			return err
		}
		w.took(p)
		b.segments = []segmentInfo{into}
	}
	b.table = w
	return b.removeSegments(infos)
}

// removeSegments removes the files of segments that the generation has no more.
func (b *build) removeSegments(infos []segmentInfo) error {
	for _, s := range infos {
		if err := errors.Join(os.Remove(b.gen.segmentPath(s, segmentExt)), os.Remove(b.gen.segmentPath(s, rowsExt))); err != nil {
			return err
		}
	}
	return nil
}

// copyLive appends the live rows of another writer, whose parts are all written, with
// the lengths of their fields. It returns the number that each row has now, or gone.
func (w *tableWriter) copyLive(from *tableWriter, lengths *[fields][]uint32) ([]uint32, error) {
	view, to := from.view(), make([]uint32, from.rows)
	view.sessions = from.sessionTokens.n
	for i := range to {
		if to[i] = gone; from.isDead(i) {
			continue
		}
		r := view.row(i)
		row, err := w.addHashed(&Doc{
			ID: r.ID, Source: r.Source, Layer: r.Layer, Type: r.Type, Role: r.Role, Project: r.Project, Session: r.Session,
			Author: r.Author, File: r.File, Order: r.Order, Time: r.Time, Offset: r.Offset, Length: r.Length,
			Paths: r.Paths, Churn: r.Churn, Also: r.Also, Reviewers: r.Reviewers, Release: r.Release,
		}, r.Hash)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		to[i] = uint32(row)
		p, at := view.of(i)
		for f := range lengths {
			lengths[f] = append(lengths[f], uint32(p.cols[colTokens+f].at(at)))
		}
	}
	return to, nil
}
