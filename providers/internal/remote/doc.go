// Package remote has what the sources behind an HTTP API share: a client that sends
// requests within limits of time and memory and keeps its token out of errors ([Client]),
// and the walk through lists that are sorted by their last change ([Walk]).
//
// It knows HTTP and the contract of providers: paths, fields and ids belong to each source.
package remote
