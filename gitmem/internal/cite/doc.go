// Package cite maps citation ids to sources and back.
//
// A citation id is the permanent name of one piece of evidence: a section of a rules file, a note, a session of the
// archive, a record of a transcript, a commit. The package splits Markdown files into such pieces ([Units]), writes and
// parses ids ([Parse]), resolves them ([Resolver]), and selects and verifies quotes ([Quotes], [Check]). Indexing and
// display use the same pieces, so every search result can be shown.
//
// It knows nothing about ranking or questions, and it never writes.
package cite
