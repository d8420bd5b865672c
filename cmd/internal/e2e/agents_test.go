//go:build e2e && linux

package e2e_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// agent is an agent other than Claude Code, run headless with a stub of its model.
//
// Crush has no row: its npm package downloads the program from GitHub during installation, and the tests only
// use a package registry.
type agent struct {
	name, pkg, version string // gitmem's name for it, and its package on npm
	words, flags       string // of a headless run: after the program's name, and before the prompt
	last, fork         string // resume the last session, and fork the one with an ID; "" if there is no flag
	shell              string // the tool that runs commands
	author, forked     string // of its prompts in gitmem, and of a fork's; "" for the same
	file, config       string // a file below the home, in which ADDRESS is replaced with the stub's address
	env                string // variables, with ADDRESS replaced too
}

func agents() []agent {
	return []agent{
		{name: "codex", pkg: "@openai/codex", version: "0.171.0", words: "exec",
			last: "resume --last", fork: "fork ID", shell: "exec_command", author: "program",
			file: ".codex/config.toml", config: "model = \"gpt-5.5\"\nmodel_provider = \"stub\"\napproval_policy = \"never\"\n" +
				"sandbox_mode = \"danger-full-access\"\n[model_providers.stub]\nname = \"stub\"\nbase_url = \"ADDRESS/v1\"\n" +
				"wire_api = \"responses\"\n"},
		{name: "copilot", pkg: "@github/copilot", version: "1.0.102", flags: "--allow-all-tools -p",
			last: "--continue", shell: "bash", author: "user",
			env: "COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false COPILOT_PROVIDER_API_KEY=none COPILOT_MODEL=claude-sonnet-4 " +
				"COPILOT_PROVIDER_BASE_URL=ADDRESS/v1"},
		{name: "gemini", pkg: "@google/gemini-cli", version: "0.61.0", flags: "--skip-trust --yolo -p",
			last: "--resume latest", shell: "run_shell_command", author: "user",
			// Its cleanup deletes a session that was resumed in another minute than its start.
			file: ".gemini/settings.json",
			config: `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "model": {"name": "gemini-2.5-flash"},
				"general": {"sessionRetention": {"enabled": false}}}`,
			env: "GEMINI_API_KEY=none GEMINI_TELEMETRY_ENABLED=false GOOGLE_GEMINI_BASE_URL=ADDRESS"},
		{name: "opencode", pkg: "opencode-ai", version: "1.18.33", words: "run",
			last: "--continue", fork: "--session ID --fork", shell: "bash", author: "program", forked: "user",
			// A fork has no rules that distinguish a headless run from others.
			file: ".config/opencode/opencode.json",
			config: `{"autoupdate": false, "model": "stub/stub", "small_model": "stub/stub", "provider": {"stub":
				{"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "ADDRESS/v1", "apiKey": "none"},
				"models": {"stub": {"tool_call": true}}}}}`,
			env: "OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_AUTOUPDATE=1"},
		{name: "pi", pkg: "@earendil-works/pi-coding-agent", version: "1.6.0", flags: "--provider stub --model stub -p",
			last: "--continue", fork: "--fork ID", shell: "bash", author: "user",
			file: ".pi/agent/models.json",
			config: `{"providers": {"stub": {"baseUrl": "ADDRESS/v1", "api": "openai-completions", "apiKey": "none", ` +
				`"models": [{"id": "stub"}]}}}`,
			env: "PI_OFFLINE=1"},
		{name: "qwen", pkg: "@qwen-code/qwen-code", version: "0.24.4", flags: "--yolo -p",
			last: "--continue", fork: "--resume ID --fork-session", shell: "run_shell_command", author: "user",
			file: ".qwen/settings.json", config: `{"security": {"auth": {"selectedType": "openai"}}}`,
			env: "OPENAI_API_KEY=none OPENAI_MODEL=stub OPENAI_BASE_URL=ADDRESS/v1"},
	}
}

