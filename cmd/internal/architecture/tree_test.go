package architecture_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gitmem/gitmem"

// source is one parsed Go file of the module.
type source struct {
	path string // slash-separated, relative to the module
	pkg  string // folder of path, the package's path relative to the module
	test bool
	text string
	ast  *ast.File
}

// tree is every Go file of the module, for all platforms at once.
type tree struct {
	fset  *token.FileSet
	files []source
}

// loadTree parses the module that contains this test. Like the go command, it ignores nested modules,
// testdata and hidden folders.
func loadTree(t *testing.T) *tree {
	t.Helper()
	root := os.DirFS(filepath.FromSlash("../../.."))
	if _, err := fs.Stat(root, "go.mod"); err != nil {
		t.Fatalf("module root: %v", err)
	}
	tr := &tree{fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && skipFolder(root, name):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		return tr.add(root, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func skipFolder(root fs.FS, name string) bool {
	base := name[strings.LastIndex(name, "/")+1:]
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := fs.Stat(root, name+"/go.mod")
	return err == nil
}

func (tr *tree) add(root fs.FS, name string) error {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	return tr.parse(name, text)
}

// parse adds one file; name is relative to the module.
func (tr *tree) parse(name string, text []byte) error {
	file, err := parser.ParseFile(tr.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := "."
	if i := strings.LastIndex(name, "/"); i >= 0 {
		pkg = name[:i]
	}
	tr.files = append(tr.files, source{
		path: name,
		pkg:  pkg,
		test: strings.HasSuffix(name, "_test.go"),
		text: string(text),
		ast:  file,
	})
	return nil
}

// packages returns the folders that contain Go files, sorted.
func (tr *tree) packages() []string {
	var pkgs []string
	for _, f := range tr.files {
		pkgs = append(pkgs, f.pkg)
	}
	slices.Sort(pkgs)
	return slices.Compact(pkgs)
}

// arrows returns the imports inside the module, sorted and without duplicates.
func (tr *tree) arrows() []arrow {
	var arrows []arrow
	for _, f := range tr.files {
		for _, imported := range f.imports() {
			if to, ok := strings.CutPrefix(imported, module+"/"); ok {
				arrows = append(arrows, arrow{from: f.pkg, to: to, test: f.test})
			}
		}
	}
	slices.SortFunc(arrows, func(a, b arrow) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(bit(a.test), bit(b.test)))
	})
	return slices.Compact(arrows)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// imports returns the import paths of a file.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser only accepts quoted strings
		}
		paths = append(paths, p)
	}
	return paths
}

// sourceOf parses one invented file, to test that a guard can fail.
func sourceOf(t *testing.T, name, text string) (*tree, source) {
	t.Helper()
	tr := &tree{fset: token.NewFileSet()}
	if err := tr.parse(name, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return tr, tr.files[0]
}
