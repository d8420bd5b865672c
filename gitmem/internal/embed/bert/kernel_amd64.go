package bert

import "golang.org/x/sys/cpu"

// The kernels of amd64.
const (
	avx2 kernel = iota + 1
	vnni        // AVX2 and AVX-512 VNNI
)

// kernels returns the kernels that the processor supports, the fastest first.
func kernels() []kernel {
	out := []kernel{plain}
	if cpu.X86.HasAVX2 {
		out = []kernel{avx2, plain}
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI {
			out = []kernel{vnni, avx2, plain}
		}
	}
	return out
}

func (k kernel) String() string { return [...]string{"plain Go", "AVX2", "AVX-512 VNNI"}[k] }

func (k kernel) readsWords() bool { return k == avx2 }

func (k kernel) multiply(sums *tile, in *quantised, row int, weights []byte, _ []int32) {
	switch k {
	case vnni:
		multiplyVNNI(sums, &in.values[row*in.in], &weights[0], in.in)
	case avx2:
		for r := 0; r < tileRows; r += 2 {
			for c := 0; c < tileColumns; c += block {
				dotAVX2(&sums[r*tileColumns+c], &in.words[(row+r)*in.in], &weights[c*in.in], in.in)
			}
		}
	default:
		multiplyPlain(sums, in, row, weights)
	}
}

func (k kernel) rowTimes(out, row, matrix []float32, stride int) {
	if k == plain {
		rowTimesPlain(out, row, matrix, stride)
		return
	}
	rowTimesAVX2(&out[0], len(out), &row[0], len(row), &matrix[0], stride)
}

func (k kernel) bounds(x []float32) (low, high float32) {
	if k == plain {
		return boundsPlain(x)
	}
	return boundsAVX2(&x[0], len(x))
}

func (k kernel) quantise(out []byte, x []float32, by, add float32) {
	if k == plain {
		quantisePlain(out, x, by, add)
		return
	}
	quantiseAVX2(&out[0], &x[0], len(x), by, add)
}

// multiplyVNNI computes a tile; the rows of values are in bytes apart, a multiple of 4.
//
//go:noescape
func multiplyVNNI(sums *tile, values, weights *byte, in int)

// dotAVX2 computes two rows of one block; the rows of sums are tileColumns apart, those of values in words.
//
//go:noescape
func dotAVX2(sums *int32, values *int16, weights *byte, in int)

// rowTimesAVX2 implements rowTimesPlain; columns and the length of each matrix row are multiples of 16.
//
//go:noescape
func rowTimesAVX2(out *float32, columns int, row *float32, rows int, matrix *float32, stride int)

// boundsAVX2 implements boundsPlain for a multiple of 16 numbers.
//
//go:noescape
func boundsAVX2(x *float32, n int) (low, high float32)

// quantiseAVX2 implements quantisePlain for a multiple of 32 numbers.
//
//go:noescape
func quantiseAVX2(out *byte, x *float32, n int, by, add float32)
