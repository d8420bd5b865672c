package git_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// survivingByGit counts lines by commit like git blame, except for blank ones.
func survivingByGit(t *testing.T, dir, path string, args ...string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for l := range strings.Lines(run(t, dir, append(append([]string{"blame", "-w", "-l", "-s", "--root"}, args...),
		"--", path)...)) {
		commit, text, _ := strings.Cut(l, ")")
		if strings.TrimSpace(text) != "" {
			counts[strings.Fields(commit)[0]]++
		}
	}
	return counts
}

// reformatted returns a repository in which the second commit indents the lines of the first, the third
// renames something in them, and the fourth adds lines. The second and the third should own no lines.
func reformatted(t *testing.T) (dir string, commits []string) {
	t.Helper()
	dir = newRepo(t)
	lines := func(indent, verb string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%s(pump, %d, valves[%d])\n\n", indent, verb, i, 7*i)
		}
		return b.String()
	}
	for i, text := range []string{lines("", "open", 8), lines("    ", "open", 8), lines("\t", "open_now", 8),
		lines("\t", "open_now", 8) + "end of it\n"} {
		commits = append(commits, commitFile(t, dir, "pump.py", text, fmt.Sprintf("Change %d", i), i))
	}
	return dir, commits
}

func TestSurvivingLines(t *testing.T) {
	t.Parallel()
	dir, commits := reformatted(t)
	surviving := func(dir string) map[string]int {
		t.Helper()
		got, err := open(t, dir).SurvivingLines(t.Context(), "HEAD", "pump.py")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if diff := cmp.Diff(survivingByGit(t, dir, "pump.py"), surviving(dir)); diff != "" {
		t.Errorf("(-git +ours):\n%s", diff)
	}
	writeFile(t, dir, "reformatted.txt", "# renamed\n"+commits[2]+" # all of it\n")
	run(t, dir, "config", "blame.ignoreRevsFile", "reformatted.txt")
	want := map[string]int{commits[0]: 8, commits[3]: 1}
	if diff := cmp.Diff(want, survivingByGit(t, dir, "pump.py")); diff != "" {
		t.Errorf("git itself (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, surviving(dir)); diff != "" {
		t.Errorf("blame.ignoreRevsFile (-want +got):\n%s", diff)
	}
	run(t, dir, "config", "--unset", "blame.ignoreRevsFile")
	commitFile(t, dir, ".git-blame-ignore-revs", commits[1]+"\n"+commits[2]+"\n", "Ignore them", 5)
	if diff := cmp.Diff(want, surviving(dir)); diff != "" {
		t.Errorf(".git-blame-ignore-revs (-want +got):\n%s", diff)
	}
	blamed, err := open(t, dir).Blame(t.Context(), "HEAD", "pump.py", 1, 1)
	if err != nil || blamed[0].Commit != commits[0] {
		t.Errorf("line 1: %+v, %v", blamed, err)
	}
}

// Lines that were never fetched belong to no commit: neither to the last one of a shallow clone nor to the
// oldest one for which a partial clone has the file.
func TestSurvivingLinesOfWhatWasNotFetched(t *testing.T) {
	t.Parallel()
	dir, commits := reformatted(t)
	shallow := cloneOf(t, dir, "--depth=2", "--no-local")
	got, err := open(t, shallow).SurvivingLines(t.Context(), "HEAD", "pump.py")
	if diff := cmp.Diff(map[string]int{"": 8, commits[3]: 1}, got); err != nil || diff != "" {
		t.Errorf("shallow: %v (-want +got):\n%s", err, diff)
	}
	for _, filter := range []string{"blob:none", "tree:0"} {
		partial := cloneOf(t, dir, "--filter="+filter, "--no-local")
		if got, err := open(t, partial).SurvivingLines(t.Context(), "HEAD", "pump.py"); !errors.Is(err, git.ErrNotFound) {
			t.Errorf("%s: %v, %v", filter, got, err)
		}
	}
	if _, err := open(t, dir).SurvivingLines(t.Context(), "HEAD", filepath.Join("no", "file")); !errors.Is(err,
		git.ErrNotFound) {
		t.Errorf("no such file: %v", err)
	}
}
