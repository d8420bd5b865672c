package remote

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gitmem/gitmem/providers"
)

// maxElements is how many elements a page of a list may have. Servers send up to 100.
const maxElements = 1000

// Elements are the elements of a page, each still JSON, so that an invalid one only costs itself. A list that
// is far longer than any page is refused before it fills the memory.
type Elements []json.RawMessage

// UnmarshalJSON reads a list.
func (e *Elements) UnmarshalJSON(b []byte) error {
	*e = nil
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != nil && t != json.Delim('[') { // null is an empty list
		return fmt.Errorf("a list is expected: %w", providers.ErrMalformed)
	}
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if *e = append(*e, raw); len(*e) > maxElements {
			*e = nil
			return fmt.Errorf("page has more than %d entries: %w", maxElements, providers.ErrMalformed)
		}
	}
	return nil
}
