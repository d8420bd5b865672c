package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const want = `tiny v1, upward arrows: 1
	low.Store.Accept set by high
tiny v1, climbs of 6 calls from high.Run: 1
	2. (*low.Store).Add calls field low.Store.Accept, that is high.accept

                                                     tiny
version                                              v1
code lines                                           63
packages                                             2
files                                                2
  over 500 lines                                     0
functions                                            6
  lines, median                                      7
  lines, p90                                         15
  lines, longest                                     15
  over 90 lines                                      0 (0.0 %)
  nested deeper than 4                               1 (16.7 %)
lines over 120 columns                               1
conditions of 4 operators or more                    1
  per 1,000 code lines                               15.87
told/says/stands/lies/gone, per 1,000 comment words  14.71
letters of a name, mean                              4.6
  of one word                                        9 (90.0 %)
function fields                                      1
  per 1,000 code lines                               15.87
upward arrows                                        1
  per 1,000 code lines                               15.87
flow from                                            high.Run
  calls, the first 400                               6
    climb                                            1 (16.7 %)
      by a field                                     1
      by an interface of the module                  0
      by an interface of others                      0
      by a variable                                  0
  calls, all                                         6
    climb                                            1 (16.7 %)
      by a field                                     1
      by an interface of the module                  0
      by an interface of others                      0
      by a variable                                  0
error returns                                        2
  with %w                                            1 (50.0 %)
`

func TestRun(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "tiny@v1")
	if err := os.CopyFS(dir, os.DirFS("testdata/tiny")); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if err := run([]string{"-v", "-entry", "tiny=high.Run", dir}, &out, &errs); err != nil {
		t.Fatal(err)
	}
	if out.String() != want || errs.Len() > 0 {
		t.Errorf("got:\n%s%s", &out, &errs)
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	m, err := load("testdata/tiny")
	if err != nil {
		t.Fatal(err)
	}
	calls, err := m.follow("high.Run")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range calls {
		got = append(got, c.caller+" "+c.callee)
	}
	want := []string{
		"high.Run (*low.Store).Add",
		"(*low.Store).Add low.Store.Accept",
		"high.accept high.isSpace", // called by strings.ContainsFunc
		"high.Run (*low.Store).All",
		"high.Run high.show", // in the range over s.All
		"high.show high.show$1",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
	if _, err := m.follow("high.None"); err == nil || err.Error() != "no function high.None" {
		t.Errorf("flow from no function: %v", err)
	}
}

func TestNesting(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		"":                                     0,
		"if a {}":                              1,
		"if a {} else if b {} else if c {}":    1,
		"if a { if b {} } else { if c {} }":    2,
		"for { switch { default: if a {} } }":  3,
		"select { case <-a: for range b {} }":  2,
		"func() { switch a.(type) {} }()":      2,
		"if a { {} } else if b { for { {} } }": 2,
	} {
		e, err := parser.ParseExpr("func() {" + code + "}")
		if err != nil {
			t.Fatal(err)
		}
		if got := nesting(e.(*ast.FuncLit).Body); got != want {
			t.Errorf("nesting(%s) = %d, want %d", code, got, want)
		}
	}
}
