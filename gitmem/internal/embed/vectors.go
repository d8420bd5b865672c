package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"runtime"
)

// The kinds of files, and what ends their names.
const (
	baseMagic, deltaMagic = "gmvecs1\n", "gmvadd1\n"
	// BaseSuffix, DeltaSuffix and LockSuffix end the names of the files of a set of
	// vectors.
	BaseSuffix  = ".gmv"
	DeltaSuffix = ".gmv.add"
	LockSuffix  = ".gmv.lock"

	vectorHeader  = 64
	maxVectors    = 1 << 28
	maxVectorFile = 64 << 30
)

// Vectors reads the vectors of a set of texts under one model, by the hashes of
// the texts. Two files hold them, little-endian throughout: a base that is written
// as a whole and renamed into its place, and an addition that only grows.
//
//	base      header: magic, fingerprint (32), dimensions, vectors, slots, and the
//	          CRC-32C of the header; zeros up to 64 bytes
//	          keys (8 bytes each, in the order of the texts), scales (float32),
//	          slots (uint32 each: position plus 1, an open hash table over the keys),
//	          zeros up to a multiple of 64, vectors (int8), CRC-32C of all before
//	addition  header as above, without vectors and slots; then records of key,
//	          scale, vector and the CRC-32C of the three
//
// A vector is scale × int8 and has about length 1; scale 0 says that the text has
// no vector. Both files are a cache: one that is damaged, or of another model,
// counts as not there, and what a torn write left at the end of an addition is
// passed over.
//
// It is safe for concurrent use and need not be closed.
type Vectors struct {
	dim  int
	base struct {
		n                   int
		keys, scales, slots []byte
		vectors             []byte // int8
		mask                uint32
	}
	added struct {
		keys    []uint64
		scales  []float32
		vectors []byte // int8
		at      map[uint64]int32
		end     int64 // of the last whole record, in the file
	}
	// Damage says why a file that is there was not used, nil when all is well.
	Damage error
}

// castagnoli is the table of CRC-32C, which processors have an instruction for.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// header is the beginning of either file.
type header struct {
	magic    string
	print    Fingerprint
	dim      int
	n, slots uint32
}

func (h header) encode() []byte {
	b := append(make([]byte, 0, vectorHeader), h.magic...)
	b = append(b, h.print[:]...)
	for _, v := range []uint32{uint32(h.dim), h.n, h.slots} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
	return b[:vectorHeader]
}

func decodeHeader(b []byte, magic string) (header, error) {
	le := binary.LittleEndian
	if len(b) < vectorHeader || string(b[:8]) != magic {
		return header{}, errors.New("no header")
	}
	if crc32.Checksum(b[:52], castagnoli()) != le.Uint32(b[52:]) {
		return header{}, errors.New("checksum of the header")
	}
	h := header{magic: magic, print: Fingerprint(b[8:40]), dim: int(le.Uint32(b[40:])), n: le.Uint32(b[44:]), slots: le.Uint32(b[48:])}
	if h.dim < 1 || h.dim > maxDim || h.n > maxVectors || h.slots&(h.slots-1) != 0 || (h.n > 0 && h.slots <= h.n) {
		return header{}, fmt.Errorf("%d vectors of %d dimensions in %d slots", h.n, h.dim, h.slots)
	}
	return h, nil
}

// layout is where the parts of a base begin, and where it ends.
func (h header) layout() (scales, slots, vectors, end int64) {
	n := int64(h.n)
	scales = vectorHeader + 8*n
	slots = scales + 4*n
	vectors = (slots + 4*int64(h.slots) + 63) &^ 63
	return scales, slots, vectors, vectors + n*int64(h.dim)
}

