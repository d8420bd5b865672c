// Package lazy compiles regular expressions on first use, once per process.
package lazy

import (
	"regexp"
	"sync"
)

// Pattern returns a function that compiles an expression on its first call and returns the same pattern from
// all calls. It may be called concurrently. It panics on an invalid expression.
//
//go:noinline
func Pattern(expr string) func() *regexp.Regexp { // inlined, each variable would have its own functions
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
