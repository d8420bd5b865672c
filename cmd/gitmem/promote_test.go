package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// proposals is a clone with somebody's work in progress, its remote, and the forge.
type proposals struct {
	*lab
	forge     *gitHub
	dir, bare string
}

func newProposals(t *testing.T) *proposals {
	t.Helper()
	l := newLab(t)
	p := &proposals{lab: l, forge: newGitHub(t), dir: filepath.Join(l.home, "pump"),
		bare: filepath.Join(l.home, "pump.git")}
	l.env = append(l.env, "GITMEM_OFFLINE=", "GITMEM_NO_BACKGROUND=1", "GH_ENTERPRISE_TOKEN="+forgeToken,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ann Lee", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=Ann Lee",
		"GIT_COMMITTER_EMAIL=ann@example.org")
	l.configure(fmt.Sprintf("forges: [{host: git.example.org, kind: github, api: '%s/api'}]\nfetch_wait: 5m\n",
		p.forge.URL))
	p.git(l.home, "init", "-q", "--bare", "-b", "main", p.bare)
	p.git(l.home, "init", "-q", "-b", "main", p.dir)
	p.git(p.dir, "config", "url."+filepath.ToSlash(p.bare)+".insteadOf", "git@git.example.org:acme/pump.git")
	p.git(p.dir, "remote", "add", "origin", "git@git.example.org:acme/pump.git")
	p.write("pump.go", "package pump\n")
	p.write(".github/CODEOWNERS", "*.go @bob\n.claude/ @ann @acme/rules @stranger\n")
	p.write(".claude/rules/style.md", "---\r\npaths: \"docs/**\"\r\n---\r\n# Style\r\n\r\n* Write short sentences\r\n")
	p.git(p.dir, "add", ".")
	p.git(p.dir, "commit", "-q", "-m", "Begin")
	p.git(p.dir, "push", "-q", "origin", "main")
	p.write("pump.go", "package stashed\n")
	p.git(p.dir, "stash", "-q")
	p.write("pump.go", "package dirty\n")
	p.write("staged.go", "package staged\n")
	p.git(p.dir, "add", "staged.go")
	p.write("untracked.go", "package untracked\n")
	p.forge.comment(7, "bob", "pump.go", "Please use slog for logging, not fmt.Println. @everyone fixes #1")
	p.must("-C", p.dir, "index")
	return p
}

