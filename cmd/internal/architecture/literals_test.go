package architecture_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// guardLiteral rejects settings that are only strings to the compiler.
func guardLiteral(_ *tree, s source) []string {
	if s.test {
		return nil
	}
	var complaints []string
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok && isUnsafeBatch(pair) {
			complaints = append(complaints,
				`"unsafe_batch": an index generation must be whole on disk before CURRENT names it`)
		}
		return true
	})
	return complaints
}

// isUnsafeBatch reports whether the setting has any value but a plain false.
func isUnsafeBatch(pair *ast.KeyValueExpr) bool {
	key, ok := pair.Key.(*ast.BasicLit)
	if !ok || key.Kind != token.STRING || strings.Trim(key.Value, "`\"") != "unsafe_batch" {
		return false
	}
	value, ok := pair.Value.(*ast.Ident)
	return !ok || value.Name != "false"
}

func TestLiteralComplains(t *testing.T) {
	t.Parallel()
	tr, s := sourceOf(t, "x/a.go", `package x
var _ = map[string]any{"unsafe_batch": true, "bolt_timeout": "1s"}`)
	expect(t, guardLiteral(tr, s), "must be whole on disk")
	tr, s = sourceOf(t, "x/a.go", `package x
var _ = map[string]any{"unsafe_batch": false}`)
	expect(t, guardLiteral(tr, s), "")
}
