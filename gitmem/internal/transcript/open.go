package transcript

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Handle is an open session. It reads the lines of a Claude Code session file, or the translation of another client's
// session. It does not see later writes.
type Handle struct {
	*io.SectionReader
	file *os.File // nil for a translation
	path string
}

// OpenSession opens the session with a path, as in [File]. The error for a path that does not exist, or is neither a
// file nor a folder, wraps fs.ErrNotExist.
func OpenSession(path string) (*Handle, error) {
	if client, s, ok := translated(path); ok {
		lines, err := translate(client, s)
		return handleOf(path, lines), err
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		err = &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case err == nil && !info.Mode().IsRegular(): // opening a pipe might block forever
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	return &Handle{SectionReader: io.NewSectionReader(f, 0, info.Size()), file: f, path: path}, nil
}

func handleOf(path string, lines []byte) *Handle {
	r := bytes.NewReader(lines)
	return &Handle{SectionReader: io.NewSectionReader(r, 0, r.Size()), path: path}
}

// translations caches recent translations by path: records found by a search are looked up one by one, and many are of
// one session.
type translations struct {
	mu    sync.Mutex
	of    map[string][]byte
	bytes int
}

// recentBytes limits the size of the cached translations.
const recentBytes = 64 << 20

// Open is [OpenSession] for looking up several records: it caches translations for the lifetime of s.
func (s Stores) Open(path string) (*Handle, error) {
	client, session, ok := translated(path)
	if !ok || s.recent == nil {
		return OpenSession(path)
	}
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	lines, known := s.recent.of[path]
	if !known {
		var err error
		if lines, err = translate(client, session); err != nil {
			return nil, err
		}
		if s.recent.bytes += len(lines); s.recent.bytes > recentBytes {
			clear(s.recent.of)
			s.recent.bytes = len(lines)
		}
		s.recent.of[path] = lines
	}
	return handleOf(path, lines), nil
}

// Close closes the file.
func (h *Handle) Close() error {
	if h.file == nil {
		return nil
	}
	return h.file.Close()
}

// Translated reports whether the session is another client's. Its earlier lines may change.
func (h *Handle) Translated() bool { return h.file == nil }

// Reader returns a reader of the session starting at a position.
func (h *Handle) Reader(from Position) (*Reader, error) {
	if _, err := h.Seek(from.Offset, io.SeekStart); err != nil {
		return nil, err
	}
	return NewReader(h, from), nil
}

// Tree returns the tree of the records after a position, as [ReadTree] does, or of the whole session if that is needed:
// whole is then false. last is the uuid of the record before the position.
func (h *Handle) Tree(from Position, last string) (tree Tree, whole bool, err error) {
	if _, err = h.Seek(from.Offset, io.SeekStart); err != nil {
		return Tree{}, false, err
	}
	tree, whole, err = ReadTree(h, from, last)
	switch {
	case err == nil && !whole:
		tree, _, err = h.Tree(Position{}, "")
	case err == nil && from.Offset == 0:
		tree = tree.WithoutCopy(h.path)
	}
	return tree, whole, err
}

// translate reads a session of another client.
func translate(client string, s dialect.Session) ([]byte, error) {
	records, err := records(client, s)
	switch {
	case err != nil && len(records) == 0:
		return nil, fmt.Errorf("session of %s: %w", ClientTitle(client), err)
	case err != nil: // an unreadable part counts like an unreadable line
		records = append(records, dialect.Record{Speaker: dialect.Broken})
	}
	s.ID = client + "-" + s.ID
	return dialect.Encode(s, records)
}

// CheckFormat returns an error that wraps [dialect.ErrUnknownFormat] for a file that is not a session file of Claude
// Code: it contains no message, and records that this client does not write.
func CheckFormat(path string) error {
	h, err := OpenSession(path)
	if err != nil {
		return err
	}
	defer h.Close()
	r := NewReader(h, Position{}).WithTitles()
	for _, err := range r.All() {
		return err // there is a message
	}
	if s := r.Stats(); s.Skipped > 0 || s.Lines > 0 && !r.named {
		return fmt.Errorf("%s: %w", path, dialect.ErrUnknownFormat)
	}
	return nil
}
