package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run does this many operations on each machine, and synchronises one now and then. A machine that is away
// for long works without the others.
func (f *fleet) run(operations int) {
	f.t.Helper()
	for range operations * len(f.machines) {
		m := oneOf(f.rng, f.machines)
		m.step()
		if m.away > 0 {
			m.away--
		} else if n := f.rng.IntN(100); n < 20 {
			m.exchangeNow()
		} else if n == 20 {
			m.away = f.rng.IntN(operations / 2)
			f.say("%s is away for %d operations", m.name, m.away)
		}
		if f.broken {
			return
		}
	}
}

// plain returns an exchange with git alone, as a person would use it without gitmem: conflicts are resolved
// by taking one's own side, or by committing the markers.
func plain(name, attributes string, settle func(m *machine) error) exchange {
	join := func(m *machine) {
		if m == m.machines[0] {
			m.must(m.gitmem("", "init"))
			m.must2(m.inMemory("branch", "--move", "main"))
			m.must2(m.inMemory("remote", "add", "origin", m.remote))
			m.must2(m.inMemory("push", "--quiet", "--set-upstream", "origin", "main"))
		} else {
			m.git(m.base, "clone", "--quiet", m.remote, m.root)
			m.must(m.gitmem("", "init", "--adopt"))
		}
	}
	return exchange{name: name, join: join, sync: func(m *machine) error {
		if settle != nil {
			m.must(m.withoutDriver(attributes))
		}
		return m.pullAndPush(settle)
	}}
}

func (f *fleet) must2(_ string, err error) {
	f.t.Helper()
	f.must(err)
}

// pullAndPush runs what a person types.
func (m *machine) pullAndPush(settle func(m *machine) error) error {
	if err := m.commitAll("by hand"); err != nil {
		return err
	}
	if _, err := m.inMemory("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main"); err != nil {
		if settle == nil {
			return err
		}
		m.failed["conflict"]++
		if err := settle(m); err != nil {
			return err
		}
	}
	_, err := m.inMemory("push", "--quiet", "origin", "HEAD:main")
	return err
}

func (m *machine) commitAll(message string) error {
	if _, err := m.inMemory("add", "--all"); err != nil {
		return err
	}
	if out, err := m.inMemory("status", "--porcelain"); err != nil || out == "" {
		return err
	}
	_, err := m.inMemory("commit", "--quiet", "--message", message)
	return err
}

// takeOurs resolves a conflict like git checkout --ours: a file that only one side has stays.
func takeOurs(m *machine) error {
	out, err := m.inMemory("diff", "--name-only", "--diff-filter=U", "-z")
	if err != nil {
		return err
	}
	for rel := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if _, err := m.inMemory("checkout", "--ours", "--", rel); err != nil {
			if _, err := os.Stat(filepath.Join(m.root, rel)); err != nil {
				return err
			}
		}
	}
	return commitMarkers(m)
}

func commitMarkers(m *machine) error { return m.commitAll("settled") }

// TestMachinesWithPlainGit counts what is lost without memory's own merge, as a baseline.
func TestMachinesWithPlainGit(t *testing.T) {
	t.Parallel()
	nightly(t)
	for _, by := range []exchange{
		plain("git, taking ours", "", takeOurs),
		plain("git, committing the markers", "", commitMarkers),
		plain("git with merge=union", "*.md merge=union\n", commitMarkers),
	} {
		t.Run(by.name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, by, seedFlag(t), numberFlag(t, "machines"), nil)
			f.run(min(200, numberFlag(t, "operations")))
			f.quiet()
			t.Logf("%s, seed %d: %v; commands that failed: %v", by.name, f.seed, f.check(), f.failed)
		})
	}
}

func seedFlag(t *testing.T) uint64 { return uint64(numberFlag(t, "seed")) }

// syncs returns the exchange with gitmem sync. The second machine has its own memory before it first reaches
// the remote.
func syncs() exchange {
	join := func(m *machine) {
		switch m {
		case m.machines[0]:
			m.must(m.gitmem("", "init"))
			m.must(m.gitmem("", "sync", "--to", m.remote))
		case m.machines[1]:
			m.must(m.gitmem("", "init"))
			for range 3 {
				m.step()
			}
			m.must(m.gitmem("", "sync", "--to", m.remote))
		default:
			m.must(m.gitmem("", "init", "--from", m.remote))
		}
	}
	sync := func(m *machine) error { return m.gitmem("", "sync") }
	return exchange{name: "gitmem sync", strict: true, join: join, sync: sync}
}

// TestMachines lets several machines with wrong clocks write memory in every way, some of them away for long,
// and synchronise in any order: in the end all have the same files, each write is there once unless somebody
// who had seen it removed it, and every file is valid. The nightly run also kills processes, and the full
// form has five machines with 1,000 operations each: GITMEM_NIGHTLY=1 go test ./cmd/gitmem -run TestMachines$
// -machines 5 -operations 1000 -seed 7
func TestMachines(t *testing.T) {
	t.Parallel()
	for i := range numberFlag(t, "seeds") {
		seed := seedFlag(t) + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, syncs(), seed, numberFlag(t, "machines"), nil)
			if isNightly() {
				f.kills = killCalls
			}
			const parts = 5
			for part := range parts {
				f.run(numberFlag(t, "operations") / parts)
				f.settled(part)
			}
		})
	}
}

// settled synchronises all machines, and checks them. A duplicate is reported once, and the test continues.
func (f *fleet) settled(part int) {
	f.t.Helper()
	f.quiet()
	if f.broken {
		f.t.Fatalf("seed %d, part %d, after:\n%s", f.seed, part, f.recent(40))
	}
	o := f.check()
	f.t.Logf("%s, seed %d, part %d: %v; failed: %v", f.by.name, f.seed, part, o, f.failed)
	if o.mustBeClean(f.t); o.lost+o.invalid+o.unequal > 0 {
		f.t.Fatalf("seed %d, part %d, after:\n%s", f.seed, part, f.recent(40))
	}
}
