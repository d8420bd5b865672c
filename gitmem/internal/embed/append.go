package embed

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Appender adds vectors to a set. One exists at a time, over all processes.
type Appender struct {
	name  string
	print Fingerprint
	lock  *os.File
	known *Vectors
	fresh map[uint64]bool // added by this one

	file *os.File // nil before the first vector
	w    *bufio.Writer
	dim  int
}

// Append opens the vectors under a name without its suffix for adding; nil when
// another process does so just now. It makes the folder.
func Append(name string, print Fingerprint) (*Appender, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(name+LockSuffix, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	ok, err := osfile.TryLock(lock)
	if !ok || err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	a := &Appender{name: name, print: print, lock: lock, fresh: map[uint64]bool{}}
	if a.known, err = OpenVectors(name, print); err != nil {
		return nil, errors.Join(err, a.unlock())
	}
	a.dim = a.known.dim
	return a, nil
}

// Has tells whether the text with a hash is known.
func (a *Appender) Has(key uint64) bool { return a.fresh[key] || a.known.Has(key) }

// Known is how many texts were known before this one added any.
func (a *Appender) Known() int { return a.known.Len() }

// Added is how many texts were added.
func (a *Appender) Added() int { return len(a.fresh) }

// Add keeps the vector of a text, nil for one that has none. Before any text has a
// vector, those without are not kept: how many dimensions there are is not known.
func (a *Appender) Add(key uint64, vector []float32) error {
	if a.Has(key) || (vector == nil && a.dim == 0) {
		return nil
	}
	if a.dim == 0 {
		if len(vector) > maxDim {
			return fmt.Errorf("%w: %d are more than %d", ErrMismatch, len(vector), maxDim)
		}
		a.dim = len(vector)
	}
	if vector != nil && len(vector) != a.dim {
		return fmt.Errorf("%w: %d, and the texts before have %d", ErrMismatch, len(vector), a.dim)
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
	b = appendBytes(b, q)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
	_, err := a.w.Write(b)
	a.fresh[key] = true
	return err
}

// open makes the addition ready behind its last whole record, or makes a new one
// where there is none of this model.
func (a *Appender) open() error {
	end := a.known.added.end
	flags := os.O_RDWR | os.O_CREATE
	if end == 0 {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(a.name+DeltaSuffix, flags, 0o600)
	if err != nil {
		return err
	}
	if err := f.Truncate(end); err != nil {
		return errors.Join(err, f.Close())
	}
	if _, err := f.Seek(end, io.SeekStart); err != nil {
		return errors.Join(err, f.Close())
	}
	a.file, a.w = f, bufio.NewWriterSize(f, 1<<16)
	if end == 0 {
		_, err = a.w.Write(header{magic: deltaMagic, print: a.print, dim: a.dim}.encode())
	}
	return err
}

// Flush makes what was added visible to others.
func (a *Appender) Flush() error {
	if a.file == nil {
		return nil
	}
	return a.w.Flush()
}

// Close ends adding. What was added stays.
func (a *Appender) Close() error {
	var err error
	if a.file != nil {
		err = errors.Join(a.w.Flush(), a.file.Sync(), a.file.Close())
	}
	return errors.Join(err, a.unlock())
}

// unlock frees the lock by itself: closing leaves it to a process that is just being
// started.
func (a *Appender) unlock() error { return errors.Join(osfile.Unlock(a.lock), a.lock.Close()) }

// Compact writes a base with the vectors of the given texts, in their order, and
// drops the addition and all other texts. It ends adding, as Close does.
func (a *Appender) Compact(order []uint64) error {
	if a.file != nil {
		if err := errors.Join(a.w.Flush(), a.file.Sync(), a.file.Close()); err != nil {
			return errors.Join(err, a.unlock())
		}
		a.file = nil
	}
	err := a.compact(order)
	return errors.Join(err, a.unlock())
}

// minAddition is how long an addition may be before it is taken into the base; a
// longer base allows an eighth of its own length.
const minAddition = 2048

// Untidy tells whether compacting is worth it for a set of which so many texts are
// wanted: the addition has become long, more than half of all texts are no longer
// wanted, or a file is damaged.
func (v *Vectors) Untidy(wanted int) bool {
	return v.Damage != nil || len(v.added.keys) > max(minAddition, v.base.n/8) || v.Len() > 2*wanted+minAddition
}

func (a *Appender) compact(order []uint64) error {
	v, err := OpenVectors(a.name, a.print)
	if err != nil || v.Len() == 0 {
		return err
	}
	kept, seen := make([]int, 0, len(order)), make(map[uint64]bool, len(order))
	next := 0
	for _, key := range order {
		at, ok := v.find(key, next)
		if !ok || seen[key] {
			continue
		}
		seen[key] = true
		kept, next = append(kept, at), at+1
	}
	part := a.name + BaseSuffix + partSuffix
	if err := osfile.WriteFile(part, func(w io.Writer) error { return v.write(w, a.print, kept) }); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	runtime.KeepAlive(v)
	if err := os.Rename(part, a.name+BaseSuffix); err != nil {
		return err
	}
	// Killed between these two, the addition only says once more what the base says.
	return osfile.Remove(a.name + DeltaSuffix)
}

// write writes the vectors at some positions as a base.
func (v *Vectors) write(out io.Writer, print Fingerprint, kept []int) error {
	sum := crc32.New(castagnoli())
	w := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<18)
	h := header{magic: baseMagic, print: print, dim: v.dim, n: uint32(len(kept)), slots: 1 << bits.Len(uint(2*len(kept)+1))}
	_, slotsAt, vectorsAt, _ := h.layout()
	slots := make([]byte, vectorsAt-slotsAt) // with the zeros behind
	b := h.encode()
	for i, at := range kept {
		key := v.key(at)
		b = binary.LittleEndian.AppendUint64(b, key)
		slot := uint32(key) & (h.slots - 1)
		for binary.LittleEndian.Uint32(slots[4*slot:]) != 0 {
			slot = (slot + 1) & (h.slots - 1)
		}
		binary.LittleEndian.PutUint32(slots[4*slot:], uint32(i)+1)
	}
	for _, at := range kept {
		_, scale := v.at(at)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
	}
	for _, part := range [][]byte{b, slots} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	for _, at := range kept {
		vec, _ := v.at(at)
		if _, err := w.Write(vec); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := out.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

func (v *Vectors) key(at int) uint64 {
	if at < v.base.n {
		return v.baseKey(at)
	}
	return v.added.keys[at-v.base.n]
}
