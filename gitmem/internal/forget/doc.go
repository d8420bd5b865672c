// Package forget permanently removes content from memory: from files, indexes and traces and, on request, from every
// commit. Package tombstone stores the list of removed content, and package ingest applies it. The package must not
// know how anything is ranked.
package forget
