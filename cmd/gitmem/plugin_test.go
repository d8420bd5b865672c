package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/templates"
)

// TestPluginIsCommitted: the files in the repository are those that the program generates.
func TestPluginIsCommitted(t *testing.T) {
	t.Parallel()
	files, err := pluginFiles()
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, f := range files {
		made[f.Path] = true
		b, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(f.Path)))
		if diff := cmp.Diff(string(f.Text), strings.ReplaceAll(string(b), "\r\n", "\n")); err != nil || diff != "" {
			t.Errorf("%s is not as it is made: run go run ./cmd/gitmem plugin build . (%v)\n%s", f.Path, err, diff)
		}
	}
	root := os.DirFS(filepath.Join("..", ".."))
	err = walkFiles(root, ".claude-plugin", func(name string) {
		if !made[name] {
			t.Errorf("%s is made by nothing", name)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestPluginVersion(t *testing.T) {
	t.Parallel()
	if v := templates.Release(); !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(v) {
		t.Errorf("the release %q is no version", v)
	}
}

// pluginHooks returns the commands of the plugin by event.
func pluginHooks(t *testing.T) map[string]string {
	t.Helper()
	files, err := pluginFiles()
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	for _, f := range files {
		if f.Path == ".claude-plugin/hooks.json" {
			if err := json.Unmarshal(f.Text, &list); err != nil {
				t.Fatal(err)
			}
		}
	}
	commands := map[string]string{}
	for event, groups := range list.Hooks {
		if len(groups) != 1 || len(groups[0].Hooks) != 1 {
			t.Fatalf("%s: %v", event, groups)
		}
		commands[event] = groups[0].Hooks[0].Command
	}
	return commands
}

// TestPluginHooks runs the commands like the client, with the program and without it.
func TestPluginHooks(t *testing.T) {
	t.Parallel()
	shells := []string{"sh", "bash", "dash"}
	commands := pluginHooks(t)
	if len(commands) != len(hook.Registered("claude")) {
		t.Errorf("%d hooks, %d are registered", len(commands), len(hook.Registered("claude")))
	}
	bin := t.TempDir()
	fake := "#!/bin/sh\necho \"$GITMEM_PLUGIN $*\"\n"
	if err := os.WriteFile(filepath.Join(bin, "gitmem"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range shells {
		shell, err := exec.LookPath(name)
		if err != nil || filepath.Separator != '/' {
			t.Logf("%s is not here: %v", name, err)
			continue
		}
		for _, r := range hook.Registered("claude") {
			run := func(path string) string {
				c := exec.CommandContext(t.Context(), shell, "-c", commands[r.Event])
				c.Env = []string{"PATH=" + path}
				out, err := c.CombinedOutput()
				if err != nil {
					t.Errorf("%s %s: %v", name, r.Event, err)
				}
				return string(out)
			}
			if got, want := run(bin), "1 hook "+r.Name+"\n"; got != want {
				t.Errorf("%s %s: %q, want %q", name, r.Event, got, want)
			}
			checkMissing(t, r.Event, run(t.TempDir()))
		}
	}
}

// checkMissing expects one line that the client can read at the start of a session, and no output at any
// other event.
func checkMissing(t *testing.T, event, out string) {
	t.Helper()
	if event != "SessionStart" {
		if out != "" {
			t.Errorf("%s without the program: %q", event, out)
		}
		return
	}
	var said struct{ SystemMessage string }
	if err := json.Unmarshal([]byte(out), &said); err != nil || strings.Count(out, "\n") != 1 ||
		!strings.Contains(said.SystemMessage, "go install ") || !strings.Contains(said.SystemMessage, "SHA256SUMS") {
		t.Errorf("%s without the program: %q (%v)", event, out, err)
	}
}
