package bert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// Shape is the size of an encoder.
type Shape struct {
	Dims      int // of a vector; a multiple of 64
	Layers    int
	Heads     int // of the attention; each has a multiple of 16 dimensions
	Inner     int // dimensions of the feed-forward layer; a multiple of 64
	Positions int // maximum number of pieces of a text
	Pieces    int // of the vocabulary
	// Reading determines how the caller splits texts into pieces.
	Reading uint32
}

// Limits of a valid model: the size of BERT large, and four times the vocabulary of the multilingual model.
const (
	MaxLayers = 24
	maxDims   = 1024
	maxInner  = 4096
	maxPieces = 1 << 19
)

func (s Shape) validate() error {
	switch {
	case s.Dims < 64 || s.Dims > maxDims || s.Dims%64 != 0:
		return fmt.Errorf("it has %d dimensions: a multiple of 64 up to %d is expected", s.Dims, maxDims)
	case s.Inner < 64 || s.Inner > maxInner || s.Inner%64 != 0:
		return fmt.Errorf("it has %d inner dimensions: a multiple of 64 up to %d is expected", s.Inner, maxInner)
	case s.Layers < 1 || s.Layers > MaxLayers:
		return fmt.Errorf("it has %d layers: 1 to %d are expected", s.Layers, MaxLayers)
	case s.Heads < 1 || s.Heads > s.Dims/16 || s.Dims%(16*s.Heads) != 0:
		return fmt.Errorf("it has %d attention heads: they must share %d dimensions in multiples of 16", s.Heads, s.Dims)
	case s.Positions < 2 || s.Positions > 1<<15:
		return fmt.Errorf("it has %d positions", s.Positions)
	case s.Pieces < 1 || s.Pieces > maxPieces:
		return fmt.Errorf("it has %d word pieces: 1 to %d are expected", s.Pieces, maxPieces)
	}
	return nil
}

// Model is an encoder whose large tables stay in the bytes from which it was opened. It is safe for concurrent use.
type Model struct {
	Shape
	// Vocabulary contains the word pieces in ascending byte order; a piece's id is its index.
	Vocabulary Strings
	rows       rows   // by id
	positions  []byte // bfloat16
	first      norm   // of the embeddings
	layers     []layer
	kernel     kernel
	peaks      map[*matrix][]float32 // the largest input of each channel, nil if it is not recorded
	of         *Model                // the original of a copy, whose bytes must stay mapped
	checksum   uint32                // of the file, from its header
}

// layer is one layer of the encoder.
type layer struct {
	attention    matrix // queries, keys and values
	attended     matrix
	attendedNorm norm
	up, down     matrix
	norm         norm
}

// matrix is a linear layer of out rows and in columns.
type matrix struct {
	in, out     int
	weights     []byte // int8, see [pack]
	scale, bias []float32
	sum         []int32   // of a row's weights
	smooth      []float32 // factor of each column of the input, or nil
}

// norm is a layer normalisation.
type norm struct{ gamma, beta []float32 }

// magic begins a model's file, which is little-endian:
//
//	magic, the numbers of [Shape] (uint32), CRC-32C of the rest
//	vocabulary: lengths (uint8 each), bytes
//	table: rows, see [rows]; positions (bfloat16), normalisation
//	each layer: matrix, matrix, normalisation, matrix, matrix, normalisation
//	matrix: exponents of the input (int8), scales (float32), biases (float32), sums of the
//	weights (int32), weights (int8)
//	normalisation: gamma, beta (float32)
const magic = "gmbert1\n"

// HeaderBytes is the size of the header that identifies a model: its shape and the checksum of the rest.
const HeaderBytes = len(magic) + 7*4 + 4

// ErrFormat means that bytes are not a model.
var ErrFormat = errors.New("no encoder model")

// Open opens a model whose tables stay in data. It uses the fastest kernel that the processor supports.
func Open(data []byte) (*Model, error) {
	if !hasHeader(data) {
		return nil, ErrFormat
	}
	var n [7]int
	for i := range n {
		n[i] = int(binary.LittleEndian.Uint32(data[len(magic)+4*i:]))
	}
	shape := Shape{
		Dims: n[0], Layers: n[1], Heads: n[2], Inner: n[3], Positions: n[4], Pieces: n[5], Reading: uint32(n[6]),
	}
	m := &Model{Shape: shape, kernel: kernels()[0], checksum: binary.LittleEndian.Uint32(data[HeaderBytes-4:])}
	if err := m.validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	r := &reader{data: data[HeaderBytes:]}
	m.read(r)
	if r.short || len(r.data) != 0 {
		return nil, fmt.Errorf("%w: its size is not that of its shape", ErrFormat)
	}
	return m, nil
}

func hasHeader(data []byte) bool {
	return len(data) >= HeaderBytes && string(data[:len(magic)]) == magic
}

// Check verifies the checksum of a model's bytes.
func Check(data []byte) error {
	if !hasHeader(data) {
		return ErrFormat
	}
	if checksum(data[HeaderBytes:]) != binary.LittleEndian.Uint32(data[HeaderBytes-4:]) {
		return fmt.Errorf("%w: the checksum is wrong", ErrFormat)
	}
	return nil
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

func (m *Model) read(r *reader) {
	m.Vocabulary = r.strings(m.Pieces)
	m.rows = rows{dims: m.Dims, data: r.bytes(m.Pieces * rowBytes(m.Dims))}
	m.positions = r.bytes(2 * m.Positions * m.Dims)
	m.first = r.norm(m.Dims)
	for range m.Layers {
		m.layers = append(m.layers, r.layer(m.Shape))
	}
}

// reader splits a model's bytes.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.data) {
		r.short, n = true, len(r.data)
	}
	out := r.data[:n:n]
	r.data = r.data[n:]
	return out
}

func (r *reader) floats(n int) []float32 {
	b := r.bytes(4 * n)
	out := make([]float32, n)
	for i := range len(b) / 4 {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (r *reader) integers(n int) []int32 {
	b := r.bytes(4 * n)
	out := make([]int32, n)
	for i := range len(b) / 4 {
		out[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (r *reader) norm(n int) norm { return norm{gamma: r.floats(n), beta: r.floats(n)} }

func (r *reader) layer(s Shape) layer {
	return layer{
		attention: r.matrix(s.Dims, 3*s.Dims),
		attended:  r.matrix(s.Dims, s.Dims), attendedNorm: r.norm(s.Dims),
		up: r.matrix(s.Dims, s.Inner), down: r.matrix(s.Inner, s.Dims), norm: r.norm(s.Dims),
	}
}

func (r *reader) matrix(in, out int) matrix {
	m := matrix{in: in, out: out}
	for i, e := range r.bytes(in) {
		if e == 0 {
			continue
		}
		if m.smooth == nil {
			m.smooth = slices.Repeat([]float32{1}, in)
		}
		m.smooth[i] = float32(math.Ldexp(1, -int(int8(e))))
	}
	m.scale, m.bias, m.sum = r.floats(out), r.floats(out), r.integers(out)
	m.weights = r.bytes(in * out)
	return m
}

// Strings is a sorted list of concatenated texts of at most 255 bytes each.
type Strings struct {
	ends []uint32
	text []byte
}

func (r *reader) strings(n int) Strings {
	s := Strings{ends: make([]uint32, 0, n)}
	end := uint32(0)
	for _, length := range r.bytes(n) {
		end += uint32(length)
		s.ends = append(s.ends, end)
	}
	s.text = r.bytes(int(end))
	return s
}

// At returns the text at an index. It shares the model's bytes.
func (s Strings) At(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.text[start:s.ends[i]]
}
