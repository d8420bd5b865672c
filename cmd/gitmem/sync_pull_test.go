package main

import (
	"os"
	"path/filepath"
	"testing"
)

// pulls returns the exchange with git pull and the merge driver that init and adopt set up.
func pulls() exchange {
	by := plain("git pull with the merge driver", "", nil)
	by.strict = true
	return by
}

// TestPullsWithTheMergeDriver changes two clones of memory concurrently, each by one to three operations, and
// synchronises them with what a person types: git pull, with and without --rebase, and git push. git finds no
// conflict, and nothing is lost. The full form has 500 pairs: go test ./cmd/gitmem -run
// PullsWithTheMergeDriver -pairs 500
func TestPullsWithTheMergeDriver(t *testing.T) {
	t.Parallel()
	f := newFleet(t, pulls(), seedFlag(t), 2, nil)
	pairs := numberFlag(t, "pairs")
	for n := range pairs {
		for _, m := range f.machines {
			for range 1 + f.rng.IntN(3) {
				m.step()
			}
			m.must(m.commitAll("by hand"))
		}
		one, other := f.machines[n%2], f.machines[1-n%2]
		one.must2(one.inMemory("push", "--quiet", "origin", "HEAD:main"))
		how := oneOf(f.rng, []string{"--no-rebase", "--rebase"})
		other.pull(how)
		other.must2(other.inMemory("push", "--quiet", "origin", "HEAD:main"))
		one.pull("--ff-only")
		if t.Failed() {
			t.Fatalf("seed %d, pair %d, pulled with %s, after:\n%s", f.seed, n, how, f.recent(20))
		}
	}
	o := f.check()
	t.Logf("seed %d, %d pairs: %v", f.seed, pairs, o)
	o.mustBeClean(t)
}

// pull pulls, and reports what that lost.
func (m *machine) pull(how string) {
	m.t.Helper()
	before, files := m.withRemote(), m.files
	m.say("%s pulls %s", m.name, how)
	if _, err := m.inMemory("pull", "--quiet", how, "--no-edit", "origin", "main"); err != nil {
		status, _ := m.inMemory("diff")
		m.t.Fatalf("seed %d, machine %s: %v\n%s\nafter:\n%s", m.seed, m.name, err, status, m.recent(12))
	}
	m.look()
	m.missing(before, files)
}

// mustBeClean fails if anything is lost, duplicated, invalid or unequal.
func (o outcome) mustBeClean(t *testing.T) {
	t.Helper()
	for i, example := range o.examples {
		if i < 5 {
			t.Errorf("%s", example)
		}
	}
	if o.lost+o.doubled+o.invalid+o.unequal > 0 {
		t.Errorf("%v", o)
	}
}

// withoutDriver configures memory without the merge driver, like a clone on a machine without gitmem.
func (m *machine) withoutDriver(attributes string) error {
	if err := os.MkdirAll(m.path(".git/info"), 0o700); err != nil {
		return err
	}
	_, _ = m.inMemory("config", "--remove-section", "merge.gitmem") // there may be none
	return os.WriteFile(filepath.Join(m.root, ".git", "info", "attributes"), []byte(attributes), 0o600)
}
