// Package index is a disposable full-text index: shards of immutable generations, each a bleve index and a document
// table.
//
// Its input is documents and marks (how far the caller has read each source), and its output is postings and rows. It
// knows nothing about git, transcripts or Markdown, stores no text, and does not rank: scoring is built on top of
// [Snapshot]. bleve, whose index is scorch, stores the terms of the documents, merges its segments and finds terms by
// prefix and spelling; everything else about a document is in the table.
//
// # Layout of a shard
//
//	<dir>/CURRENT            the name of the current generation, replaced by rename
//	<dir>/lock               the writer's flock
//	<dir>/g00000007/MANIFEST format, options, and size, mtime and CRC-32 of each file
//	                bleve/   bleve's segments and its list of them
//	                docs     the rows of the documents of these segments (see blevedocs.go)
//	                s000001.rows, ...  the rows, in parts (see part.go)
//	                links    sessions and neighbours of the rows (see links.go)
//	                live     tombstones, sums, and changes of links (see live.go)
//	                marks    the caller's marks
//
// A generation never changes once CURRENT names it. A writer builds the next one beside it, hard-links the unchanged
// files, and swaps CURRENT; a reader keeps what it has open and never waits. The whole directory may be deleted at any
// time: it is rebuilt from the sources.
//
// A document keeps its row until the table is compacted. Parts contain consecutive rows in ascending order. A step
// appends a part and joins the last ones when there are many (see merge.go), so that the cost of a step is proportional
// to its changes. If many rows are dead, a step copies the live ones into one part (see compact.go); it reads no source
// for that, and bleve identifies a document by a number that never changes. The terms of dead documents remain in bleve
// until it merges their segment: to remove them immediately, erase the shard.
//
// # Damage
//
// A generation whose files differ in size or mtime from its manifest is [Corrupt], as is one that [Shard.Verify] or a
// read found damaged. The next [Shard.Refresh] rebuilds it, and its result reports that.
//
// Bytes that change under the same size and mtime are found by [Shard.Verify], and by the first step a day after they
// were last compared.
//
// # Concurrency
//
// A [Snapshot] may be used by many goroutines at once. A shard has at most one writer; another gets Busy and keeps its
// generation.
package index
