package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// desk is a home, a cache and a small repository for tests that run the program in a separate process.
type desk struct {
	tb              testing.TB
	home, repo, bin string
	env             []string
}

// result is the output of one run of the program.
type result struct {
	out, err string
	code     int
}

// newDesk creates a repository of three commits by two people, a rule, and a session with a decision. There
// is no store yet.
func newDesk(tb testing.TB) *desk {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skip("git is not installed: there is no history to ask")
	}
	base := tb.TempDir()
	d := &desk{tb: tb, home: filepath.Join(base, "home"), repo: filepath.Join(base, "repo"), bin: "gitmem"}
	cache := filepath.Join(base, "cache")
	d.env = append(os.Environ(), "HOME="+d.home, "USERPROFILE="+d.home, "XDG_CACHE_HOME="+cache, "LocalAppData="+cache,
		"XDG_CONFIG_HOME="+filepath.Join(d.home, ".config"), "TMPDIR="+base, "TZ=UTC", "GITMEM_TEST_NOW=2026-11-20T12:00:00Z",
		"GITMEM_TEST_WAIT=5m",
		"GITMEM_HOME=", "CLAUDE_CONFIG_DIR=", "CLAUDECODE=", "XDG_DATA_HOME=", "CODEX_HOME=", "CODEX_THREAD_ID=",
		"COPILOT_AGENT_SESSION_ID=", "GEMINI_CLI=", "OPENCODE=", "PI_CODING_AGENT=", "COPILOT_HOME=", "GEMINI_CLI_HOME=",
		"QWEN_HOME=", "OPENCODE_DB=", "PI_CODING_AGENT_DIR=", "GITMEM_NO_BACKGROUND=1", "VISUAL=", "EDITOR=empty",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+base)
	for _, dir := range []string{d.home, d.repo, cache} {
		d.check(os.MkdirAll(dir, 0o700))
	}
	d.git(nil, "init", "--quiet", "--initial-branch=main")
	d.write("repo/.claude/rules/go.md", "# Go\n\n## Errors\n\nWrap errors with the path.\n")
	d.commit("2024-03-01T10:00:00Z", "Ada Example",
		"Drop Redis: sessions fit in memory\n\nRedis was only kept for sessions, and they fit in memory.")
	d.write("repo/parser.go", "package yaml\n")
	d.commit("2024-03-05T10:00:00Z", "Bob Example", "Add the YAML parser")
	d.write("repo/parser.go", "package yaml // fixed\n")
	d.commit("2024-04-09T10:00:00Z", "Ada Example", "fix: parser loses the last line")
	d.write("home/.claude/projects/-w-repo/"+deskSession+".jsonl", deskTranscript(d.repo))
	return d
}

const deskSession = "38c88b61-18be-494e-9c54-6e697febc51c"

// deskTranscript returns a session of one prompt and one reply.
func deskTranscript(cwd string) string {
	common := fmt.Sprintf(`"sessionId":%q,"cwd":%q,"gitBranch":"main"`, deskSession, cwd)
	return `{"type":"user","uuid":"u1","timestamp":"2026-11-19T11:00:00.000Z","promptSource":"typed",` + common +
		`,"message":{"role":"user","content":"Choose a relay for the pump and wire it"}}` + "\n" +
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-11-19T11:01:00.000Z",` + common +
		`,"message":{"role":"assistant","content":[{"type":"text","text":"We decided to use the ten ampere relay because ` +
		`the pump draws seven ampere."}]}}` + "\n"
}

func (d *desk) check(err error) {
	d.tb.Helper()
	if err != nil {
		d.tb.Fatal(err)
	}
}

// write creates a file below the fixture's folder.
func (d *desk) write(rel, text string) {
	d.tb.Helper()
	name := filepath.Join(filepath.Dir(d.repo), filepath.FromSlash(rel))
	d.check(os.MkdirAll(filepath.Dir(name), 0o700))
	d.check(os.WriteFile(name, []byte(text), 0o600))
}

func (d *desk) git(env []string, args ...string) {
	d.tb.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = d.repo, append(d.env[:len(d.env):len(d.env)], env...)
	if out, err := c.CombinedOutput(); err != nil {
		d.tb.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (d *desk) commit(date, author, message string) {
	d.tb.Helper()
	mail := strings.ToLower(strings.Fields(author)[0]) + "@example.org"
	d.git(nil, "add", "--all")
	d.git([]string{
		"GIT_AUTHOR_NAME=" + author, "GIT_AUTHOR_EMAIL=" + mail, "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=" + author, "GIT_COMMITTER_EMAIL=" + mail, "GIT_COMMITTER_DATE=" + date,
	}, "commit", "--quiet", "--allow-empty", "--message", message)
}

// run runs the program in the repository.
func (d *desk) run(stdin string, args ...string) result {
	d.tb.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(d.bin, args...)
	c.Dir, c.Env, c.Stdin, c.Stdout, c.Stderr = d.repo, d.env, strings.NewReader(stdin), &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		d.tb.Fatalf("%s %s: %v", d.bin, strings.Join(args, " "), err)
	}
	return result{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// endPayload is what a hook at a session's end is told.
func (d *desk) endPayload() string {
	b, err := json.Marshal(map[string]string{"session_id": deskSession, "cwd": d.repo, "hook_event_name": "SessionEnd",
		"reason": "other", "transcript_path": filepath.Join(d.home, ".claude", "projects", "-w-repo", deskSession+".jsonl")})
	d.check(err)
	return string(b)
}

// promptPayload is what the hook at a prompt is told.
func (d *desk) promptPayload(prompt string) string {
	b, err := json.Marshal(map[string]string{"session_id": "22222222-18be-494e-9c54-6e697febc51c", "cwd": d.repo,
		"hook_event_name": "UserPromptSubmit", "prompt": prompt})
	d.check(err)
	return string(b)
}

// found is the text of all files below the home that a pattern matches.
func (d *desk) found(pattern string) string {
	d.tb.Helper()
	files, err := filepath.Glob(filepath.Join(d.home, ".claude", "gitmem", filepath.FromSlash(pattern)))
	d.check(err)
	var out strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		d.check(err)
		out.Write(b)
	}
	return out.String()
}

// archived is the archive's file of the desk's session.
func (d *desk) archived() string {
	return d.found("projects/*/sessions/2026/*.md") + d.found("projects/*/*/*/sessions/2026/*.md") +
		d.found("projects/*/*/sessions/2026/*.md")
}

// hook runs a hook, which never fails, and returns what it says and its line in the trace.
func (d *desk) hook(payload, name string) (said, trace string) {
	d.tb.Helper()
	for _, verb := range []string{"init", "index"} {
		if r := d.run("", verb); r.code != 0 {
			d.tb.Fatalf("%+v", r)
		}
	}
	r := d.run(payload, "hook", name)
	if r.code != 0 || r.err != "" {
		d.tb.Errorf("hook %s: %+v", name, r)
	}
	lines := strings.Split(strings.TrimSpace(d.found(".index/trace/*.jsonl")), "\n")
	return r.out, lines[len(lines)-1]
}

// basin commits what a prompt recalls, and returns its citation id.
func (d *desk) basin() string {
	d.commit("2024-05-10T10:00:00Z", "Ada Example",
		"Drain the bilge basin\n\nThe bilge basin drains through the lower sluice, since the upper one silts up.")
	return regexp.MustCompile(`git:commit:[0-9a-f]{40}`).FindString(d.run("", "search", "--json", "bilge basin").out)
}
