package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// TestElements refuses lists that are longer than a page before they fill the memory.
func TestElements(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		`[]`: 0, `[1, null, {"a": []}]`: 3, `null`: 0, `{"a": 1}`: -1, `"x"`: -1,
		"[" + strings.Repeat("1,", 999) + "1]":       1000,
		"[" + strings.Repeat("1,", 1_000_000) + "1]": -1,
	} {
		var e remote.Elements
		err := json.Unmarshal([]byte(in), &e)
		if got := len(e); err == nil && got != want || (err != nil) != (want < 0) || err != nil &&
			(!errors.Is(err, providers.ErrMalformed) || got > 0) {
			t.Errorf("%.20s: %d elements, %v; want %d", in, got, err, want)
		}
	}
}

// TestNoHalfSecret truncates a text within a secret: its first half would not be recognised as one.
func TestNoHalfSecret(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("A1b2C3d4E5f6", 3)
	for before := range 60 {
		var tally remote.Tally
		body := strings.Repeat("a ", 32<<10-len(secret)) + strings.Repeat("b ", before/2) + strings.Repeat(" ", before%2) +
			"x " + secret + strings.Repeat(" tail", 99)
		if text := tally.Text(body); strings.Contains(text, "ghp_") && !strings.Contains(text, secret) {
			t.Errorf("%d: the text ends with %q", before, text[len(text)-30:])
		}
		p := &place{answers: []answer{{status: http.StatusTeapot, body: `{"message":"` + strings.Repeat("b", 110+before) +
			" " + secret + `"}`}}}
		c, err := remote.NewClient(remote.Options{Name: "forge", BaseURL: "https://forge.example", Transport: p,
			Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.HTTP().Get("https://forge.example/x"); strings.Contains(err.Error(), "ghp_") &&
			!strings.Contains(err.Error(), secret) {
			t.Errorf("%d: %v", before, err)
		}
	}
}

// TestSecretBehindColours separates terminal escape sequences from a secret, which would otherwise not be
// recognised as one.
func TestSecretBehindColours(t *testing.T) {
	t.Parallel()
	p := &place{answers: []answer{{status: http.StatusTeapot, body: `{"message":"a\u001b[31mAKIA\u001b[0m"}`}}}
	c, err := remote.NewClient(remote.Options{Name: "forge", BaseURL: "https://forge.example", Transport: p,
		Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.HTTP().Get("https://forge.example/x"); !strings.HasSuffix(err.Error(), "a AKIA") {
		t.Errorf("%v", err)
	}
}

// TestWalkClocks has changes in the years 9999 and 0: they must not hide others.
func TestWalkClocks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	changed := []time.Time{
		time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), now.Add(-time.Hour), now.Add(-2 * time.Hour),
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	var state remote.State
	for round, want := range []string{"0123", "0", "045"} {
		w := remote.NewWalk(state)
		w.Now = now
		w.List = func(context.Context, remote.Position) (p remote.Page, _ error) {
			for i, at := range changed {
				p.Entries = append(p.Entries, remote.Entry{Key: strconv.Itoa(i), Updated: at,
					Item: providers.Item{ID: strconv.Itoa(i)}})
			}
			return p, nil
		}
		got := ""
		w.Yield = func(e remote.Entry) error { got += e.Key; return nil }
		for !w.Done() {
			if err := w.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if state = w.State(); !state.Valid() {
			t.Errorf("round %d: state %+v is not valid", round, state)
		}
		// Changes in the future may be yielded again; nothing else is, and nothing is missing.
		if strings.TrimPrefix(got, "0") != strings.TrimPrefix(want, "0") {
			t.Errorf("round %d gave %q, want %q", round, got, want)
		}
		if now = now.Add(time.Hour); round == 1 {
			changed = append(changed, now.Add(-10*time.Minute), now.Add(-20*time.Minute))
		}
	}
}

// TestAllTurnedOff reads a server with all features turned off: that is reported.
func TestAllTurnedOff(t *testing.T) {
	t.Parallel()
	gone := errors.Join(providers.ErrNotFound, remote.ErrGone)
	for off, want := range map[int]error{1: nil, 2: remote.ErrGone} {
		wire, err := remote.NewClient(remote.Options{Name: "place", BaseURL: "https://example.org", Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		r := remote.Run{Client: wire, Yield: func(providers.Item) error { return nil }}
		for i := range 2 {
			r.Lists = append(r.Lists, func(context.Context, remote.Position) (remote.Page, error) {
				if i < off {
					return remote.Page{}, gone
				}
				return remote.Page{}, nil
			})
		}
		if _, err := r.Fetch(t.Context(), providers.Cursor{}); !errors.Is(err, want) {
			t.Errorf("%d of 2 are turned off: %v", off, err)
		}
	}
}
