#!/usr/bin/env bash
# doublestar 4.10.4: a * that ends a segment before /** must take a character at the end of a path.
#
# Run: bash findings/doublestar-star-before-globstar.sh
# It needs bash and Go, and builds a program in a temporary folder with the published module.
#
# A /** at the end of a pattern stands for no segment, too: ab/** matches the path ab, as the
# documentation says. A * stands for no character, too: ab* matches ab. Together they don't:
# ab*/** does not match ab, though it matches abc and ab/c. A pattern that is meant for a folder
# and everything in it, such as secret*/**, so leaves the folder named secret itself out, where
# only the folder's own path is tested. Whoever tests paths of folders has to try the pattern
# without /** as well, or to try each folder above a path.
#
# Output seen on 2026-11-29:
#   ab/**     ab     true
#   ab*       ab     true
#   ab*/**    ab     false
#   ab*/**    abc    true
#   ab*/**    ab/c   true
#   a*/**     ab     true
set -euo pipefail

tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT
cd "$tmp"
cat >go.mod <<'MOD'
module finding

go 1.25

require github.com/bmatcuk/doublestar/v4 v4.10.4
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/bmatcuk/doublestar/v4"
)

func main() {
	for _, c := range [][2]string{{"ab/**", "ab"}, {"ab*", "ab"}, {"ab*/**", "ab"}, {"ab*/**", "abc"}, {"ab*/**", "ab/c"}, {"a*/**", "ab"}} {
		ok, err := doublestar.Match(c[0], c[1])
		if err != nil {
			panic(err)
		}
		fmt.Printf("%-9s %-6s %v\n", c[0], c[1], ok)
	}
}
GO
go mod tidy >/dev/null 2>&1
got=$(go run .)
printf '%s\n' "$got"
[ "$got" = 'ab/**     ab     true
ab*       ab     true
ab*/**    ab     false
ab*/**    abc    true
ab*/**    ab/c   true
a*/**     ab     true' ]
