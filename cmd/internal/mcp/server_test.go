package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// frame is a message of the protocol.
type frame struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

// client is the client of a server in this process.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	done chan error // what the server returned
}

// start runs a server whose calls are handled by call, and initialises it.
func start(t *testing.T, call func(context.Context, func(gitmem.Progress), func(*gitmem.Memory) error) error) *client {
	t.Helper()
	return serve(t, Memory, call)
}

// serve is start for a server of one kind.
func serve(t *testing.T, server func(context.Context, Env) error, call func(context.Context, func(gitmem.Progress),
	func(*gitmem.Memory) error) error) *client {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t: t, in: toServer, out: bufio.NewScanner(fromServer), done: make(chan error, 1)}
	c.out.Buffer(nil, 1<<20)
	go func() {
		err := server(t.Context(), Env{
			Version: "test", In: in, Out: out,
			Call:  func(r Report, do func(*gitmem.Memory) error) error { return call(t.Context(), r.Progress, do) },
			Clean: func(s string) string { return s }, Failure: func(err error) string { return err.Error() },
		})
		_ = out.Close() // always nil
		c.done <- err
	}()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`)
	c.reply(1)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// none handles a call without memory.
func none(_ context.Context, _ func(gitmem.Progress), do func(*gitmem.Memory) error) error {
	return do(nil)
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// next returns the next message of the server.
func (c *client) next() (f frame) {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatalf("the server says nothing more: %v", c.out.Err())
	}
	if err := json.Unmarshal(c.out.Bytes(), &f); err != nil {
		c.t.Fatalf("%v: %s", err, c.out.Text())
	}
	return f
}

func (c *client) reply(id int) frame {
	c.t.Helper()
	f := c.next()
	if f.ID != id {
		c.t.Fatalf("reply to %d instead of %d: %s", f.ID, id, f.Result)
	}
	return f
}

func (c *client) callTool(id int, meta string) {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"memory_search",`+
		`"arguments":{"queries":["relay"]}%s}}`, id, meta))
}

// TestDefinitions: a client pays for them in every request, and truncates long ones.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	c := start(t, none)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	list := c.reply(2).Result
	var raw struct{ Tools []json.RawMessage }
	var tools struct {
		Tools []struct {
			Name, Description string
			OutputSchema      json.RawMessage
			Annotations       struct{ ReadOnlyHint, DestructiveHint bool }
		}
	}
	if err := errors.Join(json.Unmarshal(list, &tools), json.Unmarshal(list, &raw)); err != nil {
		t.Fatal(err)
	}
	sizes, of := map[bool]int{}, map[bool][]string{}
	for i, tool := range tools.Tools {
		memory := strings.HasPrefix(tool.Name, "memory") || tool.Name == "remember"
		sizes[memory] += len(raw.Tools[i])
		of[memory] = append(of[memory], tool.Name)
		writes := strings.Contains(" remember update_user_profile remove_preference clear_user_profile run_decay "+
			"update_task log_decision add_session_context set_session_summary ", " "+tool.Name+" ")
		if removes := strings.Contains(" remove_preference clear_user_profile run_decay ", " "+tool.Name+
			" "); tool.Annotations.DestructiveHint != removes {
			t.Errorf("%s: destructive %v", tool.Name, tool.Annotations.DestructiveHint)
		}
		if len(tool.Description) > 2<<10 || tool.OutputSchema != nil || tool.Annotations.ReadOnlyHint == writes {
			t.Errorf("%s: %d bytes, output %s, read-only %v", tool.Name, len(tool.Description), tool.OutputSchema,
				tool.Annotations.ReadOnlyHint)
		}
	}
	if got := strings.Join(of[true],
		" "); got != "memory memory_personal memory_promote memory_search memory_show memory_team memory_why remember" ||
		sizes[true] > 6<<10 {
		t.Errorf("tools of memory, %d bytes: %s", sizes[true], got)
	}
	if got := of[false]; len(got) != 13 || sizes[false] > 5<<10 {
		t.Errorf("%d tools of the profile and of what lasts, %d bytes: %s", len(got), sizes[false], got)
	}
	t.Logf("definitions: %d and %d bytes", sizes[true], sizes[false])
	for _, tool := range tools.Tools { // a client may show no instructions
		if strings.HasPrefix(tool.Name, "memory") && !strings.Contains(tool.Description, "Use ") {
			t.Errorf("%s does not say when to use it: %s", tool.Name, tool.Description)
		}
	}
	checkInstructions(t, templates.Instructions())
}

// checkInstructions checks their size, and that the first paragraph explains when to use which tools: Codex
// only shows 250 characters of it, pi its first line.
func checkInstructions(t *testing.T, text string) {
	t.Helper()
	first, _, _ := strings.Cut(text, "\n")
	for _, want := range []string{"what the files on disk do not say", "before", "memory_search", "memory_show",
		"memory_why"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first paragraph lacks %q: %s", want, first)
		}
	}
	if len(text) > 2<<10 || len(first) > 250 {
		t.Errorf("the instructions have %d bytes, their first paragraph %d", len(text), len(first))
	}
}

