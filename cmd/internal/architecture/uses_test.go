package architecture_test

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// use restricts something external to certain packages, with the reason.
type use struct {
	pkg    string   // import path, with everything below it
	names  []string // functions and variables of pkg; nil for the import itself
	homes  []string // packages that may use it, with everything below them
	reason string
}

// uses returns what only certain product packages may use.
func uses() []use {
	return []use{
		{pkg: "time", names: []string{"Now", "Since", "Until"}, homes: []string{"cmd"},
			reason: "the clock is a field or a parameter, so that a test can set it"},
		{pkg: "os", names: []string{"Getwd"}, homes: []string{"cmd"},
			reason: "a caller names the folder; the working folder of a hook or server is somebody else's"},
		{pkg: "os", names: []string{"Getenv", "LookupEnv", "Environ", "Setenv", "Unsetenv"}, homes: []string{"cmd"},
			reason: "the environment is read once at the edge and handed down"},
		{pkg: "os", names: []string{"Exit"}, homes: []string{"cmd/gitmem"},
			reason: "only main ends the process; return an error"},
		{pkg: "os", names: []string{"Stdout", "Stderr", "Stdin"}, homes: []string{"cmd/gitmem"},
			reason: "take an io.Writer or io.Reader"},
		{pkg: "fmt", names: []string{"Print", "Printf", "Println"}, homes: nil,
			reason: "write to the streams that the command was given"},
		{pkg: "log", names: nil, homes: []string{"cmd/gitmem"},
			reason: "a library returns what it has to say, and main silences those that don't"},
		{pkg: "math/rand", names: nil, homes: []string{"cmd"},
			reason: "randomness is a parameter, so that a test can repeat it"},
		{pkg: "unsafe", names: nil, homes: []string{"gitmem/internal/index"},
			reason: "only arrays of numbers in a mapped file are worth it, which index/int32s.go reads where they lie"},

		{pkg: "github.com/go-git/go-git", names: []string{"PlainOpen", "PlainOpenWithOptions", "PlainInit", "PlainClone"},
			homes:  nil,
			reason: "it refuses worktreeConfig, partial clones and more that real clones have: use providers/git"},
		{pkg: "github.com/go-git/go-git/v5/plumbing/object", homes: nil,
			reason: "it brings packages that check signatures, which every start of the program would initialise, and is " +
				"slower than reading raw objects"},
		{pkg: "github.com/go-git/go-git/v5/storage", homes: []string{"providers/git"},
			reason: "repositories are opened in one place"},

		{pkg: "github.com/go-git", homes: []string{"providers/git", "gitmem/internal/store"},
			reason: "repositories are read through providers/git and written by store"},
		{pkg: "github.com/blevesearch", homes: []string{"gitmem/internal/index"},
			reason: "the index is a cache behind one package"},
		{pkg: "github.com/yuin/goldmark", homes: []string{"markdown"},
			reason: "Markdown is parsed in one place"},
		{pkg: "github.com/adrg/frontmatter", homes: []string{"markdown"},
			reason: "frontmatter is parsed in one place, and never written back"},
		{pkg: "github.com/JohannesKaufmann/html-to-markdown", homes: []string{"gitmem/internal/interchange"},
			reason: "pages of other tools become Markdown where they are read"},
		{pkg: "github.com/google/go-github", homes: []string{"providers/github"},
			reason: "a forge is known by its provider alone"},
		{pkg: "gitlab.com/gitlab-org/api/client-go", homes: []string{"providers/gitlab"},
			reason: "a forge is known by its provider alone"},
		{pkg: "github.com/modelcontextprotocol/go-sdk", homes: []string{"cmd/internal/mcp", "providers/mcp"},
			reason: "the protocol ends at the server and at the provider"},
		{pkg: "github.com/spf13/cobra", homes: []string{"cmd/gitmem"},
			reason: "commands are a matter of the main package"},
		{pkg: "github.com/google/go-cmp", homes: nil, reason: "it is for tests"},
		{pkg: "github.com/rogpeppe/go-internal/testscript", homes: nil, reason: "it is for tests"},
		{pkg: "testing", homes: []string{"providers/providertest"}, reason: "test code lies in _test.go files"},
	}
}

