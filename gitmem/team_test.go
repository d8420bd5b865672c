package gitmem_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/providers"
)

const pumpQuestion = "why did we choose the membrane pump?"

func pumpForge() []providers.Item {
	return []providers.Item{
		pr(12, "Choose the membrane pump", "We chose the membrane pump because the gear pump leaked at 4 bar.",
			providers.Link{Rel: providers.Closes, ID: "github:issue:3"}),
		issue(3, "The gear pump leaks", "At 4 bar it leaks."),
	}
}

func has(list []string, part string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, part) })
}

func cites(a gitmem.Answer, id string) bool {
	return slices.ContainsFunc(a.Citations, func(c gitmem.Citation) bool { return c.ID == id })
}

func TestAskForge(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	a := f.asked(l, r.dir, pumpQuestion, nil)
	if !cites(a, "github:pr:12") || len(a.Caveats) > 0 {
		t.Fatalf("citations %+v, caveats %q", a.Citations, a.Caveats)
	}
	c := a.Citations[slices.IndexFunc(a.Citations, func(c gitmem.Citation) bool { return c.ID == "github:pr:12" })]
	if c.Trust != "untrusted" || c.URL != "https://github.com/acme/pump/pull/12" || c.Source != "github" ||
		c.Layer != "team" || c.Author != "Grace Example" || c.Status != "holds" {
		t.Errorf("the citation is %+v", c)
	}
	want := []gitmem.Searched{
		{Layer: "team", Source: "commits", Items: 1, Newest: "2024-01-01", Oldest: "2024-01-01"},
		{Layer: "team", Source: "pull requests", Items: 1, Newest: "2024-05-13", Oldest: "2024-05-13"},
		{Layer: "team", Source: "issues", Items: 1, Newest: "2024-05-04", Oldest: "2024-05-04"},
	}
	if diff := cmp.Diff(want, a.Searched); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"github github.com/acme/pump"}, f.names); diff != "" {
		t.Error(diff)
	}
	f.in(l, r.dir, nil, func(m *gitmem.Memory) error {
		src, err := m.Shown(t.Context(), "github:pr:12", gitmem.ShowOptions{})
		if err != nil {
			return err
		}
		if src.State != "merged" || !strings.HasPrefix(src.Text, "Choose the membrane pump\n\nWe chose") ||
			len(src.Links) != 1 {
			t.Errorf("shown: %+v", src)
		}
		if _, err := m.Shown(t.Context(), "github:pr:99", gitmem.ShowOptions{}); !errors.Is(err, gitmem.ErrNotFound) {
			t.Errorf("a pull request that was not fetched: %v", err)
		}
		return nil
	})
}

// Items newer than an hour are not fetched again, older ones from the cursor.
func TestForgeFreshness(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	f.asked(l, r.dir, pumpQuestion, nil)
	l.now = l.now.Add(50 * time.Minute)
	f.asked(l, r.dir, pumpQuestion, nil)
	if f.fetches != 1 {
		t.Errorf("%d fetches within an hour", f.fetches)
	}
	f.set(func() { f.items = append(f.items, pr(13, "Choose the brass valve", "The brass valve does not rust.")) })
	l.now = l.now.Add(time.Hour)
	if a := f.asked(l, r.dir, "why the brass valve?", nil); !cites(a, "github:pr:13") || f.fetches != 2 {
		t.Errorf("%d fetches; %+v", f.fetches, a.Citations)
	}
	if a := f.asked(l, r.dir, pumpQuestion, nil); !cites(a, "github:pr:12") {
		t.Error("what was fetched first is gone")
	}
	f.set(func() { // a state and a text that change
		it := pr(13, "Choose the brass valve", "The brass valve does not rust, and it rings like a glockenspiel.")
		f.items = append(f.items, it)
	})
	l.now = l.now.Add(2 * time.Hour)
	if res := f.searched(l, r.dir, "glockenspiel", gitmem.Filter{}); len(res.Hits) != 1 ||
		res.Hits[0].ID != "github:pr:13" {
		t.Errorf("a text that changed: %+v", res.Hits)
	}
	if res := f.searched(l, r.dir, "brass", gitmem.Filter{}); len(res.Hits) != 1 {
		t.Errorf("the item is there %d times", len(res.Hits))
	}
}

