// Package hook turns what Claude Code hands to a hook into calls of the library.
//
// A hook must never harm its host: [Run] returns no error, writes to standard output
// either nothing or one JSON object that the client understands, and leaves what it
// did or why it did not in a trace file. It knows the client's payloads and replies
// and nothing of files, git or the index.
package hook
