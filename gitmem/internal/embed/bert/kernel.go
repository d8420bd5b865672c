package bert

// kernel is an implementation of the arithmetic for a set of instructions.
type kernel int

// plain is the implementation in Go. The others depend on the processor.
const plain kernel = 0

// Kernels returns the names of the kernels that this processor supports, the fastest first.
func Kernels() (names []string) {
	for _, k := range kernels() {
		names = append(names, k.String())
	}
	return names
}

// Using returns the model with one of [Kernels], for tests and measurements.
func (m *Model) Using(name string) *Model {
	other := m.copy()
	for _, k := range kernels() {
		if k.String() == name {
			other.kernel = k
		}
	}
	return other
}

// copy returns a shallow copy of the model.
func (m *Model) copy() *Model {
	other := *m
	other.of = m
	return &other
}

// multiplyPlain computes a tile: the products of tileRows rows of the input, starting at row, with tileColumns columns
// of weights.
func multiplyPlain(sums *tile, in *quantised, row int, weights []byte) {
	for r := range tileRows {
		values := in.values[(row+r)*in.in : (row+r+1)*in.in]
		for c := 0; c < tileColumns; c += block {
			w := weights[c*in.in : (c+block)*in.in]
			dotPlain((*[block]int32)(sums[r*tileColumns+c:]), values, w)
		}
	}
}

// dotPlain computes the products of one row with one block of columns.
func dotPlain(out *[block]int32, values, weights []byte) {
	var sums [block]int32
	for len(values) >= step && len(weights) >= block*step {
		v, w := (*[step]byte)(values), (*[block * step]byte)(weights)
		v0, v1, v2, v3 := int32(v[0]), int32(v[1]), int32(v[2]), int32(v[3])
		for c := range sums {
			sums[c] += v0*int32(int8(w[4*c])) + v1*int32(int8(w[4*c+1])) + v2*int32(int8(w[4*c+2])) + v3*int32(int8(w[4*c+3]))
		}
		values, weights = values[step:], weights[block*step:]
	}
	*out = sums
}

// rowTimesPlain multiplies a row by a matrix of len(row) rows, stride numbers apart, and len(out) columns.
func rowTimesPlain(out, row, matrix []float32, stride int) {
	clear(out)
	for i, v := range row {
		for c, w := range matrix[i*stride : i*stride+len(out)] {
			out[c] += v * w
		}
	}
}

// boundsPlain returns the minimum and the maximum of x and 0.
func boundsPlain(x []float32) (low, high float32) {
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// quantisePlain writes x × by + add, truncated to an integer, as bytes.
func quantisePlain(out []byte, x []float32, by, add float32) {
	for i, v := range x {
		out[i] = byte(min(255, int32(float32(v*by)+add)))
	}
}
