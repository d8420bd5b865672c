// Package bench measures the search engine beside SQLite FTS5.
//
// It knows how to write a corpus of invented sessions, how to draw queries from
// it, how to run each side as a process of its own and what the figures of such
// runs mean. It knows nothing of a user's memory: it reads and writes below the
// one folder that it is given. The clock and the programs to run are handed to it.
// It also compares answers with what people judged to be right, see [Judge]: there
// it is handed both, and asks nothing itself.
//
// # Corpus
//
// A [Corpus] is a function of its numbers: the same seed gives the same bytes.
// Words follow Zipf's law, and their number grows with the text as in real
// sessions: names, identifiers, paths, hashes and numbers never end. Each session
// is about a few things of its own, so that a query has better and worse answers.
//
// # History
//
// [RunHistory] reads a repository of the user's beside git log, writes nothing to it,
// and compares what both sides print.
package bench
