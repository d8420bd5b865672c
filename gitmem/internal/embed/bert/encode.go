package bert

import (
	"context"
	"math"
)

// together is the minimum number of pieces that are computed at a time, so that each weight read from memory is used
// for many of them.
const together = 256

// Encode returns the vector of each text, of length 1, from the ids of its word pieces, which must be below the model's
// number of pieces. A text is truncated to the model's positions; a text without pieces has no vector.
func (m *Model) Encode(ctx context.Context, texts [][]int32) ([][]float32, error) {
	out := make([][]float32, len(texts))
	err := m.run(ctx, texts, func(s *scratch, nth, text int) { out[text] = s.mean(nth) })
	return out, err
}

// run computes the last layer of each text and calls take for each, with the text's position in the working memory as
// nth.
func (m *Model) run(ctx context.Context, texts [][]int32, take func(s *scratch, nth, text int)) error {
	s := m.newScratch(texts)
	for at := 0; at < len(texts); {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := m.embed(s, texts[at:])
		for i := range m.layers {
			m.layer(s, &m.layers[i])
		}
		for i := range n {
			take(s, i, at+i)
		}
		at += n
	}
	return nil
}

// scratch is the working memory of a run over some texts, whose pieces are concatenated.
type scratch struct {
	kernel kernel
	peaks  map[*matrix][]float32 // see [Model]
	dims   int
	starts []int // start of each text, and the end of the last one
	x, y   []float32
	wide   []float32 // for the widest output of a matrix
	turned []float32 // a head's keys, transposed
	scores []float32
	input  quantised
	sums   tile
}

func (m *Model) newScratch(texts [][]int32) *scratch {
	pieces := 0
	for _, t := range texts {
		pieces += min(len(t), m.Positions)
	}
	pieces = roundUp(min(pieces, together+m.Positions), tileRows)
	longest := roundUp(m.Positions, lanes)
	return &scratch{
		kernel: m.kernel, peaks: m.peaks, dims: m.Dims, x: make([]float32, pieces*m.Dims), y: make([]float32, pieces*m.Dims),
		wide:   make([]float32, pieces*max(3*m.Dims, m.Inner)),
		turned: make([]float32, m.Dims/m.Heads*longest), scores: make([]float32, longest),
		input: newQuantised(pieces, max(m.Dims, m.Inner), m.kernel),
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// pieces returns the number of pieces in the working memory.
func (s *scratch) pieces() int { return s.starts[len(s.starts)-1] }

// embed starts a run with as many of the texts as are computed together, at least one, and returns their number.
func (m *Model) embed(s *scratch, texts [][]int32) int {
	s.starts = append(s.starts[:0], 0)
	for _, ids := range texts {
		if s.pieces() >= together {
			break
		}
		ids = ids[:min(len(ids), m.Positions)]
		for position, id := range ids {
			at := (s.pieces() + position) * m.Dims
			x := s.x[at : at+m.Dims]
			for d := range x {
				x[d] = bfloat16(m.positions, position*m.Dims+d)
			}
			m.rows.add(int(id), x)
			m.first.apply(x)
		}
		s.starts = append(s.starts, s.pieces()+len(ids))
	}
	return len(s.starts) - 1
}

// layer applies a layer in place.
func (m *Model) layer(s *scratch, l *layer) {
	n := s.pieces()
	l.attention.times(s, s.x, s.wide, n)
	for i := 1; i < len(s.starts); i++ {
		m.attend(s, s.starts[i-1], s.starts[i])
	}
	l.attended.times(s, s.y, s.y, n)
	s.addTo(&l.attendedNorm, n)
	l.up.times(s, s.x, s.wide, n)
	gelu(s.wide[:n*m.Inner])
	l.down.times(s, s.wide, s.y, n)
	s.addTo(&l.norm, n)
}

// addTo adds y to x and normalises the sum.
func (s *scratch) addTo(by *norm, n int) {
	for at := 0; at < n*s.dims; at += s.dims {
		x, y := s.x[at:at+s.dims], s.y[at:at+s.dims]
		for d := range x {
			x[d] += y[d]
		}
		by.apply(x)
	}
}

// attend computes the attention among the pieces from start to end of one text: s.wide contains their queries, keys and
// values, and s.y receives the result.
func (m *Model) attend(s *scratch, start, end int) {
	n, size := end-start, m.Dims/m.Heads
	padded := roundUp(n, lanes)
	of := func(i, part, head int) []float32 {
		at := ((start+i)*3+part)*m.Dims + head*size
		return s.wide[at : at+size]
	}
	factor := float32(1 / math.Sqrt(float64(size)))
	for head := range m.Heads {
		for i := range n {
			for d, k := range of(i, 1, head) {
				s.turned[d*padded+i] = k * factor
			}
		}
		for i := range n {
			scores := s.scores[:padded]
			m.kernel.rowTimes(scores, of(i, 0, head), s.turned, padded)
			softmax(scores[:n])
			at := (start+i)*m.Dims + head*size
			m.kernel.rowTimes(s.y[at:at+size], scores[:n], s.wide[(start*3+2)*m.Dims+head*size:], 3*m.Dims)
		}
	}
}

// mean returns the mean of a text's pieces normalised to length 1, or nil for a text without pieces and for a zero
// mean.
func (s *scratch) mean(text int) []float32 {
	start, end := s.starts[text], s.starts[text+1]
	if start == end {
		return nil
	}
	out := s.sum(start, end)
	length := 0.0
	for _, x := range out {
		length += float64(x) * float64(x)
	}
	if length == 0 {
		return nil
	}
	for d := range out {
		out[d] = float32(float64(out[d]) / math.Sqrt(length))
	}
	return out
}

// sum returns the sum of the pieces from start to end.
func (s *scratch) sum(start, end int) []float32 {
	out := make([]float32, s.dims)
	for at := start * s.dims; at < end*s.dims; at += s.dims {
		for d, x := range s.x[at : at+s.dims] {
			out[d] += x
		}
	}
	return out
}
