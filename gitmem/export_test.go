package gitmem

import (
	"context"
	"net/http"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/providers"
)

// Dial replaces clients by sources of a test.
func Dial(m *Memory, dial func(kind, name, token string) (providers.Source, error)) {
	m.o.Transport = dialer{dial: dial}
}

type dialer struct {
	http.RoundTripper
	dial func(kind, name, token string) (providers.Source, error)
}

func (d dialer) Dial(kind, name, token string) (providers.Source, error) {
	return d.dial(kind, name, token)
}

// Linked returns the links of an item.
func Linked(ctx context.Context, m *Memory, id string) ([]providers.Link, error) {
	return with(m, func(v view) ([]providers.Link, error) {
		p, err := v.ws.Place(ctx)
		if err != nil {
			return nil, err
		}
		return v.src.Linked(p, id), nil
	})
}

// IndexString builds a shard that contains a string as the path of a document.
func IndexString(ctx context.Context, m *Memory, dir, s string) error {
	docs := func(yield func(index.Doc, error) bool) {
		yield(index.Doc{ID: "x:1", Source: "a", Text: "harmless", File: s}, nil)
	}
	plan := func(map[string]index.Mark, index.State) (index.Update, error) {
		return index.Update{Docs: docs}, nil
	}
	return within(m, func(v view) error {
		_, err := index.Open(dir, index.Options{Fingerprint: v.src.Fingerprint()}).Refresh(ctx, plan)
		return err
	})
}

// Attend records that a client runs a session, so that [Sessions.Recover] leaves it alone.
func (s *Sessions) Attend(session string) {
	_ = within(s.m, func(v view) error { v.sessions().Attend(session); return nil }) // a cache
}
