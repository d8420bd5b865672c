package architecture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// guard checks one file and returns its complaints.
type guard func(tr *tree, s source) []string

func TestGuards(t *testing.T) {
	t.Parallel()
	tr := loadTree(t)
	for _, g := range []guard{guardName, guardInit, guardGlobals, guardCgo, guardUse, guardLiteral, guardContext} {
		for _, s := range tr.files {
			for _, complaint := range g(tr, s) {
				t.Errorf("%s: %s", s.path, complaint)
			}
		}
	}
	for _, complaint := range guardPackageComments(tr) {
		t.Error(complaint)
	}
}

// guardPackageComments requires a package comment for every package with product code: what it knows is a
// reader's first question.
func guardPackageComments(tr *tree) []string {
	documented := map[string]bool{}
	for _, s := range tr.files {
		if !s.test {
			documented[s.pkg] = documented[s.pkg] || isSentence(s.ast)
		}
	}
	var complaints []string
	for _, pkg := range tr.packages() {
		if ok, product := documented[pkg]; product && !ok {
			complaints = append(complaints, fmt.Sprintf(
				"package %s has no package comment: begin one with \"Package %s \" and say what it knows", pkg, path.Base(pkg)))
		}
	}
	return complaints
}

func isSentence(f *ast.File) bool {
	if f.Doc == nil {
		return false
	}
	first := new(doc.Package).Synopsis(f.Doc.Text())
	if f.Name.Name != "main" && !strings.HasPrefix(first, "Package "+f.Name.Name+" ") {
		return false
	}
	return strings.HasSuffix(first, ".") && len(strings.Fields(first)) >= 5
}

// guardName rejects package names that attract unrelated code.
func guardName(_ *tree, s source) []string {
	vague := []string{"util", "utils", "common", "type", "types", "helper", "helpers", "misc", "base", "shared"}
	for _, name := range []string{path.Base(s.pkg), s.ast.Name.Name} {
		if slices.Contains(vague, strings.TrimSuffix(name, "_test")) {
			return []string{fmt.Sprintf("package name %q says nothing: name the one thing that it knows", name)}
		}
	}
	return nil
}

// guardInit rejects init functions: their cost is paid before every hook.
func guardInit(_ *tree, s source) []string {
	for _, d := range s.ast.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			return []string{"func init() runs before main in every hook: build the value where it is used"}
		}
	}
	return nil
}

// guardGlobals rejects mutable package variables. Allowed are sentinel errors, lazily compiled patterns,
// embedded files, fixed-size tables and _.
func guardGlobals(_ *tree, s source) []string {
	if s.test {
		return nil
	}
	var complaints []string
	for _, d := range s.ast.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && !mayBeGlobal(s, gen, v) {
				complaints = append(complaints, fmt.Sprintf(
					"package variable %s: make it a field, a parameter, a function, a lazy.Pattern or a [...]T table",
					v.Names[0].Name))
			}
		}
	}
	return complaints
}

func mayBeGlobal(s source, gen *ast.GenDecl, v *ast.ValueSpec) bool {
	name := v.Names[0].Name
	switch {
	case name == "_", isEmbed(gen.Doc), isEmbed(v.Doc):
		return true
	case s.ast.Name.Name == "main" && name == "version":
		return true // set by the linker with -X
	case isOnce(v.Type):
		return true // a process-wide setting of a library is set once
	case len(v.Values) == 0:
		return isFixedArray(v.Type)
	}
	for _, value := range v.Values {
		if !isSentinel(name, value) && !isTable(value) && !isPattern(value) {
			return false
		}
	}
	return true
}

func isOnce(t ast.Expr) bool {
	sel, ok := t.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Once"
}

func isEmbed(c *ast.CommentGroup) bool {
	return c != nil && slices.ContainsFunc(c.List, func(line *ast.Comment) bool {
		return strings.HasPrefix(line.Text, "//go:embed ")
	})
}

