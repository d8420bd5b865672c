package freelist_test

import (
	"testing"

	"github.com/gitmem/gitmem/internal/freelist"
)

func TestList(t *testing.T) {
	t.Parallel()
	var l freelist.List[int]
	want := func(v int, ok bool) {
		t.Helper()
		if got, found := l.Get(); got != v || found != ok {
			t.Errorf("Get() = %d, %t, want %d, %t", got, found, v, ok)
		}
	}
	want(0, false)
	l.Put(1)
	l.Put(2)
	want(2, true)
	l.Put(3)
	want(3, true)
	want(1, true)
	want(0, false)
	l.Put(4)
	l.Clear()
	want(0, false)
}