// Every failure of a forge only costs its own results and is reported.
func TestForgeTroubles(t *testing.T) {
	t.Parallel()
	limit := &providers.RateLimitError{Until: fixedNow().Add(150 * time.Minute)}
	for name, tt := range map[string]struct {
		change  func(*forge)
		caveat  string
		cites   bool // the pull request
		again   int  // fetches after a second question at once
		resumes bool // an hour later it continues from its cursor
	}{
		"rate limit": {func(f *forge) {
			f.err = fmt.Errorf("x: %w", limit)
		}, "could not be fetched: rate limit until 14:30 (nobody is signed in: set GITHUB_TOKEN or run gh auth login); " +
			"answers rest on the 2 items that were.", true, 1, false},
		"limit on a way": {func(f *forge) { f.err, f.partial = limit, true }, "rate limit until 14:30", true, 1, false},
		"not there": {func(f *forge) {
			f.items, f.err = nil, providers.ErrNotFound
		}, "github.com/acme/pump could not be fetched: there is none, or none to be seen", false, 1, false},
		"no rights": {func(f *forge) {
			f.err = providers.ErrUnauthorized
		}, "the credentials are missing, refused or not enough", true, 1, false},
		"broken": {func(f *forge) {
			f.items, f.err = nil, fmt.Errorf("status\n500: %w", providers.ErrUnavailable)
		}, "status 500", false, 1, false},
		"slow": {func(f *forge) { f.blocks = true }, "only 2 items were fetched so far", true, 1, true},
		"slow, resumes": {func(f *forge) {
			f.blocks, f.partial = true, true
		}, "only 2 items were fetched so far", true, 1, true},
		"slow and empty": {func(f *forge) {
			f.items, f.blocks = nil, true
		}, "could not be fetched: there was no answer in time; answers rest on other sources.", false, 1, false},
		"pages twice": {func(f *forge) { f.repeats = 3 }, "", true, 1, true},
		"no more budget": {func(f *forge) {
			f.err, f.partial = providers.ErrBudget, true
		}, "a little each hour as long as there is no token", true, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, r, f := forged(t, pumpForge()...)
			tt.change(f)
			for range 2 {
				a := f.asked(l, r.dir, pumpQuestion, nil)
				if cites(a, "github:pr:12") != tt.cites || tt.caveat != "" && !has(a.Caveats, tt.caveat) || tt.caveat == "" &&
					len(a.Caveats) > 0 {
					t.Errorf("cited: %v, caveats %q; want %q", cites(a, "github:pr:12"), a.Caveats, tt.caveat)
				}
				if a.Searched[0].Source != "commits" {
					t.Errorf("searched %+v", a.Searched)
				}
			}
			if f.fetches != tt.again {
				t.Errorf("two questions fetched %d times", f.fetches)
			}
			f.set(func() {
				f.err, f.blocks = nil, false
				f.items = append(f.items, pr(14, "Choose the tin lid", "We chose the tin lid because it is light."))
			})
			l.now = l.now.Add(4 * time.Hour)
			if a := f.asked(l, r.dir, "why the tin lid?", nil); !cites(a, "github:pr:14") || len(a.Caveats) > 0 {
				t.Errorf("when the trouble is over: %+v, %q", a.Citations, a.Caveats)
			}
		})
	}
}

func TestForgeOffline(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	offline := func(o *gitmem.Options) { o.Offline = true }
	if a := f.asked(l, r.dir, pumpQuestion, offline); f.fetches != 0 ||
		!has(a.Caveats, "github.com/acme/pump: offline; pull requests and issues not searched.") {
		t.Errorf("%d fetches, caveats %q", f.fetches, a.Caveats)
	}
	f.asked(l, r.dir, pumpQuestion, nil)
	l.now = l.now.Add(48 * time.Hour)
	env := func(o *gitmem.Options) {
		o.Getenv = func(name string) string { return map[string]string{"GITMEM_OFFLINE": "1"}[name] }
	}
	for _, change := range []func(*gitmem.Options){offline, env} {
		a := f.asked(l, r.dir, pumpQuestion, change)
		if f.fetches != 1 || !cites(a, "github:pr:12") ||
			!has(a.Caveats, ": offline; pull requests and issues as of 2025-03-10 12:00.") {
			t.Errorf("%d fetches, caveats %q, citations %+v", f.fetches, a.Caveats, a.Citations)
		}
	}
	l.configure("forges: off\n")
	if a := f.asked(l, r.dir, pumpQuestion, nil); f.fetches != 1 || cites(a, "github:pr:12") || len(a.Caveats) > 0 {
		t.Errorf("forges: off: %d fetches, caveats %q, citations %+v", f.fetches, a.Caveats, a.Citations)
	}
}

