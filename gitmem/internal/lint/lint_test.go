package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/templates"
)

func TestStatements(t *testing.T) {
	t.Parallel()
	src := "---\ntype: x\n---\n# Title\n\nA paragraph\nof two lines.\n\n- one\n  goes on\n* [x] two\n3. three\n\n```\n" +
		"code\n```\n<!-- a\ncomment -->\n| table |\nlast\n"
	want := []lint.Statement{
		{File: "m", Line: 6, Text: "A paragraph of two lines."},
		{File: "m", Line: 9, Text: "one goes on"},
		{File: "m", Line: 11, Text: "two"},
		{File: "m", Line: 12, Text: "three"},
		{File: "m", Line: 20, Text: "last"},
	}
	if diff := cmp.Diff(want, lint.Statements("m", []byte(src))); diff != "" {
		t.Error(diff)
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	tests := []struct{ a, b, want string }{
		{"Use tabs for indentation", "Indent code with tabs", ""},
		{"Use tabs for indentation", "Use spaces for indentation", lint.Contradiction},
		{"Prefer spaces over tabs for indentation", "Use tabs for indentation", lint.Contradiction},
		{"Use pnpm instead of npm", "Always use npm", lint.Contradiction},
		{"Use pnpm, not npm", "Use pnpm", ""},
		{"Never commit generated files", "Commit generated files", lint.Contradiction},
		{"Never commit generated files", "Do not commit the generated files", lint.Duplicate},
		{"Don't squash commits on main", "Squash commits on main", lint.Contradiction},
		{"Tests run with the race detector", "Tests run with the race detector on", lint.Duplicate},
		{"Tests run with the race detector", "Tests never touch the network", ""},
		{"The build never needs the network", "The tests need a database", ""},
		{"Run the linter before each commit", "Commit messages are imperative", ""},
		{"Database is postgres in production", "Database is sqlite in production", lint.Contradiction},
		{"We measured the inrush current of the pump", "We didn't measure the outlet pressure of the pump", ""},
		{"Tests", "tests", ""},
		{"Name functions in snake_case", "Name functions in camelCase", lint.Contradiction},
		{"Indent with spaces", "Use tabs for indentation", lint.Contradiction},
		{"Never commit generated files", "Commit generated files to the repository", lint.Contradiction},
		{"Never squash commits", "Squash commits on main", lint.Contradiction},
	}
	for _, tt := range tests {
		got := lint.Check(lint.Input{
			Memory:    []lint.File{{Path: "a", Text: []byte("- " + tt.a + "\n")}},
			Rules:     []lint.File{{Path: "b", Text: []byte("- " + tt.b + "\n")}},
			Exclusive: templates.Rivals(),
		}, nil)
		check := ""
		for _, f := range got {
			check = f.Check
		}
		if check != tt.want {
			t.Errorf("%q beside %q: %q, want %q", tt.a, tt.b, check, tt.want)
		}
	}
}

// Statements that apply in different places are not contradictions: staging and production, different flags, a thing
// and its exception.
func TestDifferentThings(t *testing.T) {
	t.Parallel()
	tests := [][2]string{
		{"Never run migrations against production from a laptop", "Run migrations against staging from a laptop"},
		{"Wrap errors with %w", "Don't wrap errors with %v"},
		{"State lives in zustand", "Server state lives in react-query, not in zustand"},
		{"Don't run as root in the image", "Run as root only in the init container"},
		{"Public endpoints are versioned", "Internal endpoints are not versioned"},
		{"Type hints are required in `src/`", "Type hints are not required in tests"},
		{"Stemming is on for English", "Stemming is off for German"},
		{"Refunds need approval above 100 euro", "Refunds don't need approval below 100 euro"},
		{"`.env` is not committed", "`.env.example` is committed"},
		{"VPN is needed for staging", "VPN is not needed for dev"},
		{"Push tokens are sent on login on iOS", "Push tokens are not sent on login on Android"},
		{"Personal data is never written to the lake", "Event data is written to the lake"},
		{"Paths are compared without case on Windows", "Paths are compared with case on Linux"},
		{"Retry a call after 15 seconds", "Don't retry a call after 30 seconds"},
		{"Unit tests of the API use SQLite", "Integration tests of the API use Postgres"},
		{"The import copies the orders of the old system at 2 am", "The import copies the orders of the old system at 3 am"},
		{"Go code uses tabs", "Python code uses spaces"},
	}
	for _, tt := range tests {
		for _, f := range lint.Check(lint.Input{
			Memory:    []lint.File{{Path: "a", Text: []byte("- " + tt[0] + "\n- " + tt[1] + "\n")}},
			Exclusive: templates.Rivals(),
		}, nil) {
			t.Errorf("%q beside %q: %s", tt[0], tt[1], f.Check)
		}
		if lint.Same(tt[0], tt[1]) {
			t.Errorf("%q is taken for %q", tt[0], tt[1])
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	lines := func(n int) string { return strings.Repeat("\n", n) }
	tests := map[string]struct {
		text   string
		loaded bool
		line   int // 0: no finding
	}{
		"as long as is loaded":     {lines(lint.LoadedLines), true, 0},
		"one line more":            {lines(lint.LoadedLines) + "x", true, lint.LoadedLines + 1},
		"a topic file":             {lines(2 * lint.LoadedLines), false, 0},
		"few lines of many bytes":  {"a\n" + strings.Repeat("b", lint.LoadedBytes), true, 2},
		"exactly the bytes loaded": {strings.Repeat("b", lint.LoadedBytes), true, 0},
	}
	for name, tt := range tests {
		line := 0
		for _, f := range lint.Check(lint.Input{Memory: []lint.File{{Path: "M", Text: []byte(tt.text), Loaded: tt.loaded}}},
			nil) {
			line = f.Line
		}
		if line != tt.line {
			t.Errorf("%s: finding on line %d, want %d", name, line, tt.line)
		}
	}
}

func TestStalePaths(t *testing.T) {
	t.Parallel()
	there := map[string]bool{"cmd/main.go": true, "topic.md": true, "docs": true}
	exists := func(_, p string) (bool, bool) { return there[p], p != "and/or" }
	tests := map[string]string{
		"see `cmd/main.go` and `cmd/main.go:12`": "",
		"see `cmd/gone.go`":                      "cmd/gone.go",
		"see [topic](topic.md#part)":             "",
		"see [topic](other.md)":                  "other.md",
		"see `./docs/`":                          "",
		"run `go test ./...` and `make -j4`":     "",
		"the `and/or` of it":                     "",
		"module `github.com/acme/pump/v2`":       "",
		"at https://example.com/a.md":            "",
		"[site](https://example.com/a.md)":       "",
		"`time.Now` of `v1.2`":                   "",
		"files like `*.go` or `<name>.md`":       "",
		"the `README.md`":                        "README.md",
		"`Node.js`, `next.js` and `vue.js`":      "",
		"tests in `_test.go` files":              "",
		"in `.github/workflows/gone.yml`":        ".github/workflows/gone.yml",
	}
	for line, want := range tests {
		got := ""
		for _, f := range lint.Check(lint.Input{Memory: []lint.File{{Path: "M", Text: []byte(line + "\n")}}}, exists) {
			if f.Check == lint.StalePath {
				got += strings.TrimSuffix(f.Detail, " does not exist")
			}
		}
		if got != want {
			t.Errorf("%q: %q is stale, want %q", line, got, want)
		}
	}
}

// Findings are in the order of files and lines, whatever the order of the checks.
func TestOrder(t *testing.T) {
	t.Parallel()
	in := lint.Input{
		Memory: []lint.File{
			{Path: "MEMORY.md",
				Text: []byte("- Always squash commits on main\n- `gone.go` holds it\n- Always squash commits on main\n")},
			{Path: "a.md", Text: []byte("- `away.go` holds it\n")},
		},
	}
	var got []string
	for _, f := range lint.Check(in, func(_, _ string) (bool, bool) { return false, true }) {
		got = append(got, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Check))
	}
	want := []string{"MEMORY.md:1 duplicate", "MEMORY.md:2 stale-path", "a.md:1 stale-path"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
