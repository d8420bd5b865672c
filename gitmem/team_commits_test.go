package gitmem_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/providers"
)

// finder is a forge that knows the pull requests of commits.
type finder struct {
	*forge
	brought map[string]providers.Item
	fails   error
	asked   []string
}

func (f *finder) ByCommit(_ context.Context, sha string) ([]providers.Item, error) {
	f.asked = append(f.asked, sha)
	if it, ok := f.brought[sha]; ok && f.fails == nil {
		return []providers.Item{it}, nil
	}
	return nil, f.fails
}

func (f *finder) Skipped() []providers.Skip {
	return []providers.Skip{{Reason: "comments of bots", Items: 3}}
}

func (f *finder) dial(kind, name, token string) (providers.Source, error) {
	_, err := f.forge.dial(kind, name, token)
	return f, err
}

// why asks about the only line of a.txt.
func (f *finder) why(l *lab, dir string) (out gitmem.Why) {
	l.t.Helper()
	m := l.open(dir)
	gitmem.Dial(m, f.dial)
	out, err := m.Team().Why(l.t.Context(), gitmem.WhyQuestion{What: "a.txt:1"})
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

// The forge is asked once for the pull request of a commit, and its answer is kept.
func TestWhyAsksWhatBroughtACommit(t *testing.T) {
	t.Parallel()
	l, r, base := forged(t)
	sha := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	f := &finder{forge: base,
		brought: map[string]providers.Item{sha: pr(7, "Begin", "We begin with a pump because the well is deep.")}}
	for range 2 {
		w := f.why(l, r.dir)
		if len(w.Commits) != 1 || w.Commits[0].Via != "github:pr:7" || len(w.Reasons) == 0 ||
			w.Reasons[0].ID != "github:pr:7" {
			t.Fatalf("why: %+v", w)
		}
	}
	if diff := cmp.Diff([]string{sha}, f.asked); diff != "" {
		t.Error(diff)
	}
}

// A commit without a thread is looked up once, and never by a hook or offline.
func TestOrphansAreRemembered(t *testing.T) {
	t.Parallel()
	l, r, base := forged(t)
	f := &finder{forge: base}
	for range 3 {
		if w := f.why(l, r.dir); len(w.Commits) != 1 || w.Commits[0].Via != "" || has(w.Caveats, "could not be asked") {
			t.Fatalf("why: %+v", w)
		}
	}
	if len(f.asked) != 1 {
		t.Errorf("asked %d times", len(f.asked))
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		gitmem.Dial(m, f.dial)
		_, err := m.Sessions().Recall(t.Context(), gitmem.RecallOptions{Prompt: "Begin the pump", Session: "s"})
		return err
	})
	if len(f.asked) != 1 {
		t.Error("a hook asked")
	}
}

// A forge that stops responding causes a caveat and is not asked again for a while.
func TestFindingFails(t *testing.T) {
	t.Parallel()
	l, r, base := forged(t)
	f := &finder{forge: base, fails: &providers.RateLimitError{Until: l.now.Add(time.Hour)}}
	w := f.why(l, r.dir)
	if !slices.ContainsFunc(w.Caveats, func(c string) bool {
		return strings.Contains(c, "rate limit")
	}) || len(w.Commits) != 1 {
		t.Errorf("why: %+v", w)
	}
	f.why(l, r.dir)
	if len(f.asked) != 1 {
		t.Errorf("asked %d times", len(f.asked))
	}
}

// The state of a forge is reported, without its token.
func TestStatusOfForges(t *testing.T) {
	t.Parallel()
	l, r, base := forged(t, pumpForge()...)
	f := &finder{forge: base}
	states := func(env string) []gitmem.ForgeStatus {
		o := l.options(r.dir)
		o.Getenv = func(name string) string { return map[string]string{"GITHUB_TOKEN": env}[name] }
		m, err := gitmem.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		st, err := m.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st.Forges
	}
	want := gitmem.ForgeStatus{Kind: "github", Name: "github.com/acme/pump", Skipped: []gitmem.Left{}}
	if diff := cmp.Diff([]gitmem.ForgeStatus{want}, states("")); diff != "" {
		t.Error(diff)
	}
	f.why(l, r.dir)
	at := l.now.UTC().Format(time.RFC3339)
	want.Items, want.Fetched, want.Tried, want.Token = 2, at, at, true
	want.Skipped = []gitmem.Left{{Reason: "comments of bots", Items: 3}}
	got := states("hunter2hunter2")
	if diff := cmp.Diff([]gitmem.ForgeStatus{want}, got); diff != "" {
		t.Error(diff)
	}
	line := fmt.Sprintf("github.com/acme/pump, 2 items, fetched %s, token found, left out: 3 comments of bots", at)
	if got[0].String() != line {
		t.Error(got[0].String())
	}
}
