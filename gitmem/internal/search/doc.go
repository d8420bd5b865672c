// Package search ranks the documents of one or more index shards for a query.
//
// The ranking is BM25F (Robertson, Zaragoza, Taylor: "Simple BM25 extension to
// multiple weighted fields", CIKM 2004) computed here from the shard's postings,
// term at a time into dense accumulators. Two passes over the document table lift
// recall in conversations: the words of neighbouring turns count as weak words of
// a turn, and a turn gains from a session that matches as a whole.
//
// Scores of shards are made comparable by dividing by the best a document of
// that shard could reach, since each shard has statistics of its own.
//
// The package also reads time words ("last month", "2024-Q4"). It knows nothing of
// files, git or questions, and it never writes.
package search
