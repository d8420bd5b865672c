package agent

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/llm"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/providers/mcp"
)

// admit adds the allowed providers to a run and reports the ones that were allowed but are not used.
func (a *Agent) admit(r *run) {
	known := a.ws.Policy().Config.Providers
	if len(known) == 0 {
		return // definitions are not read if no provider was allowed
	}
	all, taken := a.Providers(), map[string]bool{}
	for name := range known {
		if !slices.ContainsFunc(all, func(p Provider) bool { return p.Name == name }) {
			r.caveat(name, "its definition is gone")
		}
	}
	for _, p := range all {
		twice := slices.ContainsFunc(p.Servers, func(s ProviderServer) bool { return taken[s.Name] })
		switch {
		case known[p.Name] == "":
		case a.ws.IsOffline():
			r.caveat(p.Name, "offline")
		case p.State == ProviderInvalid:
			r.caveat(p.Name, p.Problem)
		case p.State == ProviderChanged:
			r.caveat(p.Name, "its definition was changed since it was allowed; see gitmem provider list")
		case twice:
			r.caveat(p.Name, "another one has a server of that name")
		default:
			r.providers = append(r.providers, p)
			for _, s := range p.Servers {
				taken[s.Name] = true
			}
		}
	}
	a.rank(r.providers)
}

// caveat records once that a provider, server or tool returned nothing.
func (r *run) caveat(name, why string) { r.missing("", name, why) }

// failure records a caveat about a server that was called, by the name of the server or of its tool.
func (r *run) failure(name, why string) { r.missing("mcp:"+serverOf(name), name, why) }

func (r *run) missing(source, name, why string) {
	text := fmt.Sprintf("%s gave nothing: %s", name, messages.Clip(oneLine(r.agent.ws.Clean(why)), mostReason))
	if !slices.Contains(r.caveats, text) {
		r.caveats = append(r.caveats, text)
		r.write(Event{Kind: Missing, Text: text, Source: source})
	}
}

// serverOf returns the server of a qualified tool name.
func serverOf(tool string) string {
	server, _, _ := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	return server
}

// mostPrompt is the maximum length of a provider's instructions, in characters.
const mostPrompt = 4000

// prompts returns the providers' instructions for the model.
func (r *run) prompts() (text string) {
	for _, p := range r.providers {
		text += "\n# Tools of " + p.Name + "\n\n" + strings.Join(p.Tools, ", ") +
			". Of what one of them returns the source is its name, and the excerpt is copied from the result.\n\n" +
			messages.Clip(p.Prompt, mostPrompt) + "\n"
	}
	return text
}

// allows reports whether a tool with a qualified name is an allowed tool of a provider.
func (r *run) allows(tool string) bool {
	return slices.ContainsFunc(r.providers, func(p Provider) bool { return slices.Contains(p.Tools, tool) })
}

// remote is a provider's server that runs for one question.
type remote struct {
	ProviderServer
	client  *mcp.Client
	command *exec.Cmd // nil for a server with an address
	dir     string    // working folder; a repository must not influence the server
	allowed []string  // qualified names of its tools
	stop    func()
	late    string // why it is no longer called
}

// startAll starts the servers of all providers in parallel. It skips servers that do not start in time.
func startAll(ctx context.Context, r *run) []*remote {
	var all []*remote
	for _, p := range r.providers {
		for _, s := range p.Servers {
			all = append(all, &remote{ProviderServer: s, allowed: p.Tools})
		}
	}
	failures := make([]error, len(all))
	var started sync.WaitGroup
	for i, o := range all {
		started.Go(func() { failures[i] = o.start(ctx, config.WithoutKeys(r.childEnv())) })
	}
	started.Wait()
	var out []*remote
	for i, o := range all {
		if failures[i] != nil {
			r.failure(o.Name, failures[i].Error())
			o.close()
			continue
		}
		out = append(out, o)
	}
	return out
}

func (o *remote) start(ctx context.Context, env []string) (err error) {
	ctx, o.stop = context.WithCancel(ctx) // its lifetime is the server's
	if o.URL == "" {
		if o.dir, err = os.MkdirTemp("", "gitmem-agent-"); err != nil {
			return err
		}
		o.command = exec.CommandContext(ctx, o.Command, o.Args...)
		o.command.Dir, o.command.Env = o.dir, env
		killsGroup(o.command) // it may be a wrapper script
	}
	late := time.AfterFunc(o.Timeout, o.stop)
	if o.client, err = mcp.Start(ctx, mcp.Server{URL: o.URL, Command: o.command}); late.Stop() {
		return err
	}
	return errors.Join(fmt.Errorf("it did not start within %v", o.Timeout), err)
}

