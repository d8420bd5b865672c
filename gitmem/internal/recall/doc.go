// Package recall selects what memory adds to a prompt. It searches the existing indexes and updates none. Package ask
// rates the passages. Recall omits what the client loads itself and what was already added to the session, and formats
// the rest as a list; a model may rephrase it as sentences. It must not know how passages are rated, nor what else is
// added to a session.
package recall
