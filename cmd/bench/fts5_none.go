//go:build !cgo || !sqlite_fts5

package main

import (
	"context"
	"errors"
)

// noPeer is why FTS5 is not measured, and how to measure it.
const noPeer = "this bench was built without FTS5: CGO_ENABLED=1 go run -tags sqlite_fts5 . index, with a C compiler"

func peerVerb(*setup) func(context.Context) (report, error) {
	return func(context.Context) (report, error) { return nil, errors.New(noPeer) }
}
