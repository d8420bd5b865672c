package main

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// module is the product code of a module, parsed and type-checked.
type module struct {
	name, path, version string
	fset                *token.FileSet
	packages            []*packages.Package
	// below maps each package to those of the module that it imports, directly or through others.
	below map[*types.Package]map[*types.Package]bool
}

func load(dir string) (*module, error) {
	m := &module{version: version(dir), fset: token.NewFileSet(), below: map[*types.Package]map[*types.Package]bool{}}
	var err error
	m.packages, err = packages.Load(&packages.Config{
		Mode: packages.LoadSyntax | packages.NeedModule,
		Dir:  dir,
		Env:  append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off"),
		Fset: m.fset,
	}, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range m.packages {
		for _, e := range p.Errors {
			return nil, e
		}
		m.path = p.Module.Path
	}
	if m.path == "" {
		return nil, errors.New("no packages")
	}
	m.name = path.Base(m.path)
	for _, p := range m.packages {
		m.addBelow(p)
	}
	return m, nil
}

// addBelow returns all packages of the module that a package imports, and records them in m.below.
func (m *module) addBelow(p *packages.Package) map[*types.Package]bool {
	if below, ok := m.below[p.Types]; ok {
		return below
	}
	below := map[*types.Package]bool{}
	m.below[p.Types] = below
	for _, imported := range p.Imports {
		if imported.Module == nil || imported.Module.Path != m.path {
			continue
		}
		below[imported.Types] = true
		for q := range m.addBelow(imported) {
			below[q] = true
		}
	}
	return below
}

// owns reports whether a package is in the module.
func (m *module) owns(p *types.Package) bool { return p != nil && m.below[p] != nil }

// higher reports whether p imports q, directly or through others.
func (m *module) higher(p, q *types.Package) bool { return m.below[p][q] }

// short removes the path of the module from a name.
func (m *module) short(name string) string {
	name = strings.ReplaceAll(name, m.path+"/", "")
	return strings.ReplaceAll(name, m.path+".", m.name+".")
}

// files returns the files of a package that are counted.
func files(p *packages.Package) []*ast.File {
	var counted []*ast.File
	for _, f := range p.Syntax {
		if !ast.IsGenerated(f) && !importsTesting(f) {
			counted = append(counted, f)
		}
	}
	return counted
}

func importsTesting(f *ast.File) bool {
	for _, spec := range f.Imports {
		if name := strings.Trim(spec.Path.Value, `"`); name == "testing" || strings.HasPrefix(name, "testing/") {
			return true
		}
	}
	return false
}

// version returns the version of the code in a folder, from its name or from git; "unknown" without either.
func version(dir string) string {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "unknown"
	}
	if _, v, ok := strings.Cut(filepath.Base(full), "@"); ok {
		return v
	}
	out, err := exec.Command("git", "-C", full, "describe", "--tags", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
