// Package hook turns what Claude Code hands to a hook into calls of the library.
//
// A hook must never harm its host: [Run] returns no error, writes nothing to
// standard output, and leaves what it did or why it did not in a trace file. It
// knows the client's payloads and nothing of files, git or the index.
package hook
