// Package items keeps what was fetched from a remote source in files of its own, so
// that it is fetched once: a cache that may be deleted at any time.
//
// It knows the form of these files and how to write them so that a kill, a full disk
// or a power cut costs at most what has to be fetched again. It must not know any
// source, network, index or question; it is given items that hold no secret.
//
// # Files
//
//	state.json    which log counts and how much of it, the cursor, how the last fetch went
//	items-<n>     the log: one record a line, behind its checksum
//	lock          held by the one that writes
//
// A record is an item; the last one of an id counts. It is
//
//	<CRC-32C of the rest, 8 hex digits> TAB + TAB <id> TAB <links> TAB <item as JSON> LF
//
// The links come before the item, so that following them needs no decoding of items.
//
// The log is written before state.json, which holds its valid length and the cursor. Bytes
// behind the valid length are ignored. If a valid part is damaged, the other records stay
// and the cursor is deleted: the next fetch fetches the missing items again.
package items
