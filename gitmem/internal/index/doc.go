// Package index is a disposable full-text index: shards of immutable
// generations, each some segments of postings beside a document table.
//
// It is fed documents and marks (what the caller has read of each source, and
// up to where) and gives back postings and rows. It knows nothing of git,
// transcripts or Markdown, keeps no text, and does not rank: scoring is built
// on top of [Snapshot].
//
// # Layout of a shard
//
//	<dir>/CURRENT            the name of the generation in use, replaced by rename
//	<dir>/lock               the writer's flock
//	<dir>/g00000007/MANIFEST format, options, segments, and size, mtime and CRC-32 of each file
//	                s000001.terms, ...  the segments: dictionaries and postings (see segwrite.go)
//	                s000001.rows, ...   the rows that these count (see part.go)
//	                links    sessions and neighbours of the rows (see links.go)
//	                live     tombstones, sums, and what differs from links (see live.go)
//	                marks    the caller's marks
//
// A generation never changes once CURRENT names it. A writer builds the next
// one beside it, hard-linking the files that stay, and swaps CURRENT; a
// reader keeps what it has open and never waits. The whole directory may be
// deleted at any time: it is rebuilt from the sources.
//
// A document is a row until the index is compacted: segments hold the rows in
// ascending order, one after the other, and a step appends one and joins the
// last ones when they are many (see merge.go). So a step costs what it changes,
// and postings come in the order of rows. Where a good part of the rows is dead, a
// step copies the live ones into one segment (see compact.go); no source is read
// for that.
//
// # Damage
//
// A generation whose files differ in size or mtime from its manifest is
// [Corrupt], as is one that [Shard.Verify] or a read found damaged. The next
// [Shard.Refresh] rebuilds it, and its result says so.
//
// Bytes that change under the same size and mtime are found by their checksums: by
// [Shard.Verify]; before a step writes them into another file, so that damage is
// never passed on; and otherwise by the first step a day after they were last
// compared. Until then a search may miss documents or find wrong ones.
//
// # Concurrency
//
// A [Snapshot] may be used by many goroutines at once. Within a shard there is
// one writer; another gets Busy and keeps the generation it has.
package index
