// Package forget removes something from memory permanently: from files, indexes, traces and, if
// asked, from every commit. Package tombstone keeps the list of what was removed, and package
// ingest applies that list. The package must not know how anything is ranked.
package forget
