#!/usr/bin/env bash
# doublestar 4.10.4: a * that ends a segment before /** must match a character at the end of a path.
#
# Run: bash findings/doublestar-star-before-globstar.sh
# It needs bash and Go, and builds a program in a temporary folder with the published module.
#
# A /** at the end of a pattern matches zero segments, too: ab/** matches the path ab, as documented. A *
# matches zero characters, too: ab* matches ab. Together they don't: ab*/** does not match ab, though it
# matches abc and ab/c. So a pattern that is meant for a folder and everything in it, such as secret*/**,
# misses the folder named secret itself if only the folder's own path is tested. A program that tests paths of
# folders must also try the pattern without /**, or try each folder above a path.
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
