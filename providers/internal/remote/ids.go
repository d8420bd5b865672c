package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// Key is the id of a thread of a forge or of something in it, taken apart.
type Key struct {
	Kind   string // the beginning of the id
	Number int    // of the thread
	ID     int64  // of what is in the thread, or 0
}

// ParseKey takes an id apart. threads and parts are the beginnings of the ids of
// threads and of what is in them.
func ParseKey(id string, threads, parts []string) (Key, error) {
	for i, kind := range slices.Concat(threads, parts) {
		rest, ok := strings.CutPrefix(id, kind)
		if !ok {
			continue
		}
		thread, part, nested := strings.Cut(rest, ":")
		n, ok := number(thread)
		k := Key{Kind: kind, Number: int(n)}
		if nested && ok {
			k.ID, ok = number(part)
		}
		if ok && nested == (i >= len(threads)) && n <= 1<<31-1 {
			return k, nil
		}
		break
	}
	return Key{}, fmt.Errorf("%.100q: %w", id, providers.ErrNotFound)
}

// number reads a positive number in its only form.
func number(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n > 0 && strconv.FormatInt(n, 10) == s
}

// LinkCommit adds a commit that a thread holds; what is no full id is left out.
func LinkCommit(links []providers.Link, sha string) []providers.Link {
	sha = strings.ToLower(sha)
	if len(sha) != 40 && len(sha) != 64 || strings.Trim(sha, "0123456789abcdef") != "" {
		return links
	}
	return AddLink(links, providers.Link{Rel: providers.Contains, ID: providers.CommitID + sha})
}

// AddLink adds a link that is not there yet.
func AddLink(links []providers.Link, l providers.Link) []providers.Link {
	if slices.Contains(links, l) {
		return links
	}
	return append(links, l)
}

// Resolve reads what an id names, unless that was found to be none of this place; what is
// read must bear it.
func (c *Client) Resolve(ctx context.Context, id string, bad error, read func() (providers.Item, error)) (providers.Item, error) {
	if err := errors.Join(ctx.Err(), bad); err != nil {
		return providers.Item{}, err
	}
	c.Begin()
	it, err := read()
	if err == nil && it.ID != id {
		err = fmt.Errorf("%.100q: %w", id, providers.ErrNotFound)
	}
	if err != nil {
		return providers.Item{}, err
	}
	return it, nil
}
