// Package slice maps, filters and counts slices. It must not know what these contain.
package slice

// Map returns f of each value; the result is not nil.
func Map[T, U any](from []T, f func(T) U) []U {
	out := make([]U, len(from))
	for i, v := range from {
		out[i] = f(v)
	}
	return out
}

// Filter returns a new slice of the values that f accepts, nil for none.
func Filter[T any](from []T, f func(T) bool) (out []T) {
	for _, v := range from {
		if f(v) {
			out = append(out, v)
		}
	}
	return out
}

// Count returns how many values f accepts.
func Count[T any](from []T, f func(T) bool) (n int) {
	for _, v := range from {
		if f(v) {
			n++
		}
	}
	return n
}

// Set returns the set of all values of a slice.
func Set[T comparable](from []T) map[T]bool {
	out := make(map[T]bool, len(from))
	for _, v := range from {
		out[v] = true
	}
	return out
}
