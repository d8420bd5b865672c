package bert

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// neon is the kernel of arm64: NEON with the dot products of ARMv8.2.
const neon kernel = 1

// kernels returns the kernels that the processor supports, the fastest first.
func kernels() []kernel {
	// Every Mac processor has dot products, but macOS 12 may not report them.
	if cpu.ARM64.HasASIMDDP || runtime.GOOS == "darwin" {
		return []kernel{neon, plain}
	}
	return []kernel{plain}
}

func (k kernel) String() string { return [...]string{"plain Go", "NEON"}[k] }

func (k kernel) readsWords() bool { return false }

func (k kernel) multiply(sums *tile, in *quantised, row int, weights []byte, sum []int32) {
	if k == plain {
		multiplyPlain(sums, in, row, weights)
		return
	}
	for c := 0; c < tileColumns; c += block {
		multiplyNEON(&sums[c], &in.values[row*in.in], &weights[c*in.in], &sum[c], in.in)
	}
}

func (k kernel) rowTimes(out, row, matrix []float32, stride int) {
	if k == plain {
		rowTimesPlain(out, row, matrix, stride)
		return
	}
	rowTimesNEON(&out[0], len(out), &row[0], len(row), &matrix[0], stride)
}

func (k kernel) bounds(x []float32) (low, high float32) {
	if k == plain {
		return boundsPlain(x)
	}
	return boundsNEON(&x[0], len(x))
}

func (k kernel) quantise(out []byte, x []float32, by, add float32) {
	if k == plain {
		quantisePlain(out, x, by, add)
		return
	}
	quantiseNEON(&out[0], &x[0], len(x), by, add)
}

// multiplyNEON computes one block of a tile; the rows of sums are tileColumns apart, those of values in bytes, a
// multiple of 16. The instructions multiply only signed bytes, so they use each value minus 128, and the sums start at
// 128 times the sum of a column's weights.
//
//go:noescape
func multiplyNEON(sums *int32, values, weights *byte, sum *int32, in int)

// rowTimesNEON implements rowTimesPlain; columns and the length of each matrix row are multiples of 16.
//
//go:noescape
func rowTimesNEON(out *float32, columns int, row *float32, rows int, matrix *float32, stride int)

// boundsNEON implements boundsPlain for a multiple of 16 numbers.
//
//go:noescape
func boundsNEON(x *float32, n int) (low, high float32)

// quantiseNEON implements quantisePlain for a multiple of 16 numbers.
//
//go:noescape
func quantiseNEON(out *byte, x *float32, n int, by, add float32)
