package items

import (
	"bytes"

	"github.com/gitmem/gitmem/providers"
)

// Broken returns the cache on a disk that fails to sync.
func Broken(c *Cache, err error) *Cache {
	return &Cache{dir: c.dir, broken: err}
}

// Scan returns the records of a log and the number of bad lines.
func Scan(log []byte) (records []Record, bad int) {
	_ = scan(bytes.NewReader(log), 0, func(r Record, err error) bool {
		if err != nil {
			bad++
		} else {
			records = append(records, r)
		}
		return true
	})
	return records, bad
}

// Line returns the record of an item.
func Line(it providers.Item) ([]byte, error) { return appendItem(nil, it) }

// ParseState parses a state.json.
func ParseState(b []byte) State { return parseState(b) }
