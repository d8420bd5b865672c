package remote

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// cursorVersion changes when older cursors can no longer be understood.
const cursorVersion = 1

// Head begins the JSON of every cursor.
type Head struct {
	Version int `json:"v"`
	// Place is what was read, with its API.
	Place string `json:"place"`
}

// NewHead begins the cursors of a place.
func NewHead(place string) Head { return Head{cursorVersion, place} }

// EncodeCursor writes a cursor.
func EncodeCursor(cursor any) (providers.Cursor, error) {
	b, err := json.Marshal(cursor)
	if err != nil {
		return providers.Cursor{}, fmt.Errorf("cursor: %w", err)
	}
	return providers.Cursor{Value: string(b)}, nil
}

// DecodeCursor reads a cursor of a place into one with this head and these lists; the
// zero cursor leaves it as it is. Errors wrap [providers.ErrBadCursor].
func DecodeCursor(from providers.Cursor, place string, cursor any, head *Head, lists []State) error {
	if from == (providers.Cursor{}) {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(from.Value))
	d.DisallowUnknownFields()
	if err := d.Decode(cursor); err != nil {
		return fmt.Errorf("%w: %w", providers.ErrBadCursor, err)
	}
	switch {
	case head.Version != cursorVersion || d.More():
		return fmt.Errorf("%w: it is of another version", providers.ErrBadCursor)
	case head.Place != place:
		return fmt.Errorf("%w: it belongs to %.200q", providers.ErrBadCursor, head.Place)
	case slices.ContainsFunc(lists, func(s State) bool { return !s.Valid() }):
		return fmt.Errorf("%w: it is damaged", providers.ErrBadCursor)
	}
	return nil
}
