package main

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// functionFields counts the struct fields of function types, and lists those that other packages set.
func (m *module) functionFields() (n int, arrows []string) {
	fields := m.fieldNames()
	setters := map[*types.Var]map[string]bool{}
	m.eachNode(func(p *packages.Package, n ast.Node) {
		for _, f := range fieldsSet(p.TypesInfo, n) {
			f = f.Origin()
			if _, ok := fields[f]; !ok || !m.higher(p.Types, f.Pkg()) {
				continue
			}
			if setters[f] == nil {
				setters[f] = map[string]bool{}
			}
			setters[f][m.short(p.PkgPath)] = true
		}
	})
	for f, by := range setters {
		arrows = append(arrows, fields[f]+" set by "+strings.Join(slices.Sorted(maps.Keys(by)), ", "))
	}
	slices.Sort(arrows)
	return len(fields), arrows
}

// fieldNames returns the names of all struct fields of function types.
func (m *module) fieldNames() map[*types.Var]string {
	names := map[*types.Var]string{}
	structs := map[ast.Expr]string{}
	m.eachNode(func(p *packages.Package, n ast.Node) {
		switch n := n.(type) {
		case *ast.TypeSpec:
			structs[n.Type] = n.Name.Name
		case *ast.StructType:
			for f := range p.TypesInfo.TypeOf(n).(*types.Struct).Fields() {
				if isFunction(f.Type()) {
					names[f] = m.short(p.PkgPath + "." + cmp.Or(structs[n], "struct") + "." + f.Name())
				}
			}
		}
	})
	return names
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// eachNode visits the syntax of all files that are counted.
func (m *module) eachNode(visit func(*packages.Package, ast.Node)) {
	for _, p := range m.packages {
		for _, file := range files(p) {
			for n := range ast.Preorder(file) {
				visit(p, n)
			}
		}
	}
}

// fieldsSet returns the struct fields that one literal or assignment sets to values other than nil.
func fieldsSet(info *types.Info, n ast.Node) []*types.Var {
	switch n := n.(type) {
	case *ast.CompositeLit:
		return fieldsOfLiteral(info, n)
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN {
			return nil
		}
		var fields []*types.Var
		for i, left := range n.Lhs {
			sel, ok := left.(*ast.SelectorExpr)
			if !ok || info.Selections[sel] == nil || len(n.Rhs) == len(n.Lhs) && info.Types[n.Rhs[i]].IsNil() {
				continue
			}
			fields = append(fields, info.Selections[sel].Obj().(*types.Var))
		}
		return fields
	}
	return nil
}

func fieldsOfLiteral(info *types.Info, literal *ast.CompositeLit) []*types.Var {
	t := info.TypeOf(literal).Underlying()
	if pointer, ok := t.(*types.Pointer); ok { // of a literal in a list of pointers
		t = pointer.Elem().Underlying()
	}
	of, ok := t.(*types.Struct)
	if !ok {
		return nil
	}
	var fields []*types.Var
	for i, e := range literal.Elts {
		f, value := (*types.Var)(nil), e
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			f, value = info.Uses[pair.Key.(*ast.Ident)].(*types.Var), pair.Value
		} else {
			f = of.Field(i)
		}
		if !info.Types[value].IsNil() {
			fields = append(fields, f)
		}
	}
	return fields
}
