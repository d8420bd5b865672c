// Package items stores the items fetched from a remote source in files, so that they are fetched only once. It is a
// cache that may be deleted at any time.
//
// It knows the format of these files and writes them so that after a kill, a full disk or a power failure at most a
// part has to be fetched again. It must not know sources, networks, indexes or questions; its items must not contain
// secrets.
//
// # Files
//
//	state.json    the name and the valid length of the log, the cursor, the result of the last fetch
//	items-<n>     the log: one record per line, after its checksum
//	lock          held by the writer
//
// A record is an item; the last one of an id counts. It is
//
//	<CRC-32C of the rest, 8 hex digits> TAB + TAB <id> TAB <links> TAB <item as JSON> LF
//
// The links precede the item, so that links can be followed without decoding items.
//
// The log is written before state.json, which contains its valid length and the cursor. Bytes after the valid length
// are ignored. If a valid part is damaged, the other records stay and the cursor is deleted: the next fetch fetches the
// missing items again.
package items