// nodeVersion is a version that all of them support.
const nodeVersion = "26.12.1"

// nodeSystem returns the name of this system in npm packages.
func nodeSystem() string {
	if runtime.GOARCH == "amd64" {
		return "linux-x64"
	}
	return "linux-" + runtime.GOARCH
}

// installAgents installs the agents that are missing in these versions into a folder.
func installAgents(dir string) error {
	packages := []string{"node-" + nodeSystem() + "@" + nodeVersion}
	for _, a := range agents() {
		packages = append(packages, a.pkg+"@"+a.version)
	}
	done := filepath.Join(dir, "installed")
	if b, err := os.ReadFile(done); err == nil && string(b) == strings.Join(packages, " ") {
		return nil
	}
	if err := npmInstall(dir, packages...); err != nil {
		return fmt.Errorf("the other agents can't be installed: %w", err)
	}
	return os.WriteFile(done, []byte(strings.Join(packages, " ")), 0o600)
}

// agentPath returns the folders of their programs and node. OpenCode's program is in a separate package, from
// which an install script, which is not run, would copy it.
func agentPath(dir string) []string {
	modules := filepath.Join(dir, "node_modules")
	return []string{filepath.Join(modules, "opencode-"+nodeSystem(), "bin"), filepath.Join(modules, ".bin")}
}

// TestAgents simulates a day with each of the other agents: two turns, then gitmem, then the session reopened
// by gitmem, and a fork of it.
func TestAgents(t *testing.T) {
	t.Parallel()
	if os.Getenv(agentsVar) == "" {
		t.Skipf("SKIPPED: other agents: %s names no folder for them", agentsVar)
	}
	for _, a := range agents() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			newAgentDesk(t, a).day()
		})
	}
}

func (d *agentDesk) day() {
	d.talk("", "copper valve")
	d.talk(d.agent.last, "rubber membrane")
	before := d.tree()
	d.gitmem("init")
	session := d.found("copper valve", d.agent.author)
	if other := d.found("rubber membrane", d.agent.author); other != session {
		d.t.Errorf("the resumed session %s is %s", session, other)
	}
	resume := d.reopening(session)
	d.archives(session)
	if diff := gocmp.Diff(before, d.tree()); diff != "" {
		d.t.Errorf("gitmem changed the agent's files: %s", diff)
	}
	d.talk(strings.Join(resume, " "), "nylon gasket")
	if other := d.found("nylon gasket", d.agent.author); other != session {
		d.t.Errorf("the reopened session %s is %s", session, other)
	}
	if d.agent.fork == "" {
		return
	}
	d.talk(strings.ReplaceAll(d.agent.fork, "ID", resume[len(resume)-1]), "brass nozzle")
	if d.found("brass nozzle", cmp.Or(d.agent.forked, d.agent.author)) == session {
		d.t.Errorf("the fork of %s has its id", session)
	}
	for _, what := range []string{"copper valve", "rubber membrane", "nylon gasket"} {
		d.found(what, d.agent.author) // still once
	}
}

// agentDesk is a fixture for another agent.
type agentDesk struct {
	*desk
	agent agent
	model *agentModel
	url   string
}

func newAgentDesk(t *testing.T, a agent) *agentDesk {
	d := &agentDesk{desk: newDesk(t), agent: a, model: &agentModel{}}
	d.path, d.url = agentPath(os.Getenv(agentsVar)), d.serve(d.model)
	if a.file != "" {
		d.write(filepath.Join(d.home, a.file), strings.ReplaceAll(a.config, "ADDRESS", d.url))
	}
	d.write(d.config("tmp", "README"), "For files of the moment.\n")
	return d
}

