//go:build unix

package git_test

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// BenchmarkHistory reads a whole history with its changed files, alternately with git log, and compares every
// commit. GITMEM_BENCH_REPOSITORY is the repository, by default that of this checkout.
func BenchmarkHistory(b *testing.B) {
	needGit(b)
	dir := cmp.Or(os.Getenv("GITMEM_BENCH_REPOSITORY"), ".")
	var wall, cpu, gitWall, gitCPU []float64
	for b.Loop() {
		log := gitLog(dir, "--name-only")
		start := time.Now()
		if err := log.Run(); err != nil {
			b.Fatal(err)
		}
		gitWall = append(gitWall, float64(time.Since(start).Microseconds())/1000)
		gitCPU = append(gitCPU, float64((log.ProcessState.UserTime()+log.ProcessState.SystemTime()).Microseconds())/1000)
		before := cpuTime()
		start = time.Now()
		printHistory(b, dir, io.Discard, printCommit)
		wall = append(wall, float64(time.Since(start).Microseconds())/1000)
		cpu = append(cpu, float64((cpuTime()-before).Microseconds())/1000)
	}
	b.ReportMetric(middle(gitWall), "git-ms")
	b.ReportMetric(middle(wall), "ms")
	b.ReportMetric(middle(cpu), "cpu-ms")
	b.ReportMetric(middle(wall)/middle(gitWall), "wall-ratio")
	b.ReportMetric(middle(cpu)/max(1, middle(gitCPU)), "cpu-ratio")
	n := compareHistory(b, dir)
	b.ReportMetric(float64(n), "equal-commits")
}

func middle(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }

// cpuTime returns the CPU time of this process so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it can't fail for the own process
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func gitLog(dir string, args ...string) *exec.Cmd {
	c := exec.Command("git", append([]string{"-c", "safe.directory=*", "-c", "i18n.logOutputEncoding=UTF-8", "-c",
		"log.mailmap=true", "log", "--no-renames"}, args...)...)
	c.Dir, c.Env = dir, gitEnv()
	return c
}

func printHistory(tb testing.TB, dir string, to io.Writer, one func(io.StringWriter, *git.Commit)) {
	tb.Helper()
	loc, err := git.Discover(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := git.Open(loc)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	w := bufio.NewWriterSize(to, 1<<16)
	for c, err := range r.Walk(tb.Context(), []string{"HEAD"}, git.WalkOptions{Paths: true}) {
		if err != nil {
			tb.Fatal(err)
		}
		one(w, &c)
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	if s := r.Skipped(); len(s) > 0 {
		tb.Errorf("skipped %v", s)
	}
}

func write(w io.StringWriter, parts ...string) {
	for _, s := range parts {
		_, _ = w.WriteString(s) // a bufio.Writer keeps the error for Flush
	}
}

// printCommit prints about the same as git log.
func printCommit(w io.StringWriter, c *git.Commit) {
	write(w, "commit ", c.Hash, "\nAuthor: ", c.Author.Name, " <", c.Author.Email, ">\nDate:   ",
		c.Author.When.Format("Mon Jan 2 15:04:05 2006 -0700"), "\n\n    ", c.Subject, "\n", c.Body, "\n")
	for _, ch := range c.Changes {
		write(w, ch.Path, "\n")
	}
}

// printRecord prints all fields of a commit in machine-readable form, each with an end mark.
func printRecord(w io.StringWriter, c *git.Commit) {
	write(w, "\x1e\x01")
	for _, s := range []string{c.Hash, strings.Join(c.Parents, " "), c.Tree, c.Author.Name, c.Author.Email,
		strconv.FormatInt(c.Author.When.Unix(), 10),
		c.Committer.Name, c.Committer.Email, strconv.FormatInt(c.Committer.When.Unix(), 10), c.Subject, c.Body} {
		write(w, s, "\x1f\x01")
	}
	for _, ch := range c.Changes {
		write(w, ch.Path, "\x00")
	}
}

// compareHistory compares every commit with git's: ids, parents, order, files, people, times and messages.
// White space in texts is normalised, because it only matters for presentation.
func compareHistory(tb testing.TB, dir string) int {
	tb.Helper()
	format := "--format=%x1e%x01" + strings.Join([]string{"%H", "%P", "%T", "%aN", "%aE", "%at", "%cN", "%cE", "%ct", "%s",
		"%b", ""}, "%x1f%x01")
	theirs, err := gitLog(dir, "-z", "--name-only", format).Output()
	if err != nil {
		tb.Fatal(err)
	}
	var ours strings.Builder
	printHistory(tb, dir, &ours, printRecord)
	want, got := strings.Split(string(theirs), "\x1e\x01"), strings.Split(ours.String(), "\x1e\x01")
	if len(want) != len(got) {
		tb.Errorf("%d commits, git has %d", len(got)-1, len(want)-1)
	}
	for i := range min(len(want), len(got)) {
		if a, b := normal(want[i]), normal(got[i]); a != b {
			tb.Fatalf("a commit differs\ngit:  %q\nhere: %q", a, b)
		}
	}
	return len(got) - 1
}

// normal removes the separators that -z puts between the text and the files of a commit.
func normal(text string) string {
	parts := strings.Split(strings.ToValidUTF8(text, "\uFFFD"), "\x1f\x01")
	for i, p := range parts[:len(parts)-1] {
		parts[i] = strings.Join(strings.Fields(p), " ")
	}
	last := &parts[len(parts)-1]
	*last = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(*last, "\x00"), "\n"), "\x00")
	return strings.Join(parts, "\x1f")
}
