package embed

import "slices"

// Cut splits a text with a tokenizer.json and returns the ids of the pieces.
func Cut(tokenizerJSON []byte, text string, limit int) ([]int32, error) {
	t, err := parseTokenizer(tokenizerJSON)
	if err != nil {
		return nil, err
	}
	return slices.Clone(t.ids(text, limit, nil)), nil
}

// ParseTensors reads a model's safetensors file.
func ParseTensors(src []byte) (rows, dim int, err error) {
	t, err := parseTable(src)
	if err != nil {
		return 0, 0, err
	}
	sum := make([]float32, t.dim)
	n := t.rows.shape[0]
	if t.mapping != nil {
		n = len(t.mapping)
	}
	if t.weights != nil {
		n = min(n, len(t.weights))
	}
	for i := range min(n, 1000) {
		t.add(int32(i), sum)
	}
	return t.rows.shape[0], t.dim, nil
}

// Dot returns the product from which cosines are computed.
func Dot(a, b []int8) int32 { return dot(a, appendBytes(nil, b)) }

// Cosine returns the cosine of two vectors after converting both to int8.
func Cosine(a, b []float32) float64 {
	x, y := make([]int8, len(a)), make([]int8, len(b))
	s, t := quantise(a, x), quantise(b, y)
	return float64(Dot(x, y)) * float64(s) * float64(t)
}

// Pieces returns the word pieces of a text.
func Pieces(e *Encoder, text string) (out []string) {
	for _, id := range e.pieces(text, e.model.Positions) {
		out = append(out, string(e.model.Vocabulary.At(int(id))))
	}
	return out
}
