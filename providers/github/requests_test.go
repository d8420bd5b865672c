package github_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/github"
)

// TestRequests counts the requests of a fetch: pages, one request for each pull request, and only conditional
// requests if nothing is new.
func TestRequests(t *testing.T) {
	t.Parallel()
	f := sample()
	f.cap = 100
	s := open(t, serve(t, f), nil)
	_, cursor := fetch(t, s, providers.Cursor{})
	want := []string{"pulls", "issues", "issues/comments", "pulls/comments", "pulls/6/reviews", "pulls/4/reviews",
		"pulls/2/reviews"}
	if diff := cmp.Diff(want, f.took()); diff != "" {
		t.Errorf("first fetch, %d requests (-want +got):\n%s", len(want), diff)
	}
	_, cursor = fetch(t, s, cursor) // from now on the requests ask for later changes
	f.took()
	fetch(t, s, cursor)
	want = []string{"304 pulls", "304 issues", "304 issues/comments", "304 pulls/comments"}
	if diff := cmp.Diff(want, f.took()); diff != "" {
		t.Errorf("nothing new (-want +got):\n%s", diff)
	}
	for _, sent := range f.tokens {
		if sent != "Bearer "+token {
			t.Errorf("a request was authorised by %q", sent)
		}
	}
}

// TestReviewsOwed stops a fetch before the reviews and finds them in the next, with the reviewers in the pull
// request.
func TestReviewsOwed(t *testing.T) {
	t.Parallel()
	f := sample()
	f.cap = 100
	base := serve(t, f)
	var first []providers.Item
	next, err := open(t, base, func(o *github.Options) {
		o.Budget = 6
	}).Fetch(t.Context(), providers.Cursor{}, func(it providers.Item) error {
		first = append(first, it)
		return nil
	})
	if !errors.Is(err, providers.ErrBudget) {
		t.Fatalf("Fetch with 6 requests: %v, want ErrBudget", err)
	}
	f.took()
	rest, _ := fetch(t, open(t, base, nil), providers.Progress(next, err))
	if got, want := f.took()[4:], []string{"pulls/2", "pulls/2/reviews"}; !slices.Equal(got, want) {
		t.Errorf("what was owed cost %v, want %v", got, want)
	}
	if it := rest["github:pr:2"]; len(it.Also) != 1 || it.Also[0].Name != "cleo" {
		t.Errorf("pull request that was owed its reviews: %+v", it)
	}
	if len(rest) != 2 {
		t.Errorf("%d items were owed, want a pull request and a review", len(rest))
	}
}

// TestPartsFailAlone turns off features of a repository.
func TestPartsFailAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		want   error
	}{{http.StatusGone, nil}, {http.StatusForbidden, providers.ErrUnauthorized}} {
		f := sample()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/issues") {
				w.WriteHeader(c.status)
				return
			}
			f.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		f.root = server.URL
		items := map[string]bool{}
		_, err := open(t, server.URL, nil).Fetch(t.Context(), providers.Cursor{}, func(it providers.Item) error {
			items[it.ID] = true
			return nil
		})
		var p *providers.Partial
		if !errors.Is(err, c.want) || (c.want != nil) != errors.As(err, &p) {
			t.Errorf("issues answer %d: %v, want %v", c.status, err, c.want)
		}
		if !items["github:pr:2"] || items["github:issue:1"] {
			t.Errorf("issues answer %d: items are %v", c.status, items)
		}
	}
}

// TestEnterprise reads an API below a path and follows a renamed repository.
func TestEnterprise(t *testing.T) {
	t.Parallel()
	f := sample()
	mux := http.NewServeMux()
	mux.Handle("/api/v3/repositories/7/",
		http.StripPrefix("/api/v3/repositories/7", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.URL.Path = "/repos/acme/relay" + r.URL.Path
			f.ServeHTTP(w, r)
		})))
	mux.HandleFunc("/api/v3/repos/acme/relay/", func(w http.ResponseWriter, r *http.Request) {
		to := strings.Replace(r.URL.RequestURI(), "/repos/acme/relay/", "/repositories/7/", 1)
		http.Redirect(w, r, to, http.StatusMovedPermanently)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	f.root = server.URL
	items, _ := fetch(t, open(t, server.URL+"/api/v3", nil), providers.Cursor{})
	if items["github:pr:2"].Title != "Debounce relays" || len(items) < 10 {
		t.Errorf("%d items, and %+v", len(items), items["github:pr:2"])
	}
}

// TestDeepLists follows cursors where page numbers are not accepted, also across fetches.
func TestDeepLists(t *testing.T) {
	t.Parallel()
	want, _ := fetch(t, open(t, serve(t, sample()), nil), providers.Cursor{})
	f := sample()
	f.deep = true
	base := serve(t, f)
	got := map[string]bool{}
	var from providers.Cursor
	for range 30 {
		next, err := open(t, base, func(o *github.Options) {
			o.Budget = 7
		}).Fetch(t.Context(), from, func(it providers.Item) error {
			got[it.ID] = true
			return nil
		})
		from = providers.Progress(next, err)
		if err == nil {
			break
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d items, want %d", len(got), len(want))
	}
}

// TestShortLimitIsWaitedFor has a server that requests a pause of zero seconds.
func TestShortLimitIsWaitedFor(t *testing.T) {
	t.Parallel()
	f := sample()
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !asked {
			asked = true
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		f.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	f.root = server.URL
	if items, _ := fetch(t, open(t, server.URL, nil), providers.Cursor{}); len(items) < 10 {
		t.Errorf("%d items", len(items))
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ owner, repo, base string }{
		"plain http":     {"acme", "relay", "http://forge.example/api/v3"},
		"password":       {"acme", "relay", "https://ada:secret@forge.example/"},
		"query":          {"acme", "relay", "https://forge.example/?a=b"},
		"no host":        {"acme", "relay", "forge"},
		"path as owner":  {"../x", "relay", ""},
		"dots as name":   {"acme", "..", ""},
		"empty":          {"", "relay", ""},
		"query as name":  {"acme", "relay?x=1", ""},
		"another scheme": {"acme", "relay", "file:///etc/passwd"},
	} {
		_, err := github.New(c.owner, c.repo, github.Options{BaseURL: c.base, Token: token, Now: time.Now})
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, base := range []string{"", "https://forge.example/api/v3", "http://127.0.0.1:1/", "http://[::1]:1/",
		"http://localhost:1"} {
		if _, err := github.New("acme", "relay.js", github.Options{BaseURL: base, Now: time.Now}); err != nil {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// TestCursorsOfOthers checks that cursors of another repository are refused.
func TestCursorsOfOthers(t *testing.T) {
	t.Parallel()
	base := serve(t, sample())
	_, cursor := fetch(t, open(t, base, nil), providers.Cursor{})
	for _, c := range []struct{ old, with string }{
		{"acme/relay", "acme/other"}, {`"v":1`, `"v":2`}, {`"high":`, `"high":-`}, {`"v":1`, `"v":1,"x":1`},
		{`}]`, `}],"owed":{"github:pr:":[2,0]}`}, {`}]`, `}],"owed":{"github:pr:":[-1]}`},
		{`}]`, `}],"owed":{"github:issue:":[1]}`},
	} {
		from := providers.Cursor{Value: strings.Replace(cursor.Value, c.old, c.with, 1)}
		_, err := open(t, base, nil).Fetch(t.Context(), from, func(providers.Item) error { return nil })
		if !errors.Is(err, providers.ErrBadCursor) || from == cursor {
			t.Errorf("%s for %s: %v, want ErrBadCursor", c.with, c.old, err)
		}
	}
}
