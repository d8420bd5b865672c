package embed

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Appender adds vectors to a set. Only one exists at a time, across all processes.
type Appender struct {
	name  string
	print Fingerprint
	lock  *os.File
	known *Vectors
	fresh map[uint64]bool // added by this Appender

	file *os.File // nil before the first vector
	w    *bufio.Writer
	dim  int
}

// Append opens the vectors under a name without its suffix for adding. It returns nil if another process has them open.
// It creates the folder.
func Append(name string, print Fingerprint) (*Appender, error) {
	lock, ok, err := osfile.OpenLocked(name + LockSuffix)
	if !ok || err != nil {
		return nil, err
	}
	known := OpenVectors(name, print)
	return &Appender{name: name, print: print, lock: lock, known: known, fresh: map[uint64]bool{}, dim: known.dim}, nil
}

// Has reports whether the text with a hash is stored.
func (a *Appender) Has(key uint64) bool { return a.fresh[key] || a.known.Has(key) }

// Known returns the number of stored texts before this Appender added any.
func (a *Appender) Known() int { return a.known.Len() }

// Added returns the number of added texts.
func (a *Appender) Added() int { return len(a.fresh) }

// Add adds the vector of a text, nil for a text without one. Texts without a vector are not stored before the first
// vector, since the number of dimensions is unknown.
func (a *Appender) Add(key uint64, vector []float32) error {
	if a.Has(key) || (vector == nil && a.dim == 0) {
		return nil
	}
	a.dim = cmp.Or(a.dim, len(vector))
	if a.dim > maxDim || vector != nil && len(vector) != a.dim {
		return fmt.Errorf("%w: %d, and the texts before have %d of at most %d", ErrMismatch, len(vector), a.dim, maxDim)
	}
	if a.file == nil {
		if err := a.open(); err != nil {
			return err
		}
	}
	q := make([]int8, a.dim)
	scale := quantise(vector, q)
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, recordSize(a.dim)), key)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
	_, err := a.w.Write(withChecksum(appendBytes(b, q)))
	a.fresh[key] = true
	return err
}

// open positions the file after its last complete record, or creates it if there is none of this model.
func (a *Appender) open() (err error) {
	flags, end := os.O_RDWR|os.O_CREATE, a.known.end
	if end == 0 {
		flags |= os.O_TRUNC
	}
	if a.file, err = os.OpenFile(a.name+FileSuffix, flags, 0o600); err != nil {
		return err
	}
	a.w = bufio.NewWriterSize(a.file, 1<<16)
	if end == 0 {
		_, err = a.w.Write(header(a.print, a.dim))
		return err
	}
	_, err = a.file.Seek(int64(end), io.SeekStart)
	return errors.Join(a.file.Truncate(int64(end)), err)
}

// Flush makes the added vectors visible to others.
func (a *Appender) Flush() error {
	if a.file == nil {
		return nil
	}
	return a.w.Flush()
}

// Close ends adding and keeps the added vectors. It releases the lock explicitly: closing alone would leave it to a
// process that is being started.
func (a *Appender) Close() error {
	return errors.Join(a.closeFile(), osfile.Release(a.lock))
}

func (a *Appender) closeFile() (err error) {
	if a.file != nil {
		err = errors.Join(a.w.Flush(), a.file.Sync(), a.file.Close())
		a.file = nil
	}
	return err
}

// Untidy reports whether compacting is worthwhile for a set with the given number of needed texts: more than half of
// the texts are not needed, or the file is damaged.
func (v *Vectors) Untidy(wanted int) bool { return v.Damage != nil || v.Len() > 2*wanted+2048 }

// Compact rewrites the file with the vectors of the given texts and drops all others. It ends adding, like Close.
func (a *Appender) Compact(wanted []uint64) error {
	err := a.closeFile()
	if err == nil {
		err = a.compact(wanted)
	}
	return errors.Join(err, a.Close())
}

func (a *Appender) compact(wanted []uint64) error {
	v := OpenVectors(a.name, a.print)
	if v.Len() == 0 {
		return osfile.Remove(a.name + FileSuffix)
	}
	err := osfile.Replace(a.name+FileSuffix, a.name+FileSuffix+partSuffix, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<18)
		_, _ = out.Write(header(a.print, v.dim)) // Flush returns the first error
		for _, key := range wanted {
			if at, ok := v.byKey()[key]; ok {
				_, _ = out.Write(v.record(int(at)))
				delete(v.byKey(), key) // write each text once
			}
		}
		return out.Flush()
	})
	runtime.KeepAlive(v)
	return err
}