// talk runs a turn about something: a command fails, then the model answers.
func (d *agentDesk) talk(how, what string) {
	d.t.Helper()
	input := map[string]any{"cmd": failing(what)}
	if d.agent.shell != "exec_command" {
		input = map[string]any{"command": failing(what), "description": "Look"}
	}
	d.model.play(e2e.Call(d.agent.shell, input), e2e.Say(answered(what)))
	words := strings.Fields(d.agent.words + " " + how + " " + d.agent.flags)
	ctx, cancel := context.WithTimeout(d.t.Context(), runTime)
	defer cancel()
	// env finds the agent in the PATH below
	c := exec.CommandContext(ctx, "env", append(append([]string{d.agent.name}, words...), prompted(what))...)
	c.Dir, c.Env = d.project, d.env(strings.Fields(strings.ReplaceAll(d.agent.env, "ADDRESS", d.url))...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // including its child processes
	out, err := c.CombinedOutput()
	if left := d.model.play(); err != nil || len(left) > 0 {
		d.t.Fatalf("%v: %v, and %d turns are left\n%s", c.Args, err, len(left), out)
	}
}

func prompted(what string) string { return "Measure the " + what + " at the pump" }
func failure(what string) string  { return "no gauge for the " + what + " here" }
func failing(what string) string  { return "echo " + failure(what) + "; exit 3" }
func answered(what string) string {
	return "We decided to keep the " + what + " because it holds nine bar."
}

// found checks that the texts of a turn are found once each, with their speakers, and returns their session.
func (d *agentDesk) found(what, author string) (session string) {
	d.t.Helper()
	for _, text := range []struct{ field, phrase string }{
		{"author:" + author, prompted(what)}, {"role:assistant", answered(what)}, {"role:error", failure(what)},
	} {
		var res struct {
			Hits []struct{ ID, Session string }
		}
		query := fmt.Sprintf("agent:%s %s \"%s\"", d.agent.name, text.field, text.phrase)
		c := exec.Command(os.Getenv(gitmemVar), "search", "--project", "all", "--layer", "transcripts", "--json", query)
		c.Dir, c.Env = d.project, d.env()
		out, err := c.Output()
		if json.Unmarshal(out, &res) != nil || len(res.Hits) != 1 {
			d.t.Errorf("%s: %v, %d hits\n%s", query, err, len(res.Hits), out)
			continue
		}
		if session != "" && res.Hits[0].Session != session {
			d.t.Errorf("%s is in %s, not in %s", query, res.Hits[0].Session, session)
		}
		session = res.Hits[0].Session
	}
	return session
}

// reopening returns the arguments with which the agent resumes a session according to gitmem.
func (d *agentDesk) reopening(session string) []string {
	d.t.Helper()
	var r struct {
		Session, Agent, Folder string
		Command                []string
	}
	if err := json.Unmarshal([]byte(d.gitmem("reopen", "--json", "transcript:"+session+":1")), &r); err != nil {
		d.t.Fatal(err)
	}
	if len(r.Command) < 2 || r.Command[0] != d.agent.name || r.Folder != d.project {
		d.t.Fatalf("reopened by %+v", r)
	}
	return r.Command[1:]
}

// archives checks that a session is archived after its agent was inactive for an hour.
func (d *agentDesk) archives(session string) {
	d.t.Helper()
	c := exec.Command(clocked(os.Getenv(gitmemVar)), "backfill", "--all", "--agent", d.agent.name)
	c.Dir, c.Env = d.project, d.env("GITMEM_TEST_NOW="+time.Now().Add(time.Hour).Format(time.RFC3339))
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(d.files("sessions"), "\nsession: "+session+" ") {
		d.t.Errorf("%s is not archived: %v\n%s%s", session, err, out, d.files("sessions"))
	}
}

// tree returns a hash of each file in the home, except for gitmem's files and caches.
func (d *agentDesk) tree() map[string]string {
	d.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(d.home, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (name == d.config() || e.Name() == ".cache" || e.Name() == ".git"):
			return fs.SkipDir
		case e.Type().IsRegular():
			b, err := os.ReadFile(name)
			out[name] = fmt.Sprintf("%x", sha256.Sum256(b))
			return err
		}
		out[name] = e.Type().String()
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}
