// Package recall selects what memory adds to a prompt. It searches the existing indexes and
// updates none. Package ask judges the passages. Recall leaves out what the client loads itself
// and what the session was told before, and formats the rest as a list; a model may put it into
// sentences. It must not know how passages are judged, nor what else a session is told.
package recall
