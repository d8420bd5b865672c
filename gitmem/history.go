package gitmem

import (
	"context"
	"fmt"
	"time"
)

// Commit is one change of the store. The JSON form is a public contract.
type Commit struct {
	Hash     string    `json:"hash"`
	Time     time.Time `json:"time"`
	Subject  string    `json:"subject"`
	Trailers []string  `json:"trailers"`
	Paths    []string  `json:"paths"`
}

// Log lists the store's changes, newest first, at most limit (0: all).
func (m *Memory) Log(ctx context.Context, limit int) ([]Commit, error) {
	if !m.HasStore() {
		return nil, fmt.Errorf("%s: %w", m.root, ErrNoStore)
	}
	out := []Commit{}
	for c, err := range m.store.Log(ctx, limit, "") {
		if err != nil {
			return out, err
		}
		out = append(out, Commit{c.Hash, c.Time, c.Subject, append([]string{}, c.Trailers...), append([]string{}, c.Paths...)})
	}
	return out, nil
}
