package embed

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/internal/mmap"
)

const (
	// FileSuffix and LockSuffix are the suffixes of a set's file and of its lock.
	FileSuffix = ".gmv"
	LockSuffix = ".gmv.lock"

	vectorMagic   = "gmvecs2\n"
	vectorHeader  = len(vectorMagic) + len(Fingerprint{}) + 8
	maxVectorFile = 64 << 30
)

// Vectors contains the vectors of a set of texts under one model, by the hashes of the texts. It reads them from a
// little-endian file that only grows:
//
//	header   magic, fingerprint (32), dimensions, and the CRC-32C of these
//	records  key (8), scale (float32), vector (int8), and the CRC-32C of the three
//
// A vector is scale × int8 and has about length 1; scale 0 means that the text has no vector. The file is a cache:
// damaged files and damaged records are ignored, and an incomplete record at the end is skipped.
//
// It is safe for concurrent use and need not be closed.
type Vectors struct {
	dim     int
	records []byte
	end     int // of the last complete record in the file
	once    sync.Once
	places  map[uint64]int32 // see byKey
	// Damage is the reason why an existing file was not used completely, or nil.
	Damage error
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// withChecksum appends the checksum of b.
func withChecksum(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, checksum(b)) }

// hasChecksum reports whether b ends in the checksum of the preceding bytes.
func hasChecksum(b []byte) bool {
	n := len(b) - 4
	return checksum(b[:n]) == binary.LittleEndian.Uint32(b[n:])
}

func header(print Fingerprint, dim int) []byte {
	b := append([]byte(vectorMagic), print[:]...)
	return withChecksum(binary.LittleEndian.AppendUint32(b, uint32(dim)))
}

// PartKey returns the key of part n of the text with a key. Part 0 has the key of the text.
func PartKey(key uint64, n int) uint64 {
	if n == 0 {
		return key
	}
	z := key + uint64(n)*0x9e3779b97f4a7c15 // SplitMix64
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func recordSize(dim int) int { return 8 + 4 + dim + 4 }

// OpenVectors reads the vectors under a name without its suffix. It ignores a file of another model.
func OpenVectors(name string, print Fingerprint) *Vectors {
	v := &Vectors{}
	data, release, err := mmap.Open(name+FileSuffix, maxVectorFile, false)
	if errors.Is(err, fs.ErrNotExist) {
		return v
	}
	if err == nil {
		err = osfile.CatchFault(func() error { return v.read(data, &print) })
		runtime.AddCleanup(v, func(release func()) { release() }, release)
	}
	if err != nil {
		v.Damage = fmt.Errorf("%s: %w", name+FileSuffix, err)
	}
	return v
}

// read reads a file of vectors, of any model if print is nil.
func (v *Vectors) read(data []byte, print *Fingerprint) error {
	if len(data) < vectorHeader || string(data[:len(vectorMagic)]) != vectorMagic || !hasChecksum(data[:vectorHeader]) {
		return errors.New("no header")
	}
	if print != nil && Fingerprint(data[len(vectorMagic):]) != *print {
		return nil
	}
	dim := int(binary.LittleEndian.Uint32(data[vectorHeader-8:]))
	if dim < 1 || dim > maxDim {
		return fmt.Errorf("%d dimensions", dim)
	}
	size := recordSize(dim)
	v.end = vectorHeader + (len(data)-vectorHeader)/size*size
	v.dim, v.records = dim, data[vectorHeader:v.end]
	isDamaged := func(record []byte) bool { return !hasChecksum(record) }
	damaged := 0
	for record := range slices.Chunk(v.records, size) {
		if isDamaged(record) {
			damaged++
		}
	}
	if damaged == 0 {
		return nil
	}
	v.records = slices.Concat(slices.DeleteFunc(slices.Collect(slices.Chunk(v.records, size)), isDamaged)...)
	return fmt.Errorf("the checksums of %d vectors are wrong", damaged)
}

// Len returns the number of stored texts, including those without a vector.
func (v *Vectors) Len() int { return len(v.records) / recordSize(v.dim) }

// Has reports whether the text with a hash is stored.
func (v *Vectors) Has(key uint64) bool {
	_, ok := v.find(key, v.Len())
	return ok
}

// find returns the record of a text. Texts are mostly looked up in the order in which they are stored, so the record
// after the last one is tried first.
func (v *Vectors) find(key uint64, last int) (int, bool) {
	if next := last + 1; next < v.Len() && v.key(next) == key {
		return next, true
	}
	at, ok := v.byKey()[key]
	return int(at), ok
}

// byKey returns the record of each text.
func (v *Vectors) byKey() map[uint64]int32 {
	v.once.Do(func() {
		v.places = make(map[uint64]int32, v.Len())
		for i := range v.Len() {
			v.places[v.key(i)] = int32(i)
		}
	})
	return v.places
}

func (v *Vectors) record(i int) []byte {
	size := recordSize(v.dim)
	return v.records[i*size : (i+1)*size]
}

func (v *Vectors) key(i int) uint64 { return binary.LittleEndian.Uint64(v.record(i)) }

// vector returns the vector of a record, as int8, and its scale.
func (v *Vectors) vector(i int) ([]byte, float32) {
	r := v.record(i)
	return r[12 : 12+v.dim], math.Float32frombits(binary.LittleEndian.Uint32(r[8:]))
}

// Check reads a file of vectors of any model and returns its errors.
func Check(file string) error {
	data, release, err := mmap.Open(file, maxVectorFile, false)
	if err != nil {
		return err
	}
	defer release()
	return osfile.CatchFault(func() error { return new(Vectors).read(data, nil) })
}

// Near is a text with its similarity to a question.
type Near struct {
	At     int     // index in the list of keys that was searched
	Cosine float64 // in -1..1, with the precision of int8
}

// Nearest compares a question's vector with those of the texts with the given hashes, and returns the k nearest with a
// cosine of at least least, nearest first. It includes texts that tie with the last of them, so that the result does
// not depend on the order of keys. unknown counts the texts that are not embedded yet. It compares every vector.
func (v *Vectors) Nearest(ctx context.Context, question []float32, keys []uint64, k int,
	least float64) (near []Near, unknown int, err error) {
	if v.Len() > 0 && len(question) != v.dim {
		return nil, 0, fmt.Errorf("%w: the question has %d, the texts have %d", ErrMismatch, len(question), v.dim)
	}
	q := make([]int8, v.dim)
	scale := float32(0)
	if v.dim > 0 {
		scale = quantise(question, q)
	}
	err = osfile.CatchFault(func() error {
		at, ok := -1, false
		for i, key := range keys {
			if at, ok = v.find(key, at); !ok {
				unknown++
				continue
			}
			vec, s := v.vector(at)
			if s == 0 || scale == 0 {
				continue
			}
			if c := float64(float32(dot(q, vec)) * (s * scale)); c >= least {
				near = append(near, Near{At: i, Cosine: c})
			}
			if i%(1<<14) == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
	runtime.KeepAlive(v)
	slices.SortStableFunc(near, func(a, b Near) int { return cmp.Compare(b.Cosine, a.Cosine) })
	for k < len(near) && near[k].Cosine == near[k-1].Cosine {
		k++
	}
	return near[:min(k, len(near))], unknown, err
}
