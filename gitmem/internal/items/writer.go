package items

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/providers"
)

// Compaction begins when the log is this many times as long as its live records, and this many bytes longer, so that
// its cost is proportional to what was appended.
const (
	slackTimes = 2
	slackBytes = 1 << 20
)

// position is the position of the last record of an item, with a hash of its content.
type position struct {
	offset, length int64
	sum            [12]byte
}

// Writer is the only writer of a cache. It is not safe for concurrent use.
type Writer struct {
	cache     *Cache
	lock      *os.File
	state     State
	log       *os.File
	out       *bufio.Writer
	end       int64 // after the appended records
	positions map[string]position
	live      int64 // bytes of the records in positions
	line      []byte
	// Damaged is the number of records of the log that were damaged when it was opened. If there were any, the cursor was
	// deleted.
	Damaged int
}

// Write opens the cache for writing, and creates it if necessary. ok is false if another process is writing it.
func (c *Cache) Write() (w *Writer, ok bool, err error) {
	lock, ok, err := osfile.OpenLocked(c.path(lockFile))
	if err != nil {
		return nil, false, fmt.Errorf("write the cache of items: %w", err)
	}
	if !ok {
		return nil, false, nil
	}
	w = &Writer{cache: c, lock: lock, positions: map[string]position{}}
	if err := w.open(); err != nil {
		return nil, false, errors.Join(fmt.Errorf("write the cache of items: %w", err), w.release())
	}
	return w, true, nil
}

// open finds the end of the valid records.
func (w *Writer) open() error {
	var err error
	if w.state, err = w.cache.State(); err != nil {
		return err
	}
	if w.state.Log == "" {
		w.state = State{}
		return w.begin()
	}
	w.log, err = os.OpenFile(w.cache.path(w.state.Log), os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		w.Damaged = w.state.Items
		w.state = State{}
		return w.begin()
	}
	if err != nil {
		return err
	}
	if err := w.load(); err != nil {
		return err
	}
	w.removeStale()
	if w.Damaged > 0 {
		w.state.Fetch.Cursor = providers.Cursor{}
		return w.compact()
	}
	return w.setEnd(w.end)
}

// load reads the log, including undamaged records after the valid length.
func (w *Writer) load() error {
	sound := true
	err := scan(w.log, 0, func(r Record, bad error) bool {
		switch {
		case bad == nil:
			w.track(r)
			w.end = r.Offset + r.Length
		case r.Offset >= w.state.Length: // the end of an append that was killed
			return false
		default:
			w.Damaged++
			sound = false
		}
		return true
	})
	if err == nil && sound && w.end < w.state.Length { // it was truncated
		w.Damaged++
	}
	return err
}

// track records the position of a record.
func (w *Writer) track(r Record) {
	if old, known := w.positions[r.ID]; known {
		w.live -= old.length
	}
	w.positions[r.ID] = position{r.Offset, r.Length, sumOf(r)}
	w.live += r.Length
}

// sumOf returns a hash by which records with different items or links differ.
func sumOf(r Record) [12]byte {
	sum := sha256.Sum256(r.body)
	return [12]byte(sum[:12])
}

