package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/llm"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
)

const (
	// serverName is the name of the tool server in the claude program.
	serverName = "gitmem"
	// mostLine is the maximum length of an output line, and killWait how long to wait for the program after killing it.
	mostLine = 8 << 20
	killWait = 2 * time.Second
)

// claudeProgram runs the user's claude program, which needs no key and runs the model's tools itself.
type claudeProgram struct {
	calls map[string]string // provider tools by the id of the pending call
}

// streamed contains the relevant fields of an output line of the program.
type streamed struct {
	Type    string `json:"type"`
	Message struct {
		ID      string             `json:"id"`
		Content json.RawMessage    `json:"content"`
		Usage   llm.AnthropicUsage `json:"usage"`
	} `json:"message"`
	Subtype    string             `json:"subtype"`
	IsError    bool               `json:"is_error"`
	Result     string             `json:"result"`
	Structured json.RawMessage    `json:"structured_output"`
	Turns      int                `json:"num_turns"`
	Dollars    float64            `json:"total_cost_usd"`
	Usage      llm.AnthropicUsage `json:"usage"`
	Denials    []struct {
		Tool string `json:"tool_name"`
	} `json:"permission_denials"`
	Servers []struct {
		Name, Status string
	} `json:"mcp_servers"`
}

func (c *claudeProgram) carryOut(ctx context.Context, r *run) (draft, error) {
	program, err := exec.LookPath("claude")
	if err != nil {
		return draft{}, errors.New("no claude is on PATH")
	}
	dir, err := os.MkdirTemp("", "gitmem-agent-") // contains no instructions and no hooks
	if err != nil {
		return draft{}, err
	}
	defer os.RemoveAll(dir)
	args, err := claudeArgs(r)
	if err != nil {
		return draft{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, program, args...)
	var errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = dir, r.childEnv(), strings.NewReader(r.task.input), &errs
	if !r.task.tools { // otherwise its tool server needs the keys
		cmd.Env = config.WithoutKeys(cmd.Env, "ANTHROPIC_API_KEY") // it may authenticate with this key
	}
	cmd.WaitDelay = killWait
	killsGroup(cmd) // it may be a wrapper script
	out, err := cmd.StdoutPipe()
	if err != nil {
		return draft{}, err
	}
	if err := cmd.Start(); err != nil {
		return draft{}, err
	}
	last, readErr := c.follow(r, out, stop)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return draft{}, context.Cause(ctx)
	case last == nil:
		return draft{}, fmt.Errorf("claude gave no result: %w: %s", errors.Join(err, readErr),
			messages.Clip(strings.TrimSpace(errs.String()), 300))
	case last.IsError || last.Subtype != "success":
		return draft{}, fmt.Errorf("claude failed (%s): %s", last.Subtype, messages.Clip(last.Result, 300))
	case len(last.Structured) == 0:
		return draft{}, errors.New("claude ended without an answer in the required form")
	}
	return readDraft(last.Structured)
}

// claudeArgs returns the arguments that allow only the calls of the server's tools, or no tools if the task has none.
func claudeArgs(r *run) ([]string, error) {
	args := []string{
		"-p", "--output-format", "stream-json", "--verbose", "--model", r.conf.Model,
		"--max-turns", strconv.Itoa(r.conf.Turns), "--max-budget-usd", strconv.FormatFloat(r.conf.Dollars, 'f', -1, 64),
		"--tools", "", "--strict-mcp-config", "--setting-sources", "", "--no-session-persistence",
		"--json-schema", answerSchema, "--system-prompt", r.task.system,
	}
	if !r.task.tools {
		return args, nil
	}
	c := r.question.Tools
	all := map[string]any{serverName: map[string]any{"type": "stdio", "command": c.Program, "args": c.Argv[1:],
		"env": r.childVars()}}
	allowed, noKeys := []string{"mcp__" + serverName}, map[string]string{}
	for _, name := range config.Keys() {
		noKeys[name] = "" // otherwise a server inherits the program's environment
	}
	for _, p := range r.providers {
		allowed = append(allowed, p.Tools...)
		for _, s := range p.Servers {
			all[s.Name] = map[string]any{"type": "stdio", "command": s.Command, "args": s.Args, "env": noKeys,
				"timeout": s.Timeout.Milliseconds(), "alwaysLoad": true}
			if s.URL != "" {
				all[s.Name] = map[string]any{"type": "http", "url": s.URL, "timeout": s.Timeout.Milliseconds(), "alwaysLoad": true}
			}
		}
	}
	servers, err := json.Marshal(map[string]any{"mcpServers": all})
	return append(args, "--allowedTools", strings.Join(allowed, ","), "--mcp-config", string(servers)), err
}

// follow reads the output to its end and returns the last line, which is the result. It stops the program if it exceeds
// a limit.
func (c *claudeProgram) follow(r *run, out io.Reader, stop func(error)) (last *streamed, err error) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, mostLine)
	replies := map[string]int{} // tokens by message; each line has a part of one message
	for lines.Scan() {
		var line streamed
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue // a message for the user
		}
		switch line.Type {
		case "system":
			for _, s := range line.Servers {
				if s.Name != serverName && s.Status != "connected" {
					r.failure(s.Name, s.Status)
				}
			}
		case "assistant", "user":
			c.event(r, line.Message.Content)
			if more := line.Message.Usage.Total() - replies[line.Message.ID]; more > 0 {
				replies[line.Message.ID] += more
				if err := r.used(more, 0); err != nil {
					stop(err)
				}
			}
		case "result":
			last = &line
			r.spent.Turns, r.spent.Dollars = line.Turns, line.Dollars
			if more := line.Usage.Total() - r.spent.Tokens; more > 0 {
				_ = r.used(more, 0) // the program has ended
			}
			for _, d := range line.Denials {
				r.report(Refused, d.Tool)
			}
		}
	}
	return last, lines.Err()
}

// event records the tool calls in a message and their results.
func (c *claudeProgram) event(r *run, content json.RawMessage) {
	var blocks []struct {
		Type    string          `json:"type"`
		Name    string          `json:"name"`
		ID      string          `json:"id"`
		Call    string          `json:"tool_use_id"`
		Input   json.RawMessage `json:"input"`
		Content json.RawMessage `json:"content"`
		Failed  bool            `json:"is_error"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return // plain text
	}
	for _, b := range blocks {
		name, ours := strings.CutPrefix(b.Name, "mcp__"+serverName+"__")
		switch {
		case b.Type == "tool_use" && (ours || r.allows(b.Name)):
			r.called(name, b.Input)
			c.calls[b.ID] = name
		case b.Type == "tool_result" && r.allows(c.calls[b.Call]) && b.Failed:
			r.failure(c.calls[b.Call], plainContent(b.Content))
		case b.Type == "tool_result" && r.allows(c.calls[b.Call]):
			_ = r.obtain(c.calls[b.Call], plainContent(b.Content)) // the model received the content already
		case b.Type == "tool_result":
			r.returned(string(b.Content), b.Failed)
		}
	}
}
