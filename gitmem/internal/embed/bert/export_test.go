package bert

// The parts that the tests of the arithmetic look into.
var (
	Exp  = powers[0]().exp
	Gelu = gelu
)

// The size of a tile.
const (
	TileRows    = tileRows
	TileColumns = tileColumns
)

// Tile computes one tile with a kernel, of packed weights.
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
		t := tile{1, 2, 3} // of another tile
		k.multiply(&t, &q, 0, weights, sum)
		return t
	}
	return sums
}
