package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/providers"
)

// Dial puts sources of a test in the place of clients.
func Dial(m *Memory, dial func(kind, name, token string) (providers.Source, error)) { m.dialer = dial }

// Linked are the links of an item.
func Linked(ctx context.Context, m *Memory, id string) ([]providers.Link, error) {
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	return m.linked(p, id), nil
}

// EnterpriseAPI is where a host has its API.
func EnterpriseAPI(host string) string { return enterpriseAPI(host) }

// Kept is an item as it is kept.
func Kept(m *Memory, it providers.Item) providers.Item { return kept(it, m.redactor, m.clean) }
