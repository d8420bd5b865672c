package mcp

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/templates"
)

// Env is the environment of a server.
type Env struct {
	Version string
	// id of the client's session, "" if unknown; several, separated by commas, if one agent runs in another
	Session string
	Started time.Time // when this server was started
	In      io.Reader
	Out     io.Writer
	// Tools starts a data access server, for a researching model.
	Tools gitmem.Command
	// Call opens the memory for one call.
	Call func(r Report, do func(*gitmem.Memory) error) error
	// Clean returns a text that is safe for a model: without secrets, control and invisible characters, and with
	// short ids.
	Clean func(string) string
	// Failure describes an error and how to fix it.
	Failure func(error) string
}

// Report receives messages during a call, and identifies the caller. Nil functions receive nothing.
type Report struct {
	Progress func(gitmem.Progress)
	Warn     func(string)
	// Session is the session of the call as named by the client, or "".
	Session string
}

// Memory serves the memory tools until the client closes the connection or the context ends.
func Memory(ctx context.Context, env Env) error { return newMemoryServer(env).run(ctx) }

// Nothing serves a client that already has another memory server: it has no tools.
func Nothing(ctx context.Context, env Env) error { return newServer(env, "gitmem", "").run(ctx) }

func newMemoryServer(env Env) *server {
	s := newServer(env, "gitmem", templates.Instructions())
	s.warns = true
	s.addMemoryTools()
	s.addProfileTools()
	s.addResources()
	s.addPrompts()
	return s
}

// server is one server of the process.
type server struct {
	env  Env
	mcp  *sdk.Server
	idle *time.Timer // returns unused memory to the system
	said sync.Map    // caveats already sent to the client
	// slots limit the concurrent calls, because each keeps data of the indexes in memory.
	slots     chan struct{}
	warns     bool                // results are text, which begins with the warnings of the call
	arguments map[string][]string // names by tool
	// own identifies the session in logs if the client's is unknown.
	own string
}

// mostAtOnce is the maximum number of concurrent calls.
const mostAtOnce = 4

func newServer(env Env, name, instructions string) *server {
	s := &server{env: env, arguments: map[string][]string{}, idle: time.AfterFunc(time.Hour, freeMemory),
		slots: make(chan struct{}, mostAtOnce)}
	s.idle.Stop()
	s.own = "mcp-" + strings.ToLower(rand.Text())
	s.mcp = sdk.NewServer(&sdk.Implementation{Name: name, Title: "gitmem", Version: env.Version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{ // these never change
			Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{},
		}, SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }})
	s.mcp.AddReceivingMiddleware(withValidErrors, withCaller, s.withOtherNames, s.withOwnErrors)
	return s
}

// withValidErrors removes the data of an error if it is not valid JSON: the SDK quotes the URI of a resource
// in Go's syntax, and would close the connection if it can't encode that.
func withValidErrors(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		if e := (*jsonrpc.Error)(nil); errors.As(err, &e) && len(e.Data) > 0 && !json.Valid(e.Data) {
			err = &jsonrpc.Error{Code: e.Code, Message: e.Message}
		}
		return result, err
	}
}

// run serves until the input ends: then the client has disconnected, and the SDK cancels the running calls.
func (s *server) run(ctx context.Context) error {
	out := &output{out: s.env.Out}
	in := io.NopCloser(&messages{in: bufio.NewReader(s.env.In), out: out}) // it ends with the process
	return s.mcp.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
}

// freeMemory returns unused memory to the system. Pooled objects, and the mapped file of a model, are only
// freed one garbage collection after they became unused.
func freeMemory() {
	for range 3 {
		debug.FreeOSMemory()
	}
}

// unusedAfter is how long after a call unused memory is returned to the system.
const unusedAfter = 2 * time.Second

// mostFailure is how many characters of an error, which may quote its argument, are shown.
const mostFailure = 1000

// call runs one call of a client when a slot is free. A panic is returned as an error of this call.
func (s *server) call(ctx context.Context, progress func(gitmem.Progress),
	do func(*gitmem.Memory) (string, error)) (text string, err error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	s.idle.Stop()
	defer s.idle.Reset(unusedAfter)
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("an internal error ended the call: %v", r)
		}
	}()
	var warnings []string
	r := Report{Progress: progress, Session: callerOf(ctx).session}
	if s.warns {
		r.Warn = func(w string) { warnings = append(warnings, w) }
	}
	err = s.env.Call(r, func(m *gitmem.Memory) error {
		text, err = do(m)
		return err
	})
	return s.env.Clean(remarks(warnings) + text), err
}