// OpenVectors reads the vectors under a name without its suffix. Files of another
// model and damaged ones count as not there; an error is one of the file system.
func OpenVectors(name string, print Fingerprint) (*Vectors, error) {
	v := &Vectors{}
	data, release, err := mapFile(name+BaseSuffix, maxVectorFile)
	switch {
	case err == nil:
		if err := v.readBase(data, print); err != nil {
			v.Damage = fmt.Errorf("%s: %w", name+BaseSuffix, err)
			v.base.n = 0
		}
		if release != nil {
			runtime.AddCleanup(v, func(release func()) { release() }, release)
		}
	case !errors.Is(err, fs.ErrNotExist):
		v.Damage = err
	}
	add, err := readFile(name+DeltaSuffix, maxVectorFile)
	switch {
	case err == nil:
		if err := v.readAdded(add, print); err != nil {
			v.Damage = errors.Join(v.Damage, fmt.Errorf("%s: %w", name+DeltaSuffix, err))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return v, nil
}

// readBase reads a base; one of another model is passed over without an error.
func (v *Vectors) readBase(data []byte, print Fingerprint) error {
	h, err := decodeHeader(data, baseMagic)
	if err != nil {
		return err
	}
	scales, slots, vectors, end := h.layout()
	if int64(len(data)) != end+4 {
		return fmt.Errorf("%d bytes where %d are expected", len(data), end+4)
	}
	if h.print != print {
		return nil
	}
	if crc32.Checksum(data[:end], castagnoli()) != binary.LittleEndian.Uint32(data[end:]) {
		return errors.New("checksum")
	}
	v.dim, v.base.n, v.base.mask = h.dim, int(h.n), h.slots-1
	v.base.keys, v.base.scales = data[vectorHeader:scales], data[scales:slots]
	v.base.slots = data[slots : slots+4*int64(h.slots)]
	v.base.vectors = data[vectors:end]
	return nil
}

// readAdded reads an addition up to the first record that is not whole.
func (v *Vectors) readAdded(data []byte, print Fingerprint) error {
	h, err := decodeHeader(data, deltaMagic)
	if err != nil || h.print != print {
		return err
	}
	if v.dim == 0 {
		v.dim = h.dim
	}
	if v.dim != h.dim {
		return fmt.Errorf("%w: %d beside %d", ErrMismatch, h.dim, v.dim)
	}
	le, size := binary.LittleEndian, recordSize(h.dim)
	v.added.at = make(map[uint64]int32, (len(data)-vectorHeader)/size)
	at := vectorHeader
	for ; len(data)-at >= size; at += size {
		r := data[at : at+size]
		if crc32.Checksum(r[:size-4], castagnoli()) != le.Uint32(r[size-4:]) {
			break
		}
		key := le.Uint64(r)
		v.added.at[key] = int32(len(v.added.keys))
		v.added.keys = append(v.added.keys, key)
		v.added.scales = append(v.added.scales, math.Float32frombits(le.Uint32(r[8:])))
		v.added.vectors = append(v.added.vectors, r[12:size-4]...)
	}
	v.added.end = int64(at)
	return nil
}

func recordSize(dim int) int { return 8 + 4 + dim + 4 }

// Dim is the number of dimensions, 0 for an empty set.
func (v *Vectors) Dim() int { return v.dim }

// Len is how many texts are known, those without a vector included.
func (v *Vectors) Len() int { return v.base.n + len(v.added.keys) }

// Has tells whether the text with a hash is known.
func (v *Vectors) Has(key uint64) bool {
	_, ok := v.find(key, 0)
	runtime.KeepAlive(v)
	return ok
}

// find is the position of a key: below base.n in the base, else in the addition.
// Texts mostly come in the order in which they are kept, so hint is tried first.
func (v *Vectors) find(key uint64, hint int) (int, bool) {
	if hint < v.base.n && v.baseKey(hint) == key {
		return hint, true
	}
	if v.base.n > 0 {
		slot := uint32(key) & v.base.mask
		for range v.base.mask + 1 { // damage that a checksum misses must end, too
			at := binary.LittleEndian.Uint32(v.base.slots[4*slot:])
			if at == 0 || at > uint32(v.base.n) {
				break
			}
			if v.baseKey(int(at)-1) == key {
				return int(at) - 1, true
			}
			slot = (slot + 1) & v.base.mask
		}
	}
	if i, ok := v.added.at[key]; ok {
		return v.base.n + int(i), true
	}
	return 0, false
}

func (v *Vectors) baseKey(i int) uint64 { return binary.LittleEndian.Uint64(v.base.keys[8*i:]) }

// at is the vector at a position, as int8, and its scale.
func (v *Vectors) at(i int) ([]byte, float32) {
	if i < v.base.n {
		return v.base.vectors[i*v.dim : (i+1)*v.dim], math.Float32frombits(binary.LittleEndian.Uint32(v.base.scales[4*i:]))
	}
	i -= v.base.n
	return v.added.vectors[i*v.dim : (i+1)*v.dim], v.added.scales[i]
}

// Check reads a base or an addition as it lies on disk and tells what is wrong
// with it, whichever model it is of.
func Check(file string) error {
	data, release, err := mapFile(file, maxVectorFile)
	if err != nil {
		return err
	}
	if release != nil {
		defer release()
	}
	v := &Vectors{}
	if len(data) >= 8 && string(data[:8]) == deltaMagic {
		h, err := decodeHeader(data, deltaMagic)
		if err != nil {
			return err
		}
		return v.readAdded(data, h.print)
	}
	h, err := decodeHeader(data, baseMagic)
	if err != nil {
		return err
	}
	return v.readBase(data, h.print)
}
