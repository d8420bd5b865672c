package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A step is one reply of a scripted model.
type step struct {
	Call   string          `json:"call,omitempty"`   // a tool
	Args   map[string]any  `json:"args,omitempty"`   // of the call
	Answer json.RawMessage `json:"answer,omitempty"` // the answer, which may have an invalid form
	Text   string          `json:"text,omitempty"`   // a reply without a call
	Torn   bool            `json:"torn,omitempty"`   // an incomplete reply
	Wait   bool            `json:"wait,omitempty"`   // longer than any timeout
	Tokens int             `json:"tokens,omitempty"` // number of tokens used
}

func nothingRecorded() json.RawMessage {
	return json.RawMessage(`{"recorded":false,"confidence":"high","claims":[]}`)
}

// claiming returns one claim of a model.
func claiming(text, source, excerpt string) any {
	return map[string]any{"text": text, "citations": []any{map[string]string{"source": source, "excerpt": excerpt}}}
}

// answering returns the last step of most scripts.
func answering(claims ...any) step {
	b, err := json.Marshal(map[string]any{"recorded": true, "confidence": "high", "claims": claims})
	if err != nil {
		panic(err)
	}
	return step{Answer: b}
}

// modelServer plays a script with both APIs. It records the requests, including those of a claude program
// that plays the script.
type modelServer struct {
	*httptest.Server
	mu     sync.Mutex
	script []step
	during func() // called during a request to the model; may be nil
	sent   []string
	left   chan struct{} // receives a value for each request that was cancelled
}

// requests returns the requests so far.
func (m *modelServer) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.sent)
}

func newModelServer(t *testing.T, script []step) *modelServer {
	t.Helper()
	m := &modelServer{script: script, left: make(chan struct{}, 100)}
	ended := make(chan struct{})
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the program was killed
		}
		m.mu.Lock()
		n := len(m.sent)
		m.sent = append(m.sent, string(body))
		m.mu.Unlock()
		if m.during != nil {
			m.during()
		}
		s := step{Text: "I am at my end."}
		if n < len(m.script) {
			s = m.script[n]
		}
		switch {
		case r.URL.Path == "/claude": // the input of the program
		case s.Wait || r.URL.Path == "/wait":
			select {
			case <-ended:
			case <-r.Context().Done():
				m.left <- struct{}{}
			}
		case s.Torn:
			_, _ = io.WriteString(w, "{torn")
		case strings.HasSuffix(r.URL.Path, "/v1/messages"):
			_ = json.NewEncoder(w).Encode(s.anthropic(n))
		default:
			_ = json.NewEncoder(w).Encode(s.openai(n))
		}
	}))
	t.Cleanup(func() { close(ended); m.Close() })
	return m
}

// tool returns the call of a step, or "".
func (s step) tool() (name string, args json.RawMessage) {
	switch {
	case s.Answer != nil:
		return "answer", s.Answer
	case s.Call != "":
		b, err := json.Marshal(s.Args)
		if err != nil {
			panic(err)
		}
		return s.Call, b
	}
	return "", nil
}

func (s step) anthropic(n int) any {
	content := []any{map[string]any{"type": "text", "text": s.Text + "."}}
	if name, args := s.tool(); name != "" {
		if !json.Valid(args) {
			args = json.RawMessage(`"torn"`)
		}
		content = append(content, map[string]any{"type": "tool_use", "id": fmt.Sprint("c", n), "name": name, "input": args})
	}
	return map[string]any{"content": content, "stop_reason": "end_turn", "usage": map[string]int{"input_tokens": s.Tokens,
		"output_tokens": 10}}
}

func (s step) openai(n int) any {
	message := map[string]any{"role": "assistant", "content": s.Text + "."}
	if name, args := s.tool(); name != "" {
		message["tool_calls"] = []any{map[string]any{"id": fmt.Sprint("c", n), "type": "function",
			"function": map[string]string{"name": name, "arguments": string(args)}}}
	}
	return map[string]any{"choices": []any{map[string]any{"message": message}},
		"usage": map[string]int{"prompt_tokens": s.Tokens, "completion_tokens": 10}}
}

