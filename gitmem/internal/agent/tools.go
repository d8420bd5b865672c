package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/llm"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers/mcp"
)

// mostResult is the number of characters of a tool's result that a model receives.
const mostResult = 16_000

// toolbox contains the model's tools and the servers that run them.
type toolbox struct {
	list   []llm.Tool
	server *mcp.Client
	others []*remote
}

// connect starts the tool server and the servers of the providers.
func connect(ctx context.Context, r *run) (*toolbox, error) {
	c := r.question.Tools
	if c.Program == "" {
		return nil, errors.New("there is no server of tools")
	}
	own := exec.CommandContext(ctx, c.Program)
	own.Args, own.Env = c.Argv, r.childEnv()
	server, err := mcp.Start(ctx, mcp.Server{Command: own})
	if err != nil {
		return nil, err
	}
	t := &toolbox{server: server, others: startAll(ctx, r)}
	for _, tool := range server.Tools {
		t.list = append(t.list, llm.Tool{Name: tool.Name, Description: tool.Description, Schema: tool.Schema})
	}
	for _, o := range t.others {
		t.list = append(t.list, o.tools(r)...)
	}
	return t, nil
}

// Variables that tell a tool server what its parent may read.
const (
	projectVar = "GITMEM_CHILD_PROJECT" // the folder that determines the project
	sessionVar = "GITMEM_CHILD_SESSION" // the session that is excluded from the sources
)

// childVars returns the variables for processes that a run starts.
func (r *run) childVars() map[string]string {
	return map[string]string{childVar: "1", projectVar: r.reach, sessionVar: r.question.Session}
}

// childEnv returns the environment for processes that a run starts: the caller's environment without the client's
// marker, which would make the client's program refuse to run.
func (r *run) childEnv() (env []string) {
	env = slices.DeleteFunc(slices.Clone(r.question.Tools.Env), func(e string) bool {
		return strings.HasPrefix(e, "CLAUDECODE=")
	})
	for name, value := range r.childVars() {
		env = append(env, name+"="+value)
	}
	return env
}

// close stops the servers. Errors are ignored because their results were already read.
func (t *toolbox) close() {
	_ = t.server.Close()
	for _, o := range t.others {
		o.close()
	}
}

// call calls a tool from the list.
func (t *toolbox) call(ctx context.Context, r *run, name string, args json.RawMessage) (text string, failed bool) {
	r.called(name, args)
	if !slices.ContainsFunc(t.list, func(tool llm.Tool) bool { return tool.Name == name }) {
		r.report(Refused, name)
		return fmt.Sprintf("there is no tool %q", name), true
	}
	if len(args) == 0 { // some servers send none
		args = json.RawMessage("{}")
	}
	if !json.Valid(args) {
		return "the arguments are no JSON", true
	}
	for _, o := range t.others {
		if short, ok := strings.CutPrefix(name, o.prefix()); ok {
			return o.call(ctx, r, short, args)
		}
	}
	text, failed, err := t.server.Call(ctx, name, args)
	if err != nil {
		return err.Error(), true
	}
	r.returned(text, failed)
	return messages.Clip(text, mostResult), failed
}

var layerField = lazy.Pattern(`\\?"layer\\?":\\?"([a-z]+)\\?"`)

// layersOf returns the layers that a search result names.
func layersOf(result string) (layers []string) {
	for _, m := range layerField().FindAllStringSubmatch(result, -1) {
		if !slices.Contains(layers, m[1]) {
			layers = append(layers, m[1])
		}
	}
	return layers
}

// brief returns the arguments of a call in one short line.
func brief(args json.RawMessage) string {
	return messages.Clip(strings.Join(strings.Fields(string(args)), " "), 160)
}
