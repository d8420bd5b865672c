package gitmem_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/providers"
)

// forge is an in-process source. Its cursor is the number of items it has delivered.
type forge struct {
	mu      sync.Mutex
	items   []providers.Item
	err     error // after the items
	blocks  bool  // its time is over after the items, without a clock that a busy machine would disturb
	silent  bool  // sends nothing until nobody waits
	partial bool  // errors contain a cursor to continue
	repeats int   // how often each page is sent
	fetches int
	waits   []time.Duration // remaining time of each fetch at its start
	tokens  []string
	names   []string
}

func (f *forge) dial(kind, name, token string) (providers.Source, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tokens, f.names = append(f.tokens, token), append(f.names, kind+" "+name)
	return f, nil
}

func (f *forge) Fetch(ctx context.Context, from providers.Cursor,
	yield func(providers.Item) error) (providers.Cursor, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fetches++
	if end, ok := ctx.Deadline(); ok {
		f.waits = append(f.waits, time.Until(end))
	}
	if err := ctx.Err(); err != nil {
		return from, err
	}
	if f.silent {
		<-ctx.Done()
		return from, ctx.Err()
	}
	begin := 0
	if from.Value != "" {
		var err error
		if begin, err = strconv.Atoi(from.Value); err != nil || begin > len(f.items) {
			return from, providers.ErrDiverged
		}
	}
	for range max(1, f.repeats) {
		for _, it := range f.items[begin:] {
			if err := yield(it); err != nil {
				return from, err
			}
		}
	}
	next := providers.Cursor{Value: strconv.Itoa(len(f.items))}
	err := f.err
	if f.blocks {
		err = context.DeadlineExceeded
	}
	switch {
	case err == nil:
		return next, nil
	case f.partial:
		return from, &providers.Partial{Cursor: next, Err: err}
	}
	return from, err
}

// set changes the forge.
func (f *forge) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func pr(n int, title, text string, links ...providers.Link) providers.Item {
	return providers.Item{
		ID: fmt.Sprintf("github:pr:%d", n), Kind: "pr", Type: "feature", Title: title, Text: text,
		Author: providers.Person{Name: "Grace Example"},
		Time:   time.Date(2024, 5, n%28+1, 10, 0, 0, 0, time.UTC), State: "merged",
		URL: fmt.Sprintf("https://github.com/acme/pump/pull/%d", n), Links: links,
	}
}

func issue(n int, title, text string) providers.Item {
	it := pr(n, title, text)
	it.ID, it.Kind, it.State = fmt.Sprintf("github:issue:%d", n), "issue", "closed"
	return it
}

// forged returns a lab with a repository from a forge.
func forged(t *testing.T, list ...providers.Item) (*lab, *repo, *forge) {
	t.Helper()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin the pump")
	r.git("remote", "add", "origin", "git@github.com:acme/pump.git")
	return l, r, &forge{items: list}
}

// asked asks a question to a lab with a forge, in a separate process.
func (f *forge) asked(l *lab, dir, question string, change func(*gitmem.Options)) (a gitmem.Answer) {
	l.t.Helper()
	f.in(l, dir, change, func(m *gitmem.Memory) (err error) {
		a, err = m.Ask(l.t.Context(), question, gitmem.Filter{})
		return err
	})
	return a
}

func (f *forge) searched(l *lab, dir, query string, filter gitmem.Filter) (r gitmem.Results) {
	l.t.Helper()
	f.in(l, dir, nil, func(m *gitmem.Memory) (err error) {
		r, err = m.Search(l.t.Context(), query, filter)
		return err
	})
	return r
}

func (f *forge) in(l *lab, dir string, change func(*gitmem.Options), do func(*gitmem.Memory) error) {
	l.t.Helper()
	o := l.options(dir)
	o.FetchWait = time.Minute // a busy machine must not look like a slow forge
	if change != nil {
		change(&o)
	}
	m, err := gitmem.Open(o)
	if err != nil {
		l.t.Fatal(err)
	}
	gitmem.Dial(m, f.dial)
	if err := errors.Join(do(m), m.Close()); err != nil {
		l.t.Fatal(err)
	}
}
