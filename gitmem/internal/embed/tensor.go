package embed

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Limits of a valid model; the largest published static model has half a million tokens and 512 dimensions.
const (
	maxTensorHeader = 16 << 20
	maxModelBytes   = 4 << 30
	maxTokens       = 4 << 20
	maxDim          = 8192
)

// tensor is one array of a safetensors file, row-major and little-endian.
type tensor struct {
	dtype string
	shape []int
	data  []byte
}

// tensorEntry is the description of a tensor in the header.
type tensorEntry struct {
	DType   string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets []uint64 `json:"data_offsets"`
}

// parseTensors parses a safetensors file: the length of a JSON header in eight bytes, the header, the data. The tensors
// share src.
func parseTensors(src []byte) (map[string]tensor, error) {
	if len(src) < 8 {
		return nil, fmt.Errorf("%d bytes are no safetensors file", len(src))
	}
	size := binary.LittleEndian.Uint64(src)
	if size > maxTensorHeader || size > uint64(len(src)-8) {
		return nil, fmt.Errorf("the header is said to have %d bytes: the file is cut off or no safetensors file", size)
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(bytes.TrimRight(src[8:8+size], " "), &raw); err != nil {
		return nil, fmt.Errorf("the header is no JSON object: %w", err)
	}
	data := src[8+size:]
	out := make(map[string]tensor, len(raw))
	for name, text := range raw {
		if name == "__metadata__" {
			continue
		}
		var e tensorEntry
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		t, err := e.cut(data)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		out[name] = t
	}
	return out, nil
}

// cut returns the tensor's bytes in the data after the header.
func (e tensorEntry) cut(data []byte) (tensor, error) {
	width := widthOf(e.DType)
	if width == 0 { // an error only if it is used
		return tensor{dtype: e.DType}, nil
	}
	if len(e.Offsets) != 2 || e.Offsets[0] > e.Offsets[1] || e.Offsets[1] > uint64(len(data)) {
		return tensor{}, fmt.Errorf("its bytes %v lie outside the file, which has %d: it is cut off or damaged",
			e.Offsets, len(data))
	}
	t := tensor{dtype: e.DType, data: data[e.Offsets[0]:e.Offsets[1]]}
	n := uint64(1)
	for _, d := range e.Shape {
		if d < 0 || d > maxModelBytes || (d > 0 && n > maxModelBytes/uint64(d)) {
			return tensor{}, fmt.Errorf("the shape %v is too large", e.Shape)
		}
		n *= uint64(d)
		t.shape = append(t.shape, int(d))
	}
	if n*uint64(width) != uint64(len(t.data)) {
		return tensor{}, fmt.Errorf("the shape %v of %s wants %d bytes, %d are there", e.Shape, e.DType,
			n*uint64(width), len(t.data))
	}
	return t, nil
}

// widthOf returns the size of a number in bytes, 0 for an unsupported type.
func widthOf(dtype string) int {
	return map[string]int{"F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "I8": 1}[dtype]
}

// float returns the number at index i of a tensor of F64, F32, F16, BF16 or I8.
func (t tensor) float(i int) float32 {
	le := binary.LittleEndian
	switch t.dtype {
	case "F64":
		return float32(math.Float64frombits(le.Uint64(t.data[8*i:])))
	case "F32":
		return math.Float32frombits(le.Uint32(t.data[4*i:]))
	case "F16":
		return halfFloat(le.Uint16(t.data[2*i:]))
	case "BF16":
		return math.Float32frombits(uint32(le.Uint16(t.data[2*i:])) << 16)
	}
	return float32(int8(t.data[i]))
}

// integer returns the number at index i of a tensor of I64 or I32.
func (t tensor) integer(i int) int64 {
	if t.dtype == "I64" {
		return int64(binary.LittleEndian.Uint64(t.data[8*i:]))
	}
	return int64(int32(binary.LittleEndian.Uint32(t.data[4*i:])))
}

// halfFloat converts an IEEE 754 binary16.
func halfFloat(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exp {
	case 0: // zero and subnormal: a multiple of 2^-24
		v := float32(frac) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// table contains the validated tensors of a static model.
type table struct {
	rows    tensor
	dim     int
	weights []float32 // by token, or nil
	mapping []int32   // by token, or nil
}

var errNoTable = errors.New(`neither "embeddings" nor "embedding.weight" is in it: this is no static model`)

// parseTable finds a static model's tensors.
func parseTable(src []byte) (*table, error) {
	all, err := parseTensors(src)
	if err != nil {
		return nil, err
	}
	name := "embeddings"
	if _, ok := all[name]; !ok {
		name = "embedding.weight"
	}
	rows, ok, err := one(all, name, "the embeddings", 2, "F32", "F16", "I8")
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errNoTable
	case rows.shape[0] < 1 || rows.shape[1] < 1 || rows.shape[1] > maxDim:
		return nil, fmt.Errorf("the embeddings have the shape %v: one row a token and 1 to %d dimensions are expected",
			rows.shape, maxDim)
	}
	t := &table{rows: rows, dim: rows.shape[1]}
	weights, ok, err := one(all, "weights", "the weights", 1, "F64", "F32", "F16")
	if ok && err == nil {
		t.weights = make([]float32, weights.shape[0])
		for i := range t.weights {
			t.weights[i] = weights.float(i)
		}
	}
	if err != nil {
		return nil, err
	}
	return t, t.addMapping(all)
}

// one returns a tensor of a supported type; ok is false if there is none.
func one(all map[string]tensor, name, title string, dims int, dtypes ...string) (t tensor, ok bool, err error) {
	t, ok = all[name]
	last := len(dtypes) - 1
	switch {
	case !ok:
	case !slices.Contains(dtypes, t.dtype):
		err = fmt.Errorf("%s are %s: %s and %s can be read", title, t.dtype, strings.Join(dtypes[:last], ", "), dtypes[last])
	case len(t.shape) != dims || t.shape[0] > maxTokens:
		err = fmt.Errorf("%s have the shape %v: %d dimensions and at most %d tokens are expected", title, t.shape,
			dims, maxTokens)
	}
	return t, ok, err
}

func (t *table) addMapping(all map[string]tensor) error {
	m, ok, err := one(all, "mapping", "the numbers of the mapping", 1, "I64", "I32")
	if !ok || err != nil {
		return err
	}
	t.mapping = make([]int32, m.shape[0])
	for i := range t.mapping {
		row := m.integer(i)
		if row < 0 || row >= int64(t.rows.shape[0]) {
			return fmt.Errorf("the mapping sends token %d to row %d of %d", i, row, t.rows.shape[0])
		}
		t.mapping[i] = int32(row)
	}
	return nil
}

// fits returns an error if a tokenizer with ids below tokens cannot use the table.
func (t *table) fits(tokens int) error {
	switch {
	case t.mapping != nil && len(t.mapping) < tokens:
		return fmt.Errorf("the mapping knows %d tokens, tokenizer.json %d: they belong to different models",
			len(t.mapping), tokens)
	case t.mapping == nil && t.rows.shape[0] < tokens:
		return fmt.Errorf("there are %d rows, and tokenizer.json has %d tokens: they belong to different models",
			t.rows.shape[0], tokens)
	case t.weights != nil && len(t.weights) < tokens:
		return fmt.Errorf("there are %d weights, and tokenizer.json has %d tokens: they belong to different models",
			len(t.weights), tokens)
	}
	return nil
}

// add adds the row of a token, times its weight, to sum.
func (t *table) add(token int32, sum []float32) {
	row := token
	if t.mapping != nil {
		row = t.mapping[token]
	}
	weight := float32(1)
	if t.weights != nil {
		weight = t.weights[token]
	}
	at := int(row) * t.dim
	switch t.rows.dtype {
	case "F32":
		b := t.rows.data[4*at : 4*(at+t.dim)]
		for i := range sum {
			sum[i] += weight * math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:4*i+4]))
		}
	default:
		for i := range sum {
			sum[i] += weight * t.rows.float(at+i)
		}
	}
}
