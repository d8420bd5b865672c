// Package hook handles one hook call of Claude Code. It reads the payload, calls the library, and writes
// nothing or one JSON object that the client understands. [Run] returns no error, because a hook must never
// harm its host: it passes a record of what it did, or why it did nothing, to its caller, which writes the
// trace.
//
// At the start of a session the hook also writes the client's file of variables. Two hooks, archive and
// sweep, do not belong to the client: gitmem starts them in the background. The package knows the client's
// payloads and replies. It must not know memory's files, git or the index.
package hook
