// Package index is a disposable full-text index: shards of immutable
// generations, each a bleve index beside a document table of our own.
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
//	<dir>/g00000007/MANIFEST format, options, and size, mtime and CRC-32 of each file
//	                table    the document table (see table.go)
//	                docmap   bleve's document numbers → rows
//	                marks    the caller's marks
//	                bleve/   index_meta.json, store/root.bolt, store/*.zap
//
// A generation never changes once CURRENT names it. A writer builds the next
// one beside it, hard-linking the segments that stay, and swaps CURRENT; a
// reader keeps what it has open and never waits. The whole directory may be
// deleted at any time: it is rebuilt from the sources.
//
// # Damage
//
// A generation whose files differ in size or mtime from its manifest is
// [Corrupt], as is one that [Shard.Verify] or a read found damaged. The next
// [Shard.Refresh] rebuilds it; nobody has to be told.
//
// # Concurrency
//
// A [Snapshot] may be used by many goroutines at once. Within a shard there is
// one writer; another gets Busy and keeps the generation it has.
package index
