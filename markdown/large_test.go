package markdown_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/markdown"
)

// shapes returns ordinary and hostile inputs; each is a unit that is repeated up to a size, or a function of
// the size.
func shapes() map[string]func(size int) string {
	repeat := func(unit string) func(int) string {
		return func(size int) string { return strings.Repeat(unit, size/len(unit)+1)[:size] }
	}
	behind := func(head, unit string) func(int) string {
		return func(size int) string { return (head + repeat(unit)(size))[:size] }
	}
	deepList := strings.Repeat("- ", 2000) + "a\n"
	deepText := strings.Repeat(" ", 200) + "- a\n\n"
	return map[string]func(int) string{
		"archive":           repeat(archive),
		"headings":          repeat("# a\n"),
		"empty headings":    repeat("#\n"),
		"nested headings":   repeat("# a\n## b\n### c\n"),
		"underlined":        repeat("a\n=\n"),
		"bullets":           repeat("- a\n"),
		"ideas":             repeat("- [note] a\n"),
		"loose ideas":       repeat("- [note] a\n\n"),
		"tasks with ids":    repeat("- [ ] a ^x\n"),
		"relations":         behind("- [note] a\n", "  - answers [[a]]\n"),
		"blank lines":       repeat("\n"),
		"blank in list":     behind(deepList, "\n"),
		"blanks and text":   repeat("a\n\n"),
		"one paragraph":     repeat("a\n"),
		"one line":          repeat("a"),
		"blanks":            repeat(" "),
		"tabs":              repeat("\t"),
		"quotes":            repeat("> "),
		"quote lines":       repeat("> > > a\n"),
		"deep quote lines":  repeat(strings.Repeat("> ", 100) + "a\n"),
		"quoted ideas":      repeat("> - [note] a\n"),
		"deep list":         repeat("- "),
		"deep lists":        repeat(deepList),
		"deep list text":    behind(deepList, deepText),
		"stairs":            repeat("- a\n  - b\n    - c\n      - d\n"),
		"ordered":           repeat("1. a\n"),
		"brackets":          repeat("["),
		"link brackets":     repeat("[[a]] ["),
		"references":        repeat("[a]: b\n"),
		"backticks":         repeat("- [note] ` `` ``` ```` #a\n"),
		"one line of ticks": behind("- [note] ", "` `` ``` ```` #a "),
		"tags":              behind("- [note] ", "#a "),
		"carets":            behind("- [note] ", "^a "),
		"references in one": behind("- [note] ", "(L1) "),
		"stars":             repeat("* * *\n"),
		"emphasis":          repeat("*_"),
		"html":              repeat("<a "),
		"comments":          repeat("<!-- a\n"),
		"open fence":        behind("```\n", "# a\n"),
		"fences":            repeat("```\n"),
		"crlf":              repeat("- [note] a\r\n\r\n# b\r\n"),
		"nul":               repeat("\x00"),
		"not utf-8":         repeat("\xff\n"),
		"yaml":              behind("---\n", "a: b\n"),
		"yaml quotes":       behind("---\n", "a: \"\n"),
		"yaml brackets":     behind("---\na: ", "["),
		"closed yaml": func(size int) string {
			return "---\n" + repeat("a: [b]\n")(size-16) + "\n---\n"
		},
		"open fences": repeat("---\n"),
	}
}

// linearBound is the time limit for a megabyte: far more than linear work takes on a busy machine, and less
// than quadratic work takes on a fast one.
const linearBound = time.Minute

// isNightly reports whether to test long texts and time limits.
func isNightly() bool { return os.Getenv("GITMEM_NIGHTLY") != "" }

// TestLinear parses 1 MB of each shape in the nightly run, otherwise a smaller text without a real time
// limit.
func TestLinear(t *testing.T) {
	size, limit := 64<<10, time.Hour
	if isNightly() {
		size, limit = 1<<20, linearBound
	}
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			src := []byte(shape(size))
			start := time.Now()
			doc := markdown.Parse(src)
			if took := time.Since(start); took > limit {
				t.Errorf("took %v", took)
			}
			checkDoc(t, doc, src)
		})
	}
}

// TestTenMegabytes parses a large archive.
func TestTenMegabytes(t *testing.T) {
	if !isNightly() {
		t.Skip("SKIPPED: .ci/nightly runs it, or GITMEM_NIGHTLY=1")
	}
	src := []byte(shapes()["archive"](10 << 20))
	start := time.Now()
	doc := markdown.Parse(src)
	if took := time.Since(start); took > 2*linearBound {
		t.Errorf("took %v", took)
	}
	checkDoc(t, doc, src)
	if len(doc.Sections) < 40_000 || len(doc.Ideas) < 80_000 {
		t.Errorf("%d sections, %d ideas", len(doc.Sections), len(doc.Ideas))
	}
}

func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"archive", "headings", "ideas", "one paragraph", "blank lines", "stairs", "quote lines",
		"deep list text"} {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			src := []byte(shapes()[name](10 << 20))
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				markdown.Parse(src)
			}
		})
	}
	b.Run("small", func(b *testing.B) {
		b.SetBytes(int64(len(archive)))
		b.ReportAllocs()
		for b.Loop() {
			markdown.Parse([]byte(archive))
		}
	})
}
