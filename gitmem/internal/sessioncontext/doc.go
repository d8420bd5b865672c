// Package sessioncontext composes the text that a session is told when it begins. It parses
// sections of the archive and the two ends of a transcript, selects the facts of earlier sessions
// that count, and fits them into the room that the client gives. Its caller finds the files,
// redacts them and says whose words each source is. It must not know where files are, which of
// them may be read, or what was added before.
package sessioncontext
