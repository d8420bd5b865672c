package jira_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/jira"
	"github.com/gitmem/gitmem/providers/providertest"
)

// token is the token of the tests, which must not appear in output.
const token = "ATATT0123456789abcdefghij"

// sample returns a site with examples of everything.
func sample(cloud bool) *site {
	s := newSite(cloud)
	s.issue("ABC-1", "Bug", "Relays chatter", "ada", "Seen on board 7, see #12.", object{
		"assignee": user("ben"), "status": object{"name": "Done", "statusCategory": object{"key": "done"}},
		"issuelinks": []object{{"type": object{"name": "Blocks"}, "outwardIssue": object{"key": "ABC-2"}},
			{"inwardIssue": object{"key": "DEF-1"}}},
		"parent": object{"key": "ABC-9"},
	})
	s.issue("ABC-2", "Task", "docs: wiring", "ben", "", nil)
	s.issue("DEF-1", "Story", "Log relays", "cleo", "", nil)
	for n := 3; n < 22; n++ {
		s.issue(fmt.Sprint("ABC-", n), "Task", fmt.Sprint("Chore number ", n), "ada", "", nil)
	}
	s.issue("GHI-1", "Bug", "Of another project", "eve", "", nil)
	s.comment("ABC-1", "ben", "It is the snubber.", nil)
	s.comment("ABC-1", "scanbot", "No findings.", nil)
	s.comment("ABC-1", "ada", "Between us.", object{"visibility": object{"type": "role", "value": "Administrators"}})
	s.comment("ABC-1", "ada", "Not for customers.", object{"jsdPublic": false})
	s.comment("ABC-1", "cleo", "Fixed with a debounce.", object{"jsdPublic": true})
	s.comment("ABC-1", "ada", "Thank you.", nil)
	return s
}

// serve returns the address of a site below a path, as in Data Center.
func serve(tb testing.TB, s *site) string {
	tb.Helper()
	server := httptest.NewServer(s)
	tb.Cleanup(server.Close)
	return server.URL
}

func open(tb testing.TB, base string, cloud bool, change func(*jira.Options)) *jira.Source {
	tb.Helper()
	tr := &http.Transport{}
	tb.Cleanup(tr.CloseIdleConnections)
	o := jira.Options{BaseURL: base + "/jira", Token: token, Transport: tr, Now: clock}
	if cloud {
		o.Email = "ada@example.org"
	}
	if change != nil {
		change(&o)
	}
	s, err := jira.New([]string{"DEF", "ABC"}, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func fetch(tb testing.TB, s *jira.Source, from providers.Cursor) (map[string]providers.Item, providers.Cursor) {
	tb.Helper()
	items := map[string]providers.Item{}
	next, err := s.Fetch(tb.Context(), from, func(it providers.Item) error {
		items[it.ID] = it
		return nil
	})
	if err != nil {
		tb.Fatalf("Fetch: %v", err)
	}
	return items, next
}

// kinds runs a test with both kinds of Jira.
func kinds(t *testing.T, test func(t *testing.T, cloud bool)) {
	for name, cloud := range map[string]bool{"cloud": true, "data center": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, cloud)
		})
	}
}

func (s *site) grow(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issue(fmt.Sprint("ABC-", n), "Bug", "Watchdog bites", "ben", "", nil)
	s.issue(fmt.Sprint("DEF-", n), "Story", "Add a watchdog", "dan", "", nil)
	s.comment("ABC-2", "ada", "Done.", nil)
	return []string{fmt.Sprint("jira:ABC-", n), fmt.Sprint("jira:DEF-", n), "jira:ABC-2"}
}

func TestContract(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, cloud bool) {
		providertest.Run(t, func(t *testing.T) providertest.Fixture {
			s := sample(cloud)
			base := serve(t, s)
			n := 100
			return providertest.Fixture{
				Source: open(t, base, cloud, nil),
				Grow: func(t *testing.T) []string {
					n++
					return s.grow(n)
				},
				Limited: func(requests int) providers.Source {
					return open(t, base, cloud, func(o *jira.Options) { o.Budget = requests })
				},
			}
		})
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, cloud bool) {
		providertest.RunFaults(t, func(t *testing.T) providertest.FaultFixture {
			s := sample(cloud)
			s.cap = 7
			return providertest.FaultFixture{
				Handler: s, Token: token,
				Open: func(t *testing.T, base string) providers.Source { return open(t, base, cloud, nil) },
				Grow: func(t *testing.T) []string { return s.grow(100) },
			}
		})
	})
}

