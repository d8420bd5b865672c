// Package embedtest writes tiny models for tests. It knows the files of model2vec models and of encoders. Only tests
// use it.
package embedtest

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
	"github.com/gitmem/gitmem/internal/slice"
)

// Model describes a static model to write.
type Model struct {
	Vocab     []string // pieces by id; [UNK] is prepended
	Dim       int
	DType     string      // of the embeddings: F32 (as ""), F16 or I8
	Rows      [][]float64 // by row; nil for random rows from Seed
	Seed      uint64
	Weights   []float64 // by id, or nil
	Mapping   []int     // by id, or nil
	Normalize bool
	// Alike contains lists of pieces that get nearly the same row.
	Alike [][]string
	// Layout is the name of the embeddings' tensor; "" means embeddings.
	Layout string
}

// Pieces returns the vocabulary by id.
func (m Model) Pieces() []string { return append([]string{"[UNK]"}, m.Vocab...) }

// Table returns the model's rows: the given ones, or random ones.
func (m Model) Table() [][]float64 {
	if m.Rows != nil {
		return m.Rows
	}
	r := m.Seed
	rows := make([][]float64, len(m.Pieces()))
	for i := range rows {
		for range m.Dim {
			rows[i] = append(rows[i], m.round(number(&r)))
		}
	}
	for _, group := range m.Alike {
		first := slices.Index(m.Pieces(), group[0])
		for _, piece := range group[1:] {
			at := slices.Index(m.Pieces(), piece)
			for d := range m.Dim {
				rows[at][d] = m.round(rows[first][d] + 0.1*rows[at][d])
			}
		}
	}
	return rows
}

// number returns a pseudo-random number between -3 and 3 by SplitMix64.
func number(seed *uint64) float64 {
	*seed += 0x9e3779b97f4a7c15
	z := *seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11)/(1<<53)*6 - 3
}

// round rounds a number to the precision of the model's type.
func (m Model) round(x float64) float64 {
	switch m.DType {
	case "F16":
		return math.Round(x*64) / 64
	case "I8":
		return math.Round(min(max(x, -3), 3) * 42)
	}
	return float64(float32(x))
}

// Write writes the model into a folder, which it creates.
func (m Model) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{"model_type": "model2vec", "normalize": m.Normalize})
	if err != nil {
		return err
	}
	for name, b := range map[string][]byte{"model.safetensors": m.Tensors(), "tokenizer.json": m.Tokenizer(),
		"config.json": config} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Tokenizer returns the model's tokenizer.json.
func (m Model) Tokenizer() []byte {
	vocab := map[string]int{}
	for i, p := range m.Pieces() {
		vocab[p] = i
	}
	b, err := json.Marshal(map[string]any{
		"version":      "1.0",
		"added_tokens": []any{map[string]any{"id": 0, "content": "[UNK]", "special": true}},
		"normalizer": map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
			"strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
			"vocab": vocab,
		},
	})
	if err != nil {
		panic(err) // only strings and numbers
	}
	return b
}

// Tensors returns the model's model.safetensors.
func (m Model) Tensors() []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	add := func(name, dtype string, numbers []float64, shape ...int) {
		from := len(data)
		for _, x := range numbers {
			data = appendNumber(data, dtype, x)
		}
		header[name] = map[string]any{"dtype": dtype, "shape": shape, "data_offsets": []int{from, len(data)}}
	}
	rows := m.Table()
	add(cmp.Or(m.Layout, "embeddings"), cmp.Or(m.DType, "F32"), slices.Concat(rows...), len(rows), len(rows[0]))
	if m.Weights != nil {
		add("weights", "F64", m.Weights, len(m.Weights))
	}
	if m.Mapping != nil {
		rows := slice.Map(m.Mapping, func(to int) float64 { return float64(to) })
		add("mapping", "I64", rows, len(rows))
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(err) // only strings and numbers
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

func appendNumber(b []byte, dtype string, x float64) []byte {
	le := binary.LittleEndian
	switch dtype {
	case "F64":
		return le.AppendUint64(b, math.Float64bits(x))
	case "I64":
		return le.AppendUint64(b, uint64(x))
	case "F16":
		return le.AppendUint16(b, half(x))
	case "I8":
		return append(b, byte(int8(x)))
	}
	return le.AppendUint32(b, math.Float32bits(float32(x)))
}

// half returns the binary16 of a number that is exactly representable and not subnormal.
func half(x float64) uint16 {
	if x == 0 {
		return 0
	}
	frac, exp := math.Frexp(math.Abs(x)) // frac in [0.5, 1)
	bits := uint16(exp-1+15)<<10 | uint16((2*frac-1)*1024)
	if x < 0 {
		bits |= 1 << 15
	}
	return bits
}

// Encoder returns the file of a random encoder with two layers. The words of one group have the same embedding.
func Encoder(groups ...[]string) ([]byte, error) {
	const dims, positions = 64, 32
	r := uint64(7)
	numbers := func(n int, scale, mean float32) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = mean + scale*float32(number(&r))
		}
		return out
	}
	linear := func(in, out int) bert.Linear {
		return bert.Linear{Weights: numbers(in*out, 0.05, 0), Bias: numbers(out, 0.05, 0)}
	}
	norm := func() bert.Norm { return bert.Norm{Gamma: numbers(dims, 0.02, 1), Beta: numbers(dims, 0.02, 0)} }
	rows := map[string][]float32{}
	for _, special := range []string{"[CLS]", "[SEP]", "[UNK]"} {
		rows[special] = numbers(dims, 0.01, 0)
	}
	for _, group := range groups {
		row := numbers(dims, 1, 0)
		for _, word := range group {
			rows[word] = row
		}
	}
	t := &bert.Trained{
		Shape: bert.Shape{Dims: dims, Layers: 2, Heads: 2, Inner: 128, Positions: positions, Pieces: len(rows), Reading: 1},
		First: norm(), PositionRows: numbers(positions*dims, 0.01, 0),
	}
	for _, word := range slices.Sorted(maps.Keys(rows)) {
		t.Vocabulary = append(t.Vocabulary, word)
		t.WordRows = append(t.WordRows, rows[word]...)
	}
	for range t.Layers {
		t.Stack = append(t.Stack, bert.Layer{
			Attention: linear(dims, 3*dims), Attended: linear(dims, dims), AttendedNorm: norm(),
			Up: linear(dims, t.Inner), Down: linear(t.Inner, dims), Norm: norm(),
		})
	}
	return t.Build(context.Background(), [][]int32{{0, 1}}) // only for tests
}
