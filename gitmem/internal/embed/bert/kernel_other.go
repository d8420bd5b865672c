//go:build !amd64 && !arm64

package bert

func kernels() []kernel { return []kernel{plain} }

func (k kernel) readsWords() bool { return false }

func (k kernel) multiply(sums *tile, in *quantised, row int, weights []byte, _ []int32) {
	multiplyPlain(sums, in, row, weights)
}

func (k kernel) rowTimes(out, row, matrix []float32, stride int) {
	rowTimesPlain(out, row, matrix, stride)
}

func (k kernel) bounds(x []float32) (low, high float32) { return boundsPlain(x) }

func (k kernel) quantise(out []byte, x []float32, by, add float32) { quantisePlain(out, x, by, add) }

func (k kernel) String() string { return "plain Go" }
