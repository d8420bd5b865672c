package github_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/github"
	"github.com/gitmem/gitmem/providers/providertest"
)

// token is the token of the tests, which must not appear in output.
const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// sample returns a server with examples of everything.
func sample() *forge {
	f := newForge()
	f.issue(1, "Relays chatter at zero crossing", "ada",
		object{"body": "Seen on **board 7**.", "labels": []object{{"name": "kind/bug"}}, "assignees": users("ben")})
	f.pull(2, "Debounce relays", "ben", f.merged("Debounce relays", object{
		"body": "<!-- template -->\r\nFixes #1, see ABC-7.", "requested_reviewers": users("cleo", "codecov[bot]"),
		"assignees": users("ben"),
	}))
	f.issue(3, "Should relays be logged?", "cleo", object{"state": "closed"})
	f.pull(4, "docs: say how relays are wired", "ada", object{"state": "closed", "body": "Fixes other/place#9."})
	f.pull(5, "Bump runner from 1 to 2", "dependabot[bot]", nil)
	f.pull(6, "Try an SSR", "cleo", object{"draft": true})
	f.issue(7, "", "ada", nil)
	f.comment(1, "issues", "ben", "It is the snubber.")
	f.comment(2, "pull", "codecov[bot]", "Coverage is 81 %.")
	f.comment(2, "pull", "ada", "Why 20 ms?")
	first := f.lineComment(2, "cleo", "Name this constant.", "relay/debounce.go", 12, nil)
	f.lineComment(2, "ben", "Done.", "relay/debounce.go", 12, object{"in_reply_to_id": idOf(first)})
	f.review(2, "cleo", "CHANGES_REQUESTED", "The timer leaks.")
	f.review(2, "cleo", "APPROVED", "")
	f.review(4, "dan", "COMMENTED", "Superseded by the wiki.")
	f.byCommit[sha("one")] = []object{find(f.pulls, "number", 2)}
	return f
}

// idOf returns the number at the end of an id.
func idOf(id string) int {
	n := 0
	for _, c := range id[strings.LastIndexByte(id, ':')+1:] {
		n = n*10 + int(c-'0')
	}
	return n
}

// serve serves a handler at a loopback address.
func serve(tb testing.TB, f *forge) string {
	tb.Helper()
	server := httptest.NewServer(f)
	tb.Cleanup(server.Close)
	f.root = server.URL
	return server.URL
}

