// Package traces reads and opens the traces that hooks write of each run: a folder with a file of JSON lines for each
// day. It sums what was injected into models and how long hooks took. Its caller passes the folders and the sums from
// the archive. It must not know who writes the traces.
package traces
