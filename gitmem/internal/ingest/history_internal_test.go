package ingest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// branching is a growing repository with its index.
type branching struct {
	t    *testing.T
	dir  string
	home string
	rng  *rand.Rand
	n    int // number of commits
	// budget of a read, instead of the default
	budget Budget
}

func newBranching(t *testing.T, seed uint64) *branching {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	g := &branching{t: t, dir: filepath.Join(t.TempDir(), "repo"), home: t.TempDir(), rng: rand.New(rand.NewPCG(seed, 3)),
		budget: UsualBudget()}
	if err := os.Mkdir(g.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	g.git("init", "--quiet", "--initial-branch=main")
	return g
}

func (g *branching) git(args ...string) string {
	g.t.Helper()
	out, err := g.try(args...)
	if err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (g *branching) try(args ...string) (string, error) {
	when := fmt.Sprintf("%d +0000", 1_700_000_000+60*g.n+g.rng.IntN(300)-150) // some clocks are wrong
	cmd := exec.Command("git", args...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada",
		"GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// commit changes one of a few files.
func (g *branching) commit() {
	g.n++
	name := fmt.Sprintf("file%d.go", g.rng.IntN(4))
	old, _ := os.ReadFile(filepath.Join(g.dir, name)) // a new file has no content
	text := fmt.Sprintf("%sfunc relay%d() {} // opens valve%d\n", old, g.n, g.n)
	if err := os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
	g.git("add", "--all")
	g.git("commit", "--quiet", "--message", fmt.Sprintf("Change %d", g.n))
}

// move changes branches as people do.
func (g *branching) move() string {
	switch branches := strings.Fields(g.git("for-each-ref", "--format=%(refname:short)", "refs/heads")); g.rng.IntN(8) {
	case 0:
		to := branches[g.rng.IntN(len(branches))]
		g.git("switch", "--quiet", to)
		return "switch"
	case 1:
		g.git("switch", "--quiet", "--create", fmt.Sprint("b", g.n))
		g.commit()
		return "branch"
	case 2:
		if _, err := g.try("reset", "--quiet", "--hard", fmt.Sprint("HEAD~", 1+g.rng.IntN(4))); err != nil {
			return "nothing"
		}
		return "reset"
	case 3:
		g.git("commit", "--quiet", "--amend", "--message", fmt.Sprintf("Amended %d", g.n))
		return "amend"
	case 4:
		other := branches[g.rng.IntN(len(branches))]
		if _, err := g.try("merge", "--quiet", "--no-ff", "--strategy=ours", "--message", "Merge "+other, other); err != nil {
			g.t.Fatalf("merge %s: %v", other, err)
		}
		return "merge"
	}
	for range 1 + g.rng.IntN(6) {
		g.commit()
	}
	return "commits"
}

// open opens the sources as a separate process would.
func (g *branching) open() (*Sources, Shard) {
	g.t.Helper()
	m := openedSources(g.t, workspace.Options{Dir: g.dir, Home: g.home, CacheDir: g.home, Now: time.Now})
	m.Budget = g.budget
	p, err := m.ws.Place(g.t.Context())
	if err != nil {
		g.t.Fatal(err)
	}
	shards, err := m.Shards(g.t.Context(), p)
	if err != nil {
		g.t.Fatal(err)
	}
	return m, shards[slices.IndexFunc(shards, func(s Shard) bool { return s.Name == "history" })]
}

// refresh does what a question does; rest does what an indexer does afterwards.
func (g *branching) refresh() index.Result {
	g.t.Helper()
	_, s := g.open()
	res, err := s.Index.Refresh(g.t.Context(), s.Plan)
	if err != nil {
		g.t.Fatal(err)
	}
	return res
}

func (g *branching) rest() {
	g.t.Helper()
	m, s := g.open()
	if err := m.readRest(g.t.Context(), s); err != nil {
		g.t.Fatal(err)
	}
}

// snapshot calls read with the index.
func (g *branching) snapshot(read func(*Sources, Shard, *index.Snapshot)) {
	g.t.Helper()
	m, s := g.open()
	snap, err := s.Index.Snapshot()
	if err != nil {
		g.t.Fatal(err)
	}
	defer snap.Close()
	read(m, s, snap)
}

// pending returns the number of commits that are not indexed yet.
func (g *branching) pending() (n int) {
	g.snapshot(func(_ *Sources, s Shard, snap *index.Snapshot) {
		waiting, err := s.History.waiting(g.t.Context(), snap)
		if err != nil {
			g.t.Fatal(err)
		}
		n = len(waiting)
	})
	return n
}

// check compares the index with git, and with an index that is built at once: waiting commits are in neither.
func (g *branching) check() {
	g.t.Helper()
	g.snapshot(func(m *Sources, s Shard, have *index.Snapshot) {
		ids, err := s.History.waiting(g.t.Context(), have)
		if err != nil {
			g.t.Fatal(err)
		}
		for i := range have.Rows() {
			if !have.Dead(i) {
				ids = append(ids, have.ID(i))
			}
		}
		want := strings.Fields(g.git("rev-list", "HEAD"))
		for i := range want {
			want[i] = CommitPrefix + want[i]
		}
		slices.Sort(want)
		slices.Sort(ids)
		if diff := cmp.Diff(want, ids); diff != "" {
			g.t.Errorf("commits (-git +index):\n%s", diff)
		}
		m.Budget.Fresh = math.MaxInt
		anew := index.Open(g.t.TempDir(), index.Options{Fingerprint: m.Fingerprint()})
		if _, err := anew.Refresh(g.t.Context(), s.History.plan(g.t.Context())); err != nil {
			g.t.Fatal(err)
		}
		fresh, err := anew.Snapshot()
		if err != nil {
			g.t.Fatal(err)
		}
		defer fresh.Close()
		rows := rowsByID(fresh)
		maps.DeleteFunc(rows, func(id string, _ index.Row) bool { _, ok := have.Find(id); return !ok })
		if diff := cmp.Diff(rows, rowsByID(have)); diff != "" {
			g.t.Errorf("rows (-one build +index):\n%s", diff)
		}
	})
}

// rowsByID returns the live rows of an index by id.
func rowsByID(s *index.Snapshot) map[string]index.Row {
	rows := map[string]index.Row{}
	for i := range s.Rows() {
		if !s.Dead(i) {
			rows[s.ID(i)] = s.Row(i)
		}
	}
	return rows
}

// TestHistoryInStepsIsHistoryAtOnce: whatever happens to branches, and however often an indexer runs, the index matches
// the history.
func TestHistoryInStepsIsHistoryAtOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newBranching(t, seed)
			g.budget = Budget{Fresh: 6, Later: 2, Time: time.Hour, Batch: 3}
			for range 9 {
				g.commit()
			}
			rebuilt, waited, did := 0, 0, map[string]int{}
			for range 18 {
				if res := g.refresh(); res.Rebuilt {
					rebuilt++
				}
				g.check()
				waited = max(waited, g.pending())
				if g.rng.IntN(4) == 0 {
					if g.rest(); g.pending() != 0 {
						t.Errorf("%d commits wait behind an indexer", g.pending())
					}
					g.check()
				}
				what := g.move()
				if did[what]++; t.Failed() {
					t.Fatalf("after %v, the last %s", did, what)
				}
			}
			if rebuilt != 1 || waited < 3 {
				t.Errorf("built anew %d times, at most %d commits waited, by %v", rebuilt, waited, slices.Sorted(maps.Keys(did)))
			}
		})
	}
}