// TestStandsOn: a wrapper around a library would duplicate the library. Only the index packages of bleve are
// used, because its root package costs every process 3 ms more and adds 15 MB to the program.
func TestStandsOn(t *testing.T) {
	t.Parallel()
	tr := loadTree(t)
	imports := map[string][]string{}
	for _, f := range tr.files {
		if !f.test {
			imports[f.pkg] = append(imports[f.pkg], f.imports()...)
		}
		for _, name := range f.imports() {
			if name == "github.com/blevesearch/bleve/v2" {
				t.Errorf("%s imports all of bleve: take bleve/v2/index/scorch", f.path)
			}
		}
	}
	for _, stands := range [...]struct{ pkg, on string }{
		{"gitmem/internal/index", "github.com/blevesearch/bleve/v2/index/scorch"},
		{"markdown", "github.com/yuin/goldmark"},
		{"markdown", "github.com/adrg/frontmatter"},
		{"providers/github", "github.com/google/go-github/v62"},
		{"cmd/gitmem", "github.com/spf13/cobra"},
		{"providers/git", "github.com/go-git/go-git/v5/storage"},
		{"gitmem/internal/store", module + "/providers/git"},
	} {
		if !slices.ContainsFunc(imports[stands.pkg], func(name string) bool { return within(name, stands.on) }) {
			t.Errorf("%s does not stand on %s any more", stands.pkg, stands.on)
		}
	}
}

// guardUse reports restricted uses in other packages. It only checks import paths and names; methods are left
// to the linter.
func guardUse(_ *tree, s source) []string {
	if s.test {
		return nil
	}
	var complaints []string
	for _, u := range uses() {
		for _, spec := range s.ast.Imports {
			imported := strings.Trim(spec.Path.Value, "`\"")
			if !within(imported, u.pkg) || slices.ContainsFunc(u.homes, func(h string) bool { return within(s.pkg, h) }) {
				continue
			}
			if u.names == nil {
				complaints = append(complaints, fmt.Sprintf("import %q: %s", imported, u.reason))
				continue
			}
			for _, name := range usedNames(s.ast, localName(spec, imported), u.names) {
				complaints = append(complaints, fmt.Sprintf("%s.%s: %s", path.Base(u.pkg), name, u.reason))
			}
		}
	}
	return complaints
}

// within reports whether p is root or below it.
func within(p, root string) bool {
	return p == root || strings.HasPrefix(p, root+"/")
}

// localName returns the name of an import in a file.
func localName(spec *ast.ImportSpec, imported string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := path.Base(imported)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(imported)) // a major version is not a name
	}
	return strings.TrimPrefix(base, "go-")
}

func usedNames(f *ast.File, local string, names []string) []string {
	var used []string
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == local && slices.Contains(names, sel.Sel.Name) {
				used = append(used, sel.Sel.Name)
			}
		}
		return true
	})
	slices.Sort(used)
	return slices.Compact(used)
}

func TestUseComplains(t *testing.T) {
	t.Parallel()
	const (
		clock = "package x\nimport \"time\"\nvar _ = time.Now()"
		exit  = "package x\nimport \"os\"\nfunc f() { os.Exit(1) }"
	)
	tests := []struct{ name, path, text, want string }{
		{"clock in the library", "gitmem/a.go", clock, "time.Now: the clock"},
		{"clock as a value", "gitmem/a.go", "package x\nimport \"time\"\nvar _ = T{Now: time.Now}", "time.Now: the clock"},
		{"renamed import", "gitmem/a.go", "package x\nimport tm \"time\"\nvar _ = tm.Now()", "time.Now: the clock"},
		{"clock at the edge", "cmd/gitmem/a.go", clock, ""},
		{"clock in a test", "gitmem/a_test.go", clock, ""},
		{"other names", "gitmem/a.go", "package x\nimport \"time\"\nvar _ = time.Unix(0, 0)", ""},
		{"exit in a front end", "cmd/internal/hook/a.go", exit, "os.Exit: only main"},
		{"exit in main", "cmd/gitmem/a.go", exit, ""},
		{"print in main", "cmd/gitmem/a.go", "package main\nimport \"fmt\"\nfunc f() { fmt.Println() }",
			"fmt.Println: write"},
		{"plain open at home", "providers/git/a.go",
			"package git\nimport \"github.com/go-git/go-git/v5\"\nvar _, _ = git.PlainOpen(\".\")", "PlainOpen: it refuses"},
		{"slow difference", "providers/git/a.go",
			"package git\nimport \"github.com/go-git/go-git/v5/plumbing/object\"\nvar _, _ = object.DiffTree(a, b)",
			"slower than reading raw objects"},
		{"storage elsewhere", "gitmem/internal/store/a.go",
			"package store\nimport _ \"github.com/go-git/go-git/v5/storage/filesystem\"", "in one place"},
		{"index elsewhere", "gitmem/internal/store/a.go",
			"package store\nimport _ \"github.com/blevesearch/go-porterstemmer\"", "behind one package"},
		{"index at home", "gitmem/internal/index/a.go", "package index\nimport _ \"github.com/blevesearch/go-porterstemmer\"",
			""},
		{"test library in the product", "gitmem/a.go", "package gitmem\nimport _ \"github.com/google/go-cmp/cmp\"",
			"it is for tests"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tr, s := sourceOf(t, tt.path, tt.text)
			expect(t, guardUse(tr, s), tt.want)
		})
	}
}
