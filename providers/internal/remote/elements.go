package remote

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gitmem/gitmem/providers"
)

// maxElements is how many elements a page of a list may have. Places give 100.
const maxElements = 1000

// Elements are those of a page of a list, each still as JSON, so that one that
// makes no sense costs only itself. A list that is far longer than any page is
// refused before it fills the memory.
type Elements []json.RawMessage

// UnmarshalJSON reads a list.
func (e *Elements) UnmarshalJSON(b []byte) error {
	*e = nil
	if string(b) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return fmt.Errorf("a list is expected: %w", providers.ErrMalformed)
	}
	*e = Elements{}
	for d.More() {
		if len(*e) == maxElements {
			*e = nil
			return fmt.Errorf("page has more than %d entries: %w", maxElements, providers.ErrMalformed)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		*e = append(*e, raw)
	}
	return nil
}
