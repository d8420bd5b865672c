package remote

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// cursorVersion changes when older cursors can no longer be read.
const cursorVersion = 1

// cursor is the state of a source between fetches, as JSON.
type cursor struct {
	Version int `json:"v"`
	// Place identifies the repository or project and its API.
	Place string `json:"place"`
	// Lists are the states of the lists.
	Lists []State `json:"lists"`
	// Owed are the numbers of threads that were yielded before their own request was made, by the prefixes of
	// their ids, the highest first.
	Owed map[string][]int `json:"owed,omitempty"`
}

// cursorOf decodes a cursor of this source; the zero cursor is the start.
func (r *Run) cursorOf(from providers.Cursor) (c cursor, err error) {
	if from == (providers.Cursor{}) {
		return cursor{Version: cursorVersion, Place: r.Place, Lists: make([]State, len(r.Lists))}, nil
	}
	d := json.NewDecoder(strings.NewReader(from.Value))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("%w: %w", providers.ErrBadCursor, err)
	}
	damaged := len(c.Lists) != len(r.Lists) || slices.ContainsFunc(c.Lists, func(s State) bool { return !s.Valid() })
	for thread, numbers := range c.Owed {
		damaged = damaged || !slices.Contains(r.Threads, thread) || slices.ContainsFunc(numbers, func(n int) bool {
			return n <= 0
		})
	}
	switch {
	case c.Version != cursorVersion || d.More():
		err = fmt.Errorf("%w: it is of another version", providers.ErrBadCursor)
	case c.Place != r.Place:
		err = fmt.Errorf("%w: it belongs to %.200q", providers.ErrBadCursor, c.Place)
	case damaged:
		err = fmt.Errorf("%w: it is damaged", providers.ErrBadCursor)
	}
	return c, err
}

// encode writes a cursor.
func (c cursor) encode() (providers.Cursor, error) {
	b, err := json.Marshal(c)
	return providers.Cursor{Value: string(b)}, err
}

// SplitID splits an id before the number of its thread.
func SplitID(id string) (thread string, number int) {
	at := len(strings.TrimRight(id, "0123456789"))
	number, _ = strconv.Atoi(id[at:]) // 0 if there is no number
	return id[:at], number
}

// newer compares ids of threads: by kind in the order of Threads, then from the highest number to the lowest.
func (r *Run) newer(a, b string) int {
	p, n := SplitID(a)
	q, m := SplitID(b)
	return cmp.Or(slices.Index(r.Threads, p)-slices.Index(r.Threads, q), m-n)
}
