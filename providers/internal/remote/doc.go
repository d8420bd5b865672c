// Package remote is what the sources behind an HTTP API share: a client that
// keeps its token, its time and its memory to itself ([Client]), and the walk
// through lists that are sorted by their last change ([Walk]).
//
// It knows HTTP and the contract of providers, and nothing about any one place:
// paths, fields and identifiers belong to the source that calls it.
package remote
