//go:build e2e && linux

package e2e_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// install installs gitmem's hooks in the client.
func (d *desk) install() {
	d.t.Helper()
	d.gitmem("install")
}

// settings returns a user's settings: with unusual order and spaces, an unknown key, and a hook that leaves a
// mark.
func (d *desk) settings() string {
	return `{  "unknown" : [1,2 , {"deep":null}],
	"hooks": {"PostToolUse": [ {"matcher": "Bash", "hooks":[{"type":"command","command":"touch ` +
		filepath.Join(d.home, "mark") + `"}]} ],
 "Notification":[]},
  "model": "` + theModel + `",   "permissions":{"allow":["Bash(ls:*)"]}
}
`
}

// TestInstalled: the hooks run together with the user's, and uninstall restores the settings byte for byte.
func TestInstalled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	name := d.config("settings.json")
	d.write(name, d.settings())
	d.install()
	installed := d.read(name)
	d.gitmem("install")
	if again := d.read(name); again != installed || installed == d.settings() {
		t.Errorf("installed twice the settings are\n%s\nand once\n%s", again, installed)
	}
	d.ask(e2e.NewModel(firstSession(d.project)...), firstPrompt)
	d.archived("ten ampere relay")
	d.committed()
	d.ran("session-start", "post-tool-use", "post-tool-use-failure", "stop", "session-end")
	if _, err := os.Stat(filepath.Join(d.home, "mark")); err != nil {
		t.Errorf("the other hook did not run: %v", err)
	}
	if got := d.read(name); got != installed {
		t.Errorf("the client changed the settings:\n%s", got)
	}
	d.gitmem("uninstall")
	if got := d.read(name); got != d.settings() {
		t.Errorf("uninstall leaves other settings:\n%s", got)
	}
	before := len(d.records())
	d.ask(e2e.NewModel(firstSession(d.project)...), firstPrompt)
	if got := len(d.records()); got != before {
		t.Errorf("%d hooks ran after uninstall", got-before)
	}
	if !strings.Contains(d.files("sessions"), "ten ampere relay") {
		t.Error("uninstall took memory with it")
	}
}

// TestInstalledAlone: if there were no settings, there are none afterwards.
func TestInstalledAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	d.ask(e2e.NewModel(), "Hello")
	d.gitmem("uninstall")
	for _, rel := range []string{"settings.json", "skills"} {
		if _, err := os.Lstat(d.config(rel)); err == nil {
			t.Errorf("uninstall leaves %s", rel)
		}
	}
}

// TestInstalledForProject: the hooks run in this checkout and nowhere else.
func TestInstalledForProject(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	other := d.repository("valve")
	d.gitmem("install", "--project")
	d.askIn(other, e2e.NewModel(firstSession(other)...), "Choose a spring for the valve")
	if n := len(d.records()); n != 0 {
		t.Errorf("%d hooks ran elsewhere", n)
	}
	d.ask(e2e.NewModel(firstSession(d.project)...), firstPrompt)
	d.archived("ten ampere relay")
	d.gitmem("uninstall", "--project")
	if out := d.run(d.project, "git", "status", "--porcelain"); out != "?? relay.c\n" {
		t.Errorf("the project has other changes than the client's:\n%s", out)
	}
}

