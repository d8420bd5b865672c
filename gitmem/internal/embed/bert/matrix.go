package bert

// Matrix products are computed in tiles of this many rows and columns, and float vectors are multiples of lanes.
const (
	tileRows    = 4
	tileColumns = 64
	lanes       = 16
	block       = 16 // columns whose weights are contiguous, see [pack]
	step        = 4  // inputs whose weights are contiguous
)

// tile is the part of a product that is computed at a time, by rows.
type tile [tileRows * tileColumns]int32

// quantised is the input of a product: byte values, with a scale and a zero point per row.
type quantised struct {
	in     int
	values []byte
	words  []int16 // the same values, for a kernel that reads words
	scale  []float32
	zero   []int32
	row    []float32
}

func newQuantised(rows, in int, k kernel) quantised {
	q := quantised{
		values: make([]byte, rows*in), row: make([]float32, in),
		scale: make([]float32, rows), zero: make([]int32, rows),
	}
	if k.readsWords() {
		q.words = make([]int16, rows*in)
	}
	return q
}

// set quantises rows of x, after dividing each by the powers of two in smooth.
func (q *quantised) set(x []float32, rows, in int, smooth []float32, k kernel) {
	q.in = in
	for r := range rows {
		row := x[r*in : (r+1)*in]
		if smooth != nil {
			for i, s := range smooth {
				q.row[i] = row[i] * s
			}
			row = q.row[:in]
		}
		low, high := k.bounds(row)
		q.scale[r] = max((high-low)/255, 1e-30)
		by := 1 / q.scale[r]
		q.zero[r] = int32(-low*by + 0.5)
		k.quantise(q.values[r*in:(r+1)*in], row, by, float32(q.zero[r])+0.5)
	}
	if q.words != nil {
		for i, v := range q.values[:rows*in] {
			q.words[i] = int16(v)
		}
	}
}

// times multiplies n rows of x by the matrix, adds the bias and writes the result to out, which may be x.
func (m *matrix) times(s *scratch, x, out []float32, n int) {
	k := s.kernel
	if s.peaks != nil {
		s.peaks[m] = peaks(s.peaks[m], x[:n*m.in], m.in)
	}
	s.input.set(x, n, m.in, m.smooth, k)
	for column := 0; column < m.out; column += tileColumns {
		weights, sum := m.weights[column*m.in:], m.sum[column:]
		for row := 0; row < n; row += tileRows {
			k.multiply(&s.sums, &s.input, row, weights, sum)
			m.finish(&s.sums, &s.input, row, min(n-row, tileRows), column, out)
		}
	}
}

// peaks updates the largest absolute value of each channel with the rows of x.
func peaks(of, x []float32, in int) []float32 {
	if of == nil {
		of = make([]float32, in)
	}
	for i, v := range x {
		of[i%in] = max(of[i%in], v, -v)
	}
	return of
}

// finish converts sums to floats. The order of the operations is the same as in the kernels.
func (m *matrix) finish(sums *tile, in *quantised, row, rows, column int, out []float32) {
	scale, bias := (*[tileColumns]float32)(m.scale[column:]), (*[tileColumns]float32)(m.bias[column:])
	weights := (*[tileColumns]int32)(m.sum[column:])
	for r := range rows {
		from := (*[tileColumns]int32)(sums[r*tileColumns:])
		to := (*[tileColumns]float32)(out[(row+r)*m.out+column:])
		zero, by := in.zero[row+r], in.scale[row+r]
		for c := range to {
			to[c] = float32(float32(float32(from[c]-zero*weights[c])*by)*scale[c]) + bias[c]
		}
	}
}

// pack arranges the int8 weights of a matrix, given by output row, as the kernels read them: for each 16 outputs, for
// each 4 inputs, the 4 weights of each output.
func pack(weights []int8, in, out int) []byte {
	b := make([]byte, 0, in*out)
	for o := 0; o < out; o += block {
		for i := 0; i < in; i += step {
			for r := o; r < o+block; r++ {
				for _, w := range weights[r*in+i : r*in+i+step] {
					b = append(b, byte(w))
				}
			}
		}
	}
	return b
}