// news returns the caveats that this client has not received yet: most apply to every call. If absent is set,
// it returns all of them, because they name the sources that were not searched, and a model may have
// forgotten an earlier message.
func (s *server) news(caveats []string, absent bool) string {
	var news []string
	for _, c := range caveats {
		_, told := s.said.LoadOrStore(c, true)
		if (absent || !told) && !slices.Contains(news, c) {
			news = append(news, c)
		}
	}
	return remarks(news)
}

// definition describes a tool. The fields of In describe its input.
type definition struct {
	name, title, description string
	writes                   bool
	removes                  bool // it may remove something
	always                   bool // its schema is in every request of Claude Code, and not only after a tool search
	// arguments maps flags of the command line to arguments, if the names differ.
	arguments map[string]string
}

var (
	flagName    = lazy.Pattern(`\B--(?:author|expand|layer|path|project|rev|since|type|until)\b`)
	commandName = lazy.Pattern(`\bgitmem (?:search|show|why)\b`)
)

// inArguments replaces flags in a text of the library with the tool's arguments, and commands with the
// equivalent tools.
func (d definition) inArguments(text string) string {
	text = commandName().ReplaceAllStringFunc(text, func(command string) string {
		return strings.Replace(command, "gitmem ", "memory_", 1)
	})
	return flagName().ReplaceAllStringFunc(text, func(flag string) string {
		return cmp.Or(d.arguments[flag[2:]], flag[2:])
	})
}

// addTool adds a tool whose result is text. It returns no structured content, because the client would show
// that to the model instead of the text.
func addTool[In any](s *server, d definition, do func(context.Context, *gitmem.Memory, In) (string, error)) {
	addTelling(s, d, func(ctx context.Context, m *gitmem.Memory, in In, _ func(string)) (string, error) {
		return do(ctx, m, in)
	})
}

// addTelling adds a tool that reports its steps to the client.
func addTelling[In any](s *server, d definition,
	do func(context.Context, *gitmem.Memory, In, func(step string)) (string, error)) {
	t := &sdk.Tool{Name: d.name, Title: d.title, Description: d.description, Annotations: &sdk.ToolAnnotations{
		ReadOnlyHint: !d.writes, IdempotentHint: true, DestructiveHint: &d.removes, OpenWorldHint: new(bool),
	}}
	if d.always {
		t.Meta = sdk.Meta{"anthropic/alwaysLoad": true}
	}
	s.arguments[d.name] = argumentsOf[In]()
	sdk.AddTool(s.mcp, t, func(ctx context.Context, r *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		tell := s.teller(ctx, r)
		text, err := s.call(ctx, progressOf(tell), func(m *gitmem.Memory) (string, error) { return do(ctx, m, in, tell) })
		if err != nil && ctx.Err() == nil {
			failure := clip.Words(s.env.Clean(d.inArguments(s.env.Failure(err))), mostFailure, " …")
			return &sdk.CallToolResult{IsError: true,
				Content: []sdk.Content{&sdk.TextContent{Text: strings.TrimSpace(text + "\n" + failure)}}}, nil, nil
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, ctx.Err()
	})
}

// teller returns a function that reports the steps of a call to the client, if it requested that.
func (s *server) teller(ctx context.Context, r *sdk.CallToolRequest) func(step string) {
	token := r.Params.GetProgressToken()
	var mu sync.Mutex
	steps := 0.0 // increases with each message, as the protocol requires
	return func(step string) {
		if token == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		steps++
		// the answer matters, not this error
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: steps, Message: s.env.Clean(step),
		})
	}
}

// progressOf reports the building of indexes, without a report for each document.
func progressOf(tell func(string)) func(gitmem.Progress) {
	const every = 500 // documents
	shard, next := "", 0
	return func(p gitmem.Progress) {
		switch {
		case p.Waiting != "":
			tell("waiting for " + p.Waiting)
		case p.Shard != shard || p.Done >= next:
			shard, next = p.Shard, p.Done+every
			tell(fmt.Sprintf("indexing %s, %d of %d", p.Shard, p.Done, p.Total))
		}
	}
}
