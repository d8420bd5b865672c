package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/merge"
)

// large returns three versions of a file of a number of lines, with many changes on both sides.
func large(lines int) (base, ours, theirs []byte) {
	var b, x, y strings.Builder
	for i := range lines / 5 {
		text := fmt.Sprintf("\n## Title %d ^s-%d\n\n- [note] Item %d of the day ^i-%d\n", i, i, i, i)
		b.WriteString(text)
		x.WriteString(text)
		y.WriteString(text)
		if i%3 == 0 {
			fmt.Fprintf(&x, "- Ours %d\n", lines-i)
			fmt.Fprintf(&y, "- Theirs %d\n", lines-i)
		}
	}
	for i := range lines / 5 {
		fmt.Fprintf(&x, "- [ ] Ours at the end %d\n", lines-i)
		fmt.Fprintf(&y, "\nParagraph %d of theirs.\n", i)
	}
	return []byte(b.String()), []byte(x.String()), []byte(y.String())
}

func BenchmarkFile(b *testing.B) {
	for _, lines := range []int{100, 1000, 10000, 100000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			base, ours, theirs := large(lines)
			b.SetBytes(int64(len(base) + len(ours) + len(theirs)))
			for b.Loop() {
				merge.File("a.md", base, ours, theirs)
			}
		})
	}
}
