package branch_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/branch"
)

// git runs git in a folder, as a person with a name.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, environ(t)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func environ(t *testing.T) []string {
	t.Helper()
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ann",
		"GIT_AUTHOR_EMAIL=ann@example.org",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_CONFIG_GLOBAL=/dev/null", "SystemRoot=" +
			os.Getenv("SystemRoot"),
	}
}

// fixture returns a remote and a clone of it in which somebody is working.
func fixture(t *testing.T) (dir string, r branch.Repo) {
	t.Helper()
	top := t.TempDir()
	bare, dir := filepath.Join(top, "bare.git"), filepath.Join(top, "clone")
	git(t, top, "init", "-q", "--bare", "-b", "main", bare)
	git(t, top, "clone", "-q", bare, dir)
	git(t, dir, "checkout", "-q", "-b", "main")
	put(t, dir, "a.txt", "one\n")
	put(t, dir, ".gitignore", ".claude/\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	git(t, dir, "push", "-q", "origin", "main")
	put(t, dir, "a.txt", "stashed\n")
	git(t, dir, "stash", "-q")
	put(t, dir, "a.txt", "dirty\n")
	put(t, dir, "staged.txt", "staged\n")
	git(t, dir, "add", "staged.txt")
	put(t, dir, "new.txt", "untracked\n")
	return dir, branch.Repo{GitDir: filepath.Join(dir, ".git"), WorkTree: dir, Temp: t.TempDir(), Environ: environ(t)}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// snapshot returns every file of the work tree and those of git's folder that affect the user.
func snapshot(t *testing.T, r branch.Repo) map[string]string {
	t.Helper()
	out := map[string]string{"stash": git(t, r.WorkTree, "stash", "list", "--format=%H"),
		"branch": git(t, r.WorkTree, "rev-parse", "--symbolic-full-name", "HEAD")}
	err := filepath.WalkDir(r.WorkTree, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if d.Type().IsRegular() {
			b, err := os.ReadFile(name)
			out[name] = string(b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HEAD", "index"} {
		b, err := os.ReadFile(filepath.Join(r.GitDir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(b)
	}
	return out
}

func change(parent string) branch.Change {
	return branch.Change{Branch: "gitmem/rule-x", Parent: parent, Path: ".claude/rules/go.md",
		Text: []byte("- Use slog\n"), Message: "rules: use slog\n\nGitmem-Rule: r-1\n"}
}

func TestMake(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"a clone", "a linked work tree", "a shallow clone"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir, r := fixture(t)
			switch kind {
			case "a linked work tree":
				linked := filepath.Join(t.TempDir(), "linked")
				git(t, dir, "worktree", "add", "-q", "-b", "other", linked)
				r.GitDir, r.WorkTree = git(t, linked, "rev-parse", "--absolute-git-dir"), linked
				put(t, linked, "a.txt", "dirty here\n")
			case "a shallow clone":
				shallow := filepath.Join(t.TempDir(), "shallow")
				git(t, dir, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(filepath.Join(filepath.Dir(dir), "bare.git")),
					shallow)
				r.GitDir, r.WorkTree = filepath.Join(shallow, ".git"), shallow
				put(t, shallow, "a.txt", "dirty here\n")
			}
			before := snapshot(t, r)
			name := r.DefaultBranch(t.Context(), "origin", true)
			if name != "main" {
				t.Fatalf("the remote's branch is %q", name)
			}
			if err := r.Fetch(t.Context(), "origin", name); err != nil {
				t.Fatal(err)
			}
			base, err := r.Commit(t.Context(), "refs/remotes/origin/main")
			if err != nil || base == "" {
				t.Fatalf("no base: %v", err)
			}
			commit, err := r.Make(t.Context(), change(base))
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Push(t.Context(), "origin", commit, "gitmem/rule-x"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, snapshot(t, r)); diff != "" {
				t.Errorf("somebody's work changed: %s", diff)
			}
			if got, err := r.RemoteCommit(t.Context(), "origin", "gitmem/rule-x"); err != nil || got != commit {
				t.Errorf("the remote has %q, %v", got, err)
			}
			if got := git(t, r.WorkTree, "show", "--format=%an|%s|%(trailers:key=Signed-off-by,valueonly)", "--name-only",
				commit); got != "Ann|rules: use slog|Ann <ann@example.org>\n\n\n.claude/rules/go.md" {
				t.Errorf("committed: %q", got)
			}
			if got := git(t, r.WorkTree, "worktree", "list"); strings.Contains(got, "gitmem-rule-") {
				t.Errorf("a work tree is left: %s", got)
			}
		})
	}
}

// A sparse checkout, hooks below the work tree and a separate push URL are settings, not errors.
func TestMakeSettings(t *testing.T) {
	t.Parallel()
	dir, r := fixture(t)
	fork := filepath.Join(t.TempDir(), "fork.git")
	git(t, dir, "clone", "-q", "--bare", filepath.Join(filepath.Dir(dir), "bare.git"), fork)
	git(t, dir, "config", "remote.origin.pushurl", fork)
	git(t, dir, "config", "core.hooksPath", ".husky/_")
	git(t, dir, "config", "core.autocrlf", "input")
	git(t, dir, "config", "core.safecrlf", "true")
	put(t, dir, ".husky/_/commit-msg", "#!/bin/sh\ntest -f a.txt && echo Hooked: yes >>\"$1\"\n")
	if err := os.Chmod(filepath.Join(dir, ".husky", "_", "commit-msg"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "stash", "-q")
	git(t, dir, "sparse-checkout", "set", "none")
	before := snapshot(t, r)
	c := change(git(t, dir, "rev-parse", "HEAD"))
	c.Text = []byte("- Use slog\r\n")
	commit, err := r.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if said := git(t, dir, "log", "-1", "--format=%B", commit); !strings.Contains(said, "Hooked: yes") {
		t.Errorf("the hook was not asked: %s", said)
	}
	if got := git(t, dir, "diff", "--name-status", commit+"^", commit); got != "A\t.claude/rules/go.md" {
		t.Errorf("committed: %s", got)
	}
	if err := r.Push(t.Context(), "origin", commit, c.Branch); err != nil {
		t.Fatal(err)
	}
	if got, err := r.RemoteCommit(t.Context(), "origin", c.Branch); err != nil || got != commit {
		t.Errorf("the remote that was pushed to has %q, %v", got, err)
	}
	if diff := cmp.Diff(before, snapshot(t, r)); diff != "" {
		t.Errorf("somebody's work changed: %s", diff)
	}
}

// The refusal of a hook is reported in its own words, and leaves neither a branch nor a folder.
func TestMakeRefused(t *testing.T) {
	t.Parallel()
	dir, r := fixture(t)
	hook := filepath.Join(r.GitDir, "hooks", "pre-commit")
	put(t, r.GitDir, "hooks/pre-commit", "#!/bin/sh\ntest -f a.txt && echo no rules today >&2\nexit 1\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, r)
	_, err := r.Make(t.Context(), change(git(t, dir, "rev-parse", "HEAD")))
	if err == nil || !strings.HasPrefix(err.Error(), "git commit: ") || !strings.Contains(err.Error(), "no rules today") {
		t.Errorf("error: %v", err)
	}
	if diff := cmp.Diff(before, snapshot(t, r)); diff != "" {
		t.Error(diff)
	}
	if c, err := r.Commit(t.Context(), "refs/heads/gitmem/rule-x"); c != "" || err != nil {
		t.Errorf("branch: %q, %v", c, err)
	}
	if left, err := os.ReadDir(r.Temp); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A branch that others changed is not overwritten.
func TestPushMoved(t *testing.T) {
	t.Parallel()
	dir, r := fixture(t)
	base := git(t, dir, "rev-parse", "HEAD")
	first, err := r.Make(t.Context(), change(base))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Push(t.Context(), "origin", first, "gitmem/rule-x"); err != nil {
		t.Fatal(err)
	}
	c := change(base)
	c.Old, c.Text = first, []byte("- Use zerolog\n")
	second, err := r.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Push(t.Context(), "origin", second, "gitmem/rule-x"); err == nil {
		t.Error("another's commit was replaced")
	}
	if got, err := r.RemoteCommit(t.Context(), "origin", "gitmem/rule-x"); err != nil || got != first {
		t.Errorf("the remote has %q, %v", got, err)
	}
	if _, err := r.Make(t.Context(), c); err == nil {
		t.Error("a branch that moved was replaced")
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	dir, r := fixture(t)
	list, err := r.Files(t.Context(), git(t, dir, "rev-parse", "HEAD"), "a.txt", "none")
	if err != nil || len(list) != 1 || !list[0].Regular() {
		t.Fatalf("%v, %v", list, err)
	}
	if b, err := r.Read(t.Context(), list[0]); err != nil || !bytes.Equal(b, []byte("one\n")) {
		t.Errorf("%q, %v", b, err)
	}
	empty := branch.Repo{GitDir: filepath.Join(t.TempDir(), "e"), Environ: environ(t)}
	git(t, t.TempDir(), "init", "-q", "--bare", empty.GitDir)
	if c, err := empty.Commit(t.Context(), "HEAD"); c != "" || err != nil {
		t.Errorf("an empty repository: %q, %v", c, err)
	}
}
