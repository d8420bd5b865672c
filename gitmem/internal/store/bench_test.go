package store_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// BenchmarkBesideGit compares append and commit with git add and git commit, on equal stores and alternating in one
// run, since a machine is never quiet:
//
//	gitmem         Append and Commit with Fsync; the store is opened again each time
//	gitmem-nosync  the same without Fsync
//	git            a line appended, git add, git commit, with default settings
//	git-synced     the same with core.fsync=all and core.fsyncMethod=fsync
//
// Git with default settings syncs no loose objects, so a power loss can destroy its last commits; with all syncs
// enabled it gives the same guarantee as gitmem, except for the file itself and the folders, which it never syncs. Both
// have one identity, and no hooks, signing or gc. Medians are in ms; x-git and x-git-synced are the ratios of gitmem's
// time to theirs; ms/fsync is the disk's time for one line and one sync.
func BenchmarkBesideGit(b *testing.B) {
	needGit(b)
	for _, files := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint("files=", files), func(b *testing.B) {
			us, lax := ours(b, files, true), ours(b, files, false)
			git, synced := theirs(b, files), theirs(b, files, "core.fsync=all", "core.fsyncMethod=fsync")
			for _, kind := range []string{"existing", "new", "folder", "everything"} {
				b.Run(kind, func(b *testing.B) {
					byTurns(b, kind,
						&arm{name: "gitmem", turn: us}, &arm{name: "git", turn: git}, &arm{name: "gitmem-nosync", turn: lax},
						&arm{name: "git-synced", turn: synced}, &arm{name: "fsync", turn: oneSync(b)})
				})
			}
		})
	}
}

// BenchmarkGrowth compares the same commit in a small and in a large store, alternating: x-small is the ratio of the
// times with a hundred times the files.
func BenchmarkGrowth(b *testing.B) {
	needGit(b)
	small, large := ours(b, 100, true), ours(b, 10000, true)
	for _, kind := range []string{"existing", "new"} {
		b.Run(kind, func(b *testing.B) {
			byTurns(b, kind, &arm{name: "large", turn: large}, &arm{name: "small", turn: small})
		})
	}
}

// arm is one side of a comparison. turn adds a line to a file and commits it, or, with everything, all changes.
type arm struct {
	name string
	turn func(b *testing.B, rel string, everything bool)
	ms   []float64
}

// byTurns runs the arms alternately, each round starting with another, and reports their medians and the ratio of the
// first one's to each other's.
func byTurns(b *testing.B, kind string, arms ...*arm) {
	start := time.Now().UnixNano() // names that no earlier run has used
	for i := 0; b.Loop(); i++ {
		rel := benchFile(0, 0)
		switch kind {
		case "new":
			rel = path.Join(path.Dir(rel), fmt.Sprintf("new%d-%d.md", start, i))
		case "folder":
			rel = path.Join(path.Dir(rel), fmt.Sprintf("new%d-%d/a.md", start, i))
		}
		for j := range arms {
			a := arms[(i+j)%len(arms)]
			begin := time.Now()
			a.turn(b, rel, kind == "everything")
			a.ms = append(a.ms, float64(time.Since(begin).Nanoseconds())/1e6)
		}
	}
	b.ReportMetric(0, "ns/op") // all arms together: not meaningful
	for i, a := range arms {
		b.ReportMetric(medianOf(a.ms), "ms/"+a.name)
		if i > 0 && (a.name == "small" || strings.HasPrefix(a.name, "git-") || a.name == "git") {
			b.ReportMetric(medianOf(arms[0].ms)/medianOf(a.ms), "x-"+a.name)
		}
	}
}

func medianOf(ms []float64) float64 {
	return slices.Sorted(slices.Values(ms))[len(ms)/2]
}

// ours opens the store again for each turn, like a short-lived process.
func ours(b *testing.B, files int, fsync bool) func(*testing.B, string, bool) {
	root := benchStore(b, files)
	return func(b *testing.B, rel string, everything bool) {
		s, err := store.Open(options(b, root))
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Append(rel, clean(""), clean("a line")); err != nil {
			b.Fatal(err)
		}
		c := store.Change{Subject: "x", Paths: []string{rel}, Fsync: fsync}
		if everything {
			c.Paths = nil
		}
		if id, err := s.Commit(b.Context(), c); err != nil || id == "" {
			b.Fatal(id, err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func theirs(b *testing.B, files int, config ...string) func(*testing.B, string, bool) {
	root := benchStore(b, files)
	// Without maintenance.auto=false git would start a third process to check whether a gc is due.
	for _, kv := range append(config, "gc.auto=0", "maintenance.auto=false", "commit.gpgsign=false",
		"core.hooksPath="+os.DevNull) {
		key, value, _ := strings.Cut(kv, "=")
		git(b, root, "config", key, value)
	}
	return func(b *testing.B, rel string, everything bool) {
		appendLine(b, filepath.Join(root, rel), false)
		if everything {
			rel = "-A"
		}
		git(b, root, "add", rel)
		git(b, root, "commit", "-q", "-m", "x")
	}
}

func oneSync(b *testing.B) func(*testing.B, string, bool) {
	name := filepath.Join(b.TempDir(), "file")
	return func(b *testing.B, _ string, _ bool) { appendLine(b, name, true) }
}

func appendLine(b *testing.B, name string, sync bool) {
	b.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err != nil {
		b.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	_, err = f.WriteString("a line\n")
	if err == nil && sync {
		err = f.Sync()
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
}

// benchStore returns the root of a store with a number of files, nested like logs.
func benchStore(b *testing.B, files int) string {
	b.Helper()
	root := b.TempDir()
	s := initStore(b, root)
	for i := range files {
		write(b, root, benchFile(i, files), fmt.Sprintln("file", i))
	}
	commit(b, s, store.Change{})
	git(b, root, "gc", "-q")
	// Files written in the second of the last commit are compared by content.
	git(b, root, "update-index", "-q", "--refresh")
	return root
}

func benchFile(i, files int) string {
	return fmt.Sprintf("gitmem/projects/github.com/acme/p%d/observations/m%d/f%d.md", i%10, i/10%(1+files/200), i)
}

// BenchmarkAppend measures the cost for a hook.
func BenchmarkAppend(b *testing.B) {
	root := b.TempDir()
	initStore(b, root)
	for b.Loop() {
		s, err := store.Open(options(b, root))
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Append("gitmem/projects/h/o/r/observations/2026-11/20.md", clean("# Log\n"),
			clean("a line")); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
