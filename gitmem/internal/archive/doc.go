// Package archive reads and writes the dated files that keep sessions after their transcripts are deleted. It knows the
// names of the files below a project's folder, the format of a section, the transcript lines that a section covers, the
// injections into the session, and the byte range of a section in a long file. The caller decides which projects exist,
// who may read their files and when a session is archived.
package archive
