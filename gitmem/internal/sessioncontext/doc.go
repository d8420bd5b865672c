// Package sessioncontext composes the text that a session receives when it begins. It parses sections of the archive
// and both ends of a transcript, selects the relevant facts of earlier sessions, and fits them into the size limit of
// the client. Its caller finds the files, redacts them and names the author of each source. It must not know where
// files are, which of them may be read, or what was added before.
package sessioncontext
