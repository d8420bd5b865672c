package store_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// randomHistory writes commits with files of random lines, merges, renames, tags and branches to a store, as a stream
// for git fast-import.
func randomHistory(t testing.TB, s *store.Store, r *rand.Rand, n int) {
	t.Helper()
	var b strings.Builder
	files := make([]map[string]string, n) // by commit
	line := func() string {
		words := []string{"one", "two", "three", slip, "see " + slip + " here", "- four"}
		return words[r.IntN(len(words))] + "\n"
	}
	for i := range n {
		files[i] = map[string]string{}
		fmt.Fprintf(&b,
			"commit refs/heads/b%d\nmark :%d\nauthor A %d <a@example.com> %d +0100\ncommitter C <c@example.com> %d -0300\n",
			r.IntN(3), i+1, i, 1e9+i*60, 1e9+i*61)
		message := fmt.Sprintf("commit %d %s", i, line())
		fmt.Fprintf(&b, "data %d\n%s", len(message), message)
		from := -1
		if i > 0 {
			from = r.IntN(i)
			maps.Copy(files[i], files[from])
			fmt.Fprintf(&b, "from :%d\n", from+1)
			for range r.IntN(2) {
				if other := r.IntN(i); other != from {
					fmt.Fprintf(&b, "merge :%d\n", other+1)
				}
			}
		}
		for range 1 + r.IntN(3) {
			path := fmt.Sprintf("gitmem/d%d/f%d.md", r.IntN(3), r.IntN(3))
			names := slices.Sorted(maps.Keys(files[i]))
			switch {
			case r.IntN(4) == 0 && len(names) > 0 && files[i][path] == "":
				old := names[r.IntN(len(names))]
				fmt.Fprintf(&b, "R %s %s\n", old, path)
				files[i][path] = files[i][old]
				delete(files[i], old)
			default:
				text := files[i][path] + line()
				fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
				files[i][path] = text
			}
		}
		if r.IntN(5) == 0 {
			fmt.Fprintf(&b, "\ntag t%d\nfrom :%d\ntagger T <t@example.com> %d +0000\ndata %d\ntag %s\n", i, i+1, 1e9+i,
				len("tag ")+len(slip)+1, slip)
		}
	}
	stream := filepath.Join(t.TempDir(), "stream")
	if err := os.WriteFile(stream, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(stream)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.Command("git", "--git-dir="+s.GitDir(), "-c", fmt.Sprintf("fastimport.unpackLimit=%d", r.IntN(2)*100000),
		"fast-import", "--quiet", "--force")
	cmd.Stdin, cmd.Env = in, gitEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fast-import: %v\n%s", err, out)
	}
	inStore(t, s, "checkout", "-q", "-f", fmt.Sprintf("b%d", r.IntN(3)))
}

// pastCommit is the recorded data of a commit, with every file.
type pastCommit struct {
	Who     string
	Parents []string
	Files   map[string]string
}

// wholePast reads every commit. It removes a text from contents and messages, and names parents by ids.
func wholePast(t testing.TB, s *store.Store, text string, ids func(string) string) map[string]pastCommit {
	t.Helper()
	out := map[string]pastCommit{}
	purge := without(text)
	for line := range strings.Lines(inStore(t, s, "log", "--all", "--date-order",
		"--format=%H|%P|%an %ae %at %ai %cn %ce %ct %ci|%s") + "\n") {
		f := strings.SplitN(strings.TrimSpace(line), "|", 4)
		c := pastCommit{Who: f[2] + purge.Message(f[3]), Files: map[string]string{}}
		for _, p := range strings.Fields(f[1]) {
			c.Parents = append(c.Parents, ids(p))
		}
		for file, err := range s.FilesAt(f[0]) {
			if err != nil {
				t.Fatal(err)
			}
			content, err := s.Read(f[0], file.Path)
			if err != nil {
				t.Fatal(err)
			}
			if left := purge.File(file.Path, content); left != nil {
				c.Files[file.Path] = string(left)
			}
		}
		out[ids(f[0])] = c
	}
	return out
}

// settleFiles resets the files to HEAD: a purge leaves them to its caller.
func settleFiles(t testing.TB, s *store.Store) {
	t.Helper()
	inStore(t, s, "checkout", "-q", "-f", "HEAD")
	inStore(t, s, "clean", "-f", "-d", "-q")
}

