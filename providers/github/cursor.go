package github

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
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
	Reviews numbers `json:"reviews,omitempty"`
}

// numbers are positive, sorted from the largest to the smallest, without
// doubles. As text they are the distances between neighbours in base 36, which
// takes two bytes a number.
type numbers []int

// MarshalText writes the distances.
func (ns numbers) MarshalText() ([]byte, error) {
	var b strings.Builder
	for i, n := range ns {
		if i > 0 {
			b.WriteByte('.')
			n = ns[i-1] - n
		}
		b.WriteString(strconv.FormatInt(int64(n), 36))
	}
	return []byte(b.String()), nil
}

// UnmarshalText refuses what MarshalText does not write.
func (ns *numbers) UnmarshalText(text []byte) error {
	*ns = nil
	if len(text) == 0 {
		return nil
	}
	last := int64(0)
	for i, part := range strings.Split(string(text), ".") {
		d, err := strconv.ParseInt(part, 36, 32)
		if i > 0 {
			d = last - d
		}
		if err != nil || d <= 0 || i > 0 && d >= last {
			return fmt.Errorf("%.20q is no distance of numbers", part)
		}
		last = d
		*ns = append(*ns, int(d))
	}
	return nil
}

// sortNumbers brings numbers into their order.
func sortNumbers(ns []int) numbers {
	slices.SortFunc(ns, func(a, b int) int { return b - a })
	return slices.Compact(ns)
}

// encode returns the cursor for the contract.
func (c cursor) encode() (providers.Cursor, error) {
	b, err := json.Marshal(c)
	return providers.Cursor{Value: string(b)}, err
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
