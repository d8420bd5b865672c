package bert

import (
	"encoding/binary"
	"math"
)

// group is the number of values in a row that share a scale.
const group = 32

// rows is a table with five bits per number. A row consists of the scale of each group (bfloat16), the low four bits of
// all numbers (two per byte, the even one in the low half), and the high bits (eight per byte, the first one lowest). A
// number is (bits - 16) × scale.
type rows struct {
	dims int
	data []byte
}

func rowBytes(dims int) int { return dims/group*2 + dims/2 + dims/8 }

// add adds row i to sum.
func (t rows) add(i int, sum []float32) {
	row := t.data[i*rowBytes(t.dims) : (i+1)*rowBytes(t.dims)]
	scales, low, high := row[:t.dims/group*2], row[t.dims/group*2:], row[t.dims/group*2+t.dims/2:]
	for d := range sum {
		n := low[d/2] >> (d % 2 * 4) & 15
		n |= high[d/8] >> (d % 8) & 1 << 4
		sum[d] += float32(int(n)-16) * bfloat16(scales, d/group)
	}
}

// appendRow encodes a row of the table. Its length is a multiple of 32.
func appendRow(b []byte, row []float32) []byte {
	low, high := make([]byte, len(row)/2), make([]byte, len(row)/8)
	for g := 0; g < len(row); g += group {
		largest := float32(0)
		for _, x := range row[g : g+group] {
			largest = max(largest, float32(math.Abs(float64(x))))
		}
		stored := toBfloat16(largest / 15)
		scale := math.Float32frombits(uint32(stored) << 16)
		b = binary.LittleEndian.AppendUint16(b, stored)
		for d := g; d < g+group; d++ {
			n := 16
			if scale > 0 {
				n += int(max(-16, min(15, math.RoundToEven(float64(row[d]/scale)))))
			}
			low[d/2] |= byte(n&15) << (d % 2 * 4)
			high[d/8] |= byte(n>>4) << (d % 8)
		}
	}
	return append(append(b, low...), high...)
}

// bfloat16 returns the number at index i of a table of bfloat16, the upper half of a float32.
func bfloat16(table []byte, i int) float32 {
	return math.Float32frombits(uint32(binary.LittleEndian.Uint16(table[2*i:])) << 16)
}

// toBfloat16 rounds to the nearest bfloat16, ties to even.
func toBfloat16(x float32) uint16 {
	bits := math.Float32bits(x)
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
