package architecture_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxFunction = 90  // lines, first to last
	maxFile     = 500 // lines
	maxLine     = 120 // columns, of which a tab takes one
)

// sizes are the lengths of product code, in lines; tests have the same limits but are not included.
type sizes struct {
	functions, files []int
}

// measure adds a file and returns its complaints.
func (z *sizes) measure(tr *tree, s source) []string {
	var complaints []string
	lines := tr.fset.File(s.ast.FileStart).LineCount()
	if lines > maxFile {
		complaints = append(complaints, fmt.Sprintf("%d lines, the limit is %d: split it by topic", lines, maxFile))
	}
	number := 0
	for line := range strings.Lines(s.text) {
		number++
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); n > maxLine {
			complaints = append(complaints, fmt.Sprintf("line %d has %d columns, the limit is %d", number, n, maxLine))
		}
	}
	var functions []int
	for _, d := range s.ast.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n := tr.fset.Position(f.End()).Line - tr.fset.Position(f.Pos()).Line + 1
		functions = append(functions, n)
		if n > maxFunction {
			complaints = append(complaints, fmt.Sprintf("func %s has %d lines, the limit is %d: name its steps", f.Name.Name,
				n, maxFunction))
		}
	}
	if !s.test {
		z.files = append(z.files, lines)
		z.functions = append(z.functions, functions...)
	}
	return complaints
}

// percentile returns the smallest length that at least p percent do not exceed, 0 for none.
func percentile(lengths []int, p int) int {
	if len(lengths) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(lengths))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

func TestSizes(t *testing.T) {
	t.Parallel()
	tr := loadTree(t)
	var z sizes
	for _, s := range tr.files {
		for _, complaint := range z.measure(tr, s) {
			t.Errorf("%s: %s", s.path, complaint)
		}
	}
	t.Logf("%d functions: p50 %d, p90 %d lines; %d files: p50 %d, p90 %d lines",
		len(z.functions), percentile(z.functions, 50), percentile(z.functions, 90),
		len(z.files), percentile(z.files, 50), percentile(z.files, 90))
}

func TestSizesComplain(t *testing.T) {
	t.Parallel()
	function := func(lines int) string { // a function of this many lines
		return "package x\nfunc f() {" + strings.Repeat("\n", lines-1) + "}"
	}
	tests := []struct{ name, path, text, want string }{
		{"function at the limit", "x/a.go", function(maxFunction), ""},
		{"function over it", "x/a.go", function(maxFunction + 1), "func f has 91 lines"},
		{"function over it in a test", "x/a_test.go", function(maxFunction + 1), "func f has 91 lines"},
		{"file at the limit", "x/a.go", "package x" + strings.Repeat("\n//", maxFile-1) + "\n", ""},
		{"file over it", "x/a.go", "package x" + strings.Repeat("\n//", maxFile), "501 lines"},
		{"line at the limit", "x/a.go", "package x\n//" + strings.Repeat("ä", maxLine-2), ""},
		{"line over it", "x/a.go", "package x\n//" + strings.Repeat("ä", maxLine-1), "line 2 has 121 columns"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tr, s := sourceOf(t, tt.path, tt.text)
			expect(t, new(sizes).measure(tr, s), tt.want)
		})
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	ten := []int{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	for _, tt := range []struct {
		in      []int
		p, want int
	}{{nil, 50, 0}, {[]int{7}, 50, 7}, {ten, 50, 5}, {ten, 90, 9}, {ten, 100, 10}, {ten, 0, 1}} {
		if got := percentile(tt.in, tt.p); got != tt.want {
			t.Errorf("percentile(%v, %d) = %d, want %d", tt.in, tt.p, got, tt.want)
		}
	}
}
