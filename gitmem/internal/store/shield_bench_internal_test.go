package store

import "testing"

// BenchmarkShield measures the cost of checking for an enclosing repository in each commit.
func BenchmarkShield(b *testing.B) {
	s := &Store{o: Options{Root: b.TempDir()}}
	for b.Loop() {
		s.excludeElsewhere([]string{"gitmem/a.md"})
	}
}
