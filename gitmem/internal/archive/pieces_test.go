package archive_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
)

// A place that is no longer there gives something to cut all the same.
func TestPiecesOfAnotherFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "x", "\n## ", "a\n## b\n## c", strings.Repeat("\n## x", 40)} {
		for _, line := range []int{-1, 0, 1, 3, 1000} {
			for _, length := range []int{-7, 0, 1, 1000, math.MaxInt} {
				if got := archive.SectionAt([]byte(text), line, length); len(got) > len(text) {
					t.Errorf("SectionAt(%q, %d, %d) = %q", text, line, length, got)
				}
				if got := archive.FromLine([]byte(text), line); len(got) > len(text) {
					t.Errorf("FromLine(%q, %d) = %q", text, line, got)
				}
			}
		}
	}
}
