package embed

import "slices"

// Cut cuts a text with a tokenizer.json and returns the pieces' ids.
func Cut(tokenizerJSON []byte, text string, limit int) ([]int32, error) {
	t, err := parseTokenizer(tokenizerJSON)
	if err != nil {
		return nil, err
	}
	return slices.Clone(t.ids(text, limit, nil)), nil
}

// ParseTensors reads a safetensors file as a model's.
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

// Dot is the product that cosines are made of.
func Dot(a, b []int8) int32 { return dot(a, appendBytes(nil, b)) }

// Cosine is the cosine of two vectors after both were made int8.
func Cosine(a, b []float32) float64 {
	x, y := make([]int8, len(a)), make([]int8, len(b))
	s, t := quantise(a, x), quantise(b, y)
	return float64(Dot(x, y)) * float64(s) * float64(t)
}

// Pieces are the word pieces of a text.
func Pieces(e *Encoder, text string) (out []string) {
	for _, id := range e.pieces(text, e.model.Positions) {
		out = append(out, string(e.model.Vocabulary.At(int(id))))
	}
	return out
}