func (p *proposals) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *proposals) git(dir string, args ...string) string {
	p.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = dir, append(slices.Clone(p.env), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := c.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// work returns the user's files, index, branch and stash.
func (p *proposals) work(dir string) map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if err == nil && d.IsDir() {
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
		p.t.Fatal(err)
	}
	gitDir := p.git(dir, "rev-parse", "--absolute-git-dir")
	for _, name := range []string{"HEAD", "index"} {
		b, err := os.ReadFile(filepath.Join(gitDir, name))
		if err != nil && !os.IsNotExist(err) {
			p.t.Fatal(err)
		}
		out[name] = string(b)
	}
	out["stash"], out["worktrees"] = p.git(dir, "stash", "list", "--format=%H"), p.git(dir, "worktree", "list")
	return out
}

type promoted struct {
	State, URL, Branch, Commit, File, Body, Diff, Rule string
	Number                                             int
	Next, Caveats, Reviewers, Paths                    []string
	Evidence                                           []struct{ ID string }
}

// promote runs the command and returns its output and its exit code.
func (p *proposals) promote(dir string, args ...string) (done promoted, code int, stderr string) {
	p.t.Helper()
	c := p.command(append([]string{"promote", "--json"}, args...)...)
	c.Dir = dir
	c.Env = append(slices.Clone(p.env), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := c.Output()
	if len(out) > 0 {
		if err := json.Unmarshal(out, &done); err != nil {
			p.t.Fatalf("%v: %s", err, out)
		}
	}
	return done, c.ProcessState.ExitCode(), stderrOf(err)
}

const slogComment = "github:comment:1:7"

// TestPromote: from a review comment to one pull request, regardless of the state of the work tree, and only
// once.
func TestPromote(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.git(p.dir, "worktree", "add", "-q", "-b", "other", filepath.Join(p.home, "linked"))
	p.git(p.home, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(p.bare), filepath.Join(p.home, "shallow"))
	p.git(filepath.Join(p.home, "shallow"), "config", "url."+filepath.ToSlash(p.bare)+".insteadOf",
		"git@git.example.org:acme/pump.git")
	p.git(filepath.Join(p.home, "shallow"), "remote", "set-url", "origin", "git@git.example.org:acme/pump.git")
	for i, dir := range []string{p.dir, filepath.Join(p.home, "linked"), filepath.Join(p.home, "shallow")} {
		rule := fmt.Sprintf("Use slog for logging in part %d", i+1)
		before := p.work(dir)
		plan, code, stderr := p.promote(dir, slogComment, rule)
		if code != exitOK || len(p.forge.pulls) != i {
			t.Fatalf("plan: code %d, %d pull requests: %s", code, len(p.forge.pulls), stderr)
		}
		want := "--- /dev/null\n+++ b/.claude/rules/go.md\n@@ -0,0 +1,8 @@\n+---\n+paths:\n+  - \"**/*.go\"\n+---\n+\n+# go\n"
		if !strings.HasPrefix(strings.ReplaceAll(plan.Diff, "# Go", "# go"), want) ||
			!slices.Equal(plan.Reviewers, []string{"ann", "acme/rules", "stranger"}) {
			t.Errorf("diff %s, reviewers %v", plan.Diff, plan.Reviewers)
		}
		done, code, stderr := p.promote(dir, slogComment, rule, "--yes", "--label", "rules", "--draft")
		if code != exitOK || done.State != "opened" || done.Number != i+1 || len(p.forge.pulls) != i+1 {
			t.Fatalf("code %d, %+v: %s", code, done, stderr)
		}
		if diff := cmp.Diff(before, p.work(dir)); diff != "" {
			t.Errorf("somebody's work changed: %s", diff)
		}
		again, code, stderr := p.promote(dir, slogComment, rule, "--yes")
		if code != exitOK || again.State != "unchanged" || again.Number != i+1 || again.Commit != done.Commit ||
			len(p.forge.pulls) != i+1 {
			t.Errorf("again: code %d, %+v: %s", code, again, stderr)
		}
		if head := p.git(p.bare, "rev-parse", "refs/heads/"+done.Branch); head != done.Commit {
			t.Errorf("pushed %s, committed %s", head, done.Commit)
		}
	}
	made := p.git(p.bare, "log", "-1", "--format=%an <%ae>%n%(trailers:key=Signed-off-by,key=Gitmem-Evidence,unfold)",
		p.forge.pulls[0]["head"].(map[string]any)["ref"].(string))
	if made != "Ann Lee <ann@example.org>\nGitmem-Evidence: github:comment:1:7\nSigned-off-by: Ann Lee <ann@example.org>" {
		t.Errorf("the commit: %s", made)
	}
	first := p.forge.pulls[0]
	body := first["body"].(string)
	for _, want := range []string{"[`github:comment:1:7`](https://git.example.org/acme/pump/pull/1#discussion_r7), bob, " +
		"2026-01-02:", "Please use slog for logging, not fmt.Println.", "## How to decline"} {
		if !strings.Contains(body, want) {
			t.Errorf("the body lacks %q:\n%s", want, body)
		}
	}
	if first["title"] != "rules: use slog for logging in part 1" || first["draft"] != true ||
		first["base"].(map[string]any)["ref"] != "main" {
		t.Errorf("pull request: %v", first)
	}
	if !slices.Equal(p.forge.asked, []string{"rules", "rules", "rules"}) ||
		!slices.Equal(p.forge.labels, []string{"rules", "rules", "rules"}) {
		t.Errorf("asked %v, labels %v", p.forge.asked, p.forge.labels)
	}
}

// TestPromoteFaults: a step that fails is reported and loses nothing, and the next run continues.
func TestPromoteFaults(t *testing.T) {
	t.Parallel()
	create := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/pulls")
	}
	access := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/user") }
	status := func(when func(*http.Request) bool, code int, header ...string) func(http.ResponseWriter,
		*http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if when(r) {
				plainly(code, `{"message":"no: `+forgeToken+`"}`, header...)(nil, w, r)
			}
			return when(r)
		}
	}
	for name, tt := range map[string]struct {
		fault func(http.ResponseWriter, *http.Request) bool
		state string // the state that is reached
		says  string
	}{
		"401": {status(access, 401), "committed", "credentials"},
		"403": {status(create, 403), "pushed", "credentials"},
		"404": {status(create, 404), "pushed", "there is none"},
		"409": {status(create, 409), "pushed", "status 409"},
		"422": {status(create, 422), "pushed", "status 422"},
		"502": {status(create, 502), "pushed", "status 502"},
		"rate limit": {status(create, 403, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset",
			fmt.Sprint(time.Now().Add(time.Hour).Unix())), "pushed", "rate limit"},
		"cut after the push": {func(_ http.ResponseWriter, r *http.Request) bool {
			if create(r) {
				panic(http.ErrAbortHandler)
			}
			return false
		}, "pushed", "run it again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProposals(t)
			if _, code, stderr := p.promote(p.dir, slogComment); code != exitOK {
				t.Fatalf("plan: %s", stderr)
			}
			before := p.work(p.dir)
			p.forge.fault = tt.fault
			done, code, stderr := p.promote(p.dir, slogComment, "--yes")
			if code != exitError || done.State != tt.state || !strings.Contains(stderr, tt.says) ||
				strings.Contains(stderr, forgeToken) {
				t.Errorf("code %d, %+v: %s", code, done, stderr)
			}
			if diff := cmp.Diff(before, p.work(p.dir)); diff != "" {
				t.Errorf("somebody's work changed: %s", diff)
			}
			p.forge.fault = nil
			again, code, stderr := p.promote(p.dir, slogComment, "--yes")
			if code != exitOK || again.State != "opened" || again.Commit != done.Commit || len(p.forge.pulls) != 1 {
				t.Errorf("again: code %d, %+v: %s", code, again, stderr)
			}
		})
	}
}

