package gitlab_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/gitlab"
	"github.com/gitmem/gitmem/providers/providertest"
)

// token is the token of the tests, which must not appear in output.
const token = "glpat-0123456789abcdefghij"

// sample returns a server with examples of everything.
func sample() *forge {
	f := newForge()
	f.issue(1, "Relays chatter", "ada", object{"description": "Board 7.", "labels": []string{"type::bug"},
		"assignees": []object{user("ben")}})
	at := f.now.Add(72 * time.Hour).Format(stamp)
	f.mergeRequest(1, "Debounce relays", "ben", object{
		"description": "Closes #1 and ABC-7.", "state": "merged", "merged_at": at, "merge_commit_sha": sha("merge"),
		"squash_commit_sha": sha("squash"),
		"reviewers":         []object{user("cleo"), user("project_3_bot_f00")},
	})
	f.issue(2, "Outage of line 4", "cleo", object{"issue_type": "incident", "state": "closed"})
	f.issue(3, "Secret plan", "cleo", object{"confidential": true})
	f.mergeRequest(2, "Draft: try an SSR", "cleo", object{"draft": true})
	f.mergeRequest(3, "docs: wiring", "ada", object{"state": "closed"})
	f.mergeRequest(4, "Bump runner", "renovate-bot", nil)
	f.note("issues", 1, "ben", "It is the snubber.", nil)
	f.note("merge_requests", 1, "ben", "mentioned in issue #1", object{"system": true})
	f.note("merge_requests", 1, "cleo", "Name this constant.",
		object{"type": "DiffNote", "position": object{"new_path": "relay/debounce.go", "new_line": 12}})
	f.note("merge_requests", 1, "dan", "approved this merge request", object{"system": true})
	f.note("merge_requests", 1, "ada", "Between us.", object{"internal": true})
	f.note("merge_requests", 1, "gitlab-bot", "Coverage is 81 %.", nil)
	f.note("issues", 2, "ada", "Power is back.", nil)
	f.byCommit[sha("one")] = []object{find(f.requests, "iid", 1)}
	return f
}

func serve(tb testing.TB, f *forge) string {
	tb.Helper()
	server := httptest.NewServer(f)
	tb.Cleanup(server.Close)
	return server.URL
}

func open(tb testing.TB, base string, change func(*gitlab.Options)) *gitlab.Source {
	tb.Helper()
	tr := &http.Transport{}
	tb.Cleanup(tr.CloseIdleConnections)
	o := gitlab.Options{BaseURL: base, Token: token, Transport: tr, Now: func() time.Time {
		return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	}}
	if change != nil {
		change(&o)
	}
	s, err := gitlab.New("acme/power/relay", o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func fetch(tb testing.TB, s *gitlab.Source, from providers.Cursor) (map[string]providers.Item, providers.Cursor) {
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

// grow adds a merge request with a note, and an issue.
func (f *forge) grow(n int) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mergeRequest(n, "Add a watchdog", "dan", nil)
	f.issue(n, "Watchdog bites too early", "ben", nil)
	return []string{fmt.Sprint("gitlab:mr:", n), fmt.Sprint("gitlab:issue:", n),
		f.note("merge_requests", n, "ada", "Nice.", nil)}
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
				n++
				return f.grow(n)
			},
			Limited: func(requests int) providers.Source {
				return open(t, base, func(o *gitlab.Options) { o.Budget = requests })
			},
		}
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	providertest.RunFaults(t, func(t *testing.T) providertest.FaultFixture {
		f := sample()
		return providertest.FaultFixture{
			Handler: f, Token: token,
			Open: func(t *testing.T, base string) providers.Source { return open(t, base, nil) },
			Grow: func(t *testing.T) []string { return f.grow(30) },
		}
	})
}

func TestItems(t *testing.T) {
	t.Parallel()
	f := sample()
	base := serve(t, f)
	s := open(t, base, nil)
	items, _ := fetch(t, s, providers.Cursor{})
	at := func(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 250e6, time.UTC) }
	for _, want := range []providers.Item{
		{
			ID: "gitlab:issue:1", Kind: "issue", Type: "fix", Title: "Relays chatter", Text: "Board 7.",
			Author: providers.Person{Name: "Ada"},
			Time:   at(1, 10), URL: "https://gitlab.example/acme/power/relay/-/issues/1",
			Also:  []providers.Person{{Name: "Ben"}},
			State: "open",
		},
		{
			ID: "gitlab:mr:1", Kind: "mr", Type: "feature", Title: "Debounce relays", Text: "Closes #1 and ABC-7.",
			Author: providers.Person{Name: "Ben"},
			Time:   at(4, 10), URL: "https://gitlab.example/acme/power/relay/-/merge_requests/1", Refs: []string{"#1", "ABC-7"},
			Also: []providers.Person{{Name: "Cleo"}, {Name: "Dan"}}, State: "merged",
			Links: []providers.Link{
				{Rel: providers.Contains, ID: "git:commit:" + sha("merge")},
				{Rel: providers.Contains, ID: "git:commit:" + sha("squash")},
				{Rel: providers.Contains, ID: "git:commit:" + sha("head of Debounce relays")},
				{Rel: providers.Closes, ID: "gitlab:issue:1"},
			},
		},
	} {
		if diff := cmp.Diff(want, items[want.ID]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.ID, diff)
		}
	}
	for id, want := range map[string][2]string{
		"gitlab:issue:2": {"closed", "incident"}, "gitlab:mr:2": {"draft", "feature"}, "gitlab:mr:3": {"closed", "docs"},
	} {
		if it := items[id]; [2]string{it.State, it.Type} != want {
			t.Errorf("%s = %q %q, want %q", id, it.State, it.Type, want)
		}
	}
	wantSkips := []providers.Skip{
		{Reason: "confidential issues", Items: 1}, {Reason: "internal notes", Items: 1},
		{Reason: "merge requests of bots, without their notes", Items: 1}, {Reason: "notes of GitLab itself", Items: 2},
		{Reason: "notes of bots", Items: 1},
	}
	if diff := cmp.Diff(wantSkips, s.Skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	i := slices.IndexFunc(keys(items), func(id string) bool { return items[id].Text == "Name this constant." })
	note := items[keys(items)[i]]
	if note.Title != "Comment on !1 at relay/debounce.go:12" || note.Links[0].ID != "gitlab:mr:1" ||
		!strings.Contains(note.URL, "/acme/power/relay/-/merge_requests/1#note_") {
		t.Errorf("note on a line = %+v", note)
	}
}