// client runs a command of the client that uses no model.
func (d *desk) client(args ...string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), runTime)
	defer cancel()
	c := exec.CommandContext(ctx, os.Getenv(clientVar), args...)
	c.Dir, c.Env = d.project, d.clientEnv(e2e.NewModel())
	out, err := c.CombinedOutput()
	if err != nil {
		d.t.Fatalf("claude %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestPlugin: the plugin is valid, does what install does, and prints one line about how to get the program
// if it is missing.
func TestPlugin(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	dir := filepath.Join(d.home, "plugin")
	d.gitmem("plugin", "build", dir)
	d.client("plugin", "validate", "--strict", dir)

	without := e2e.NewModel(firstSession(d.project)...)
	d.ask(without, "--plugin-dir", dir, firstPrompt)
	if without.Left() != 0 || len(d.records()) != 0 {
		t.Errorf("without the program %d turns are left and %d hooks ran", without.Left(), len(d.records()))
	}
	c := d.command(t.Context(), d.project, e2e.NewModel(), "--output-format", "stream-json", "--verbose",
		"--plugin-dir", dir, "Hello")
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "get it with: go install") {
		t.Errorf("without the program the client says (%v):\n%s", err, out)
	}

	d.path = []string{filepath.Dir(os.Getenv(gitmemVar))}
	d.gitmem("init")
	d.ask(e2e.NewModel(firstSession(d.project)...), "--plugin-dir", dir, firstPrompt)
	d.archived("ten ampere relay")
	d.committed()
	d.ran("session-start", "post-tool-use", "post-tool-use-failure", "stop", "session-end")
}

// TestPluginAlone: the first session creates the store, and with install in addition to the plugin the model
// gets each tool once.
func TestPluginAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.path = []string{filepath.Dir(os.Getenv(gitmemVar))}
	dir := filepath.Join(d.home, "plugin")
	d.gitmem("plugin", "build", dir)
	m := e2e.NewModel(e2e.Say("Hello."))
	d.ask(m, "--plugin-dir", dir, "Hello")
	if _, err := os.Stat(d.config(".git")); err != nil {
		t.Errorf("the first session makes no store: %v", err)
	}
	if body := string(m.Requests()[0].Body); !strings.Contains(body, "mcp__plugin_gitmem_gitmem__memory_search") {
		t.Error("the plugin alone offers no tools")
	}
	d.install()
	m = e2e.NewModel(e2e.Say("Hello."))
	d.ask(m, "--plugin-dir", dir, "Hello")
	if body := string(m.Requests()[0].Body); strings.Contains(body, "mcp__plugin_gitmem_gitmem__") ||
		!strings.Contains(body, "mcp__gitmem__memory_search") {
		t.Error("beside install the plugin offers tools, or install none")
	}
}

// TestMarketplace: the plugin as installed by the client from a marketplace.
func TestMarketplace(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.path = []string{filepath.Dir(os.Getenv(gitmemVar))}
	dir := filepath.Join(d.home, "plugin")
	d.gitmem("plugin", "build", dir)
	d.gitmem("init")
	d.client("plugin", "marketplace", "add", dir)
	d.client("plugin", "install", "gitmem@gitmem", "--scope", "user")
	d.ask(e2e.NewModel(firstSession(d.project)...), firstPrompt)
	d.archived("ten ampere relay")
	d.committed()
	d.ran("session-start", "post-tool-use", "post-tool-use-failure", "stop", "session-end")
	d.client("plugin", "uninstall", "gitmem@gitmem", "--scope", "user")
	before := len(d.records())
	d.ask(e2e.NewModel(), "Hello")
	if got := len(d.records()); got != before {
		t.Errorf("%d hooks ran after the plugin was uninstalled", got-before)
	}
}

// TestRemember: the skill searches memory in a separate conversation, and returns its summary.
func TestRemember(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.path = []string{filepath.Dir(os.Getenv(gitmemVar))}
	d.install()
	d.gitmem("note", "The relay of the water pump must carry ten ampere, since it draws seven at the start")
	m := e2e.NewModel(
		e2e.Call("Bash", map[string]any{"command": "gitmem ask 'which relay for the water pump?'",
			"description": "Look memory up"}),
		e2e.Say("The relay must carry ten ampere."),
	)
	d.ask(m, "/remember which relay for the water pump?")
	requests := m.Requests()
	if len(requests) < 2 {
		t.Fatalf("the client made %d requests", len(requests))
	}
	d.told(requests[0], "which relay for the water pump?", "gitmem")
	d.told(requests[1], "must carry ten ampere")
}
