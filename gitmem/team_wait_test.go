package gitmem_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/providers"
)

// TestFetchWait checks how long a question waits for a forge: as long as its caller specifies, or else the
// configuration, or else less if the forge was asked before.
func TestFetchWait(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, config  string
		said          time.Duration
		first, second time.Duration
	}{
		{"by itself", "", 0, 3 * time.Second, 1500 * time.Millisecond},
		{"configured", "fetch_wait: 4m\n", 0, 4 * time.Minute, 4 * time.Minute},
		{"said", "fetch_wait: 4m\n", 2 * time.Minute, 2 * time.Minute, 2 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, r, f := forged(t, pumpForge()...)
			l.configure(tt.config)
			waited := func(said time.Duration) time.Duration {
				f.asked(l, r.dir, pumpQuestion, func(o *gitmem.Options) { o.FetchWait = said })
				l.now = l.now.Add(24 * time.Hour)
				return f.waits[len(f.waits)-1]
			}
			first := waited(tt.said)
			waited(time.Minute) // so that it was asked before, however busy the machine is
			for got, want := range map[time.Duration]time.Duration{first: tt.first, waited(tt.said): tt.second} {
				if got > want || want > time.Minute && got < want-time.Minute { // remaining time at the start of a fetch
					t.Errorf("a question waits %v, want %v", got, want)
				}
			}
			if len(f.waits) != 3 {
				t.Errorf("%d fetches", len(f.waits))
			}
		})
	}
}

// TestIndexOfASilentForge checks that the indexer gives up a forge that sends nothing for as long as a question waits,
// and reports that; one that keeps sending is fetched completely.
func TestIndexOfASilentForge(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	f.silent = true
	var warned []string
	f.in(l, r.dir, func(o *gitmem.Options) {
		o.FetchWait = 50 * time.Millisecond
		o.Warn = func(s string) { warned = append(warned, s) }
	}, func(m *gitmem.Memory) error {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		_, err := m.Indexes().Update(ctx)
		return errors.Join(err, ctx.Err())
	})
	if !has(warned,
		"Pull requests and issues of github.com/acme/pump could not be fetched: there was no answer in time; answers rest "+
			"on other sources.") {
		t.Errorf("told: %q", warned)
	}
}

// blocking is a source that blocks until its context ends.
type blocking struct{ running atomic.Int32 }

func (b *blocking) Fetch(ctx context.Context, from providers.Cursor,
	_ func(providers.Item) error) (providers.Cursor, error) {
	b.running.Add(1)
	defer b.running.Add(-1)
	<-ctx.Done()
	return from, ctx.Err()
}

// TestCloseEndsFetches checks that a fetch for which a question does not wait, here because it is about another
// project, ends with the question.
func TestCloseEndsFetches(t *testing.T) {
	t.Parallel()
	l, r, _ := forged(t)
	l.note(r.dir, "The pump turns left")
	src := &blocking{}
	o := l.options(r.dir)
	o.FetchWait = 10 * time.Second
	m, err := gitmem.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	gitmem.Dial(m, func(string, string, string) (providers.Source, error) { return src, nil })
	_, err = m.Ask(t.Context(), pumpQuestion, gitmem.Filter{Project: "other"})
	if err := errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	if n := src.running.Load(); n > 0 {
		t.Errorf("%d fetches run on after Close", n)
	}
}
