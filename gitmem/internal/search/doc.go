// Package search ranks the documents of one or more index shards for a query. [RunLegs] fuses several such rankings, by
// different words or by meaning, into one.
//
// # Ranking
//
// The ranking is BM25F (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM 2004). A
// term's frequency in a document is
//
//	tf = Σ fields  weight · occurrences / (1 - B + B · length / mean length)
//
// where the mean is over the live documents that have the field. In the field of a change's diff terms a term counts
// once, and documents that have it only there are not counted in df, unless no others have it. The words of
// neighbouring turns count as weak words of a turn:
//
//	v = tf + Before · tf(previous) + After · tf(next) + TwoAway · (tf(two before) + tf(two after))
//
// and a term adds gain · v / (K1 + v), where its gain is its weight in the query times its idf, ln(1 + (N - df + 0.5) /
// (df + 0.5)) over the live documents.
//
// A turn gains from a session that matches as a whole. A session is scored as if it were one document: its frequency is
// the sum of its documents' tf over 1 - B + B · words / mean words, and its idf is over the sessions that have words.
// The sum of a document is multiplied by 1 + Session · its session / the best one.
//
// # Shards
//
// Each shard has its own statistics, so a sum is divided by the maximum there, the sum of the gains: 1 is the score,
// before its session adds, of a document that contains every term infinitely often. A term that a shard does not
// contain counts there with the idf of a word that no document has, so that a shard with only the commoner half of a
// query does not outrank one with all of it. A term that none of the shards contains is ignored.
//
// Scores are rounded to 1e-9 before they are compared; equal ones are ordered by citation id.
//
// # Cost
//
// A query reads the postings of its terms once. Rows are then scored by session, best first by an upper bound of a
// session's rows, until no other can reach the top; the others are never scored, without a loss. Memory is 12 bytes for
// each posting of the terms, and the used part of two numbers for each row.
//
// The package also parses time words ("last month", "2024-Q4"). It does not know files, git or questions, and it never
// writes.
package search