// isSentinel accepts a new error, or the error of a lower package under its name.
func isSentinel(name string, value ast.Expr) bool {
	if !strings.HasPrefix(strings.ToLower(name), "err") {
		return false
	}
	call, isCall := value.(*ast.CallExpr)
	if isCall {
		value = call.Fun
	}
	sel, ok := value.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if !isCall {
		return strings.HasPrefix(sel.Sel.Name, "Err")
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "errors" && sel.Sel.Name == "New"
}

// isPattern accepts a pattern that is compiled on first use, so that short processes don't wait for it:
// lazy.Pattern, or sync.OnceValue if the pattern is composed at that time, or if the package is on the same
// layer as lazy.
func isPattern(value ast.Expr) bool {
	if call := callOf(value, "lazy", "Pattern"); call != nil {
		return true
	}
	call := callOf(value, "sync", "OnceValue")
	if call == nil {
		return false
	}
	f, ok := call.Args[0].(*ast.FuncLit)
	if !ok || len(f.Body.List) != 1 {
		return false
	}
	made, ok := f.Body.List[0].(*ast.ReturnStmt)
	return ok && callOf(made.Results[0], "regexp", "MustCompile") != nil
}

// callOf returns the value if it is a call of a package's function, otherwise nil.
func callOf(value ast.Expr, pkg, function string) *ast.CallExpr {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != function {
		return nil
	}
	if of, ok := sel.X.(*ast.Ident); !ok || of.Name != pkg {
		return nil
	}
	return call
}

func isTable(value ast.Expr) bool {
	lit, ok := value.(*ast.CompositeLit)
	return ok && isFixedArray(lit.Type) && !compiles(lit)
}

// compiles reports whether creating a table compiles a pattern.
func compiles(lit *ast.CompositeLit) (found bool) {
	ast.Inspect(lit, func(n ast.Node) bool {
		_, later := n.(*ast.FuncLit)
		call, ok := n.(*ast.CallExpr)
		found = found || ok && callOf(call, "regexp", "MustCompile") != nil
		return !later
	})
	return found
}

func isFixedArray(e ast.Expr) bool {
	array, ok := e.(*ast.ArrayType)
	return ok && array.Len != nil
}

// guardCgo keeps the binary buildable without a C compiler.
func guardCgo(_ *tree, s source) []string {
	if slices.Contains(s.imports(), "C") {
		return []string{`import "C": gitmem is built with CGO_ENABLED=0 on every platform`}
	}
	return nil
}

// TestNoCgoBelow checks that the dependencies don't use a C compiler either, if one is available.
func TestNoCgoBelow(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("the go command is not in PATH: %v", err)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-buildvcs=false", "-e", "-deps",
		"-json=ImportPath,Standard,CgoFiles", module+"/...")
	list.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := list.Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			t.Fatalf("%v: %v\n%s", list, err, exit.Stderr)
		}
		t.Fatalf("%v: %v", list, err)
	}
	packages := 0
	for dec := json.NewDecoder(bytes.NewReader(out)); ; packages++ {
		var p struct {
			ImportPath string
			Standard   bool
			CgoFiles   []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !p.Standard && len(p.CgoFiles) > 0 {
			t.Errorf("%s uses cgo (%v): the build would depend on a C compiler", p.ImportPath, p.CgoFiles)
		}
	}
	t.Logf("%d packages without cgo", packages)
}

func TestGuardsComplain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path, text string
		guard            guard
		want             string // a part of the complaint, "" for none
	}{
		{"util", "gitmem/internal/util/a.go", "package util", guardName, `"util" says nothing`},
		{"helpers in a test", "x/a_test.go", "package helpers_test", guardName, `"helpers_test" says nothing`},
		{"a real name", "markdown/a.go", "package markdown", guardName, ""},

		{"init", "x/a.go", "package x\nfunc init() {}", guardInit, "func init()"},
		{"a method called init", "x/a.go", "package x\ntype T int\nfunc (T) init() {}", guardInit, ""},

		{"map", "x/a.go", "package x\nvar seen = map[string]bool{}", guardGlobals, "variable seen"},
		{"slice", "x/a.go", "package x\nvar words = []string{}", guardGlobals, "variable words"},
		{"pattern", "x/a.go", "package x\nimport \"regexp\"\nvar re = regexp.MustCompile(`a`)", guardGlobals,
			"variable re: "},
		{"table of patterns", "x/a.go", "package x\nvar res = [...]*regexp.Regexp{regexp.MustCompile(`a`)}", guardGlobals,
			"variable res: "},
		{"pattern when needed", "x/a.go", "package x\nvar re = lazy.Pattern(`a`)", guardGlobals, ""},
		{"pattern put together when needed", "x/a.go",
			"package x\nvar re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`a`) })", guardGlobals, ""},
		{"value when needed", "x/a.go", "package x\nvar all = sync.OnceValue(func() []string { return list() })",
			guardGlobals, "variable all"},
		{"in a group", "x/a.go", "package x\nvar (\n\t_ = 1\n\tcount int\n)", guardGlobals, "variable count"},
		{"sentinel", "x/a.go", "package x\nimport \"errors\"\nvar ErrGone = errors.New(\"gone\")", guardGlobals, ""},
		{"sentinel from below", "x/a.go", "package x\nvar ErrGone = store.ErrGone", guardGlobals, ""},
		{"other value called err", "x/a.go", "package x\nvar errs = store.All", guardGlobals, "variable errs"},
		{"table", "x/a.go", "package x\nvar words = [...]string{\"a\"}", guardGlobals, ""},
		{"embedded", "x/a.go", "package x\nimport _ \"embed\"\n//go:embed a.md\nvar text string", guardGlobals, ""},
		{"assertion", "x/a.go", "package x\nvar _ error = (*E)(nil)", guardGlobals, ""},
		{"in a test", "x/a_test.go", "package x_test\nvar update bool", guardGlobals, ""},

		{"cgo", "x/a.go", "package x\nimport \"C\"", guardCgo, "CGO_ENABLED=0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tr, s := sourceOf(t, tt.path, tt.text)
			expect(t, tt.guard(tr, s), tt.want)
		})
	}
}

func TestPackageCommentComplains(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, path, text, want string }{
		{"none", "x/a.go", "package x", "no package comment"},
		{"too short", "x/a.go", "// Package x.\npackage x", "no package comment"},
		{"other form", "x/a.go", "// This one knows about all the things.\npackage x", "no package comment"},
		{"sentence", "x/a.go", "// Package x knows how relays are wired.\npackage x", ""},
		{"command", "cmd/x/a.go", "// X prints how the relays are wired.\npackage main", ""},
		{"tests only", "x/a_test.go", "package x_test", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tr, _ := sourceOf(t, tt.path, tt.text)
			expect(t, guardPackageComments(tr), tt.want)
		})
	}
}

// expect requires one complaint that contains want, or none if want is empty.
func expect(t *testing.T, complaints []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(complaints) > 0:
		t.Errorf("complaints %q, want none", complaints)
	case want != "" && (len(complaints) != 1 || !strings.Contains(complaints[0], want)):
		t.Errorf("complaints %q, want one with %q", complaints, want)
	}
}
