package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/cmd/internal/plugin"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newHookCmd() *cobra.Command {
	var debug bool
	var agent string
	c := &cobra.Command{
		Use:       "hook <name>",
		Hidden:    true,
		Short:     "Run as a hook of the client, which writes JSON to standard input",
		ValidArgs: hook.Names(),
		Args:      usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var report io.Writer
			if debug {
				report = a.err
			}
			a.runHookDebug(c.Context(), args[0], agent, report)
			return nil
		},
	}
	c.Flags().BoolVar(&debug, "debug", false, "print on standard error what the hook reads, decides and writes")
	c.Flags().StringVar(&agent, "agent", "", "the agent that calls the hook: "+strings.Join(hook.Agents(), ", "))
	return c
}

// runHook handles one hook. It never fails: see package hook. A hook of the plugin does nothing if Claude
// Code's settings call it too; other agents with the plugin do not read these settings.
func (a *app) runHook(ctx context.Context, name, agent string) {
	b := *a
	if agent == "" && a.getenv(plugin.Env) != "" && a.calledBySettings(name) {
		var read bytes.Buffer
		p, _ := hook.Read(ctx, io.TeeReader(a.in, &read)) // consumes the payload, otherwise the client could not write it
		if p.OfClaudeCode() {
			return
		}
		b.in = io.MultiReader(&read, a.in)
	}
	b.runHookDebug(ctx, name, agent, nil)
}

// runHookDebug also reports what a hook does, unless report is nil.
func (a *app) runHookDebug(ctx context.Context, name, agent string, report io.Writer) {
	if hook.Background(name) {
		closeInherited()
	}
	env := hook.Env{
		Agent: agent, Stdin: a.in, Stdout: a.out, Dir: a.dir, VariablesFile: a.getenv("CLAUDE_ENV_FILE"),
		MakesStore: a.getenv(plugin.Env) != "", Now: a.now, Trace: a.trace, Detach: a.detach,
		Elsewhere: func(agent string) bool { return a.calledByAgent(agent, name) },
		Index:     func(m *gitmem.Memory) error { _, err := a.startIndexer(m); return err },
		Open: func(dir string) (*gitmem.Memory, error) {
			b := *a
			b.getenv, b.hooked = withoutGit(a.getenv), true
			if !hook.Background(name) {
				b.lockWait = cmp.Or(a.lockWait, hookWait)
			}
			return b.memory(dir)
		},
	}
	if report != nil {
		env = hook.Debugged(env, report)
	}
	hook.Run(ctx, name, env)
}

// detach starts a background process of this program for the work.
func (a *app) detach(m *gitmem.Memory, stdin []byte, args ...string) error {
	c, err := a.ownCommand(args...)
	if err != nil {
		return err
	}
	return m.Detach(c, stdin)
}

// hookWait is how long a hook waits for a busy store. The client waits too, and appended data is included in
// the next commit anyway. Background work waits longer.
const hookWait = 800 * time.Millisecond

// withoutGit hides the variables with which git names the repository to its own hooks: a client started by a
// git hook must still work on the folder in its payload.
func withoutGit(getenv func(string) string) func(string) string {
	return func(name string) string {
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE":
			return ""
		}
		return getenv(name)
	}
}

// trace appends one record to the trace. As a last resort it writes to standard error, which the client only
// stores in its debug log.
func (a *app) trace(r hook.Record) {
	line, err := json.Marshal(r)
	if err != nil {
		return
	}
	f, err := gitmem.OpenTrace(a.getenv, a.home, a.cache, r.Time)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		_ = f.Close() // the record is written already
	}
	if err != nil {
		fmt.Fprintf(a.err, "gitmem: no trace could be written (%v): %s\n", err, line)
	}
}