func keys(items map[string]providers.Item) []string {
	var out []string
	for id := range items {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// TestLaterNote adds a note to the thread that changed last, without another change.
func TestLaterNote(t *testing.T) {
	t.Parallel()
	f := sample()
	s := open(t, serve(t, f), nil)
	_, cursor := fetch(t, s, providers.Cursor{})
	f.grow(20)
	_, cursor = fetch(t, s, cursor)
	for _, kind := range []string{"merge_requests", "issues"} {
		f.mu.Lock()
		id := f.note(kind, 20, "ada", "One thing more: the coil hums.", nil)
		f.mu.Unlock()
		var got map[string]providers.Item
		if got, cursor = fetch(t, s, cursor); got[id].ID == "" {
			t.Errorf("a later note of %s did not come: %d items", kind, len(got))
		}
	}
}

func TestByCommit(t *testing.T) {
	t.Parallel()
	s := open(t, serve(t, sample()), nil)
	found, err := s.ByCommit(t.Context(), sha("one"))
	if err != nil || len(found) != 1 || found[0].ID != "gitlab:mr:1" {
		t.Errorf("ByCommit = %v, %v", found, err)
	}
}

// TestPendingConfidentialIssue continues with a thread that became confidential after a fetch postponed its
// notes.
func TestPendingConfidentialIssue(t *testing.T) {
	t.Parallel()
	s := open(t, serve(t, sample()), nil)
	_, done := fetch(t, s, providers.Cursor{})
	left := providers.Cursor{Value: strings.TrimSuffix(done.Value, "}") + `,"owed":{"gitlab:issue:":[3]}}`}
	if items, _ := fetch(t, s, left); len(items) > 0 {
		t.Errorf("a confidential issue came: %v", items)
	}
	left.Value = strings.Replace(left.Value, "[3]", "[2]", 1)
	if items, _ := fetch(t, s, left); items["gitlab:issue:2"].Title != "Outage of line 4" {
		t.Errorf("another one did not come: %v", items)
	}
}

// TestRequests counts the requests of a fetch, and checks that none is repeated where the client would retry
// by default.
func TestRequests(t *testing.T) {
	t.Parallel()
	f := sample()
	f.cap = 100
	s := open(t, serve(t, f), nil)
	_, cursor := fetch(t, s, providers.Cursor{})
	want := []string{"merge_requests", "issues", "merge_requests/3/notes", "merge_requests/2/notes",
		"merge_requests/1/notes", "issues/2/notes", "issues/1/notes"}
	if diff := cmp.Diff(want, f.took()); diff != "" {
		t.Errorf("first fetch, %d requests (-want +got):\n%s", len(want), diff)
	}
	_, cursor = fetch(t, s, cursor) // from now on the requests ask for later changes
	f.took()
	fetch(t, s, cursor)
	if got, want := f.bounds[len(f.bounds)-2], "2026-03-01T21:58:00Z"; got != want {
		t.Errorf("merge requests are asked for since %q, want %q, two minutes before the last change", got, want)
	}
	if diff := cmp.Diff([]string{"304 merge_requests", "304 issues"}, f.took()); diff != "" {
		t.Errorf("nothing new (-want +got):\n%s", diff)
	}
	for _, sent := range f.tokens {
		if sent != "Bearer "+token {
			t.Errorf("a request was authorised by %q", sent)
		}
	}
	broken := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		broken++
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(server.Close)
	_, err := open(t, server.URL, nil).Fetch(t.Context(), providers.Cursor{}, func(providers.Item) error { return nil })
	if !errors.Is(err, providers.ErrUnavailable) || broken != 1 {
		t.Errorf("a broken server was asked %d times: %v", broken, err)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ project, base string }{
		"plain http": {"acme/relay", "http://gitlab.example"},
		"password":   {"acme/relay", "https://ada:secret@gitlab.example"},
		"one name":   {"relay", ""},
		"dots":       {"acme/../relay", ""},
		"query":      {"acme/relay?x", ""},
		"empty":      {"", ""},
	} {
		_, err := gitlab.New(c.project, gitlab.Options{BaseURL: c.base, Token: token, Now: time.Now})
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, base := range []string{"", "https://gitlab.example/", "https://host.example/git/api/v4/"} {
		if _, err := gitlab.New("acme/relay", gitlab.Options{BaseURL: base, Now: time.Now}); err != nil {
			t.Errorf("%q: %v", base, err)
		}
	}
}
