// Package forget knows how something is taken out of memory for good: out of files, indexes,
// traces and, if asked, every commit. What keeps it from coming back is in package
// tombstone, and honoured by package ingest. It must not know how anything is ranked.
package forget