// close stops a server and the processes that it started. Errors are ignored because its results were already read.
func (o *remote) close() {
	if o.client != nil {
		_ = o.client.Close()
	}
	o.stop()
	if o.command != nil && o.command.Process != nil {
		_ = o.command.Cancel()
	}
	_ = os.RemoveAll(o.dir)
}

// mostDescription is the number of characters of a tool's description that a model receives.
const mostDescription = 1000

// tools returns the allowed tools in a form that every model accepts.
func (o *remote) tools(r *run) (list []llm.Tool) {
	for _, t := range o.client.Tools {
		name := o.prefix() + t.Name
		if !slices.Contains(o.allowed, name) || slices.ContainsFunc(list, func(l llm.Tool) bool { return l.Name == name }) {
			continue
		}
		var schema struct{ Type string }
		if json.Unmarshal(t.Schema, &schema) != nil || schema.Type != "object" {
			r.caveat(name, "its arguments are no object")
			continue
		}
		list = append(list, llm.Tool{Name: name, Description: messages.Clip(t.Description, mostDescription),
			Schema: t.Schema})
	}
	return list
}

// call calls a tool of a server, unless an earlier call timed out.
func (o *remote) call(ctx context.Context, r *run, tool string, args json.RawMessage) (text string, failed bool) {
	if o.late != "" {
		return o.late, true
	}
	within, stop := context.WithTimeout(ctx, o.Timeout)
	defer stop()
	text, failed, err := o.client.Call(within, tool, args)
	switch {
	case within.Err() != nil && ctx.Err() == nil:
		o.late = fmt.Sprintf("it took longer than %v, and is not asked again", o.Timeout)
		text, failed = o.late, true
	case err != nil:
		text, failed = err.Error(), true
	}
	if failed {
		r.failure(o.prefix()+tool, text)
		return messages.Clip(text, mostResult), true
	}
	return r.obtain(o.prefix()+tool, text), false
}

// obtain records the result of a provider's tool as a source of the answer and returns it as it is stored. It removes
// secrets before it shortens the text, because a partial secret would not be recognised.
func (r *run) obtain(tool, text string) string {
	r.looks++
	text = messages.Clip(r.agent.ws.Clean(text), mostResult)
	if layer := "mcp:" + serverOf(tool); !slices.Contains(r.layers, layer) {
		r.layers = append(r.layers, layer)
	}
	e := Event{Time: r.agent.ws.Options.Now(), Kind: Got, Text: messages.Plural(len(text), "byte"),
		Source: fmt.Sprintf("%s:%.6x", toolID(tool), sha256.Sum256([]byte(text))), Content: text}
	r.obtained = append(r.obtained, shown(e))
	r.write(e)
	return text
}

// toolID returns the prefix of the citations of a tool's results: mcp:server:tool.
func toolID(tool string) string { return strings.ReplaceAll(tool, "__", ":") }

// given returns the sources that a citation names. If a model cites the tool of a provider, these are the tool's
// results that contain the excerpt.
func (r *run) given(id, excerpt string) (found []query.Shown) {
	found = slices.DeleteFunc(slices.Clone(r.obtained), func(src query.Shown) bool {
		return !strings.HasPrefix(src.ID+":", toolID(id)+":") || !quotes(src.Text, excerpt, leastPart)
	})
	if src, ok := r.task.given[id]; ok {
		found = append(found, src)
	}
	return found
}

func shown(e Event) (s query.Shown) {
	s.ID, s.Text, s.Layer, s.Date, s.Title = e.Source, e.Content, "mcp", e.Time, e.Source
	return s
}

// plainContent returns the text of a result as the claude program prints it.
func plainContent(raw json.RawMessage) (text string) {
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &text) == nil || json.Unmarshal(raw, &parts) != nil {
		return text
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// Obtained returns the result of a provider by its citation id, from the records of runs.
func (a *Agent) Obtained(ctx context.Context, id string) (query.Shown, error) {
	err := error(&messages.Refusal{Reason: "nothing of a provider is kept under " + id, Err: messages.ErrNotFound,
		Advice: "what providers returned is kept for two days; ask again"})
	for _, run := range a.runs() {
		events, _ := a.events(run)
		i := slices.IndexFunc(events, func(e Event) bool { return e.Source == id })
		if i < 0 {
			continue
		}
		if err = a.ws.CheckReach(ctx, id, events[0].Project); err == nil { // a run of another project may contain it
			return shown(events[i]), nil
		}
	}
	return query.Shown{}, err
}
