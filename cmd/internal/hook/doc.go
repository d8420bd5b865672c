// Package hook handles one call of a hook by Claude Code. It reads the payload, calls the library,
// and writes nothing or one JSON object that the client understands. [Run] returns no error,
// because a hook must never harm its host: a record of what it did, or why it did not, goes to its
// caller, which writes the trace.
//
// At a session's start the hook also writes the client's file of variables. Two hooks, archive and
// sweep, are not the client's: gitmem starts them in the background. The package knows the
// client's payloads and replies, and nothing of memory's files, git or the index.
package hook
