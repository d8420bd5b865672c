package github

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// cursorVersion changes when older cursors can no longer be understood.
const cursorVersion = 1

// cursor is what a fetch leaves behind, as JSON.
type cursor struct {
	Version int `json:"v"`
	// Place is the repository with its API.
	Place string `json:"place"`
	// Lists say how far each of the lists was read, in the order of lists().
	Lists [4]remote.State `json:"lists"`
	// Reviews are the pull requests whose reviews are still to be read.
	Reviews remote.Numbers `json:"reviews,omitempty"`
}

// encode makes the cursor of a progress.
func (s *Source) encode(p remote.Progress) (providers.Cursor, error) {
	c := cursor{Version: cursorVersion, Place: s.place()}
	copy(c.Lists[:], p.States)
	var owed []int
	for _, id := range p.Owed {
		owed = append(owed, numberIn(id))
	}
	c.Reviews = remote.NewNumbers(owed)
	b, err := json.Marshal(c)
	if err != nil {
		return providers.Cursor{}, fmt.Errorf("github: cursor: %w", err)
	}
	return providers.Cursor{Value: string(b)}, nil
}

// progress is what a cursor says.
func (c cursor) progress() remote.Progress {
	p := remote.Progress{States: c.Lists[:]}
	for _, n := range c.Reviews {
		p.Owed = append(p.Owed, prID+strconv.Itoa(n))
	}
	return p
}

// parseCursor reads a cursor of this repository; the zero cursor is its start.
func (s *Source) parseCursor(from providers.Cursor) (cursor, error) {
	c := cursor{Version: cursorVersion, Place: s.place()}
	if from == (providers.Cursor{}) {
		return c, nil
	}
	c.Version, c.Place = 0, ""
	d := json.NewDecoder(strings.NewReader(from.Value))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("github: %w: %w", providers.ErrBadCursor, err)
	}
	if c.Version != cursorVersion || d.More() {
		return c, fmt.Errorf("github: %w: it is of another version", providers.ErrBadCursor)
	}
	if c.Place != s.place() {
		return c, fmt.Errorf("github: %w: it belongs to %.200q", providers.ErrBadCursor, c.Place)
	}
	for _, l := range c.Lists {
		if !l.Valid() || l.Hole != nil && !isPage(l.Hole.Token) {
			return c, fmt.Errorf("github: %w: it is damaged", providers.ErrBadCursor)
		}
	}
	return c, nil
}

// isPage reports whether a token names a page and nothing else.
func isPage(token string) bool {
	q, err := url.ParseQuery(token)
	for key := range q {
		if key != "page" && key != "after" {
			return false
		}
	}
	return err == nil
}
