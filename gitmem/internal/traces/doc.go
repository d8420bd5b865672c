// Package traces reads and opens the traces that hooks write of each of their runs: a folder with
// a file of JSON lines for each day. It sums what was injected into models and how long hooks
// took. Its caller passes the folders and the sums that an archive holds. It must not know who
// writes the traces.
package traces
