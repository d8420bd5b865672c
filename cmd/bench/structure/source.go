package main

import (
	"go/ast"
	"go/constant"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

const (
	longFile    = 500 // lines
	deepNesting = 4
)

// measureSource counts lines, files, functions and error returns.
func (m *module) measureSource(f *figures) error {
	for _, p := range m.packages {
		counted := files(p)
		if len(counted) > 0 {
			f.packages++
		}
		for _, file := range counted {
			whole := m.fset.File(file.FileStart)
			code, err := codeLines(whole.Name())
			if err != nil {
				return err
			}
			f.files++
			f.code += code
			if whole.LineCount() > longFile {
				f.longFiles++
			}
			m.measureFunctions(f, file)
			if err := f.measureLanguage(p, file, whole.Name()); err != nil {
				return err
			}
			countErrorReturns(f, p, file)
		}
	}
	return nil
}

// codeLines counts the lines of a file that have a token.
func codeLines(name string) (int, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	n, last := 0, 0
	for {
		pos, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return n, nil
		case tok == token.SEMICOLON && literal == "\n": // inserted by the scanner
			continue
		}
		first := file.Line(pos)
		end := first + strings.Count(literal, "\n")
		n += end - max(first-1, last)
		last = end
	}
}

func (m *module) measureFunctions(f *figures, file *ast.File) {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		lines := m.fset.Position(fn.Body.Rbrace).Line - m.fset.Position(fn.Body.Lbrace).Line + 1
		f.functions = append(f.functions, lines)
		if nesting(fn.Body) > deepNesting {
			f.deep++
		}
	}
}

// nesting returns the largest number of nested statements and function literals in a body.
func nesting(body *ast.BlockStmt) int {
	deepest := 0
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		level := 0
		for i, inner := range append(stack, n) {
			switch inner := inner.(type) {
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
				level++
			case *ast.IfStmt:
				if outer, ok := stack[i-1].(*ast.IfStmt); !ok || outer.Else != inner {
					level++
				}
			}
		}
		deepest = max(deepest, level)
		return true
	})
	return deepest
}

func countErrorReturns(f *figures, p *packages.Package, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if result := errorReturn(p.TypesInfo, n); result != nil {
			f.errorReturns++
			if wraps(p.TypesInfo, result) {
				f.wrapped++
			}
		}
		return true
	})
}

// errorReturn returns the error that the end of an "if err != nil" returns, or nil for all other nodes.
func errorReturn(info *types.Info, n ast.Node) ast.Expr {
	branch, ok := n.(*ast.IfStmt)
	if !ok || len(branch.Body.List) == 0 {
		return nil
	}
	failed := types.Universe.Lookup("error").Type()
	test, ok := branch.Cond.(*ast.BinaryExpr)
	if !ok || test.Op != token.NEQ || !info.Types[test.Y].IsNil() || !types.Identical(info.TypeOf(test.X), failed) {
		return nil
	}
	end, ok := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(end.Results) == 0 {
		return nil
	}
	result := end.Results[len(end.Results)-1]
	if info.Types[result].IsNil() || !types.AssignableTo(info.TypeOf(result), failed) {
		return nil
	}
	return result
}

// wraps reports whether an expression calls fmt.Errorf with %w.
func wraps(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		name, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		fn, ok := info.Uses[name.Sel].(*types.Func)
		format := info.Types[call.Args[0]].Value
		if ok && fn.FullName() == "fmt.Errorf" && format != nil && strings.Contains(constant.StringVal(format), "%w") {
			found = true
		}
		return true
	})
	return found
}