// TestOtherNames: a model that knows one tool calls another one with the argument names of the first.
func TestOtherNames(t *testing.T) {
	t.Parallel()
	s := newMemoryServer(Env{})
	for _, tt := range []struct{ tool, in, want string }{
		{"memory_search", `{"query":"relay"}`, `{"queries":["relay"]}`},
		{"memory_search", `{"question":"relay","limit":2}`, `{"limit":2,"queries":["relay"]}`},
		{"memory_search", `{"query":"a","queries":["b"]}`, `{"query":"a","queries":["b"]}`},
		{"memory_search", `{"query":"a","question":"b"}`, `{"query":"a","question":"b"}`},
		{"memory_search", `{"queris":"a"}`, `{"queris":"a"}`},
		{"memory", `{"query":"relay"}`, `{"question":"relay"}`},
		{"memory", `{"queries":["relay"]}`, `{"question":"relay"}`},
		{"memory", `{"queries":["relay","valve"]}`, `{"queries":["relay","valve"]}`},
		{"memory_team", `{"query":"relay"}`, `{"question":"relay"}`},
		{"memory_personal", `{"question":"recent"}`, `{"question":"recent"}`},
		{"memory_show", `{"id":"git:commit:1"}`, `{"ids":["git:commit:1"]}`},
		{"update_task", `{"ids":["task:1"]}`, `{"id":"task:1"}`},
		{"memory_search", `[]`, `[]`},
	} {
		if got := string(s.otherNames(tt.tool, json.RawMessage(tt.in))); got != tt.want {
			t.Errorf("%s %s: %s instead of %s", tt.tool, tt.in, got, tt.want)
		}
	}
}

// TestCancelledLate: OpenCode cancels each call after it was answered.
func TestCancelledLate(t *testing.T) {
	t.Parallel()
	c := start(t, func(context.Context, func(gitmem.Progress), func(*gitmem.Memory) error) error { return nil })
	for id := 2; id < 5; id++ {
		c.callTool(id, "")
		c.reply(id)
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,`+
			`"reason":"AbortError: The operation was aborted."}}`, id))
	}
	c.send(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
	c.reply(5)
}

// TestCaller: Codex names the session with each call, and all clients name themselves.
func TestCaller(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ client, meta, session, agent string }{
		{"codex-mcp-client", `,"_meta":{"x-codex-turn-metadata":{"session_id":"01a2","thread_id":"01a3"}}`, "codex-01a2", ""},
		{"codex-mcp-client", `,"_meta":{"x-codex-turn-metadata":{"session_id":7}}`, "", ""},
		{"codex-mcp-client", `,"_meta":{"x-codex-turn-metadata":[]}`, "", ""},
		{"opencode", "", "", "opencode"},
		{"gemini-cli-mcp-client-gitmem", "", "", "gemini"},
		{"pi", "", "", "pi"},
		{"t", `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"crush",` +
			`"version":"1"}}`, "", "crush"},
		{"pigeon", "", "", ""},
	} {
		var got caller
		s := newServer(Env{Call: func(_ Report, do func(*gitmem.Memory) error) error {
			return do(nil)
		}, Clean: strings.Clone}, "test", "")
		addTool(s, definition{name: "memory_search"},
			func(ctx context.Context, _ *gitmem.Memory, _ searchInput) (string, error) {
				got = callerOf(ctx)
				return "", nil
			})
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		s.env.In, s.env.Out = in, out
		c := &client{t: t, in: toServer, out: bufio.NewScanner(fromServer), done: make(chan error, 1)}
		go func() { c.done <- s.run(t.Context()) }()
		c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"` + tt.client + `","version":"1"}}}`)
		c.reply(1)
		c.callTool(2, tt.meta)
		c.reply(2)
		if got.session != tt.session || got.agent != tt.agent {
			t.Errorf("%s %s: %+v", tt.client, tt.meta, got)
		}
		_ = c.in.Close() // always nil
		<-c.done
	}
}

// TestPanic: the server continues after a panic in one call.
func TestPanic(t *testing.T) {
	t.Parallel()
	c := start(t, func(context.Context, func(gitmem.Progress), func(*gitmem.Memory) error) error { panic("torn") })
	for id := 2; id < 4; id++ {
		c.callTool(id, "")
		if f := c.reply(id); !strings.Contains(string(f.Result), `"isError":true`) ||
			!strings.Contains(string(f.Result), "torn") {
			t.Errorf("%s", f.Result)
		}
	}
}

