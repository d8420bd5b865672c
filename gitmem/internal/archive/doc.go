// Package archive knows the dated files that keep sessions when their transcripts
// are gone: how they are called below a project's folder, how a section is written
// from a transcript's digest, what a file holds of a session, through which line it
// reaches and what was injected into it, and which bytes of a long file hold one
// section. It must not know which projects there are, who may read their files or when
// a session is archived: that is for the library.
package archive
