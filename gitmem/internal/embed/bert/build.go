package bert

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Linear is a trained linear layer, with the weights of each output contiguous.
type Linear struct{ Weights, Bias []float32 }

// Norm is a trained layer normalisation.
type Norm struct{ Gamma, Beta []float32 }

// Layer is a trained layer of an encoder. Attention contains the query, key and value layers, in that order.
type Layer struct {
	Attention, Attended Linear
	AttendedNorm        Norm
	Up, Down            Linear
	Norm                Norm
}

// Trained is a trained encoder. Its Shape must match the lengths of the slices.
type Trained struct {
	Shape
	// Vocabulary is sorted by bytes, and WordRows has a row for each piece.
	Vocabulary []string
	WordRows   []float32
	// PositionRows are the rows of the positions, each with the row of the only token type added.
	PositionRows []float32
	First        Norm
	Stack        []Layer
}

// Build returns the file of an encoder. samples are the pieces of some texts that show which channels are large. The
// same input gives the same bytes on one kind of processor.
func (t *Trained) Build(ctx context.Context, samples [][]int32) ([]byte, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	if err := t.validateSizes(); err != nil {
		return nil, err
	}
	m, err := Open(t.file(nil))
	if err != nil {
		return nil, err
	}
	exponents, err := m.exponents(ctx, samples)
	if err != nil {
		return nil, err
	}
	return t.file(exponents), nil
}

// exponents returns the exponents of the two smoothed inputs of each layer, derived from sample texts.
func (m *Model) exponents(ctx context.Context, samples [][]int32) ([][2][]int8, error) {
	m.kernel, m.peaks = plain, map[*matrix][]float32{}
	if _, err := m.Encode(ctx, samples); err != nil {
		return nil, err
	}
	out := make([][2][]int8, len(m.layers))
	for i := range m.layers {
		out[i] = [2][]int8{smoothing(m.peaks[&m.layers[i].attention]), smoothing(m.peaks[&m.layers[i].up])}
	}
	return out, nil
}

// validateSizes returns an error if a slice does not fit the shape.
func (t *Trained) validateSizes() error {
	d := t.Dims
	return validateParts(append([]part{
		{"vocabulary", len(t.Vocabulary), t.Pieces},
		{"words", len(t.WordRows), t.Pieces * d},
		{"positions", len(t.PositionRows), t.Positions * d},
		{"layers", len(t.Stack), t.Layers},
		{"normalisation of the embeddings", len(t.First.Gamma) + len(t.First.Beta), 2 * d},
	}, partsOf(t.Stack, t.Shape)...))
}

// part is a slice of numbers with its required length.
type part struct {
	name      string
	got, want int
}

func validateParts(parts []part) error {
	for _, p := range parts {
		if p.got != p.want {
			return fmt.Errorf("%s: %d numbers, expected %d", p.name, p.got, p.want)
		}
	}
	return nil
}

// partsOf returns the slices of layers.
func partsOf(stack []Layer, s Shape) (parts []part) {
	d, inner := s.Dims, s.Inner
	for i, l := range stack {
		of := func(name string, m Linear, in, out int) part {
			return part{fmt.Sprintf("%s of layer %d", name, i), len(m.Weights) + len(m.Bias), in*out + out}
		}
		norms := len(l.AttendedNorm.Gamma) + len(l.AttendedNorm.Beta) + len(l.Norm.Gamma) + len(l.Norm.Beta)
		parts = append(parts, of("attention", l.Attention, d, 3*d), of("output of the attention", l.Attended, d, d),
			of("intermediate", l.Up, d, inner), of("output", l.Down, inner, d),
			part{fmt.Sprintf("normalisations of layer %d", i), norms, 4 * d})
	}
	return parts
}

// A channel is smoothed if its largest value exceeds that of the median channel by more than this factor.
const largeChannel = 2

