package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// A step is one reply of a scripted model.
type step struct {
	Call   string          `json:"call,omitempty"`   // a tool
	Args   map[string]any  `json:"args,omitempty"`   // of it
	Answer json.RawMessage `json:"answer,omitempty"` // the answer, also one in no required form
	Text   string          `json:"text,omitempty"`   // no call at all
	Torn   bool            `json:"torn,omitempty"`   // what is no reply
	Wait   bool            `json:"wait,omitempty"`   // for longer than anybody waits
	Tokens int             `json:"tokens,omitempty"` // that it takes
}

// claiming is one claim of a model.
func claiming(text, source, excerpt string) any {
	return map[string]any{"text": text, "citations": []any{map[string]string{"source": source, "excerpt": excerpt}}}
}

// answering is the last step of most scripts.
func answering(claims ...any) step {
	b, err := json.Marshal(map[string]any{"recorded": true, "confidence": "high", "claims": claims})
	if err != nil {
		panic(err)
	}
	return step{Answer: b}
}

// modelServer plays a script over both APIs. It keeps what it was sent.
type modelServer struct {
	*httptest.Server
	mu     sync.Mutex
	script []step
	sent   []string
}

func newModelServer(t *testing.T, script []step) *modelServer {
	t.Helper()
	m := &modelServer{script: script}
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
		s := step{Text: "I am at my end."}
		if n < len(m.script) {
			s = m.script[n]
		}
		switch {
		case s.Wait:
			select {
			case <-ended:
			case <-r.Context().Done():
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

// tool is the call that a step makes, "" for none.
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
	return map[string]any{"content": content, "stop_reason": "end_turn", "usage": map[string]int{"input_tokens": s.Tokens, "output_tokens": 10}}
}

func (s step) openai(n int) any {
	message := map[string]any{"role": "assistant", "content": s.Text + "."}
	if name, args := s.tool(); name != "" {
		message["tool_calls"] = []any{map[string]any{"id": fmt.Sprint("c", n), "type": "function", "function": map[string]string{"name": name, "arguments": string(args)}}}
	}
	return map[string]any{"choices": []any{map[string]any{"message": message}}, "usage": map[string]int{"prompt_tokens": s.Tokens, "completion_tokens": 10}}
}

// fakeClaude plays the script in the file that GITMEM_FAKE_CLAUDE names, as the claude
// program does what its model says: it runs the server of its configuration.
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
	if _, err := io.ReadAll(os.Stdin); err != nil {
		return err
	}
	var script []step
	b, err := os.ReadFile(os.Getenv("GITMEM_FAKE_CLAUDE"))
	if err == nil {
		err = json.Unmarshal(b, &script)
	}
	if err != nil {
		return err
	}
	var conf struct {
		McpServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(flag("--mcp-config")), &conf); err != nil {
		return err
	}
	c := conf.McpServers["gitmem"]
	server := exec.Cmd{Path: c.Command, Args: append([]string{"gitmem"}, c.Args...), Env: os.Environ(), Stderr: os.Stderr}
	in, err := server.StdinPipe()
	if err != nil {
		return err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	m := &mcpConnection{to: json.NewEncoder(in), from: bufio.NewReader(out)}
	if err := m.greet(); err != nil {
		return err
	}
	result := map[string]any{"type": "result", "subtype": "success", "num_turns": len(script), "total_cost_usd": 0.01}
	tokens := 0
	for n, s := range script {
		tokens += s.Tokens + 10
		switch name, raw := s.tool(); {
		case s.Wait:
			select {}
		case s.Torn:
			fmt.Println("{torn")
			return fmt.Errorf("it broke")
		case name == "answer":
			result["structured_output"] = raw
		case name == "":
		case flag("--allowedTools") != "mcp__gitmem" || strings.Contains(name, "Bash"):
			result["permission_denials"] = []any{map[string]string{"tool_name": name}}
		default:
			line := func(kind string, block map[string]any) {
				b, err := json.Marshal(map[string]any{"type": kind, "message": map[string]any{"content": []any{block}}})
				if err != nil {
					panic(err)
				}
				fmt.Printf("%s\n", b)
			}
			line("assistant", map[string]any{"type": "tool_use", "name": "mcp__gitmem__" + name, "id": fmt.Sprint(n), "input": raw})
			f, err := m.request("tools/call", map[string]any{"name": name, "arguments": raw})
			if err != nil {
				return err
			}
			line("user", map[string]any{"type": "tool_result", "content": string(f.Result)})
		}
	}
	result["usage"] = map[string]int{"output_tokens": tokens}
	b, err = json.Marshal(result)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n", b)
	return in.Close()
}

// backends are the ways to a model.
func backends() []string { return []string{"claude", "anthropic", "openai"} }

// withModel configures a back end that plays a script.
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
	d.write("home/.claude/gitmem/config.yaml", conf)
	d.env = append(d.env, "GITMEM_FAKE_CLAUDE="+filepath.Join(filepath.Dir(d.repo), "script.json"))
	return m
}

// TestAgent plays the same scripts with each back end.
func TestAgent(t *testing.T) {
	t.Parallel()
	const why, excerpt = "Redis was dropped because sessions fit in memory.", "Redis was only kept for sessions, and they fit in memory."
	search := step{Call: "memory_search_with_fallbacks", Args: map[string]any{"query": "drop redis sessions"}}
	for _, backend := range backends() {
		d := newDesk(t)
		sha := d.run("", "search", "--json", "drop redis")
		commit := regexp.MustCompile(`git:commit:[0-9a-f]{40}`).FindString(sha.out)
		for _, tt := range []struct {
			name, conf string
			script     []step
			want       []string // of the answer or the messages
			lacks      string
			only       string // the back end that can be so, "" for all
		}{
			{name: "answers", script: []step{search, answering(claiming(why, commit, excerpt))},
				want: []string{why + " [" + commit[:23] + "]", "> " + excerpt, "confidence: high (by " + backend + " scripted: 2 turns"}},
			{name: "a refused tool", script: []step{{Call: "Bash", Args: map[string]any{"command": "id"}}, search, answering(claiming(why, commit, excerpt))},
				want: []string{why}},
			{name: "no such source", script: []step{search, answering(claiming(why, "git:commit:"+strings.Repeat("0", 40), excerpt))},
				want: []string{"caveat: the model gave no answer", "is not there", "they fit in memory"}, lacks: why + " ["},
			{name: "no such words", script: []step{search, answering(claiming(why, commit, "Redis was too expensive."))},
				want: []string{"it is not in", "Redis was too expensive"}, lacks: "> Redis was too"},
			{name: "another claim", script: []step{search, answering(claiming("The team moved to Kafka since its licence is cheaper for customers.", commit, excerpt))},
				want: []string{"do not hold most of its words", "caveat: the model gave no answer"}, lacks: "customers. ["},
			{name: "another number", script: []step{search, answering(claiming("Redis was dropped in v9.9.9 because sessions fit in memory.", commit, excerpt))},
				want: []string{"do not hold"}},
			{name: "an excerpt with a gap", script: []step{search, answering(claiming(why, commit, "Redis was only kept … they fit in memory."))},
				want: []string{why + " ["}},
			{name: "one claim of two", script: []step{search, answering(claiming(why, commit, excerpt), claiming("Bob owns the parser.", commit, "Bob owns it"))},
				want: []string{why + " [", "cut: Bob owns the parser. (it is not in", "confidence: medium"}},
			{name: "nothing recorded", script: []step{search, {Answer: json.RawMessage(`{"recorded":false,"confidence":"high","claims":[]}`)}},
				want: []string{"Not recorded, as far as the model looked.", "confidence: none"}},
			{name: "malformed, then right", script: []step{{Answer: json.RawMessage(`{"claims":"x"}`)}, answering(claiming(why, commit, excerpt))}, want: []string{why}},
			{name: "a torn reply", script: []step{{Torn: true}}, want: []string{"caveat: the model gave no answer", "Redis"}},
			{name: "no answer at all", script: []step{{Text: "Well"}, {Text: "Well"}, {Text: "Well"}, {Text: "Well"}}, want: []string{"without an answer in the required form"}},
			{name: "too many tokens", conf: "  tokens: 1000\n", script: []step{{Call: search.Call, Args: search.Args, Tokens: 5000}, answering(claiming(why, commit, excerpt))},
				want: []string{"took 5010 tokens, and tokens is 1000"}, only: "api"},
			{name: "too many turns", conf: "  turns: 2\n", script: []step{search, search, search}, want: []string{"no answer in 2 turns"}, only: "api"},
		} {
			if tt.only == "api" && backend == "claude" {
				continue // its own limits are the program's
			}
			t.Run(backend+"/"+tt.name, func(t *testing.T) {
				d := *d
				d.tb = t
				d.withModel(t, backend, tt.conf, tt.script)
				r := d.run("", "ask", "--agent", "why did we drop Redis?")
				for _, want := range tt.want {
					if !strings.Contains(r.out, want) {
						t.Errorf("%q is not in\n%s%s", want, r.out, r.err)
					}
				}
				if tt.lacks != "" && strings.Contains(r.out, tt.lacks) {
					t.Errorf("%q is in\n%s", tt.lacks, r.out)
				}
			})
		}
	}
}

// TestAgentKilled: who follows a run is told its steps, and that it ended without an answer
// when its process was killed.
func TestAgentKilled(t *testing.T) {
	t.Parallel()
	for _, backend := range backends() {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.withModel(t, backend, "", []step{{Call: "memory_list_layers", Args: map[string]any{}}, {Wait: true}})
			c := exec.Command(d.bin, "ask", "--agent", "why did we drop Redis?")
			c.Dir, c.Env = d.repo, d.env
			errs, err := c.StderrPipe()
			d.check(err)
			d.check(c.Start())
			line, err := bufio.NewReader(errs).ReadString('\n')
			d.check(err)
			id := regexp.MustCompile(`[0-9a-f]{12}`).FindString(line)
			follow := exec.Command(d.bin, "attach", id)
			follow.Dir, follow.Env = d.repo, d.env
			out, err := follow.StdoutPipe()
			d.check(err)
			var said strings.Builder
			follow.Stderr = &said
			d.check(follow.Start())
			steps := bufio.NewScanner(out)
			for steps.Scan() {
				if strings.Contains(steps.Text(), "got ") {
					d.check(c.Process.Kill())
					break
				}
			}
			for steps.Scan() {
				t.Errorf("after it was killed: %s", steps.Text())
			}
			if err := follow.Wait(); err == nil || !strings.Contains(said.String(), "ended without an answer") {
				t.Errorf("%v: %s", err, said.String())
			}
			_ = c.Wait() // killed
			if r := d.run("", "attach", "0123456789ab"); r.code != exitNotFound || !strings.Contains(r.err, "there is no run") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestAgentInTime: a model that does not answer costs its time, and the answer is the one
// without it.
func TestAgentInTime(t *testing.T) {
	t.Parallel()
	for _, backend := range backends() {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.withModel(t, backend, "  time: 1s\n", []step{{Wait: true}})
			d.env = append(d.env, "GITMEM_TEST_NOW=")
			began := time.Now()
			r := d.run("", "ask", "--agent", "why did we drop Redis?")
			if !strings.Contains(r.out, "the model took longer than 1s") || !strings.Contains(r.out, "they fit in memory") || time.Since(began) > time.Minute {
				t.Errorf("%+v after %v", r, time.Since(began))
			}
		})
	}
}

// TestAgentReused: within a session the same question is answered once, until a source is
// another; and each day has its bound.
func TestAgentReused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	nothing := step{Answer: json.RawMessage(`{"recorded":false,"confidence":"high","claims":[]}`), Tokens: 600}
	m := d.withModel(t, "openai", "  daily_tokens: 1500\n", []step{nothing, nothing, nothing, nothing})
	d.env = append(d.env, "CLAUDE_CODE_SESSION_ID="+deskSession)
	asked := func(want int) result {
		t.Helper()
		r := d.run("", "ask", "--agent", "--json", "why did we drop Redis?")
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.sent) != want {
			t.Errorf("%d requests instead of %d: %+v", len(m.sent), want, r)
		}
		return r
	}
	asked(1)
	var again gitmem.ResearchResult
	r := asked(1)
	d.check(json.Unmarshal([]byte(r.out), &again))
	if !again.Success || again.Spent.Tokens != 610 {
		t.Errorf("%+v", again)
	}
	d.commit("2024-05-01T10:00:00Z", "Ada Example", "Take Redis back")
	asked(2)
	d.commit("2024-05-02T10:00:00Z", "Ada Example", "Drop Redis again")
	asked(3)
	d.commit("2024-05-03T10:00:00Z", "Ada Example", "Say so")
	if r := asked(3); !strings.Contains(r.out, "daily_tokens is 1500") {
		t.Errorf("%+v", r)
	}
}

// TestAgentOfTool: where a model is configured, the tool memory has it research the
// question, and tells its client of the steps, the id of the run first.
func TestAgentOfTool(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	commit := regexp.MustCompile(`git:commit:[0-9a-f]{40}`).FindString(d.run("", "search", "--json", "drop redis").out)
	d.withModel(t, "anthropic", "", []step{
		{Call: "memory_list_layers", Args: map[string]any{}},
		answering(claiming("Sessions fit in memory.", commit, "they fit in memory")),
	})
	d.write("calls", `tools/call {"name": "memory", "arguments": {"question": "why did we drop Redis?"}, "_meta": {"progressToken": "p"}}`+"\n")
	c := exec.Command("mcpclient", filepath.Join(filepath.Dir(d.repo), "calls"), "mcp")
	c.Dir, c.Env = d.repo, d.env
	out, err := c.CombinedOutput()
	d.check(err)
	if !regexp.MustCompile(`(?s)[0-9a-f]{12} started why did we drop Redis.* called memory_list_layers .* got .* ended Sessions fit.*Sessions fit in memory. \[git:commit:[0-9a-f]{12}\]`).Match(out) {
		t.Errorf("%s", out)
	}
}
