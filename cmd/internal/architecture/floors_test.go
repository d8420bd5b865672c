package architecture_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unknownFloor is the floor of a package that the table does not name.
const unknownFloor = -1

// home is one line of the table of floors; pattern is a path.Match pattern
// relative to the module.
type home struct {
	pattern string
	floor   int
}

// floors is the table of doc.go. A new package gets its line here first.
func floors() []home {
	return []home{
		{"cmd/gitmem", 5},
		{"cmd/internal/*", 5},

		{"gitmem", 4},

		{"gitmem/internal/ask", 3},
		{"gitmem/internal/archive", 3},
		{"gitmem/internal/forgotten", 3},
		{"gitmem/internal/greet", 3},

		{"gitmem/internal/search", 2},
		{"gitmem/internal/cite", 2},
		{"gitmem/internal/lint", 2},
		{"gitmem/internal/team", 2},

		{"gitmem/internal/config", 1},
		{"gitmem/internal/index", 1},
		{"gitmem/internal/items", 1},
		{"gitmem/internal/store", 1},
		{"gitmem/internal/transcript", 1},
		{"gitmem/internal/traces", 1},
		{"gitmem/internal/wording", 1},
		{"gitmem/internal/embed", 1},
		{"gitmem/internal/embed/embedtest", 1},
		{"providers/*", 1},

		{"markdown/linediff", 0},
		{"markdown", 0},
		{"providers", 0},
		{"providers/git/diffterms", 0},
		{"providers/internal/remote", 0},
		{"templates", 0},
		{"gitmem/internal/redact", 0},
		{"gitmem/internal/redact/redacttest", 0},
		{"gitmem/internal/deadline", 0},
		{"gitmem/internal/osfile", 0},
		{"gitmem/internal/plain", 0},
	}
}

// siblings are the only arrows between packages of one floor.
func siblings() []arrow {
	return []arrow{
		// What sources behind HTTP share speaks of errors in the words of the contract.
		{from: "providers/internal/remote", to: "providers"},
		// Committing needs the objects that reading already knows how to find.
		{from: "gitmem/internal/store", to: "providers/git"},
		// Texts are merged by the lines that differ.
		{from: "markdown", to: "markdown/linediff"},
		// What a change does is read from its hunks.
		{from: "providers/git/diffterms", to: "markdown/linediff"},
		// The main package starts the front ends.
		{from: "cmd/gitmem", to: "cmd/internal/*"},
	}
}

// arrow is one import inside the module, by paths relative to it.
type arrow struct {
	from, to string
	test     bool // the importing file is a _test.go file
}

func (a arrow) String() string { return a.from + " -> " + a.to }

func floorOf(pkg string) int {
	for _, h := range floors() {
		if ok, _ := path.Match(h.pattern, pkg); ok {
			return h.floor
		}
	}
	return unknownFloor
}

// judgePackage says what is wrong with the place of a package, or "".
func judgePackage(pkg string) string {
	if floorOf(pkg) != unknownFloor {
		return ""
	}
	return fmt.Sprintf("package %q has no floor: add it to floors() in cmd/internal/architecture: "+
		"0 if it is pure and imports nothing of ours, 1 if it knows one outside thing or one file format, "+
		"2 if it reads several of floor 1, 3 if it answers or changes something for a person, "+
		"4 is the library gitmem alone, 5 is a front end", pkg)
}

// judge says what is wrong with an arrow, or "".
func judge(a arrow) string {
	if a.from == a.to {
		return "" // an external test of its own package
	}
	for _, pkg := range []string{a.from, a.to} {
		if complaint := judgePackage(pkg); complaint != "" {
			return complaint
		}
	}
	if strings.HasSuffix(a.to, "test") {
		return judgeHelper(a)
	}
	from, to := floorOf(a.from), floorOf(a.to)
	switch {
	case from > to, isSibling(a):
		return ""
	case from == to:
		return fmt.Sprintf("%v: siblings on floor %d never import each other; "+
			"let the caller above pass a value or a function", a, from)
	default:
		return fmt.Sprintf("%v: the arrow points up from floor %d to %d; "+
			"declare a one-method interface below and let the package above supply it", a, from, to)
	}
}