// open returns a source for a base address.
func open(tb testing.TB, base string, change func(*github.Options)) *github.Source {
	tb.Helper()
	o := github.Options{BaseURL: base, Token: token, Transport: transport(tb), Now: func() time.Time {
		return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	}}
	if change != nil {
		change(&o)
	}
	s, err := github.New("acme", "relay", o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// transport returns a transport whose idle connections end with the test.
func transport(tb testing.TB) *http.Transport {
	tr := &http.Transport{}
	tb.Cleanup(tr.CloseIdleConnections)
	return tr
}

func fetch(tb testing.TB, s *github.Source, from providers.Cursor) (map[string]providers.Item, providers.Cursor) {
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

// TestLaterReview adds a review to the pull request that changed last, without another change.
func TestLaterReview(t *testing.T) {
	t.Parallel()
	f := sample()
	s := open(t, serve(t, f), nil)
	_, cursor := fetch(t, s, providers.Cursor{})
	f.mu.Lock()
	f.pull(20, "Add a watchdog", "dan", nil)
	f.mu.Unlock()
	_, cursor = fetch(t, s, cursor)
	f.mu.Lock()
	id := f.review(20, "ada", "APPROVED", "Good, but name the relay.")
	f.mu.Unlock()
	if got, _ := fetch(t, s, cursor); got[id].ID == "" {
		t.Errorf("a later review did not come: %d items", len(got))
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	providertest.Run(t, func(t *testing.T) providertest.Fixture {
		f := sample()
		base := serve(t, f)
		n := 20
		return providertest.Fixture{
			Source: open(t, base, nil),
			Grow: func(t *testing.T) []string {
				f.mu.Lock()
				defer f.mu.Unlock()
				n += 2
				f.pull(n, "Add a watchdog", "dan", nil)
				f.issue(n+1, "Watchdog bites too early", "ben", nil)
				return []string{
					"github:pr:" + itoa(n), "github:issue:" + itoa(n+1), f.comment(n, "pull", "ada", "Nice."),
					f.lineComment(n, "ben", "Off by one?", "dog.go", 3, nil), f.review(n, "ada", "APPROVED", "Good dog."),
				}
			},
			Limited: func(requests int) providers.Source {
				return open(t, base, func(o *github.Options) { o.Budget = requests })
			},
		}
	})
}

func itoa(n int) string {
	return strings.TrimLeft(string([]rune{rune('0' + n/10), rune('0' + n%10)}), "0")
}

func TestItems(t *testing.T) {
	t.Parallel()
	f := sample()
	s := open(t, serve(t, f), nil)
	items, _ := fetch(t, s, providers.Cursor{})
	at := func(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC) }
	for _, want := range []providers.Item{
		{
			ID: "github:issue:1", Kind: "issue", Type: "fix", Title: "Relays chatter at zero crossing",
			Text:   "Seen on **board 7**.",
			Author: providers.Person{Name: "ada"}, Time: at(1, 10), URL: "https://github.com/acme/relay/issues/1",
			Also: []providers.Person{{Name: "ben"}}, State: "open",
		},
		{
			ID: "github:pr:2", Kind: "pr", Type: "fix", Title: "Debounce relays", Text: "Fixes #1, see ABC-7.",
			Author: providers.Person{Name: "ben"}, Time: at(4, 10), URL: "https://github.com/acme/relay/pull/2",
			Refs: []string{"#1", "ABC-7"}, Also: []providers.Person{{Name: "cleo"}}, State: "merged",
			Links: []providers.Link{
				{Rel: providers.Contains, ID: "git:commit:" + sha("merge of Debounce relays")},
				{Rel: providers.Contains, ID: "git:commit:" + sha("head of Debounce relays")},
				{Rel: providers.Closes, ID: "github:issue:1"},
			},
		},
	} {
		if diff := cmp.Diff(want, items[want.ID]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.ID, diff)
		}
	}
	for id, want := range map[string][3]string{
		"github:issue:3": {"closed", "discussion", "Should relays be logged?"},
		"github:pr:4":    {"closed", "docs", "docs: say how relays are wired"},
		"github:pr:5":    {"open", "chore", "Bump runner from 1 to 2"},
		"github:pr:6":    {"draft", "feature", "Try an SSR"},
		"github:issue:7": {"open", "feature", "Issue #7"},
	} {
		if it := items[id]; [3]string{it.State, it.Type, it.Title} != want {
			t.Errorf("%s = %q %q %q, want %q", id, it.State, it.Type, it.Title, want)
		}
	}
	if links := items["github:pr:4"].Links; len(links) != 1 || links[0].Rel != providers.Contains {
		t.Errorf("links of 4 are %v, want its commit and no issue of another repository", links)
	}
	if got := items["github:pr:4"].Also; len(got) != 1 || got[0].Name != "dan" {
		t.Errorf("the reviewer of 4 is not among %v", got)
	}
	wantSkips := []providers.Skip{
		{Reason: "comments of bots", Items: 1}, {Reason: "pull requests of bots, without their reviews", Items: 1},
		{Reason: "reviews without words", Items: 1},
	}
	if diff := cmp.Diff(wantSkips, s.Skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

func TestThreads(t *testing.T) {
	t.Parallel()
	items, _ := fetch(t, open(t, serve(t, sample()), nil), providers.Cursor{})
	byTitle := map[string]providers.Item{}
	for _, it := range items {
		byTitle[it.Author.Name+": "+it.Title] = it
	}
	reply := byTitle["ben: Comment on #2 at relay/debounce.go:12"]
	for title, want := range map[string][]string{
		"ben: Comment on #1":                          {"It is the snubber.", "part of github:issue:1"},
		"ada: Comment on #2":                          {"Why 20 ms?", "part of github:pr:2"},
		"cleo: Comment on #2 at relay/debounce.go:12": {"Name this constant.", "part of github:pr:2"},
		"cleo: Review of #2: changes requested":       {"The timer leaks.", "part of github:pr:2"},
		"dan: Review of #4":                           {"Superseded by the wiki.", "part of github:pr:4"},
	} {
		it, ok := byTitle[title]
		if !ok || it.Text != want[0] || string(it.Links[0].Rel)+" "+it.Links[0].ID != want[1] || it.Type != "discussion" {
			t.Errorf("%q = %+v, want %q", title, it, want)
		}
	}
	if len(reply.Links) != 2 || items[reply.Links[1].ID].Text != "Name this constant." ||
		!slices.Equal(reply.Paths, []string{"relay/debounce.go"}) {
		t.Errorf("reply = %+v, want its path and a link to what it answers", reply)
	}
}

func TestByCommit(t *testing.T) {
	t.Parallel()
	s := open(t, serve(t, sample()), nil)
	found, err := s.ByCommit(t.Context(), sha("one"))
	if err != nil || len(found) != 1 || found[0].ID != "github:pr:2" {
		t.Errorf("ByCommit = %v, %v", found, err)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	providertest.RunFaults(t, func(t *testing.T) providertest.FaultFixture {
		f := sample()
		return providertest.FaultFixture{
			Handler: f, Token: token,
			SetBaseURL: func(base string) { f.root = base },
			Open:       func(t *testing.T, base string) providers.Source { return open(t, base, nil) },
			Grow: func(t *testing.T) []string {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.pull(30, "Add a watchdog", "dan", nil)
				return []string{"github:pr:30", f.comment(30, "pull", "ada", "Nice.")}
			},
		}
	})
}
