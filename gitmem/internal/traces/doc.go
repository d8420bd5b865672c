// Package traces knows the traces that hooks write of each of their runs: a folder with a
// file of JSON lines for each day, the record of a line, and the sums over many of them,
// which report what was injected into models and how long hooks took. It must not know
// where the folders are, who writes them or what an archive looks like: those sums are
// passed in.
package traces
