package store

import "testing"

// BenchmarkShield is what looking for a repository above costs each commit.
func BenchmarkShield(b *testing.B) {
	s := &Store{o: Options{Root: b.TempDir()}}
	for b.Loop() {
		s.excludeElsewhere([]string{"gitmem/a.md"})
	}
}
