package index

import (
	"encoding/binary"
	"math/bits"
)

// columnPad follows a column's values, so that any of them can be read as one 8-byte word.
const columnPad = 8

// column is a sequence of unsigned values of the same width in bytes, the smallest that fits the largest value; width 0
// means that all are zero. It reads directly from a mapped file.
type column struct {
	data  []byte // n*width bytes, then columnPad
	width int
	mask  uint64
}

func newColumn(data []byte, width int) column {
	return column{data: data, width: width, mask: maskOf(width)}
}

func maskOf(width int) uint64 {
	if width >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*width) - 1
}

// at returns value i, which must exist.
func (c *column) at(i int) uint64 {
	return binary.LittleEndian.Uint64(c.data[i*c.width:]) & c.mask
}

// signed returns value i, which was stored as zigzag.
func (c *column) signed(i int) int64 { return unzigzag(c.at(i)) }

func zigzag(v int64) uint64   { return uint64(v<<1) ^ uint64(v>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// columnBuilder is a column during writing.
type columnBuilder struct {
	column
	n int
}

// grow returns a builder with the first n values of old.
func grow(old column, n int) columnBuilder {
	g := columnBuilder{column: newColumn(make([]byte, columnPad), 0)}
	if old.data != nil {
		g.n, g.column = n, newColumn(append([]byte(nil), old.data[:n*old.width+columnPad]...), old.width)
	}
	return g
}

func widthOf(v uint64) int { return (bits.Len64(v) + 7) / 8 }

func (g *columnBuilder) add(v uint64) {
	if w := widthOf(v); w > g.width {
		g.widen(w)
	}
	g.n++
	end := (g.n-1)*g.width + columnPad
	g.data = append(g.data[:end], make([]byte, g.width)...)
	g.put(g.n-1, v)
}

// addShifted appends values of another column, each increased by by.
func (g *columnBuilder) addShifted(from *column, first, end, by int) {
	for i := first; i < end; i++ {
		g.add(from.at(i) + uint64(by))
	}
}

func (g *columnBuilder) set(i int, v uint64) {
	if w := widthOf(v); w > g.width {
		g.widen(w)
	}
	g.put(i, v)
}

// put writes value i, which must fit.
func (g *columnBuilder) put(i int, v uint64) {
	for k := range g.width {
		g.data[i*g.width+k] = byte(v >> (8 * k))
	}
}

func (g *columnBuilder) widen(width int) {
	old := g.column
	g.column = newColumn(make([]byte, g.n*width+columnPad, g.n*width*5/4+64), width)
	for i := range g.n {
		g.put(i, old.at(i))
	}
}
