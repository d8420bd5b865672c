package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// Get requests a path below the repository or project and decodes the answer into v, with the client of the
// server's library. query is of the library's own type, or nil. The returned page has no entries; if etag is
// set, the page may be NotModified. For a list, v receives the bare entries: if the server wraps them in an
// object, Get unwraps them.
type Get func(ctx context.Context, path string, query any, etag string, v any) (Page, error)

// One reads an item.
func One[T any](ctx context.Context, get Get, path string,
	read func(*T) (providers.Item, bool)) (providers.Item, error) {
	var v T
	if _, err := get(ctx, path, nil, "", &v); err != nil {
		return providers.Item{}, err
	}
	it, ok := read(&v)
	if !ok {
		return providers.Item{}, fmt.Errorf("read %s: it makes no sense: %w", path, providers.ErrMalformed)
	}
	return it, nil
}

// Entries decodes the elements of a page. Invalid ones are counted under the reason lost.
func Entries[T any](elements Elements, t *Tally, lost string, read func(*T) (Entry, bool)) []Entry {
	var out []Entry
	for _, raw := range elements {
		var v T
		if json.Unmarshal(raw, &v) == nil {
			if e, ok := read(&v); ok {
				out = append(out, e)
				continue
			}
		}
		t.Add(lost)
	}
	return out
}

// maxParts limits the pages of one thread's parts: 2,000 parts.
const maxParts = 20

// Parts returns a thread and its parts, each once, with the reviewers added to the thread. query returns the
// query for the page of a token. read returns the item of a part, the reviewers that it names, and whether
// the item counts. tooMany is the reason that is counted if there are more parts than the limit.
func Parts(ctx context.Context, get Get, thread providers.Item, path string, query func(token string) any, t *Tally,
	tooMany string, read func(json.RawMessage) (providers.Item, []providers.Person, bool)) ([]providers.Item, error) {
	seen := map[string]bool{}
	token := ""
	items := []providers.Item{thread}
	for range maxParts {
		var elements Elements
		p, err := get(ctx, path, query(token), "", &elements)
		if err != nil {
			return nil, err
		}
		fresh := len(elements) == 0
		for _, raw := range elements {
			it, reviewers, ok := read(raw)
			if it.ID != "" && seen[it.ID] {
				continue
			}
			seen[it.ID], fresh = true, true
			items[0].Also = AddPeople(items[0].Also, thread.Author, reviewers...)
			if ok {
				items = append(items, it)
			}
		}
		if !fresh {
			return nil, fmt.Errorf("pages of %s repeat themselves: %w", path, providers.ErrMalformed)
		}
		if token = p.Next; token == "" {
			return items, nil
		}
	}
	t.Add(tooMany)
	return items, nil
}

// ByCommit reads the threads that contain a commit. The path has a %s for its id.
func ByCommit[T any](ctx context.Context, c *Client, get Get, path, sha string,
	read func(*T) (providers.Item, bool)) ([]providers.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(LinkCommit(nil, sha)) == 0 {
		return nil, fmt.Errorf("%.80q is not the full id of a commit: %w", sha, providers.ErrNotFound)
	}
	c.Begin()
	var found []*T
	if _, err := get(ctx, fmt.Sprintf(path, strings.ToLower(sha)), nil, "", &found); err != nil {
		return nil, err
	}
	var out []providers.Item
	for _, v := range found {
		if v == nil {
			continue
		}
		if it, ok := read(v); ok {
			it.Links = LinkCommit(it.Links, sha)
			out = append(out, it)
		}
	}
	return out, nil
}
