package git

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/gitmem/gitmem/internal/mmap"
)

// file is a file of objects that is read at any offset: mapped into memory on systems where that does not
// prevent others from removing the file.
type file struct {
	data []byte   // all of it, or nil
	f    *os.File // if data is nil
	size int64

	release func()
}

// openFile opens a file for reading at any offset.
func openFile(path string) (*file, error) {
	f, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if data, release, err := mmap.File(f, info.Size(), false); err == nil {
		return &file{data: data, size: info.Size(), release: release}, f.Close()
	}
	return &file{f: f, size: info.Size(), release: func() { _ = f.Close() }}, nil
}

func (f *file) close() { f.release() }

// slice returns the n bytes at off, or fewer at the end of the file.
func (f *file) slice(off int64, n int) []byte {
	if off < 0 || off >= f.size {
		return nil
	}
	n = int(min(int64(n), f.size-off))
	if f.f == nil {
		return f.data[off : off+int64(n)]
	}
	b := make([]byte, n)
	n, _ = f.f.ReadAt(b, off) // the caller detects missing bytes
	return b[:n]
}

// all returns the whole file.
func (f *file) all() ([]byte, error) {
	if f.f == nil {
		return f.data, nil
	}
	b := make([]byte, f.size)
	_, err := io.ReadFull(io.NewSectionReader(f.f, 0, f.size), b)
	return b, err
}

// sources are the readers for the decompressor, which are reused. Their two types are those that it reads
// from without a buffer of its own, so that the bytes after the compressed ones can be read next.
type sources struct {
	mapped bytes.Reader
	read   *bufio.Reader
}

// at returns a reader of a file from off on.
func (s *sources) at(f *file, off int64) io.Reader {
	if f.f == nil {
		s.mapped.Reset(f.data[min(max(off, 0), f.size):])
		return &s.mapped
	}
	section := io.NewSectionReader(f.f, off, f.size-off)
	if s.read == nil {
		s.read = bufio.NewReaderSize(section, 8<<10)
	}
	s.read.Reset(section)
	return s.read
}

// catchFault turns a fault of the memory that f reads into an error: the file was truncated while it was
// mapped, or its disk was removed. It only catches faults of its own goroutine; every other panic continues.
func catchFault(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface {
			error
			Addr() uintptr // of the fault; no other run-time error has this method
		}:
			err = fmt.Errorf("a mapped file can't be read any more: %w", p)
		default:
			panic(p)
		}
	}()
	return f()
}
