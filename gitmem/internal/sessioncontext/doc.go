// Package sessioncontext knows what is added to a session when it begins: what is read of
// the sections of the archive and of the ends of a transcript, which facts of earlier
// sessions count, and how they are laid out within the room that the client gives.
// It must not know where files lie, which of them are the project's or may be read,
// or what was added before: bytes and messages come redacted from the
// library, and whose words a source is as a function.
package sessioncontext
