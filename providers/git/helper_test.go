package git_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

// gitEnv returns the environment of every git in the tests: nothing of the user's, fixed people and dates.
func gitEnv() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	return append(env,
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		"GIT_CONFIG_KEY_1=safe.directory", "GIT_CONFIG_VALUE_1=*",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
		"GIT_AUTHOR_DATE=1700000000 +0100", "GIT_COMMITTER_DATE=1700000000 +0100",
		"LC_ALL=C", "TZ=UTC")
}

func needGit(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skip("SKIPPED, NOT PASSED: this test compares with the git program, which is not on PATH")
	}
}

// runIn runs git in dir with input and returns its output.
func runIn(tb testing.TB, dir, input string, args ...string) string {
	tb.Helper()
	out, err := tryGit(dir, input, args...)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func tryGit(dir, input string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, gitEnv()
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w\n%s", strings.Join(args, " "), dir, err, stderr.Bytes())
	}
	return string(out), nil
}

// gitWith runs git with additional environment variables.
func gitWith(dir string, env map[string]string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, gitEnv()
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.Output()
	return strings.TrimRight(string(out), "\n"), err
}

// run runs git in dir and returns its output without the last newline.
func run(tb testing.TB, dir string, args ...string) string {
	tb.Helper()
	return strings.TrimRight(runIn(tb, dir, "", args...), "\n")
}

// tempDir returns a real path, because git prints real paths.
func tempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

// newRepo creates a repository with the branch main and no commits.
func newRepo(tb testing.TB) string {
	tb.Helper()
	needGit(tb)
	dir := filepath.Join(tempDir(tb), "repo")
	run(tb, filepath.Dir(dir), "init", "-q", "-b", "main", dir)
	return dir
}

func writeFile(tb testing.TB, dir, name, text string) {
	tb.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// commitFile writes one file and commits it with the time of the n-th minute.
func commitFile(tb testing.TB, dir, name, text, message string, n int) string {
	tb.Helper()
	writeFile(tb, dir, name, text)
	run(tb, dir, "add", "--", name)
	return commit(tb, dir, message, n)
}

func commit(tb testing.TB, dir, message string, n int, args ...string) string {
	tb.Helper()
	cmd := exec.Command("git", append([]string{"commit", "-q", "--allow-empty", "-m", message}, args...)...)
	date := fmt.Sprintf("%d +0100", 1700000000+60*n)
	cmd.Dir, cmd.Env = dir, append(gitEnv(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("commit: %v\n%s", err, out)
	}
	return run(tb, dir, "rev-parse", "HEAD")
}

// sample returns a repository of four commits in two folders.
func sample(tb testing.TB) string {
	tb.Helper()
	dir := newRepo(tb)
	commitFile(tb, dir, "README.md", "one\n", "Start\n\nThe first line.\n\nAnd another.", 0)
	commitFile(tb, dir, "src/relay.go", "package relay\n", "feat: add the relay", 1)
	commitFile(tb, dir, "README.md", "two\n", "Say more in the README", 2)
	run(tb, dir, "rm", "-q", "src/relay.go")
	commit(tb, dir, "Drop the relay", 3)
	return dir
}

func open(tb testing.TB, dir string) *git.Repository {
	tb.Helper()
	loc, err := git.Discover(dir, func(name string) string {
		return map[string]string{"SUDO_UID": "65534"}[name] // git gets safe.directory=* for "other owner"
	})
	if err != nil {
		tb.Fatal(err)
	}
	r, err := git.Open(loc)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

// walk returns the commits from the tips of a repository.
func walk(tb testing.TB, r *git.Repository, o git.WalkOptions, tips ...string) []git.Commit {
	tb.Helper()
	if len(tips) == 0 {
		tips = []string{"HEAD"}
	}
	var out []git.Commit
	for c, err := range r.Walk(tb.Context(), tips, o) {
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// nameStatus formats commits like gitNameStatus, which parses "git log -z --format=%x01%H --name-status": one
// line per commit, with its sorted changes.
func nameStatus(commits []git.Commit) []string {
	var out []string
	for _, c := range commits {
		line := []string{c.Hash}
		for _, ch := range c.Changes {
			line = append(line, string(ch.Op)+" "+ch.Path)
		}
		out = append(out, strings.Join(line, "\n"))
	}
	return out
}

// gitNameStatus returns git's result for the same. A change of type (T) counts as modified.
func gitNameStatus(tb testing.TB, dir string, args ...string) []string {
	tb.Helper()
	args = append([]string{"log", "-z", "--no-renames", "--name-status", "--format=%x01%H"}, args...)
	var out []string
	for part := range strings.SplitSeq(runIn(tb, dir, "", args...), "\x01") {
		fields := strings.FieldsFunc(part, func(r rune) bool { return r == 0 || r == '\n' })
		if len(fields) == 0 {
			continue
		}
		line := []string{fields[0]}
		for i := 1; i+1 < len(fields); i += 2 {
			line = append(line, strings.Replace(fields[i], "T", "M", 1)+" "+fields[i+1])
		}
		out = append(out, strings.Join(line, "\n"))
	}
	return out
}

// looseObject returns the file of an object that is not in a pack.
func looseObject(gitDir, hash string) string {
	return filepath.Join(gitDir, "objects", hash[:2], hash[2:])
}

func wantErr(tb testing.TB, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("error is %v, want one that is %q", err, want)
	}
}

func keys[K interface{ ~string }, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
