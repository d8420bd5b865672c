// Package ingest knows where documents come from and keeps their indexes fresh: files of
// Markdown, transcripts, history, the documents of a repository, forges; also as they were
// at an earlier time, and without what was forgotten or excluded. It must not know what is
// asked, nor rank anything.
package ingest
