// Package traces knows what hooks leave of each of their runs: a folder with a file
// of JSON lines for each day, the record of a line, and the sums over many of them,
// which say what models were told and how long hooks took. It must not know where
// the folders lie, who writes them or what an archive looks like: those sums are
// handed in.
package traces
