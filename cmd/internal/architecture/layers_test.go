package architecture_test

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unknownLayer is the layer of a package that is not in the table.
const unknownLayer = -1

// home is one line of the table of layers; pattern is a path.Match pattern
// relative to the module.
type home struct {
	pattern string
	layer   int
}

// layers is the table of doc.go. A new package gets its line here first.
func layers() []home {
	return []home{
		{"cmd/gitmem", 9},
		{"cmd/internal/*", 9},

		{"gitmem", 8},

		{"gitmem/internal/report", 7},
		{"gitmem/internal/archiving", 7},
		{"gitmem/internal/recall", 7},
		{"gitmem/internal/curate", 7},
		{"gitmem/internal/promote", 7},
		{"gitmem/internal/forget", 7},
		{"gitmem/internal/diagnose", 7},
		{"gitmem/internal/agent", 7},
		{"gitmem/internal/sync", 7},

		{"gitmem/internal/ask", 6},
		{"gitmem/internal/session", 6},

		{"gitmem/internal/query", 5},
		{"gitmem/internal/settle", 5},

		{"gitmem/internal/ingest", 4},
		{"gitmem/internal/merge", 4},

		{"gitmem/internal/archive", 3},
		{"gitmem/internal/tombstone", 3},
		{"gitmem/internal/sessioncontext", 3},
		{"gitmem/internal/graph", 3},

		{"gitmem/internal/failure", 2},
		{"gitmem/internal/forge", 2},
		{"gitmem/internal/search", 2},
		{"gitmem/internal/cite", 2},
		{"gitmem/internal/claim", 2},
		{"gitmem/internal/workspace", 2},
		{"gitmem/internal/workspace/workspacetest", 3},
		{"gitmem/internal/lint", 2},
		{"gitmem/internal/interchange", 2},
		{"gitmem/internal/embed", 2},
		{"gitmem/internal/embed/embedtest", 2},
		{"gitmem/internal/embed/bert", 1},
		{"gitmem/internal/llm", 2},

		{"gitmem/internal/branch", 1},
		{"gitmem/internal/config", 1},
		{"gitmem/internal/index", 1},
		{"gitmem/internal/items", 1},
		{"gitmem/internal/store", 1},
		{"gitmem/internal/team", 1},
		{"gitmem/internal/transcript", 1},
		{"gitmem/internal/traces", 1},
		{"gitmem/internal/messages", 1},
		{"gitmem/internal/modelapi", 1},
		{"gitmem/internal/profile", 1},
		{"gitmem/internal/tasks", 1},
		{"providers/*", 1},

		{"gitmem/answer", 0},
		{"internal/clip", 0},
		{"internal/freelist", 0},
		{"internal/glob", 0},
		{"internal/lazy", 0},
		{"internal/mmap", 0},
		{"internal/slice", 0},
		{"internal/svg", 0},
		{"markdown/linediff", 0},
		{"markdown", 0},
		{"providers", 0},
		{"providers/git/diffterms", 0},
		{"providers/internal/remote", 0},
		{"templates", 0},
		{"templates/meaning", 0},
		{"gitmem/internal/redact", 0},
		{"gitmem/internal/redact/redacttest", 0},
		{"gitmem/internal/deadline", 0},
		{"gitmem/internal/linear", 0},
		{"gitmem/internal/linear/lineartest", 1},
		{"gitmem/internal/osfile", 0},
		{"gitmem/internal/dialect", 0},
		{"gitmem/internal/dialect/*", 0},
		{"gitmem/internal/plain", 0},
	}
}

