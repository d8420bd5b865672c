// Package cite maps citation ids to sources and back.
//
// A citation id names one piece of evidence for good: a section of a rules
// file, a note, a session of the archive, one record of a transcript, one
// commit. The package knows how a Markdown file is cut into such pieces
// ([Units]), how an id is written and read ([Parse]), how it is looked up again
// ([Resolver]) and which words of a source are quoted ([Quotes], [Check]).
// Indexing and showing use the same pieces, so whatever is found can be shown.
//
// It knows nothing of ranking or questions, and it never writes.
package cite