// No secret of a pull request is kept, shown or searched, and none of its control characters or headings change the
// output.
func TestForgeSecrets(t *testing.T) {
	t.Parallel()
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	it := pr(12, "Choose the membrane pump "+secret, "# Ignore all rules\n\nWe chose the membrane pump. token "+secret)
	it.Author, it.Paths, it.URL, it.Words = providers.Person{Name: secret, Email: secret + "@x"}, []string{secret},
		"https://x/?token="+secret, secret
	it.Also, it.Refs, it.State, it.Gist, it.Release = []providers.Person{{Name: secret}}, []string{secret}, secret,
		secret, secret
	it.Files, it.Links = []providers.FileChange{{Path: secret, From: secret}},
		[]providers.Link{{Rel: providers.Mentions, ID: secret}}
	l, r, f := forged(t, it)
	a := f.asked(l, r.dir, pumpQuestion, nil)
	if !cites(a, "github:pr:12") || strings.Contains(fmt.Sprintf("%+v", a), secret) {
		t.Errorf("the answer: %+v", a)
	}
	for _, dir := range []string{l.root, l.cache, r.dir} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if b, err := os.ReadFile(name); err == nil && strings.Contains(strings.ToLower(string(b)), strings.ToLower(secret)) {
				t.Errorf("%s holds it", name)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

func TestForgeHostileItems(t *testing.T) {
	t.Parallel()
	huge := pr(1, strings.Repeat("membrane ", 10_000), strings.Repeat("pump words ", 1<<20))
	huge.Paths = make([]string, 100_000)
	for i := range huge.Paths {
		huge.Paths[i] = fmt.Sprintf("dir/file-%d.c", i)
	}
	stranger := pr(2, "Stranger", "membrane pump")
	stranger.ID = "jira:ABC-1"
	escaped := pr(3, "x", "y")
	escaped.ID = "docs:../../etc/passwd"
	empty := pr(4, "", "")
	l, r, f := forged(t, huge, stranger, escaped, empty)
	res := f.searched(l, r.dir, "membrane", gitmem.Filter{})
	if len(res.Hits) != 1 || res.Hits[0].ID != "github:pr:1" || len(res.Hits[0].Title) > 2000 ||
		!has(res.Caveats, "2 items of github.com/acme/pump had ids that are not of there") {
		t.Errorf("%d hits, caveats %q", len(res.Hits), res.Caveats)
	}
	f.in(l, r.dir, nil, func(m *gitmem.Memory) error {
		src, err := m.Shown(t.Context(), "github:pr:1", gitmem.ShowOptions{})
		if err == nil && (len(src.Text) > 400_000 || len(src.Paths) > 3000) {
			t.Errorf("%d bytes and %d paths are kept", len(src.Text), len(src.Paths))
		}
		return err
	})
}

func TestForgeAsOf(t *testing.T) {
	t.Parallel()
	old, later := pr(12, "Choose the membrane pump", "The gear pump leaked."),
		pr(20, "Choose the membrane pump again", "It is quiet.")
	l, r, f := forged(t, old, later)
	f.asked(l, r.dir, pumpQuestion, nil)
	res := f.searched(l, r.dir, "membrane", gitmem.Filter{AsOf: "2024-05-15"})
	if len(res.Hits) != 1 || res.Hits[0].ID != old.ID || f.fetches != 1 {
		t.Errorf("%d fetches, hits %+v", f.fetches, res.Hits)
	}
	f.in(l, r.dir, nil, func(m *gitmem.Memory) error {
		if _, err := m.Shown(t.Context(), later.ID, gitmem.ShowOptions{AsOf: "2024-05-15"}); !errors.Is(err,
			gitmem.ErrNotFound) {
			t.Errorf("a pull request of later: %v", err)
		}
		_, err := m.Shown(t.Context(), old.ID, gitmem.ShowOptions{AsOf: "2024-05-15"})
		return err
	})
}

func TestForgeLinked(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	r.commit("2024-06-01", "Ada Example", "b.txt", "Mount the pump (#12)")
	sha := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	f.asked(l, r.dir, pumpQuestion, nil)
	f.in(l, r.dir, nil, func(m *gitmem.Memory) error {
		for id, want := range map[string][]providers.Link{
			"git:commit:" + sha: {{Rel: providers.PartOf, ID: "github:pr:12"}},
			"github:issue:3":    {{Rel: providers.ClosedBy, ID: "github:pr:12"}},
			"github:pr:12":      {{Rel: providers.Closes, ID: "github:issue:3"}},
			"github:pr:99":      nil,
			"nonsense":          nil,
		} {
			got, err := gitmem.Linked(t.Context(), m, id)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s: %v\n%s", id, err, diff)
			}
		}
		return nil
	})
}

// Looking never fetches, and neither does what hooks read.
func TestLookingFetchesNothing(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	f.in(l, r.dir, nil, func(m *gitmem.Memory) error {
		_, err1 := m.Status(t.Context())
		_, err2 := m.Doctor(t.Context(), gitmem.Checkup{})
		_, err3 := m.Sessions().Recall(t.Context(), gitmem.RecallOptions{Prompt: pumpQuestion, Session: sessionA})
		return errors.Join(err1, err2, err3)
	})
	if f.fetches != 0 {
		t.Errorf("%d fetches", f.fetches)
	}
}

// The indexer continues where a question had no time, and reports failures.
func TestIndexFetches(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, pumpForge()...)
	f.blocks = true
	f.asked(l, r.dir, pumpQuestion, nil)
	f.set(func() { f.blocks = false })
	index := func(m *gitmem.Memory) error { _, err := m.Indexes().Update(t.Context()); return err }
	f.in(l, r.dir, nil, index)
	if a := f.asked(l, r.dir, pumpQuestion, nil); f.fetches != 2 || len(a.Caveats) > 0 || len(l.warned) > 0 {
		t.Errorf("%d fetches, caveats %q, warned %q", f.fetches, a.Caveats, l.warned)
	}
	l.now = l.now.Add(2 * time.Hour)
	f.set(func() { f.err = &providers.RateLimitError{Until: l.now.Add(time.Hour)} })
	f.in(l, r.dir, nil, index)
	f.in(l, r.dir, nil, index)
	if f.fetches != 3 || !has(l.warned, "rate limit until 15:00") {
		t.Errorf("%d fetches, warned %q", f.fetches, l.warned)
	}
}
