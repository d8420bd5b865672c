package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// revert writes a history in which commits revert others, including reverts, or only name them, on two branches that
// are merged now and then. It returns all commits, some of which are on no branch.
func (g *branching) revert(commits int) []string {
	tree := g.git("hash-object", "-t", "tree", "-w", "--stdin")
	var all, heads []string
	for i := range commits {
		args := []string{"commit-tree", tree}
		switch {
		case i == 0:
		case len(heads) > 1 && g.rng.IntN(5) == 0:
			args = append(args, "-p", heads[0], "-p", heads[1])
		default:
			args = append(args, "-p", heads[g.rng.IntN(len(heads))])
		}
		subject, body := fmt.Sprintf("Change %d (#%d)", i, i), ""
		if i > 0 {
			at := max(0, i-1-g.rng.IntN(4))
			old := all[at]
			switch g.rng.IntN(7) {
			case 0, 1:
				subject, body = "Revert it", "This reverts commit "+old+".\n\nIt broke the relay."
			case 2, 6:
				subject = "this reverts commits " + strings.ToUpper(old)
			case 3:
				body = "It repeats commit " + old + " and others."
			case 5:
				subject, body = fmt.Sprintf("Revert \"Change %d\" (#%d)", at, i), fmt.Sprintf("Reverts acme/pump#%d", at)
			case 4:
				body = "This reverts commit " + old[:12] + "."
			}
		}
		g.n += 10 // so that all clocks are right
		all = append(all, g.git(append(args, "-m", subject, "-m", body)...))
		if i == commits-1 {
			break
		}
		if heads = append(heads, all[i]); len(heads) > 2 {
			heads = heads[1:]
		}
	}
	last := g.git("commit-tree", tree, "-p", heads[0], "-p", heads[1], "-m", "Merge")
	g.git("update-ref", "refs/heads/main", last)
	return all
}

// TestIndexedStandings: the index of the history and a walk through the history give the same states of commits, and an
// outdated index is not used.
func TestIndexedStandings(t *testing.T) {
	t.Parallel()
	g := newBranching(t, 11)
	var ids []string
	for _, c := range g.revert(40) {
		ids = append(ids, "git:commit:"+c)
	}
	g.refresh()
	g.snapshot(func(m *Sources, s Shard, snap *index.Snapshot) {
		p, err := m.ws.Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Resolver(p, false)
		if err != nil {
			t.Fatal(err)
		}
		walked, err := r.Statuses(t.Context(), ids...)
		if err != nil {
			t.Fatal(err)
		}
		r.History = s.History.Indexed(snap)
		indexed, err := r.Statuses(t.Context(), ids...)
		if d := cmp.Diff(walked, indexed); d != "" || err != nil || r.History == nil {
			t.Errorf("by the index otherwise than by the walk: %v, %v\n%s", r.History, err, d)
		}
		byIndex, err := r.Repository.CommitStatusesIndexed(t.Context(), *r.History, strings.TrimPrefix(ids[0], "git:commit:"))
		if err != nil || len(byIndex) != 1 {
			t.Errorf("the index knows the first commit as %v, %v", byIndex, err)
		}
		var reverted, gone int
		for _, s := range walked {
			if s.RevertedBy != "" {
				reverted++
			}
			if s.Status == answer.StatusGone {
				gone++
			}
		}
		if reverted < 5 || reverted > 25 || gone == 0 || gone > 20 {
			t.Errorf("%d commits were taken back and %d are gone: the test says little", reverted, gone)
		}
		g.git("update-ref", "refs/heads/main", strings.TrimPrefix(ids[20], "git:commit:"))
		if s.History.Indexed(snap) != nil {
			t.Error("an index of another state of the history is asked")
		}
	})
}
