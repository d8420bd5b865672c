package bert

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Classifier classifies pairs of texts. It uses the word table and the lower layers of an encoder, and its own upper
// layers. It is safe for concurrent use.
type Classifier struct {
	model *Model
	heads []head
}

// head is a linear layer over the features of a pair, see [Classifier.Classify].
type head struct {
	classes int
	weights []float32 // a row of 3 × dims for each class
	bias    []float32
}

// Pair contains the concatenated word pieces of two texts.
type Pair struct {
	Pieces []int32
	Second int // index of the second text, after the first one and its end piece
}

// classifierMagic begins a classifier's file, which is little-endian:
//
//	magic; the encoder's checksum, the number of its layers that are used, the number of own
//	layers, the number of heads, the classes of each head (uint32); CRC-32C of the rest (uint32)
//	own layers, as in the encoder's file
//	each head: weights (float32), biases (float32)
const classifierMagic = "gmpair1\n"

// The limits of a valid classifier.
const maxHeads, maxClasses = 8, 64

// OpenClassifier opens a classifier that was trained on top of the encoder. Its weights stay in data.
func (m *Model) OpenClassifier(data []byte) (*Classifier, error) {
	r := &reader{data: data}
	if string(r.bytes(len(classifierMagic))) != classifierMagic {
		return nil, fmt.Errorf("%w: it does not begin as a classifier", ErrFormat)
	}
	n := r.integers(4)
	shared, own, heads := int(n[1]), int(n[2]), int(n[3])
	switch {
	case r.short || uint32(n[0]) != m.checksum:
		return nil, fmt.Errorf("%w: the classifier is of another encoder", ErrFormat)
	case shared < 0 || shared > m.Layers || own < 0 || own > MaxLayers || heads < 1 || heads > maxHeads:
		return nil, fmt.Errorf("%w: a classifier of %d and %d layers with %d heads", ErrFormat, shared, own, heads)
	}
	c := &Classifier{model: m.copy()}
	c.model.layers = slices.Clone(m.layers[:shared])
	for _, classes := range r.integers(heads) {
		if classes < 2 || classes > maxClasses {
			return nil, fmt.Errorf("%w: a head of %d classes", ErrFormat, classes)
		}
		c.heads = append(c.heads, head{classes: int(classes)})
	}
	if sum := r.integers(1)[0]; uint32(sum) != checksum(r.data) {
		return nil, fmt.Errorf("%w: the checksum of the classifier is wrong", ErrFormat)
	}
	for range own {
		c.model.layers = append(c.model.layers, r.layer(m.Shape))
	}
	for i := range c.heads {
		h := &c.heads[i]
		h.weights, h.bias = r.floats(h.classes*3*m.Dims), r.floats(h.classes)
	}
	if r.short || len(r.data) != 0 {
		return nil, fmt.Errorf("%w: its size is not that of its numbers", ErrFormat)
	}
	return c, nil
}

// Classify returns for each pair the probability of each class of a head. The features of a pair are the first piece in
// the last layer and the means of the pieces of both texts.
func (c *Classifier) Classify(ctx context.Context, head int, pairs []Pair) ([][]float32, error) {
	texts := make([][]int32, len(pairs))
	for i, p := range pairs {
		texts[i] = p.Pieces
	}
	out := make([][]float32, len(pairs))
	err := c.model.run(ctx, texts, func(s *scratch, nth, text int) {
		start, end := s.starts[nth], s.starts[nth+1]
		second := min(start+pairs[text].Second, end)
		known := s.sum(start, min(start+1, end))
		for _, part := range [][2]int{{start, second}, {second, end}} {
			mean := s.sum(part[0], part[1])
			by := 1 / float32(max(1, part[1]-part[0]))
			for i := range mean {
				mean[i] *= by
			}
			known = append(known, mean...)
		}
		out[text] = c.heads[head].probabilities(known)
	})
	return out, err
}

// probabilities returns the softmax of the class scores.
func (h *head) probabilities(known []float32) []float32 {
	out, sum, most := make([]float32, h.classes), 0.0, math.Inf(-1)
	scores := make([]float64, h.classes)
	for class := range scores {
		row := h.weights[class*len(known):]
		scores[class] = float64(h.bias[class])
		for i, x := range known {
			scores[class] += float64(x * row[i])
		}
		most = max(most, scores[class])
	}
	for class, score := range scores {
		scores[class] = math.Exp(score - most)
		sum += scores[class]
	}
	for class, e := range scores {
		out[class] = float32(e / sum)
	}
	return out
}

// TrainedClassifier is a trained classifier on top of the first Shared layers of an encoder.
type TrainedClassifier struct {
	Shared int
	Stack  []Layer
	Heads  []Linear // each over three vectors
}

// Build returns the file of a classifier of an encoder. samples are the pieces of some texts that show which channels
// are large.
func (t *TrainedClassifier) Build(ctx context.Context, m *Model, samples [][]int32) ([]byte, error) {
	if t.Shared < 0 || t.Shared > m.Layers {
		return nil, fmt.Errorf("it reads %d layers of the encoder, which has %d", t.Shared, m.Layers)
	}
	parts := partsOf(t.Stack, m.Shape)
	for i, h := range t.Heads {
		parts = append(parts, part{fmt.Sprintf("head %d", i), len(h.Weights), 3 * m.Dims * len(h.Bias)})
	}
	if err := validateParts(parts); err != nil {
		return nil, err
	}
	c, err := m.OpenClassifier(t.file(m, nil))
	if err != nil {
		return nil, err
	}
	exponents, err := c.model.exponents(ctx, samples)
	if err != nil {
		return nil, err
	}
	return t.file(m, exponents[t.Shared:]), nil
}

// file encodes the classifier, with the exponents of its own layers.
func (t *TrainedClassifier) file(m *Model, exponents [][2][]int8) []byte {
	b := []byte(classifierMagic)
	number := func(n uint32) { b = binary.LittleEndian.AppendUint32(b, n) }
	number(m.checksum)
	number(uint32(t.Shared))
	number(uint32(len(t.Stack)))
	number(uint32(len(t.Heads)))
	for _, h := range t.Heads {
		number(uint32(len(h.Bias)))
	}
	body := appendLayers(nil, t.Stack, m.Shape, exponents)
	for _, h := range t.Heads {
		body = appendFloats(appendFloats(body, h.Weights), h.Bias)
	}
	number(checksum(body))
	return append(b, body...)
}
