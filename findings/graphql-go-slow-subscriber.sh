#!/usr/bin/env bash
# graph-gophers/graphql-go v1.11.1: a subscription event that its reader does not receive within a second is
# dropped, without an error and without ending the subscription.
#
# Run: bash findings/graphql-go-slow-subscriber.sh
# It needs bash and Go, and builds a program in a temporary folder.
#
# SubscribeResolverTimeout is documented as the time that the resolver of one event may take. The same timeout
# continues while the event waits for its reader: a reader that writes to a slow connection loses events
# although each was resolved at once. In contrast, a resolver that takes too long leads to a response with an
# error. A server that must lose no events sets a longer time and buffers events for slow readers itself.
#
# Output seen on 2026-11-30: four events are sent; the reader receives the first, waits for 1.5 s, and
# receives the rest. The library holds one event for the reader, and the next one is lost.
#   default: 1 2 4
#   SubscribeResolverTimeout(1h): 1 2 3 4
set -euo pipefail

tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT
cd "$tmp"
cat >go.mod <<'MOD'
module slow

go 1.25
MOD
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/graph-gophers/graphql-go"
)

const schema = `
type Query { nothing: Int }
type Subscription { count: Int! }
`

type root struct{}

func (*root) Nothing() *int32 { return nil }

func (*root) Count() <-chan int32 {
	c := make(chan int32)
	go func() {
		defer close(c)
		for i := range int32(4) {
			c <- i + 1
		}
	}()
	return c
}

func read(name string, options ...graphql.SchemaOpt) {
	s := graphql.MustParseSchema(schema, &root{}, options...)
	events, err := s.Subscribe(context.Background(), "subscription { count }", "", nil)
	if err != nil {
		panic(err)
	}
	fmt.Print(name + ":")
	first := true
	for e := range events {
		r := e.(*graphql.Response)
		if len(r.Errors) > 0 {
			fmt.Print(" error")
		}
		var data struct{ Count int }
		if err := json.Unmarshal(r.Data, &data); err != nil {
			panic(err)
		}
		fmt.Print(" ", data.Count)
		if first {
			time.Sleep(1500 * time.Millisecond)
			first = false
		}
	}
	fmt.Println()
}

func main() {
	read("default")
	read("SubscribeResolverTimeout(1h)", graphql.SubscribeResolverTimeout(time.Hour))
}
GO
export GOFLAGS=-mod=mod
go get github.com/graph-gophers/graphql-go@v1.11.1 >/dev/null 2>&1
go run . >out
cat out
diff out - <<'WANT'
default: 1 2 4
SubscribeResolverTimeout(1h): 1 2 3 4
WANT
