package agent

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/llm"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/providers/mcp"
)

// admit lets a run ask the providers that are allowed, and says of which others it must be
// known that they are not asked.
func (a *Agent) admit(r *run) {
	taken := map[string]bool{}
	for _, p := range a.Providers() {
		twice := slices.ContainsFunc(p.Servers, func(s ProviderServer) bool { return taken[s.Name] })
		switch _, known := a.ws.Policy().Config.Providers[p.Name]; {
		case !known:
		case a.ws.IsOffline():
			r.caveat(p.Name, "offline")
		case p.State == ProviderInvalid:
			r.caveat(p.Name, p.Problem)
		case p.State == ProviderChanged:
			r.caveat(p.Name, "its definition was changed since it was allowed; see gitmem provider")
		case twice:
			r.caveat(p.Name, "another one has a server of that name")
		default:
			r.providers = append(r.providers, p)
			for _, s := range p.Servers {
				taken[s.Name] = true
			}
		}
	}
}

// caveat says that a provider, a server or a tool of one, gave nothing, once.
func (r *run) caveat(name, why string) {
	text := r.clean(fmt.Sprintf("%s gave nothing: %s", name, messages.Clip(oneLine(why), mostReason)))
	if !slices.Contains(r.caveats, text) {
		r.caveats = append(r.caveats, text)
		r.report(Missing, text)
	}
}

// mostPrompt is how many characters a provider may say to the model.
const mostPrompt = 4000

// prompts is what providers say to the model.
func (r *run) prompts() (text string) {
	for _, p := range r.providers {
		text += "\n# Tools of " + p.Name + "\n\n" + strings.Join(p.Tools, ", ") +
			". Of what one of them returns the source is its name, and the excerpt is copied from the result.\n\n" + messages.Clip(p.Prompt, mostPrompt) + "\n"
	}
	return text
}

// allows reports whether a tool, by its whole name, is one of a provider that may be called.
func (r *run) allows(tool string) bool {
	return slices.ContainsFunc(r.providers, func(p Provider) bool { return slices.Contains(p.Tools, tool) })
}

// remote is a server of a provider that runs for one question.
type remote struct {
	ProviderServer
	client  *mcp.Client
	allowed []string // names of its tools
	stop    func()
}

// startAll starts the servers of all providers at once. One that does not start in time is
// left out.
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
		started.Go(func() { failures[i] = o.start(ctx, r.childEnv()) })
	}
	started.Wait()
	var out []*remote
	for i, o := range all {
		if failures[i] != nil {
			r.caveat(o.Name, failures[i].Error())
			continue
		}
		out = append(out, o)
	}
	return out
}

func (o *remote) start(ctx context.Context, env []string) error {
	s := mcp.Server{URL: o.URL, Argv: append([]string{o.Command}, o.Args...), Env: env}
	if o.URL == "" {
		program, err := exec.LookPath(o.Command)
		if err != nil {
			return err
		}
		s.Program = program
	}
	ctx, o.stop = context.WithCancel(ctx) // the server lives as long
	late := time.AfterFunc(o.Timeout, o.stop)
	client, err := mcp.Start(ctx, s)
	if o.client = client; late.Stop() {
		return err
	}
	return errors.Join(fmt.Errorf("it did not start within %v", o.Timeout), err)
}

func (o *remote) close() {
	_ = o.client.Close() // what it served was read
	o.stop()
}

// prefix begins the whole names of a server's tools.
func (o *remote) prefix() string { return "mcp__" + o.Name + "__" }

// tools are those that may be called.
func (o *remote) tools() (list []llm.Tool) {
	for _, t := range o.client.Tools {
		if name := o.prefix() + t.Name; slices.Contains(o.allowed, name) {
			list = append(list, llm.Tool{Name: name, Description: t.Description, Schema: t.Schema})
		}
	}
	return list
}

// call calls a tool of a server.
func (o *remote) call(ctx context.Context, r *run, tool string, args json.RawMessage) (text string, failed bool) {
	within, stop := context.WithTimeout(ctx, o.Timeout)
	defer stop()
	text, failed, err := o.client.Call(within, tool, args)
	switch {
	case within.Err() != nil && ctx.Err() == nil:
		text, failed = fmt.Sprintf("it took longer than %v", o.Timeout), true
	case err != nil:
		text, failed = err.Error(), true
	}
	if failed {
		r.caveat(o.prefix()+tool, text)
		return text, true
	}
	text = messages.Clip(text, mostResult)
	r.obtain(o.prefix()+tool, text)
	return text, false
}

// obtain records what a tool of a provider returned: a source of the answer.
func (r *run) obtain(tool, text string) {
	text = r.clean(text)
	server, _, _ := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	if !slices.Contains(r.layers, "mcp:"+server) {
		r.layers = append(r.layers, "mcp:"+server)
	}
	e := Event{Time: r.now(), Kind: Got, Text: messages.Plural(len(text), "byte"), Source: fmt.Sprintf("%s:%.6x", toolID(tool), sha256.Sum256([]byte(text))), Content: text}
	r.task.given[e.Source] = shown(e)
	r.write(e)
}

// toolID is how a citation begins of what a tool returned: mcp:server:tool.
func toolID(tool string) string { return strings.ReplaceAll(tool, "__", ":") }

// given is the source that a citation names. A model may name the tool of a provider: then
// it is the result with the excerpt.
func (r *run) given(id, excerpt string) (query.Shown, bool) {
	if tool := toolID(id); strings.HasPrefix(tool, "mcp:") {
		for known, src := range r.task.given {
			if strings.HasPrefix(known, tool) && quotes(src.Text, excerpt) {
				return src, true
			}
		}
	}
	src, ok := r.task.given[id]
	return src, ok
}

func shown(e Event) (s query.Shown) {
	s.ID, s.Text, s.Layer, s.Date, s.Title = e.Source, e.Content, "mcp", e.Time, e.Source
	return s
}

// plainContent is the text of a result as the claude program prints it.
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

// Obtained is what a provider returned, by its citation id: it is kept with the record of
// the run that asked.
func (a *Agent) Obtained(ctx context.Context, id string) (query.Shown, error) {
	for _, f := range a.runs() {
		run := strings.TrimSuffix(filepath.Base(f), ".jsonl")
		events, _ := a.events(run)
		for _, e := range events {
			if e.Source != id {
				continue
			}
			if err := a.ws.CheckReach(ctx, run, events[0].Project); err != nil {
				return query.Shown{}, err
			}
			return shown(e), nil
		}
	}
	return query.Shown{}, &messages.Refusal{Reason: "nothing of a provider is kept under " + id, Err: messages.ErrNotFound,
		Advice: "what providers returned is kept for two days; ask again"}
}
