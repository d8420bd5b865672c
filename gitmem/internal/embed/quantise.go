package embed

import "math"

// quantise stores a vector of any length as int8 with one scale: scale × q has the direction of v and about length 1.
// It returns 0 if v has no direction.
func quantise(v []float32, q []int8) (scale float32) {
	largest, length := 0.0, 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
		length += float64(x) * float64(x)
	}
	length = math.Sqrt(length)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		clear(q)
		return 0
	}
	for i, x := range v {
		q[i] = int8(math.Round(float64(x) / largest * 127))
	}
	return float32(largest / 127 / length)
}

// appendBytes appends int8 values as bytes.
func appendBytes(b []byte, q []int8) []byte {
	for _, x := range q {
		b = append(b, byte(x))
	}
	return b
}

// dot returns the dot product of a vector and a stored one of the same length. It uses four independent sums so that
// additions do not wait for each other.
func dot(a []int8, b []byte) int32 {
	var s0, s1, s2, s3 int32
	for len(a) >= 16 && len(b) >= 16 {
		x, y := (*[16]int8)(a), (*[16]byte)(b)
		s0 += int32(x[0])*int32(int8(y[0])) + int32(x[4])*int32(int8(y[4])) + int32(x[8])*int32(int8(y[8])) +
			int32(x[12])*int32(int8(y[12]))
		s1 += int32(x[1])*int32(int8(y[1])) + int32(x[5])*int32(int8(y[5])) + int32(x[9])*int32(int8(y[9])) +
			int32(x[13])*int32(int8(y[13]))
		s2 += int32(x[2])*int32(int8(y[2])) + int32(x[6])*int32(int8(y[6])) + int32(x[10])*int32(int8(y[10])) +
			int32(x[14])*int32(int8(y[14]))
		s3 += int32(x[3])*int32(int8(y[3])) + int32(x[7])*int32(int8(y[7])) + int32(x[11])*int32(int8(y[11])) +
			int32(x[15])*int32(int8(y[15]))
		a, b = a[16:], b[16:]
	}
	for i := range min(len(a), len(b)) {
		s0 += int32(a[i]) * int32(int8(b[i]))
	}
	return s0 + s1 + s2 + s3
}