func TestItems(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, cloud bool) {
		f := sample(cloud)
		base := serve(t, f)
		s := open(t, base, cloud, nil)
		items, _ := fetch(t, s, providers.Cursor{})
		want := providers.Item{
			ID: "jira:ABC-1", Kind: "issue", Type: "fix", Title: "Relays chatter",
			Text: "Seen on board 7, see #12.\n\nBen, 2026-03-02:\nIt is the snubber.\n\nCleo, 2026-03-02:\n" +
				"Fixed with a debounce.\n\nAda, 2026-03-02:\nThank you.",
			Author: providers.Person{Name: "Ada"}, Time: time.Date(2026, 3, 1, 10, 0, 0, 250e6, time.UTC), Refs: []string{"#12"},
			URL: base + "/jira/browse/ABC-1", Also: []providers.Person{{Name: "Ben"}}, State: "closed",
			Links: []providers.Link{{Rel: providers.PartOf, ID: "jira:ABC-9"}, {Rel: providers.Mentions, ID: "jira:ABC-2"},
				{Rel: providers.Mentions, ID: "jira:DEF-1"}},
		}
		if diff := cmp.Diff(want, items["jira:ABC-1"]); diff != "" {
			t.Errorf("ABC-1 (-want +got):\n%s", diff)
		}
		if it := items["jira:DEF-1"]; it.Type != "feature" || it.State != "open" || items["jira:ABC-2"].Type != "docs" {
			t.Errorf("DEF-1 = %+v, ABC-2 is %s", it, items["jira:ABC-2"].Type)
		}
		if _, ok := items["jira:GHI-1"]; ok || len(items) != 22 {
			t.Errorf("%d items, GHI-1 %v; want those of two projects", len(items), ok)
		}
		counts := map[string]bool{}
		for _, skip := range s.Skipped() {
			counts[skip.Reason] = skip.Items > 0
		}
		if !counts["comments of bots"] || !counts["comments that only some may read"] {
			t.Errorf("skipped %v", s.Skipped())
		}
	})
}

// TestRequests counts the requests of a fetch, and checks their authorisation.
func TestRequests(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, cloud bool) {
		f := sample(cloud)
		f.cap = 100
		s := open(t, serve(t, f), cloud, nil)
		search, authorization := "search", "Bearer "+token
		if cloud {
			search, authorization = "search/jql", "Basic "+base64.StdEncoding.EncodeToString([]byte("ada@example.org:"+token))
		}
		_, cursor := fetch(t, s, providers.Cursor{})
		if diff := cmp.Diff([]string{search}, f.took()); diff != "" {
			t.Errorf("first fetch (-want +got):\n%s", diff)
		}
		fetch(t, s, cursor)
		if diff := cmp.Diff([]string{search}, f.took()); diff != "" {
			t.Errorf("nothing new (-want +got):\n%s", diff)
		}
		for _, sent := range f.tokens {
			if sent != authorization {
				t.Errorf("a request was authorised by %q, want %q", sent, authorization)
			}
		}
	})
}

// TestClocksDiffer changes an issue soon after another, with Jira's clock ahead.
func TestClocksDiffer(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, cloud bool) {
		f := sample(cloud)
		s := open(t, serve(t, f), cloud, func(o *jira.Options) {
			o.Now = func() time.Time { return clock().Add(-4 * time.Minute) }
		})
		_, cursor := fetch(t, s, providers.Cursor{})
		f.now = f.now.Add(-59 * time.Minute)
		f.issue("DEF-2", "Bug", "Soon after", "ada", "", nil)
		if items, _ := fetch(t, s, cursor); len(items) != 1 {
			t.Errorf("found %v, want what changed a minute later", items)
		}
	})
}

func TestUnknownProject(t *testing.T) {
	t.Parallel()
	s, err := jira.New([]string{"XYZ"}, jira.Options{BaseURL: serve(t, sample(true)) + "/jira", Email: "a@b",
		Token: token, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Fetch(t.Context(), providers.Cursor{}, func(providers.Item) error { return nil })
	if !errors.Is(err, providers.ErrNotFound) || !strings.Contains(err.Error(), "does not exist for the field") {
		t.Errorf("Fetch of an unknown project: %v, want ErrNotFound and Jira's words", err)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		projects []string
		base     string
	}{
		"plain http":  {[]string{"ABC"}, "http://jira.example"},
		"password":    {[]string{"ABC"}, "https://ada:secret@jira.example"},
		"no project":  {nil, "https://jira.example"},
		"query":       {[]string{`ABC") OR project in ("X`}, "https://jira.example"},
		"small":       {[]string{"abc"}, "https://jira.example"},
		"digit first": {[]string{"1AB"}, "https://jira.example"},
		"no address":  {[]string{"ABC"}, ""},
	} {
		_, err := jira.New(c.projects, jira.Options{BaseURL: c.base, Token: token, Now: clock})
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
