// Package transcript reads the session files of Claude Code.
//
// It knows the line formats (JSON Lines, one record a line, several dialects
// over the versions), where the files lie below a configuration folder, and
// how to draw a digest from a session. It knows nothing of stores, indexes,
// models or secrets: what it returns is the raw text of a session and must be
// redacted before it is written, shown or indexed.
//
// # Reading
//
// A [Reader] takes a stream of any size and line length and yields the
// messages of the conversation: what a person typed, what the assistant said,
// thought and called, what its tools answered. Everything else is bookkeeping
// of the client and is passed over, like types that this package does not know;
// broken lines are counted in [Stats] and do not end the reading. The formats are internal to the client and change
// without
// notice, so each field may be absent or of another type.
//
// Text that hooks put into a session comes back in its transcript. It is
// left out, since a memory that reads its own words repeats them.
//
// # Continuing
//
// A session file grows while it is read. [Reader.Position] says how far a
// reader has come, and a new reader may start there: see [Position].
package transcript