// begin creates an empty log. Its name sorts after those of all logs that may still be read or that an index was made
// from.
func (w *Writer) begin() error {
	n, _ := strconv.Atoi(strings.TrimPrefix(w.state.Log, logPrefix)) // 0 without a log
	files, _ := filepath.Glob(w.cache.path(logPrefix + "*"))
	for _, file := range files {
		if at, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(file), logPrefix)); err == nil {
			n = max(n, at)
		}
	}
	var log *os.File
	err := fs.ErrExist
	for errors.Is(err, fs.ErrExist) {
		n++
		log, err = os.OpenFile(w.cache.path(logPrefix+strconv.Itoa(n)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return err
	}
	w.log, w.state.Log, w.state.Length, w.state.Items = log, logPrefix+strconv.Itoa(n), 0, 0
	w.positions, w.live = map[string]position{}, 0
	return w.setEnd(0)
}

// setEnd sets the position of the next record and truncates the log there.
func (w *Writer) setEnd(end int64) error {
	if err := w.log.Truncate(end); err != nil {
		return err
	}
	if _, err := w.log.Seek(end, io.SeekStart); err != nil {
		return err
	}
	w.end, w.out = end, bufio.NewWriterSize(w.log, 64<<10)
	return nil
}

// removeStale deletes logs that no state names any more. A log in use stays until a later call if the system keeps open
// files.
func (w *Writer) removeStale() {
	files, _ := filepath.Glob(w.cache.path(logPrefix + "*"))
	for _, file := range files {
		if name := filepath.Base(file); name != w.state.Log && validLog(name) {
			_ = os.Remove(file)
		}
	}
}

// State returns the state as it was last saved.
func (w *Writer) State() State { return w.state }

// Put stores an item, replacing the one with its id. changed is false if it is already stored. It rejects an item that
// is too large with [ErrTooLarge].
func (w *Writer) Put(it providers.Item) (changed bool, err error) {
	if w.line, err = appendItem(w.line[:0], it); err != nil {
		return false, err
	}
	r, err := parseRecord(w.line[:len(w.line)-1])
	if err != nil {
		return false, fmt.Errorf("%s: %w", it.ID, err)
	}
	if old, known := w.positions[it.ID]; known && old.sum == sumOf(r) {
		return false, nil
	}
	if _, err := w.out.Write(w.line); err != nil {
		return true, fmt.Errorf("write the cache of items: %w", err)
	}
	r.Offset, r.Length = w.end, int64(len(w.line))
	w.end += r.Length
	w.track(r)
	return true, nil
}

// Items returns the number of items, including unsaved ones.
func (w *Writer) Items() int { return len(w.positions) }

// Save makes the items since the last call valid, and stores the result of the fetch.
func (w *Writer) Save(f Fetch) error {
	err := w.out.Flush()
	if err == nil {
		err = cmp.Or(w.cache.broken, w.log.Sync())
	}
	if err == nil {
		s := w.state
		s.Length, s.Items, s.Fetch = w.end, len(w.positions), f
		if err = w.cache.save(s); err == nil {
			w.state = s
		}
	}
	if err != nil {
		return fmt.Errorf("write the cache of items: %w", err)
	}
	return nil
}

// Reset drops all items and the cursor.
func (w *Writer) Reset() error {
	old := w.log
	fetch := w.state.Fetch
	fetch.Cursor = providers.Cursor{}
	err := w.begin()
	if err == nil {
		err = w.Save(fetch)
	}
	if err = errors.Join(err, old.Close()); err != nil {
		return fmt.Errorf("write the cache of items: %w", err)
	}
	w.removeStale()
	return nil
}

// Close releases the lock. Unsaved items may be lost. It compacts a log with many outdated records.
func (w *Writer) Close() error {
	if w.state.Length == w.end && w.end > slackTimes*w.live && w.end-w.live > slackBytes {
		return errors.Join(w.compact(), w.release())
	}
	return w.release()
}

func (w *Writer) release() error {
	var err error
	if w.log != nil {
		err = w.log.Close()
	}
	return errors.Join(err, osfile.Release(w.lock))
}

// compact copies the live records into a new log, in their order.
func (w *Writer) compact() error {
	old, kept, fetch := w.log, w.positions, w.state.Fetch
	if err := w.begin(); err != nil {
		return fmt.Errorf("write the cache of items: %w", err)
	}
	var err error
	for _, id := range slices.SortedFunc(maps.Keys(kept), func(a, b string) int {
		return cmp.Compare(kept[a].offset, kept[b].offset)
	}) {
		p := kept[id]
		if _, err = io.CopyN(w.out, io.NewSectionReader(old, p.offset, p.length), p.length); err != nil {
			break
		}
		p.offset = w.end
		w.positions[id], w.end, w.live = p, w.end+p.length, w.live+p.length
	}
	if err == nil {
		err = w.Save(fetch)
	}
	err = errors.Join(err, old.Close())
	if err == nil {
		w.removeStale()
	}
	return err
}
