package github

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// cursor is what a fetch leaves behind, as JSON.
type cursor struct {
	remote.Head
	// Lists say how far each of the lists was read, in the order of lists().
	Lists [4]remote.State `json:"lists"`
	// Reviews are the pull requests whose reviews are still to be read.
	Reviews remote.Numbers `json:"reviews,omitempty"`
}

// encode makes the cursor of a progress.
func (s *Source) encode(p remote.Progress) (providers.Cursor, error) {
	c := cursor{Head: remote.NewHead(s.place())}
	copy(c.Lists[:], p.States)
	var owed []int
	for _, id := range p.Owed {
		owed = append(owed, numberIn(id))
	}
	c.Reviews = remote.NewNumbers(owed)
	return remote.EncodeCursor(c)
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
	var c cursor
	if err := remote.DecodeCursor(from, s.place(), &c, &c.Head, c.Lists[:]); err != nil {
		return c, fmt.Errorf("github: %w", err)
	}
	for _, l := range c.Lists {
		if l.Hole != nil && !isPage(l.Hole.Token) {
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
