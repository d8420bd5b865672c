// Package transcript reads the session files of Claude Code.
//
// It knows the line formats (JSON Lines, one record a line, several dialects over the versions), where the files are in
// a configuration folder, and how to derive a digest from a session. It does not know stores, indexes, models or
// secrets: it returns the raw text of a session, which must be redacted before it is written, shown or indexed.
//
// # Reading
//
// A [Reader] takes a stream of any size and line length and yields the messages of the conversation: the text that a
// person typed, the assistant's text, thinking and calls, and the answers of its tools. It skips everything else, such
// as the client's bookkeeping and unknown types. [Stats] counts broken lines, which do not end the reading. The formats
// are internal to the client and change without notice, so each field may be absent or of another type.
//
// Text that hooks add to a session is also in its transcript. The Reader omits it: otherwise memory would repeat its
// own text.
//
// # Continuing
//
// A session file grows while it is read. [Reader.Position] returns how far a reader has read, and a new reader may
// start there: see [Position].
package transcript