// The answer to a new pull request was lost: the next lookup finds it.
func TestPromoteLostAnswer(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.forge.fault = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/pulls") {
			return false
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		p.forge.create(r, body)
		panic(http.ErrAbortHandler)
	}
	done, code, stderr := p.promote(p.dir, slogComment, "--yes")
	if code != exitOK || done.State != "opened" || done.Number != 1 || len(p.forge.pulls) != 1 {
		t.Errorf("code %d, %+v: %s", code, done, stderr)
	}
}

func TestPromoteDeclined(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	if _, code, stderr := p.promote(p.dir, slogComment, "--yes"); code != exitOK {
		t.Fatal(stderr)
	}
	p.forge.pulls[0]["state"] = "closed"
	if _, code, stderr := p.promote(p.dir, slogComment, "--yes"); code != exitConflict ||
		!strings.Contains(stderr, "declined in #1") {
		t.Errorf("code %d: %s", code, stderr)
	}
	p.forge.comment(8, "cleo", "pump.go", "We use slog for logging here.")
	// the fetched data is outdated
	p.env = append(p.env, "GITMEM_TEST_NOW="+time.Now().Add(2*time.Hour).UTC().Format(time.RFC3339))
	p.must("-C", p.dir, "index")
	const rule = "Use slog for logging, not fmt.Println."
	done, code, stderr := p.promote(p.dir, slogComment, "github:comment:1:8", rule, "--yes")
	if code != exitOK || done.State != "opened" || done.Number != 2 {
		t.Errorf("with new evidence: code %d, %+v: %s", code, done, stderr)
	}
	p.forge.pulls[1]["body"] = "Ann: what about tests?\n\n" + strings.ReplaceAll(p.forge.pulls[1]["body"].(string),
		"Proposed by", "Once proposed by")
	done, code, stderr = p.promote(p.dir, slogComment, "github:comment:1:8", rule, "--yes")
	if body := p.forge.pulls[1]["body"].(string); code != exitOK || done.State != "updated" ||
		!strings.HasPrefix(body, "Ann: what about tests?\n\n<!-- gitmem rule") || !strings.Contains(body, "\nProposed by") {
		t.Errorf("code %d, %+v: %s\n%s", code, done, stderr, p.forge.pulls[1]["body"])
	}
}

// TestPromoteFork: without push access the branch goes to a fork.
func TestPromoteFork(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	fork := filepath.Join(p.home, "fork.git")
	p.git(p.home, "clone", "-q", "--bare", p.bare, fork)
	p.git(p.dir, "config", "url."+filepath.ToSlash(fork)+".insteadOf", "https://git.example.org/ann/pump.git")
	p.forge.noPush, p.forge.forkURL = true, "https://git.example.org/ann/pump.git"
	done, code, stderr := p.promote(p.dir, slogComment, "--yes")
	if code != exitOK || done.State != "opened" || p.forge.pulls[0]["head"].(map[string]any)["label"] != "ann:"+
		done.Branch {
		t.Fatalf("code %d, %+v: %s", code, done, stderr)
	}
	if head := p.git(fork, "rev-parse", "refs/heads/"+done.Branch); head != done.Commit {
		t.Errorf("the fork has %s", head)
	}
	p.forge.forkURL = "https://elsewhere.example.org/ann/pump.git"
	if done, code, stderr = p.promote(p.dir, "Never log a password", "--yes"); code != exitOK ||
		done.State != "committed" || !strings.Contains(strings.Join(done.Caveats, " "), "is not on git.example.org") {
		t.Errorf("a fork elsewhere: code %d, %+v: %s", code, done, stderr)
	}
}

