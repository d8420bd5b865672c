// Package remote has what the sources with an HTTP API share: a client that limits the time and memory of
// requests and keeps its token out of errors ([Client]), and the walk through lists that are sorted by their
// last change ([Walk]).
//
// It knows HTTP and the contract of package providers. It must not know paths, fields and ids, which belong
// to each source.
package remote