// fakeClaude plays the script in the file named by GITMEM_FAKE_CLAUDE, like the claude program with its
// model: it runs the server in its configuration.
func fakeClaude() {
	if err := playClaude(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func playClaude(args []string) error {
	flag := func(name string) string {
		for i, a := range args {
			if a == name && i+1 < len(args) {
				return args[i+1]
			}
		}
		return ""
	}
	told, err := http.Post(os.Getenv("GITMEM_FAKE_SERVER")+"/claude", "text/plain", os.Stdin)
	if err != nil {
		return err
	}
	defer told.Body.Close()
	if file := os.Getenv("GITMEM_FAKE_KEYS"); file != "" {
		if err := os.WriteFile(file, []byte(strings.Join(visibleKeys(), " ")), 0o600); err != nil {
			return err
		}
	}
	var script []step
	b, err := os.ReadFile(os.Getenv("GITMEM_FAKE_CLAUDE"))
	if err == nil {
		err = json.Unmarshal(b, &script)
	}
	if err != nil {
		return err
	}
	servers, err := startServers(flag("--mcp-config"))
	if err != nil {
		return err
	}
	result := map[string]any{"type": "result", "subtype": "success", "num_turns": len(script), "total_cost_usd": 0.01}
	tokens := 0
	for n, s := range script {
		tokens += s.Tokens + 10
		switch name, raw := s.tool(); {
		case s.Wait:
			_, err := http.Get(os.Getenv("GITMEM_FAKE_SERVER") + "/wait") // until the process is killed, or the test ends
			return err
		case s.Torn:
			fmt.Println("{torn")
			return fmt.Errorf("it broke")
		case name == "answer":
			result["structured_output"] = raw
		case name == "":
		case strings.Contains(name, "Bash") || strings.HasPrefix(name, "mcp__") &&
			!slices.Contains(strings.Split(flag("--allowedTools"), ","), name):
			result["permission_denials"] = []any{map[string]string{"tool_name": name}}
		default:
			line := func(kind string, block map[string]any) {
				b, err := json.Marshal(map[string]any{"type": kind, "message": map[string]any{"content": []any{block}}})
				if err != nil {
					panic(err)
				}
				fmt.Printf("%s\n", b)
			}
			if !strings.HasPrefix(name, "mcp__") {
				name = "mcp__gitmem__" + name
			}
			line("assistant", map[string]any{"type": "tool_use", "name": name, "id": fmt.Sprint(n), "input": raw})
			part := strings.Split(name, "__")
			f, err := servers[part[1]].request("tools/call", map[string]any{"name": part[2], "arguments": raw})
			if err != nil {
				return err
			}
			var got struct {
				Content json.RawMessage
				IsError bool
			}
			if err := json.Unmarshal(f.Result, &got); err != nil {
				return err
			}
			line("user", map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint(n), "content": got.Content,
				"is_error": got.IsError})
		}
	}
	result["usage"] = map[string]int{"output_tokens": tokens}
	b, err = json.Marshal(result)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n", b)
	return nil
}

// startServers starts the servers of a configuration, and prints those that started.
func startServers(config string) (map[string]*mcpConnection, error) {
	var conf struct {
		McpServers map[string]struct {
			Command string
			Args    []string
			Env     map[string]string
		}
	}
	if config == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(config), &conf); err != nil {
		return nil, err
	}
	servers := map[string]*mcpConnection{}
	var states []any
	for name, c := range conf.McpServers {
		server := exec.Command(c.Command, c.Args...)
		server.Stderr, server.Env = os.Stderr, os.Environ()
		for name, value := range c.Env {
			server.Env = append(server.Env, name+"="+value)
		}
		m, _, err := connectMCP(server) // it ends with this program
		if err != nil {
			states = append(states, map[string]string{"name": name, "status": "failed"})
			continue
		}
		servers[name], states = m, append(states, map[string]string{"name": name, "status": "connected"})
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"type": "system", "subtype": "init",
		"mcp_servers": states}); err != nil {
		return nil, err
	}
	return servers, nil
}

// withModel configures a backend that plays a script.
func (d *desk) withModel(t *testing.T, backend, more string, script []step) *modelServer {
	t.Helper()
	m := newModelServer(t, script)
	conf := "agent:\n  backend: " + backend + "\n  model: scripted\n" + more
	if backend != "claude" {
		conf += "  endpoint: " + m.URL + "\n"
	}
	b, err := json.Marshal(script)
	d.check(err)
	d.write("script.json", string(b))
	d.write("home/.claude/gitmem/local.yaml", conf)
	d.env = append(d.env, "GITMEM_OFFLINE=", "GITMEM_FAKE_CLAUDE="+filepath.Join(filepath.Dir(d.repo), "script.json"),
		"GITMEM_FAKE_SERVER="+m.URL)
	return m
}

// spend lets the model research, with so many tokens.
func (d *desk) spend() {
	d.tb.Helper()
	if r := d.run("", "ask", "--agent", "why did we drop Redis?"); r.code != 0 && r.code != exitNotFound {
		d.tb.Fatalf("%+v", r)
	}
}

// spending is a script of a research that takes 520 tokens, and then what follows.
func spending(then ...step) []step {
	return append([]step{{Call: "memory_list_layers", Args: map[string]any{}, Tokens: 500}, {Answer: nothingRecorded()}},
		then...)
}

// eachBackend runs a test with each way to a model.
func eachBackend(t *testing.T, do func(t *testing.T, backend string, d *desk)) {
	t.Helper()
	for _, backend := range backends() {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			do(t, backend, newDesk(t))
		})
	}
}

func holds(t *testing.T, what, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if lack, lacks := strings.CutPrefix(w, "!"); lacks && strings.Contains(text, lack) || !lacks &&
			!strings.Contains(text, w) {
			t.Errorf("%s: %q in\n%s", what, w, text)
		}
	}
}
