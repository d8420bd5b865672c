package index_test

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// TestInt32s: the numbers do not depend on the alignment of the address.
func TestInt32s(t *testing.T) {
	t.Parallel()
	want := []int32{0, 1, -1, 1 << 30, -1 << 31, 77}
	for shift := range 9 {
		b := make([]byte, shift, 64)
		for _, v := range want {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		b = append(b, 1, 2, 3) // not a multiple of four bytes
		if diff := cmp.Diff(want, index.Int32s(b[shift:])); diff != "" {
			t.Errorf("%d bytes on: (-want +got)\n%s", shift, diff)
		}
	}
	if got := index.Int32s([]byte{1, 2, 3}); got != nil {
		t.Errorf("of three bytes: %v", got)
	}
}
