// Package lazy compiles patterns when they are first used, once for the whole process.
package lazy

import (
	"regexp"
	"sync"
)

// Pattern compiles an expression at the first call of what it returns, which gives the same
// pattern to all calls and may be called concurrently. It panics there if the expression is none.
//
//go:noinline
func Pattern(expr string) func() *regexp.Regexp { // inlined, each variable would have functions of its own
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