// siblings returns the only arrows between packages of one layer.
func siblings() []arrow {
	return []arrow{
		// The shared code of HTTP sources uses the errors of the contract.
		{from: "providers/internal/remote", to: "providers"},
		// Committing uses the lookup of objects for reading.
		{from: "gitmem/internal/store", to: "providers/git"},
		// Texts are merged by their different lines.
		{from: "markdown", to: "markdown/linediff"},
		// The description of a change is computed from its hunks.
		{from: "providers/git/diffterms", to: "markdown/linediff"},
		// Each client's dialect yields the records that dialect defines, and some clients store them in a database.
		{from: "gitmem/internal/dialect/*", to: "gitmem/internal/dialect"},
		{from: "gitmem/internal/dialect/*", to: "gitmem/internal/dialect/sqlite"},
		{from: "gitmem/internal/dialect/*", to: "gitmem/internal/dialect/dialecttest"},
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

func layerOf(pkg string) int {
	for _, h := range layers() {
		if ok, _ := path.Match(h.pattern, pkg); ok {
			return h.layer
		}
	}
	return unknownLayer
}

// judgePackage returns what is wrong with the position of a package, or "".
func judgePackage(pkg string) string {
	if layerOf(pkg) != unknownLayer {
		return ""
	}
	return fmt.Sprintf("package %q has no layer: add it to layers() in cmd/internal/architecture: "+
		"0 if it is pure and imports nothing of ours, 1 if it knows one outside thing or one file format, "+
		"2 if it reads several of layer 1, 3 if it is a format that quotes citations, 4 if it reads and indexes documents, "+
		"5 is what one question reads, 6 an answer or a running session, 7 if it does something for a person with these, "+
		"8 is the library gitmem alone, 9 is a front end", pkg)
}

// judge returns what is wrong with an arrow, or "".
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
	from, to := layerOf(a.from), layerOf(a.to)
	switch {
	case from > to, isSibling(a):
		return ""
	case from == to:
		return fmt.Sprintf("%v: siblings on layer %d never import each other; "+
			"let the caller above pass a value or a function", a, from)
	default:
		return fmt.Sprintf("%v: the arrow points up from layer %d to %d; "+
			"declare a one-method interface below and let the package above supply it", a, from, to)
	}
}

// judgeHelper keeps packages of test helpers out of the product.
func judgeHelper(a arrow) string {
	switch {
	case !a.test && !strings.HasSuffix(a.from, "test"):
		return fmt.Sprintf("%v: only _test.go files may import a test helper", a)
	case layerOf(a.from) < layerOf(a.to):
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

func TestLayers(t *testing.T) {
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

// TestTopLevel limits the top-level folders of the module to the known ones.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	var found []string
	for _, pkg := range loadTree(t).packages() {
		top, _, _ := strings.Cut(pkg, "/")
		if !slices.Contains(found, top) {
			found = append(found, top)
		}
	}
	if diff := cmp.Diff([]string{"cmd", "gitmem", "internal", "markdown", "providers", "templates"}, found); diff != "" {
		t.Errorf("folders with packages (-want +found):\n%s", diff)
	}
}

// TestFacade limits the size of the library's API: its lines, and the methods of Memory.
func TestFacade(t *testing.T) {
	t.Parallel()
	const mostLines, mostExported, mostMethods = 3000, 40, 100
	lines, exported, methods := 0, 0, 0
	tr := loadTree(t)
	for _, s := range tr.files {
		if s.pkg != "gitmem" || s.test {
			continue
		}
		lines += tr.fset.File(s.ast.FileStart).LineCount()
		for _, d := range s.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			star, ok := fn.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if of, ok := star.X.(*ast.Ident); ok && of.Name == "Memory" {
				if methods++; fn.Name.IsExported() {
					exported++
				}
			}
		}
	}
	if lines == 0 || lines > mostLines || exported == 0 || exported > mostExported || methods > mostMethods {
		t.Errorf("the façade has %d lines, at most %d; Memory has %d methods, at most %d, of which %d exported, at most %d",
			lines, mostLines, methods, mostMethods, exported, mostExported)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	const fine = ""
	tests := []struct {
		name string
		in   arrow
		want string // a part of the complaint, fine for none
	}{
		{"down one layer", arrow{from: "gitmem/internal/ask", to: "gitmem/internal/cite"}, fine},
		{"down to the ground", arrow{from: "cmd/gitmem", to: "markdown"}, fine},
		{"provider to its contract", arrow{from: "providers/git", to: "providers"}, fine},
		{"main to a front end", arrow{from: "cmd/gitmem", to: "cmd/internal/hook"}, fine},
		{"store reads git", arrow{from: "gitmem/internal/store", to: "providers/git"}, fine},
		{"own package from its external test", arrow{from: "markdown", to: "markdown", test: true}, fine},
		{"test uses the conformance suite", arrow{from: "providers/git", to: "providers/providertest", test: true}, fine},

		{"up from the ground", arrow{from: "markdown", to: "gitmem/internal/store"}, "points up from layer 0 to 1"},
		{"up into the library", arrow{from: "gitmem/internal/search", to: "gitmem"}, "points up from layer 2 to 8"},
		{"up from a test", arrow{from: "providers/git", to: "gitmem", test: true}, "points up"},
		{"siblings on 0", arrow{from: "templates", to: "markdown"}, "siblings on layer 0"},
		{"siblings on 1", arrow{from: "gitmem/internal/index", to: "gitmem/internal/store"}, "siblings on layer 1"},
		{"siblings on 2 in a test", arrow{from: "gitmem/internal/cite", to: "gitmem/internal/search", test: true},
			"siblings on layer 2"},
		{"the exception holds one way only", arrow{from: "providers/git", to: "gitmem/internal/store"},
			"siblings on layer 1"},
		{"the exception holds for git only", arrow{from: "gitmem/internal/store", to: "providers/github"},
			"siblings on layer 1"},
		{"front ends do not know each other", arrow{from: "cmd/internal/mcp", to: "cmd/internal/hook"},
			"siblings on layer 9"},
		{"front end to main", arrow{from: "cmd/internal/hook", to: "cmd/gitmem"}, "siblings on layer 9"},
		{"helper in the product", arrow{from: "gitmem", to: "providers/providertest"}, "only _test.go files"},
		{"helper above the package", arrow{from: "markdown", to: "providers/providertest", test: true}, "lies above"},
		{"unknown package", arrow{from: "gitmem/internal/util", to: "markdown"}, `"gitmem/internal/util" has no layer`},
		{"imports an unknown package", arrow{from: "gitmem", to: "gitmem/internal/new"},
			`"gitmem/internal/new" has no layer`},
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
