package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// Get reads one answer into v. With an etag it may tell instead that nothing has
// changed since. The path is relative to the root of the API.
func (c *Client) Get(ctx context.Context, path string, query url.Values, etag string, v any) (head http.Header, same bool, err error) {
	u, err := c.base.Parse(path)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", c.o.Name, err)
	}
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", c.o.Name, err)
	}
	req.Header.Set("Accept", "application/json")
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	resp, err := c.HTTP().Do(req)
	if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", path, c.Plain(ctx, err))
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusNotModified:
		return resp.Header, true, nil
	case http.StatusAccepted:
		return nil, false, fmt.Errorf("read %s: %s: answer is not ready yet: %w", path, c.o.Name, providers.ErrUnavailable)
	case http.StatusOK:
	default:
		return nil, false, fmt.Errorf("read %s: %s: status %d: %w", path, c.o.Name, resp.StatusCode, providers.ErrMalformed)
	}
	var body json.RawMessage
	err = json.NewDecoder(resp.Body).Decode(&body)
	if err == nil && string(body) == "null" {
		err = fmt.Errorf("%s: empty answer: %w", c.o.Name, providers.ErrMalformed)
	}
	if err == nil {
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", path, c.Plain(ctx, err))
	}
	return resp.Header, false, nil
}

// Page reads a page of a list. What leads to the next one is a part of its query.
func (c *Client) Page(ctx context.Context, path string, query url.Values, etag string) (elements Elements, p Page, err error) {
	head, same, err := c.Get(ctx, path, query, etag, &elements)
	if err != nil || same {
		return nil, Page{Same: same}, err
	}
	return elements, Page{ETag: head.Get("Etag"), Next: next(head)}, nil
}

// next finds the next page in the header that GitLab has for it, or among the links.
func next(head http.Header) string {
	if n := head.Get("X-Next-Page"); n != "" {
		return url.Values{"page": {n}}.Encode()
	}
	link := regexp.MustCompile(`<([^<>]*)>;[^<]*\brel="next"`).FindStringSubmatch(strings.Join(head.Values("Link"), ","))
	if link == nil {
		return ""
	}
	u, err := url.Parse(link[1])
	if err != nil {
		return ""
	}
	q := u.Query()
	maps.DeleteFunc(q, func(key string, _ []string) bool { return key != "page" && key != "after" })
	return q.Encode()
}

// Pages reads the pages of one list, at most so many, and tells whether these were all.
// visit takes an entry and tells whether it came before.
func (c *Client) Pages(ctx context.Context, path string, query url.Values, most int, visit func(json.RawMessage) bool) (all bool, err error) {
	query = maps.Clone(query)
	for range most {
		elements, p, err := c.Page(ctx, path, query, "")
		if err != nil {
			return false, err
		}
		fresh := len(elements) == 0
		for _, raw := range elements {
			fresh = !visit(raw) || fresh
		}
		if !fresh {
			return false, fmt.Errorf("%s: the pages of %s repeat themselves: %w", c.o.Name, path, providers.ErrMalformed)
		}
		if p.Next == "" {
			return true, nil
		}
		after, err := url.ParseQuery(p.Next)
		if err != nil {
			return false, fmt.Errorf("%s: %w: %w", c.o.Name, providers.ErrMalformed, err)
		}
		maps.Copy(query, after)
	}
	return false, nil
}

// One reads an item.
func One[T any](ctx context.Context, c *Client, path string, read func(*T) (providers.Item, bool)) (providers.Item, error) {
	var v T
	if _, _, err := c.Get(ctx, path, nil, "", &v); err != nil {
		return providers.Item{}, err
	}
	it, ok := read(&v)
	if !ok {
		return providers.Item{}, fmt.Errorf("read %s: %s: it makes no sense: %w", path, c.o.Name, providers.ErrMalformed)
	}
	return it, nil
}

// Each reads one page of a list. Where it can't be read, that is counted as lost.
func Each[T any](ctx context.Context, c *Client, path string, query url.Values, t *Tally, lost string, visit func(*T)) {
	var list []*T
	if _, _, err := c.Get(ctx, path, query, "", &list); err != nil {
		t.Add(lost, 1)
		return
	}
	for _, v := range list {
		if v != nil {
			visit(v)
		}
	}
}

// ByCommit reads the items that hold a commit, of a list whose path the commit's id
// divides.
func ByCommit[T any](ctx context.Context, c *Client, before, sha, behind string, read func(*T) (providers.Item, bool)) ([]providers.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(LinkCommit(nil, sha)) == 0 {
		return nil, fmt.Errorf("%.80q is not the full id of a commit: %w", sha, providers.ErrNotFound)
	}
	c.Begin()
	var found []*T
	if _, _, err := c.Get(ctx, before+strings.ToLower(sha)+behind, nil, "", &found); err != nil {
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

// Head begins a cursor.
type Head struct {
	Version int `json:"v"`
	// Place is what was read, with its API.
	Place string `json:"place"`
}

// cursorVersion changes when older cursors can no longer be understood.
const cursorVersion = 1

// Head begins the cursors of a place.
func (c *Client) Head(place string) Head { return Head{cursorVersion, place} }

// Encode makes a cursor.
func (c *Client) Encode(cursor any) (providers.Cursor, error) {
	b, err := json.Marshal(cursor)
	if err != nil {
		return providers.Cursor{}, fmt.Errorf("%s: cursor: %w", c.o.Name, err)
	}
	return providers.Cursor{Value: string(b)}, nil
}

// Decode reads a cursor of a place into one that has the head and the lists. The error
// wraps [providers.ErrBadCursor].
func (c *Client) Decode(from providers.Cursor, place string, cursor any, head *Head, lists func() []State) error {
	d := json.NewDecoder(strings.NewReader(from.Value))
	d.DisallowUnknownFields()
	if err := d.Decode(cursor); err != nil {
		return fmt.Errorf("%s: %w: %w", c.o.Name, providers.ErrBadCursor, err)
	}
	if head.Version != cursorVersion || d.More() {
		return fmt.Errorf("%s: %w: it is of another version", c.o.Name, providers.ErrBadCursor)
	}
	if head.Place != place {
		return fmt.Errorf("%s: %w: it belongs to %.200q", c.o.Name, providers.ErrBadCursor, head.Place)
	}
	if slices.ContainsFunc(lists(), func(l State) bool { return !l.Valid() }) {
		return fmt.Errorf("%s: %w: it is damaged", c.o.Name, providers.ErrBadCursor)
	}
	return nil
}