// smoothing returns for each channel the exponent of the power of two by which it is divided: half the logarithm of its
// ratio to the median.
func smoothing(peaks []float32) []int8 {
	sorted := slices.Sorted(slices.Values(peaks))
	median := sorted[len(sorted)/2]
	out := make([]int8, len(peaks))
	for i, p := range peaks {
		if p > largeChannel*median && median > 0 {
			out[i] = int8(math.Round(math.Log2(float64(p/median)) / 2))
		}
	}
	return out
}

// file encodes the model, with the exponents of the two smoothed inputs of each layer.
func (t *Trained) file(exponents [][2][]int8) []byte {
	b := make([]byte, HeaderBytes)
	copy(b, magic)
	for i, n := range [...]int{t.Dims, t.Layers, t.Heads, t.Inner, t.Positions, t.Pieces, int(t.Reading)} {
		binary.LittleEndian.PutUint32(b[len(magic)+4*i:], uint32(n))
	}
	for _, w := range t.Vocabulary {
		b = append(b, byte(len(w)))
	}
	for _, w := range t.Vocabulary {
		b = append(b, w...)
	}
	for row := range slices.Chunk(t.WordRows, t.Dims) {
		b = appendRow(b, row)
	}
	for _, x := range t.PositionRows {
		b = binary.LittleEndian.AppendUint16(b, toBfloat16(x))
	}
	b = appendNorm(b, t.First)
	b = appendLayers(b, t.Stack, t.Shape, exponents)
	binary.LittleEndian.PutUint32(b[HeaderBytes-4:], checksum(b[HeaderBytes:]))
	return b
}

// appendLayers encodes layers, with their exponents unless these are nil.
func appendLayers(b []byte, stack []Layer, s Shape, exponents [][2][]int8) []byte {
	for i, l := range stack {
		var e [2][]int8
		if exponents != nil {
			e = exponents[i]
		}
		b = appendMatrix(b, l.Attention, s.Dims, e[0])
		b = appendMatrix(b, l.Attended, s.Dims, nil)
		b = appendNorm(b, l.AttendedNorm)
		b = appendMatrix(b, l.Up, s.Dims, e[1])
		b = appendMatrix(b, l.Down, s.Inner, nil)
		b = appendNorm(b, l.Norm)
	}
	return b
}

func appendFloats(b []byte, xs []float32) []byte {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func appendNorm(b []byte, n Norm) []byte { return appendFloats(appendFloats(b, n.Gamma), n.Beta) }

// appendMatrix encodes a linear layer whose input is divided by 2 to the power of the exponents.
func appendMatrix(b []byte, l Linear, in int, exponents []int8) []byte {
	if exponents == nil {
		exponents = make([]int8, in)
	}
	for _, e := range exponents {
		b = append(b, byte(e))
	}
	weights, scales, sums := make([]int8, 0, len(l.Weights)), []float32{}, []byte{}
	for row := range slices.Chunk(l.Weights, in) {
		scale, sum := appendWeights(&weights, row, exponents)
		scales = append(scales, scale)
		sums = binary.LittleEndian.AppendUint32(sums, uint32(sum))
	}
	b = appendFloats(appendFloats(b, scales), l.Bias)
	b = append(b, sums...)
	return append(b, pack(weights, in, len(l.Bias))...)
}

// appendWeights appends a row of weights as int8 and returns their scale and their sum.
func appendWeights(to *[]int8, row []float32, exponents []int8) (scale float32, sum int32) {
	scaled := make([]float64, len(row))
	largest := 0.0
	for i, w := range row {
		scaled[i] = math.Ldexp(float64(w), int(exponents[i]))
		largest = max(largest, math.Abs(scaled[i]))
	}
	scale = float32(max(largest, 1e-30) / 127)
	for _, w := range scaled {
		q := int8(math.RoundToEven(w / (max(largest, 1e-30) / 127)))
		*to, sum = append(*to, q), sum+int32(q)
	}
	return scale, sum
}
