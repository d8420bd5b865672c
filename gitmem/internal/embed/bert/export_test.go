package bert

// Functions for the tests of the arithmetic.
var (
	Exp  = powers[0]().exp
	Gelu = gelu
)

// The size of a tile.
const (
	TileRows    = tileRows
	TileColumns = tileColumns
)

// Tile computes one tile of packed weights with a kernel.
func Tile(name string, values, weights []byte, in int) (sums [TileRows * TileColumns]int32) {
	for _, k := range kernels() {
		if k.String() != name {
			continue
		}
		q := newQuantised(tileRows, in, k)
		q.in = in
		copy(q.values, values)
		for i := range q.words {
			q.words[i] = int16(values[i])
		}
		sum := make([]int32, tileColumns)
		for i, w := range weights {
			sum[i/(block*in)*block+i%(block*step)/step] += int32(int8(w))
		}
		t := tile{1, 2, 3} // old values, which multiply must overwrite
		k.multiply(&t, &q, 0, weights, sum)
		return t
	}
	return sums
}
