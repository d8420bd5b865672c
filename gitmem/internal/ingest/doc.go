// Package ingest reads documents and keeps their indexes up to date: Markdown files, transcripts, git history, the
// documents of a repository, and forges. It can read their state at an earlier time. It leaves out forgotten and
// excluded content. It also embeds texts and finds the nearest vectors. It must not know what a question asks.
package ingest
