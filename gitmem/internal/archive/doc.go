// Package archive reads and writes the dated files that keep sessions after their transcripts are
// deleted. It knows how the files are named below a project's folder, the form of a section, which
// lines of a transcript a section covers and what was injected into the session, and which bytes
// of a long file hold one section. The caller decides which projects exist, who may read their
// files and when a session is archived.
package archive
