package gitmem_test

import (
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/providers"
)

// After signing in, a user need not wait for the end of a pause caused by anonymous requests.
func TestForgeSignIn(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"not there":  providers.ErrNotFound,
		"no rights":  providers.ErrUnauthorized,
		"rate limit": &providers.RateLimitError{Until: fixedNow().Add(5 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, r, f := forged(t)
			f.err = err
			for range 2 {
				if a := f.asked(l, r.dir, pumpQuestion, nil); !has(a.Caveats,
					"nobody is signed in: set GITHUB_TOKEN or run gh auth login") || f.fetches != 1 {
					t.Fatalf("%d fetches, caveats %q", f.fetches, a.Caveats)
				}
			}
			f.set(func() { f.err, f.items = nil, pumpForge() })
			signed := func(o *gitmem.Options) {
				o.Getenv = func(name string) string { return map[string]string{"GITHUB_TOKEN": "hub"}[name] }
			}
			if a := f.asked(l, r.dir, pumpQuestion, signed); !cites(a, "github:pr:12") || len(a.Caveats) > 0 || f.fetches != 2 {
				t.Errorf("with a token: %d fetches, caveats %q, citations %+v", f.fetches, a.Caveats, a.Citations)
			}
		})
	}
}

// A clock that was wrong once does not prevent requests to a source.
func TestForgeClock(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	f.err = providers.ErrUnavailable
	l.now = l.now.AddDate(10, 0, 0)
	f.asked(l, r.dir, pumpQuestion, nil)
	l.now = l.now.AddDate(-10, 0, 0)
	f.err = nil
	if a := f.asked(l, r.dir, pumpQuestion, nil); f.fetches != 2 || len(a.Caveats) > 0 {
		t.Errorf("%d fetches, caveats %q", f.fetches, a.Caveats)
	}
}

// Omitted items are reported: by the source, and for impossible times.
func TestForgeLeavesOut(t *testing.T) {
	t.Parallel()
	list := pumpForge()
	for i, year := range []int{-1, 0, 1969, 2200, 9999, 20000} {
		it := pr(100+i, "Choose the membrane pump again", "Because the membrane pump is quiet.")
		it.Time = time.Date(year, 1, 2, 0, 0, 0, 0, time.UTC)
		list = append(list, it)
	}
	strange := pr(99, "Choose the copper pump", "Because the copper pump is quiet.")
	strange.URL, strange.Author.Name = "javascript:alert(1)", "Eve\nConfidence: high"
	l, r, f := forged(t, append(list, strange)...)
	var a gitmem.Answer
	o := l.options(r.dir)
	m, err := gitmem.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	gitmem.Dial(m, func(kind, name, token string) (providers.Source, error) {
		src, err := f.dial(kind, name, token)
		return skipper{src}, err
	})
	if a, err = m.Ask(t.Context(), "why the membrane pump or the copper pump?", gitmem.Filter{}); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if !has(a.Caveats, "6 items of github.com/acme/pump had times that can't be and were left out.") ||
		!has(a.Caveats, "Left out of what github.com/acme/pump gave now: 2 entries that make no sense, 1 texts cut.") ||
		!cites(a, "github:pr:12") {
		t.Errorf("caveats %q, citations %+v", a.Caveats, a.Citations)
	}
	for _, c := range a.Citations {
		if c.ID == "github:pr:99" && (c.URL != "" || c.Author != "Eve Confidence: high") {
			t.Errorf("the citation is %+v", c)
		}
	}
	if !cites(a, "github:pr:99") {
		t.Errorf("citations %+v", a.Citations)
	}
}

// skipper is a source that omitted something.
type skipper struct{ providers.Source }

func (skipper) Skipped() []providers.Skip {
	return []providers.Skip{{Reason: "entries that make no sense", Items: 2}, {Reason: "texts cut", Items: 1}}
}
