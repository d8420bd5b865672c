#!/usr/bin/env bash
# blevesearch/bleve v2.6.3: a program that links bleve's index builds the automata of fuzzy search at every
# start, whether it searches or not.
#
# Run: bash findings/bleve-scorch-init.sh
# It needs bash and Go, and builds two programs in a temporary folder.
#
# The package index/scorch creates two Levenshtein automata in its init function: about 1 MB in 26,000
# allocations, 3 to 4 ms, half of the start of a small command-line program. Package bleve itself imports
# scorch, so that every user of bleve pays, even one that opens no index. The segment format alone (zapx) has
# no such cost. A short-lived program can only avoid it by not linking scorch.
#
# Output seen on 2026-12-01 (bytes and allocations as GODEBUG=inittrace=1 counts them):
#   bleve: scorch's init allocates over 1000000 bytes in over 10000 allocations
#   zapx alone: no init allocates over 100000 bytes
set -euo pipefail

tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT
cd "$tmp"
cat >go.mod <<'MOD'
module start

go 1.25
MOD
mkdir bleve zapx
printf 'package main\n\nimport _ "github.com/blevesearch/bleve/v2"\n\nfunc main() {}\n' >bleve/main.go
printf 'package main\n\nimport _ "github.com/blevesearch/zapx/v17"\n\nfunc main() {}\n' >zapx/main.go
export GOFLAGS=-mod=mod GOWORK=off
go get github.com/blevesearch/bleve/v2@v2.6.3 >get.log 2>&1 || { cat get.log; exit 1; }
go build -o bin/ ./... >build.log 2>&1 || { cat build.log; exit 1; }

# inits PROGRAM prints package, bytes and allocations of each init. A line is:
#  init PACKAGE @0.1 ms, 0.2 ms clock, 300 bytes, 4 allocs
inits() { GODEBUG=inittrace=1 "bin/$1" 2>&1 | awk '$1 == "init" { print $2, $8, $10 }'; }

read -r bytes allocations < <(inits bleve | awk '$1 ~ /index\/scorch$/ { print $2, $3 }')
most=$(inits zapx | awk '$2 > most { most = $2 } END { print most + 0 }')
echo "scorch: $bytes bytes, $allocations allocations; the largest init with zapx alone: $most bytes" >&2
[ "$bytes" -gt 1000000 ] && [ "$allocations" -gt 10000 ] || exit 1
echo "bleve: scorch's init allocates over 1000000 bytes in over 10000 allocations"
[ "$most" -lt 100000 ] || exit 1
echo "zapx alone: no init allocates over 100000 bytes"