// TestPromoteProtected: a remote that refuses the branch, and one where it has changed.
func TestPromoteProtected(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	hook := filepath.Join(p.bare, "hooks", "pre-receive")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho protected branch >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	done, code, stderr := p.promote(p.dir, slogComment, "--yes")
	if code != exitError || done.State != "committed" || !strings.Contains(stderr, "protected branch") ||
		len(p.forge.pulls) != 0 {
		t.Fatalf("code %d, %+v: %s", code, done, stderr)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if done, code, stderr = p.promote(p.dir, slogComment, "--yes"); code != exitOK || done.State != "opened" {
		t.Fatalf("code %d, %+v: %s", code, done, stderr)
	}
	other := filepath.Join(p.home, "other")
	p.git(p.home, "clone", "-q", "-b", done.Branch, p.bare, other)
	p.git(other, "commit", "-q", "--allow-empty", "-m", "Better words")
	p.git(other, "push", "-q")
	moved := p.git(p.bare, "rev-parse", done.Branch)
	done, code, stderr = p.promote(p.dir, slogComment, "--yes")
	if code != exitOK || done.State != "unchanged" || !strings.Contains(strings.Join(done.Caveats, " "),
		"other commits") || p.git(p.bare, "rev-parse", done.Branch) != moved {
		t.Errorf("code %d, %+v: %s", code, done, stderr)
	}
}

// If the name of a remote's main branch differs from the known one, it is not guessed.
func TestPromoteRenamedBranch(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.git(p.dir, "push", "-q", "origin", "main:trunk")
	p.git(p.dir, "fetch", "-q", "origin")
	p.git(p.dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	done, code, stderr := p.promote(p.dir, "Use slog for logging", "--yes")
	if code != exitConflict || done.State != "" || !strings.Contains(stderr, "git remote set-head origin --auto") ||
		len(p.forge.pulls) > 0 {
		t.Errorf("code %d, %+v: %s", code, done, stderr)
	}
}

func TestPromoteAlone(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.env = append(p.env, "GH_ENTERPRISE_TOKEN=")
	done, code, stderr := p.promote(p.dir, "Use slog for logging", "--yes")
	if code != exitOK || done.State != "committed" || len(done.Next) != 2 || done.Next[0] != "git push origin "+
		done.Branch || len(p.forge.calls) > 0 {
		t.Errorf("without a token: code %d, %+v: %s", code, done, stderr)
	}
	empty := filepath.Join(p.home, "empty")
	p.git(p.home, "init", "-q", empty)
	if _, code, stderr := p.promote(empty, "Use slog for logging", "--yes"); code != exitNotFound ||
		!strings.Contains(stderr, "no commit yet") {
		t.Errorf("without commits: code %d: %s", code, stderr)
	}
	before := p.work(empty)
	done, code, stderr = p.promote(empty, "Use slog for logging", "--yes", "--local", "--domain", "go",
		"--paths", "**/*.go")
	if code != exitOK || done.State != "written" {
		t.Fatalf("local: code %d, %+v: %s", code, done, stderr)
	}
	file := filepath.Join(empty, ".claude", "rules", "go.md")
	after := p.work(empty)
	if after[file] != "---\npaths:\n  - \"**/*.go\"\n---\n\n# Go\n\n- Use slog for logging\n" {
		t.Errorf("the file: %q", after[file])
	}
	delete(after, file)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	if _, code, stderr := p.promote(empty, "Use slog for the logging", "--yes", "--local"); code != exitConflict ||
		!strings.Contains(stderr, "go.md line 8 says this already") {
		t.Errorf("twice: code %d: %s", code, stderr)
	}
	done, code, stderr = p.promote(p.dir, "Write long sentences", "--local", "--domain", "style")
	if want := " * Write short sentences\r\n+* Write long sentences\r\n"; code != exitOK ||
		!strings.Contains(done.Diff, want) || !strings.Contains(strings.Join(done.Caveats, " "), "for docs/** only") {
		t.Errorf("code %d, %q, %s", code, done.Diff, stderr)
	}
}

// TestPromoteRefused: text that is not a rule or contains a secret, and folders that may not be written.
func TestPromoteRefused(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	for what, says := range map[string]string{
		" - ":                       "the rule is empty",
		"Log in with " + plantedKey: "looks like a password",
		strings.Repeat("Use slog for logs. ", 40): "more than 400",
		"github:comment:1:99":                     "github:comment:1:99",
	} {
		if _, code, stderr := p.promote(p.dir, what, "--yes"); code == exitOK || !strings.Contains(stderr, says) {
			t.Errorf("%q: code %d: %s", what, code, stderr)
		}
	}
	if _, code, stderr := p.promote(p.dir, "Use slog", "--domain", "../../etc"); code != exitUsage ||
		!strings.Contains(stderr, "--domain") {
		t.Errorf("code %d: %s", code, stderr)
	}
	if err := os.MkdirAll(filepath.Join(p.dir, ".claude", "rules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(p.home, "elsewhere.md"),
		filepath.Join(p.dir, ".claude", "rules", "go.md")); err != nil {
		t.Skip(err)
	}
	if _, code, stderr := p.promote(p.dir, "Use slog for logging", "--domain", "go", "--local",
		"--yes"); code != exitUsage || !strings.Contains(stderr, "is a link") {
		t.Errorf("a link: code %d: %s", code, stderr)
	}
}
