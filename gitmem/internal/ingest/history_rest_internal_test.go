package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// waiting5 returns a repository of eight commits, five of which wait for their content.
func waiting5(t *testing.T) *branching {
	t.Helper()
	g := newBranching(t, 11)
	g.budget = Budget{Fresh: 3, Later: 2, Time: time.Hour, Batch: 2}
	for range 8 {
		g.commit()
	}
	g.refresh()
	if n := g.pending(); n != 5 {
		t.Fatalf("%d commits wait, want 5", n)
	}
	return g
}

// found returns the titles and caveats of a search.
func (g *branching) found(query string) (titles, caveats []string, unfinished bool) {
	g.t.Helper()
	m, _ := g.open()
	p, err := m.ws.Place(g.t.Context())
	if err != nil {
		g.t.Fatal(err)
	}
	open, err := m.openShards(g.t.Context(), p, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	defer CloseAll(open.Snaps)
	res, err := search.Run(g.t.Context(), open.Snaps,
		search.Query{Text: query, Terms: search.PlainTerms(strings.Fields(query)), Limit: 20})
	if err != nil {
		g.t.Fatal(err)
	}
	for _, h := range res.Hits {
		titles = append(titles, g.git("log", "-1", "--format=%s", strings.TrimPrefix(h.Doc.ID, "git:commit:")))
	}
	return titles, m.ws.Caveats, m.ws.Shared.Unfinished
}

func (g *branching) attempt() (a attempt) {
	g.snapshot(func(_ *Sources, s Shard, _ *index.Snapshot) { a = readAttempt(s.Index.Dir()) })
	return a
}

func (g *branching) attempted(a attempt) {
	g.t.Helper()
	g.snapshot(func(_ *Sources, s Shard, _ *index.Snapshot) {
		if err := a.write(s.Index.Dir()); err != nil {
			g.t.Fatal(err)
		}
	})
}

// TestSubstanceComesLater: the content of the newest commits is found at once, and that of the others after an indexer
// ran; answers mention that.
func TestSubstanceComesLater(t *testing.T) {
	t.Parallel()
	g := waiting5(t)
	titles, caveats, unfinished := g.found("valve8")
	if !slices.Equal(titles, []string{"Change 8"}) || !unfinished {
		t.Errorf("the newest commit: %v, unfinished %v", titles, unfinished)
	}
	want := "3 commits are indexed so far, the newest ones; older ones are not indexed yet."
	if !slices.Contains(caveats, want) {
		t.Errorf("caveats: %q", caveats)
	}
	if titles, _, _ := g.found("valve2"); len(titles) > 0 {
		t.Errorf("an old commit: %v", titles)
	}
	g.rest()
	titles, caveats, unfinished = g.found("valve2")
	if !slices.Equal(titles, []string{"Change 2"}) || unfinished ||
		strings.Contains(strings.Join(caveats, " "), "not indexed yet") {
		t.Errorf("behind the indexer: %v, %q, unfinished %v", titles, caveats, unfinished)
	}
	g.snapshot(func(_ *Sources, s Shard, snap *index.Snapshot) {
		row, ok := snap.Find("git:commit:" + g.git("rev-parse", "HEAD"))
		if !ok || !slices.Equal(snap.ChurnOf(row), []uint32{1}) {
			t.Errorf("changed lines of the last commit: %v", snap.ChurnOf(row))
		}
		if _, err := os.Stat(filepath.Join(s.Index.Dir(), restFile)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the note of an attempt is left: %v", err)
		}
	})
	for range 3 { // one more than a single read takes
		g.commit()
	}
	g.refresh()
	if n := g.pending(); n != 1 {
		t.Errorf("%d of three more commits wait, want 1", n)
	}
}

// TestAttemptsAreCounted: a commit that crashes the process reading it is isolated by ever smaller batches and finally
// skipped.
func TestAttemptsAreCounted(t *testing.T) {
	t.Parallel()
	g := waiting5(t)
	var sizes []int
	for failures := range 5 {
		sizes = append(sizes, attempt{Failures: failures}.size(4000))
	}
	if diff := cmp.Diff([]int{4000, 250, 15, 1, 1}, sizes); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
	g.attempted(attempt{Failures: 5, Lost: 5}) // as left by killed processes
	m, s := g.open()
	r := &pendingCommits{historySource: s.History, shard: s.Index, attempt: readAttempt(s.Index.Dir())}
	if more, err := m.readBatch(t.Context(), r, r.attempt); !more || err != nil {
		t.Fatalf("readBatch: %v, %v", more, err)
	}
	if a := g.attempt(); a != (attempt{Failures: 0, Lost: 5}) || g.pending() != 4 {
		t.Errorf("after a commit was left alone: %+v, %d wait", a, g.pending())
	}
	if titles, _, _ := g.found("valve1 valve2 valve3 valve4 valve5"); len(titles) > 0 {
		t.Errorf("the commit that was left alone is found by what it does: %v", titles)
	}
	g.attempted(attempt{Lost: maxLost})
	if _, caveats, unfinished := g.found("valve8"); unfinished || len(caveats) == 0 {
		t.Errorf("after %d failures: unfinished %v, %q", maxLost, unfinished, caveats)
	}
	g.rest() // an explicit request reads it
	if g.pending() != 0 {
		t.Errorf("%d commits wait", g.pending())
	}
}

// TestInterruptionIsNoFailure: an interruption does not count as a failure, and commits that were read before it stay.
func TestInterruptionIsNoFailure(t *testing.T) {
	t.Parallel()
	g := waiting5(t)
	ctx, stop := context.WithCancel(t.Context())
	m, s := g.open()
	batches := 0
	m.ws.Options.Progress = func(p workspace.Progress) {
		if p.Done >= 2 {
			if batches++; batches == 2 {
				stop()
			}
		}
	}
	if err := m.readRest(ctx, s); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if a := g.attempt(); a != (attempt{}) {
		t.Errorf("noted: %+v", a)
	}
	if n := g.pending(); n == 0 || n == 5 {
		t.Errorf("%d commits wait, want some", n)
	}
	g.rest()
	g.check()
}

// TestMissingCommitsDoNotWaitForEver: a commit whose object was deleted is omitted, with the commits reachable only
// through it.
func TestMissingCommitsDoNotWaitForEver(t *testing.T) {
	t.Parallel()
	g := waiting5(t)
	id := g.git("rev-parse", "HEAD~5")
	if err := os.Remove(filepath.Join(g.dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	g.rest()
	g.snapshot(func(_ *Sources, _ Shard, snap *index.Snapshot) {
		if _, ok := snap.Find("git:commit:" + id); ok || snap.Live() != 5 {
			t.Errorf("found %v, %d commits", ok, snap.Live())
		}
	})
}