// judgeHelper keeps packages of test helpers out of the product.
func judgeHelper(a arrow) string {
	switch {
	case !a.test && !strings.HasSuffix(a.from, "test"):
		return fmt.Sprintf("%v: only _test.go files may import a test helper", a)
	case floorOf(a.from) < floorOf(a.to):
		return fmt.Sprintf("%v: the helper lies above the package under test", a)
	}
	return ""
}

func isSibling(a arrow) bool {
	for _, s := range siblings() {
		from, _ := path.Match(s.from, a.from)
		to, _ := path.Match(s.to, a.to)
		if from && to {
			return true
		}
	}
	return false
}

func TestFloors(t *testing.T) {
	t.Parallel()
	tr := loadTree(t)
	for _, pkg := range tr.packages() {
		if complaint := judgePackage(pkg); complaint != "" {
			t.Error(complaint)
		}
	}
	arrows := tr.arrows()
	for _, a := range arrows {
		if complaint := judge(a); complaint != "" {
			t.Error(complaint)
		}
	}
	t.Logf("%d packages, %d arrows", len(tr.packages()), len(arrows))
}

func TestJudge(t *testing.T) {
	t.Parallel()
	const fine = ""
	tests := []struct {
		name string
		in   arrow
		want string // a part of the complaint, fine for none
	}{
		{"down one floor", arrow{from: "gitmem/internal/ask", to: "gitmem/internal/cite"}, fine},
		{"down to the ground", arrow{from: "cmd/gitmem", to: "markdown"}, fine},
		{"provider to its contract", arrow{from: "providers/git", to: "providers"}, fine},
		{"main to a front end", arrow{from: "cmd/gitmem", to: "cmd/internal/hook"}, fine},
		{"store reads git", arrow{from: "gitmem/internal/store", to: "providers/git"}, fine},
		{"own package from its external test", arrow{from: "markdown", to: "markdown", test: true}, fine},
		{"test uses the conformance suite", arrow{from: "providers/git", to: "providers/providertest", test: true}, fine},

		{"up from the ground", arrow{from: "markdown", to: "gitmem/internal/store"}, "points up from floor 0 to 1"},
		{"up into the library", arrow{from: "gitmem/internal/search", to: "gitmem"}, "points up from floor 2 to 4"},
		{"up from a test", arrow{from: "providers/git", to: "gitmem", test: true}, "points up"},
		{"siblings on 0", arrow{from: "templates", to: "markdown"}, "siblings on floor 0"},
		{"siblings on 1", arrow{from: "gitmem/internal/index", to: "gitmem/internal/store"}, "siblings on floor 1"},
		{"siblings on 2 in a test", arrow{from: "gitmem/internal/cite", to: "gitmem/internal/search", test: true}, "siblings on floor 2"},
		{"the exception holds one way only", arrow{from: "providers/git", to: "gitmem/internal/store"}, "siblings on floor 1"},
		{"the exception holds for git only", arrow{from: "gitmem/internal/store", to: "providers/github"}, "siblings on floor 1"},
		{"front ends do not know each other", arrow{from: "cmd/internal/mcp", to: "cmd/internal/hook"}, "siblings on floor 5"},
		{"front end to main", arrow{from: "cmd/internal/hook", to: "cmd/gitmem"}, "siblings on floor 5"},
		{"helper in the product", arrow{from: "gitmem", to: "providers/providertest"}, "only _test.go files"},
		{"helper above the package", arrow{from: "markdown", to: "providers/providertest", test: true}, "lies above"},
		{"unknown package", arrow{from: "gitmem/internal/util", to: "markdown"}, `"gitmem/internal/util" has no floor`},
		{"imports an unknown package", arrow{from: "gitmem", to: "gitmem/internal/new"}, `"gitmem/internal/new" has no floor`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := judge(tt.in)
			if tt.want == fine && got != fine {
				t.Errorf("judge(%v) = %q, want no complaint", tt.in, got)
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("judge(%v) misses its reason:\n%s", tt.in, cmp.Diff(tt.want, got))
			}
		})
	}
}
