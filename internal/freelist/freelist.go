// Package freelist keeps unused values that are costly to make, for reuse.
package freelist

import "sync"

// List contains values that are not in use. The zero List is empty and ready for use. It is safe for
// concurrent use.
//
// It is not a sync.Pool, which keeps values for two garbage collections after their last use: the values here
// are large and belong to an owner, with which they are freed.
type List[T any] struct {
	mu   sync.Mutex
	free []T
}

// Get removes and returns the value that was put last. ok is false if there is none.
func (l *List[T]) Get() (v T, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.free)
	if n == 0 {
		return v, false
	}
	v = l.free[n-1]
	l.free = l.free[:n-1]
	return v, true
}

// Put adds a value, which the caller must no longer use.
func (l *List[T]) Put(v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, v)
}

// Clear removes all values.
func (l *List[T]) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = nil
}
