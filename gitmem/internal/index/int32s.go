package index

import (
	"encoding/binary"
	"unsafe"
)

// int32s converts little-endian values: in place on a little-endian machine, otherwise into a copy. The bytes must
// outlive the result.
func int32s(b []byte) []int32 {
	const size = 4
	n := len(b) / size
	if n == 0 {
		return nil
	}
	little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	if p := unsafe.Pointer(unsafe.SliceData(b)); little && uintptr(p)%size == 0 {
		return unsafe.Slice((*int32)(p), n)
	}
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(b[i*size:]))
	}
	return out
}
