package items

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/gitmem/gitmem/providers"
)

// Log is a cache opened for reading, in its state at that time.
type Log struct {
	State State
	file  *os.File // nil for an empty cache
}

// Read opens the cache. A missing cache is empty. The caller closes it.
func (c *Cache) Read() (*Log, error) {
	var err error
	for range 3 { // a writer may swap the log between the two reads
		var s State
		if s, err = c.State(); err != nil || s.Log == "" {
			return &Log{State: s}, err
		}
		var f *os.File
		if f, err = os.Open(c.path(s.Log)); err == nil {
			return &Log{s, f}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the cache of items: %w", err)
		}
	}
	return &Log{}, nil // the log was deleted: it is a cache
}

// Close closes the log.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Records yields the records from an offset on, which comes from a [Record] or is a length of [State], in the order in
// which they were written: the last one of an id counts. It skips damaged lines; an error ends the iteration.
func (l *Log) Records(from int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if l.file == nil || from >= l.State.Length {
			return
		}
		err := scan(io.NewSectionReader(l.file, from, l.State.Length-from), from, func(r Record, err error) bool {
			return err != nil || yield(r, nil)
		})
		if err != nil {
			yield(Record{}, fmt.Errorf("read the cache of items: %w", err))
		}
	}
}

// At reads the record at a position. The error wraps [providers.ErrNotFound] if it does not have this id, as after a
// log was rewritten.
func (l *Log) At(id string, offset, length int64) (providers.Item, error) {
	notFound := fmt.Errorf("%s: %w", id, providers.ErrNotFound)
	if l.file == nil || offset < 0 || length < 2 || length > MaxRecord || offset+length > l.State.Length {
		return providers.Item{}, notFound
	}
	b := make([]byte, length)
	if _, err := l.file.ReadAt(b, offset); err != nil {
		return providers.Item{}, notFound
	}
	r, err := parseRecord(b[:len(b)-1])
	if err != nil || b[len(b)-1] != '\n' || r.ID != id {
		return providers.Item{}, notFound
	}
	return r.Item()
}

// scan reads lines and calls visit for each, with an error for damaged lines, until visit returns false. A line without
// a line feed is damaged.
func scan(r io.Reader, offset int64, visit func(Record, error) bool) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) == 0 {
			return nil
		}
		rec, bad := Record{}, errDamaged
		if err == nil && len(line) <= MaxRecord {
			rec, bad = parseRecord(line[:len(line)-1])
		}
		rec.Offset, rec.Length = offset, int64(len(line))
		offset += rec.Length
		if !visit(rec, bad) || err != nil {
			return nil
		}
	}
}
