// Package index is a disposable full-text index: shards of immutable generations,
// each a bleve index beside a document table.
//
// It is fed documents and marks (what the caller has read of each source, and up to where)
// and returns postings and rows. It knows nothing of git, transcripts or Markdown, keeps no
// text, and does not rank: scoring is built on top of [Snapshot]. bleve, of which scorch is
// the index, holds the terms of the documents, merges its segments and finds terms by
// prefix and spelling; everything else about a document is in the table.
//
// # Layout of a shard
//
//	<dir>/CURRENT            the name of the generation in use, replaced by rename
//	<dir>/lock               the writer's flock
//	<dir>/g00000007/MANIFEST format, options, and size, mtime and CRC-32 of each file
//	                bleve/   bleve's segments and its list of them
//	                docs     which rows the documents of these segments are (see blevedocs.go)
//	                s000001.rows, ...  the rows, in parts (see part.go)
//	                links    sessions and neighbours of the rows (see links.go)
//	                live     tombstones, sums, and what differs from links (see live.go)
//	                marks    the caller's marks
//
// A generation never changes once CURRENT names it. A writer builds the next
// one beside it, hard-linking the files that stay, and swaps CURRENT; a
// reader keeps what it has open and never waits. The whole directory may be
// deleted at any time: it is rebuilt from the sources.
//
// A document is a row until the table is compacted. Parts hold the rows in ascending order,
// one after the other, and a step appends one and joins the last ones when they are many
// (see merge.go), so that the cost of a step is that of its changes. If many rows are dead,
// a step copies the live ones into one part (see compact.go); no source is read for that,
// and bleve knows a document by a number that never changes. The terms of dead documents
// stay in bleve until it merges their segment: to remove them at once, erase the shard.
//
// # Damage
//
// A generation whose files differ in size or mtime from its manifest is [Corrupt], as is
// one that [Shard.Verify] or a read found damaged. The next [Shard.Refresh] rebuilds it,
// and its result reports that.
//
// Bytes that change under the same size and mtime are found by [Shard.Verify], and by the
// first step a day after they were last compared.
//
// # Concurrency
//
// A [Snapshot] may be used by many goroutines at once. Within a shard there is
// one writer; another gets Busy and keeps the generation it has.
package index
