package main

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/mcp"
	"github.com/gitmem/gitmem/cmd/internal/plugin"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newMCPCmd() *cobra.Command {
	c := serving("mcp", "Serve memory to a model over the Model Context Protocol, on standard input and output",
		a.serveMemory, a)
	c.AddCommand(serving("memory",
		"Serve searches by chosen strategies, as JSON and read-only, to a model that researches", mcp.Data, a))
	return c
}

// serveMemory serves the tools. It serves none to Claude Code if that starts this server for the plugin and
// also has one registered by the user, because each tool would be offered twice.
func (a *app) serveMemory(ctx context.Context, env mcp.Env) error {
	if a.getenv(plugin.Env) != "" && a.getenv("CLAUDECODE") != "" && a.servedByUser() {
		return mcp.Nothing(ctx, env)
	}
	return mcp.Memory(ctx, env)
}

// servedByUser reports whether the user registered a working server with this name with Claude Code.
func (a *app) servedByUser() bool {
	b, err := os.ReadFile(filepath.Join(cmp.Or(a.getenv("CLAUDE_CONFIG_DIR"), a.home), ".claude.json"))
	if err != nil {
		return false
	}
	var config struct {
		Servers map[string]struct{ Command string } `json:"mcpServers"`
	}
	if err := json.Unmarshal(b, &config); err != nil {
		return false
	}
	_, err = exec.LookPath(config.Servers["gitmem"].Command)
	return err == nil
}

// serving returns a command that serves until its input ends.
func serving(use, short string, serve func(context.Context, mcp.Env) error, a *app) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			boundGarbage()
			return serve(c.Context(), a.mcpEnv())
		}}
}

// mcpEnv returns the environment of a server in this process. A model, which untrusted text may control,
// reads its results, so the server has the same read permissions as inside the client, regardless of the
// client.
func (a *app) mcpEnv() mcp.Env {
	b := *a
	getenv := withoutGit(a.getenv)
	b.getenv = func(name string) string {
		switch {
		case name == "CLAUDECODE":
			return "1"
		// the server of an agent may read what the agent may read
		case name == "CLAUDE_PROJECT_DIR" && getenv("GITMEM_CHILD_PROJECT") != "":
			return getenv("GITMEM_CHILD_PROJECT")
		case name == "CLAUDE_PROJECT_DIR" && a.moved: // -C selects the project
			return a.dir
		}
		return getenv(name)
	}
	if dir := getenv("CLAUDE_PROJECT_DIR"); filepath.IsAbs(dir) && !a.moved {
		b.dir = dir
	}
	b.repositories = &gitmem.Repositories{}
	tools, _ := b.agentTools() // without them a model gives no answer, with the reason
	return mcp.Env{
		Tools: tools, Version: version(), Started: a.now(), In: a.in, Out: unfiltered(a.out),
		Session: cmp.Or(getenv("GITMEM_CHILD_SESSION"), strings.Join(gitmem.OwnSessions(getenv), ",")),
		Call: func(r mcp.Report, do func(*gitmem.Memory) error) error {
			call := b
			call.reportProgress, call.reportWarning = r.Progress, r.Warn
			if id, ok := strings.CutPrefix(r.Session, "codex-"); ok {
				call.getenv = func(name string) string {
					if name == "CODEX_THREAD_ID" { // Codex sets it for commands, and not for servers
						return id
					}
					return b.getenv(name)
				}
			}
			return call.with(func(m *gitmem.Memory) error {
				defer call.continueIndexing(m)
				return do(m)
			})
		},
		Clean: func(text string) string { return shorten(printable(gitmem.Visible(text))) },
		Failure: func(err error) string {
			text := errorText(err)
			if hint := hintFor(err, exitOK); hint != "" {
				text += "\nhint: " + hint
			}
			return text
		},
	}
}