// TestProgress: only clients that requested it get progress, and not for each document.
func TestProgress(t *testing.T) {
	t.Parallel()
	c := start(t, func(_ context.Context, progress func(gitmem.Progress), _ func(*gitmem.Memory) error) error {
		for n := range 1000 {
			progress(gitmem.Progress{Shard: "history", Done: n, Total: 1000})
		}
		progress(gitmem.Progress{Waiting: "the index"})
		progress(gitmem.Progress{Waiting: "the index"})
		return nil
	})
	c.callTool(2, `,"_meta":{"progressToken":"p"}`)
	for _, done := range []string{`"progress":1`, `"progress":2`, `"progress":3`, `"progress":4`} {
		if f := c.next(); f.Method != "notifications/progress" || !strings.Contains(string(f.Params), done) ||
			!strings.Contains(string(f.Params), `"progressToken":"p"`) {
			t.Errorf("%s %s", f.Method, f.Params)
		}
	}
	c.reply(2)
	c.callTool(3, "")
	c.reply(3)
}

// TestAtOnce: a call waits for other running calls, unless it is cancelled.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	began, end := make(chan bool), make(chan bool)
	s := newServer(Env{Clean: func(s string) string { return s }, Call: func(Report, func(*gitmem.Memory) error) error {
		if calls.Add(1) <= mostAtOnce {
			began <- true
			<-end
		}
		return nil
	}}, "test", "")
	var all sync.WaitGroup
	for range mostAtOnce {
		all.Go(func() { _, _ = s.call(t.Context(), nil, nil) })
	}
	for range mostAtOnce {
		<-began
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 { // some would be running if there were free slots
		if _, err := s.call(ctx, nil, nil); !errors.Is(err, context.Canceled) || calls.Load() > mostAtOnce {
			t.Fatalf("%v after %d calls", err, calls.Load())
		}
	}
	close(end)
	all.Wait()
	if _, err := s.call(t.Context(), nil, nil); err != nil {
		t.Error(err)
	}
}

// TestEnds: a call that the client cancels ends, others continue, and when the client disconnects the server
// ends, even during a call.
func TestEnds(t *testing.T) {
	t.Parallel()
	began := make(chan bool)
	s := newServer(Env{}, "test", "")
	blocked := func(ctx context.Context) error {
		began <- true
		<-ctx.Done()
		return ctx.Err()
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	s.env = Env{In: in, Out: out, Clean: func(s string) string {
		return s
	}, Failure: func(err error) string { return err.Error() },
		Call: func(_ Report, do func(*gitmem.Memory) error) error { return do(nil) }}
	addTool(s, definition{name: "memory_search"},
		func(ctx context.Context, _ *gitmem.Memory, _ searchInput) (string, error) {
			return "", blocked(ctx)
		})
	c := &client{t: t, in: toServer, out: bufio.NewScanner(fromServer), done: make(chan error, 1)}
	go func() { c.done <- s.run(t.Context()) }()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`)
	c.reply(1)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.callTool(2, "")
	<-began
	c.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	c.reply(3)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	if f := c.next(); f.ID != 2 {
		t.Errorf("reply to %d", f.ID)
	}
	c.callTool(4, "")
	<-began
	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for c.out.Scan() { // its remaining output
		}
	}()
	if err := <-c.done; err != nil { // the server does not outlive its client
		t.Error(err)
	}
}

func TestNews(t *testing.T) {
	t.Parallel()
	s := newServer(Env{}, "test", "")
	if got := s.news([]string{"offline", "half"}, false) +
		s.news([]string{"half", "new"}, false); got != "caveat: offline\ncaveat: half\ncaveat: new\n" {
		t.Errorf("%q", got)
	}
	if got := s.news([]string{"offline", "half", "offline"}, true); got != "caveat: offline\ncaveat: half\n" {
		t.Errorf("of what is absent: %q", got)
	}
}

// TestInArguments: a model gets the names of arguments instead of the command line flags.
func TestInArguments(t *testing.T) {
	t.Parallel()
	d := definition{arguments: teamArguments()}
	for text, want := range map[string][2]string{
		"invalid request: --since 3d is not before --until 4d": {"invalid request: since 3d is not before until 4d",
			"invalid request: timeframe 3d is not before timeframe 4d"},
		"--type novel is unknown (fix, docs)": {"type novel is unknown (fix, docs)",
			"types novel is unknown (fix, docs)"},
		"3 hits without --path a--type.c": {"3 hits without path a--type.c",
			"3 hits without files a--type.c"},
		"see it with gitmem why --rev v1 a.c": {"see it with memory_why rev v1 a.c",
			"see it with memory_why rev v1 a.c"},
		"run gitmem note --force, or --typed": {"run gitmem note --force, or --typed",
			"run gitmem note --force, or --typed"},
	} {
		if got := [2]string{definition{}.inArguments(text), d.inArguments(text)}; got != want {
			t.Errorf("%q: %q instead of %q", text, got, want)
		}
	}
}

func TestPlainQuery(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"shfmt add -version flag":      "shfmt add version flag",
		"--no-ignore  parent":          "no-ignore parent",
		`"exactly once" +redis type:x`: `"exactly once" +redis type:x`,
		" - ":                          "",
	} {
		if got := plainQuery(query); got != want {
			t.Errorf("%q: %q instead of %q", query, got, want)
		}
	}
}