// TestPurgeLaws purges random histories. Nothing contains the text afterwards, and each commit is unchanged except for
// the removed lines.
func TestPurgeLaws(t *testing.T) {
	t.Parallel()
	needGit(t)
	seeds := 3
	if os.Getenv(nightlyEnv) != "" {
		seeds = 40
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			s := initStore(t, t.TempDir())
			randomHistory(t, s, rand.New(rand.NewPCG(uint64(seed), 1)), 30)
			before := wholePast(t, s, slip, func(id string) string { return id })
			tree := inStore(t, s, "rev-parse", "HEAD")
			got := purge(t, s, slip)
			old := map[string]string{}
			for _, c := range got.Rewritten {
				old[c.New] = c.Old
			}
			if old[inStore(t, s, "rev-parse", "HEAD")] != tree && tree != inStore(t, s, "rev-parse", "HEAD") {
				t.Error("HEAD is another commit")
			}
			after := wholePast(t, s, slip, func(id string) string {
				if was, ok := old[id]; ok {
					return was
				}
				return id
			})
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the history differs (-before +after):\n%s", diff)
			}
			if len(got.Rewritten) == 0 || len(before) < 10 {
				t.Errorf("%d of %d commits rewritten", len(got.Rewritten), len(before))
			}
			settleFiles(t, s)
			checkGone(t, s, slip)
		})
	}
}

const purgeEnv = "GITMEM_TEST_PURGE"

// purgeChild purges again and again, until it is killed.
func purgeChild(root string) int {
	s, err := store.Open(store.Options{Root: root, Now: time.Now, LockWait: 5 * time.Minute})
	if err != nil {
		return fail(err)
	}
	fmt.Println("begins")
	if _, err := s.Purge(context.Background(), without(slip)); err != nil {
		return fail(err)
	}
	fmt.Println("done")
	return 0
}

// TestPurgeKilled kills processes that rewrite history, at random moments. After each the repository is intact once
// repaired, and the last one completes.
func TestPurgeKilled(t *testing.T) {
	t.Parallel()
	nightly(t)
	needGit(t)
	if runtime.GOOS == "windows" {
		t.Skip("a killed process can't be told from others by its locks without hard links everywhere")
	}
	r := rand.New(rand.NewPCG(3, 3))
	whole := time.Duration(0)
	for round := range 100 {
		s := initStore(t, t.TempDir())
		randomHistory(t, s, r, 40)
		cmd := childOf(purgeEnv, s.Root())
		inGroup(cmd)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var b [7]byte
		if _, err := out.Read(b[:]); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if round > 0 { // the first run measures the duration
			time.AfterFunc(time.Duration(r.Int64N(int64(max(whole, time.Millisecond)))), func() { killGroup(cmd) })
		}
		if err := cmd.Wait(); err == nil {
			whole = time.Since(begin) // it was finished, or is not to be killed
		}
		if err := s.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := inStore(t, s, "fsck", "--strict", "--no-dangling"); got != "" {
			t.Fatalf("round %d: git fsck: %s", round, got)
		}
		inStore(t, s, "log", "-p", "--all")
		purge(t, s, slip)
		settleFiles(t, s)
		checkGone(t, s, slip)
	}
}

// TestPurgeBesideWriters has others append and commit meanwhile: every acknowledged line exists afterwards.
func TestPurgeBesideWriters(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	randomHistory(t, s, rand.New(rand.NewPCG(5, 5)), 60)
	cmd, out, stderr := startChild(t, s.Root(), "writer", 20)
	var lines []string
	for out.Scan() {
		lines = append(lines, out.Text())
		if len(lines)%4 == 0 {
			purge(t, s, slip)
		}
	}
	if err := cmd.Wait(); err != nil || len(lines) != 20 {
		t.Errorf("%d lines, %v\n%s", len(lines), err, stderr)
	}
	for _, f := range []string{"d0", "d1", "d2"} { // the caller handles the files
		if err := os.RemoveAll(filepath.Join(s.Root(), "gitmem", f)); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, s, store.Change{Subject: "after all"})
	purge(t, s, slip)
	checkLines(t, s, lines)
	checkGone(t, s, slip)
}
