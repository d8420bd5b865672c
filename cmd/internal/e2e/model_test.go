package e2e_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// ask posts a request with one message.
func ask(t *testing.T, m *e2e.Model, stream bool, text string) *http.Response {
	t.Helper()
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	body, err := json.Marshal(map[string]any{"model": "m-1", "stream": stream,
		"messages": []any{map[string]any{"role": "user", "content": text}}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/messages?beta=true",
		strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "secret-key")
	r.Header.Set("Authorization", "Bearer secret-key")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// frames returns the data of a stream, and its final error.
func frames(t *testing.T, r io.Reader) (all []map[string]any, err error) {
	t.Helper()
	scanner := bufio.NewScanner(r)
	name := ""
	for scanner.Scan() {
		if after, ok := strings.CutPrefix(scanner.Text(), "event: "); ok {
			name = after
		}
		if after, ok := strings.CutPrefix(scanner.Text(), "data: "); ok {
			var data map[string]any
			if err := json.Unmarshal([]byte(after), &data); err != nil {
				t.Fatal(err)
			}
			if data["type"] != name {
				t.Errorf("event %q has data of type %v", name, data["type"])
			}
			all = append(all, data)
		}
	}
	return all, scanner.Err()
}

func names(all []map[string]any) (names []string) {
	for _, f := range all {
		name, _ := f["type"].(string)
		if d, ok := f["delta"].(map[string]any); ok && d["type"] != nil {
			kind, _ := d["type"].(string)
			name += " " + kind
		}
		names = append(names, name)
	}
	return names
}

func TestStream(t *testing.T) {
	t.Parallel()
	m := e2e.NewModel(e2e.Turn{Blocks: []e2e.Block{
		{Thinking: "hm"}, {Text: "let me look"}, {Tool: "Bash", Input: map[string]any{"command": "ls"}},
	}})
	answer := ask(t, m, true, "hello")
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("Content-Type %q", got)
	}
	all, err := frames(t, answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"message_start",
		"content_block_start", "content_block_delta thinking_delta", "content_block_delta signature_delta",
		"content_block_stop",
		"content_block_start", "content_block_delta text_delta", "content_block_stop",
		"content_block_start", "content_block_delta input_json_delta", "content_block_stop",
		"message_delta", "message_stop",
	}
	if diff := cmp.Diff(want, names(all)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	delta, _ := all[9]["delta"].(map[string]any)
	if delta["partial_json"] != `{"command":"ls"}` {
		t.Errorf("input of the tool: %v", delta)
	}
	end, _ := all[11]["delta"].(map[string]any)
	if end["stop_reason"] != "tool_use" {
		t.Errorf("stop reason: %v", end)
	}
	if m.Left() != 0 {
		t.Errorf("%d turns are left", m.Left())
	}
}

func TestRequestsAreKeptWithoutCredentials(t *testing.T) {
	t.Parallel()
	m := e2e.NewModel(e2e.Say("one"))
	ask(t, m, false, "the <b>first</b> question")
	got := m.Requests()
	if len(got) != 1 || got[0].Path != "/v1/messages" || got[0].Header.Get("Anthropic-Version") == "" {
		t.Fatalf("requests: %+v", got)
	}
	for name, values := range got[0].Header {
		if strings.Contains(strings.Join(values, " "), "secret-key") {
			t.Errorf("header %s is kept", name)
		}
	}
	if got[0].Last() != got[0].Conversation() || !strings.Contains(got[0].Last(), "the <b>first</b> question") {
		t.Errorf("conversation %q, last %q", got[0].Conversation(), got[0].Last())
	}
}

func TestConversation(t *testing.T) {
	t.Parallel()
	r := e2e.Request{Body: []byte(`{"system":[{"type":"text","text":"rules"}],"messages":[
		{"role":"user","content":[{"type":"text","text":"one"},{"type":"image","source":{}}]},
		{"role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]},
		{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"two"}]},
			{"type":"tool_result","content":"three"},7]}]}`)}
	if got := strings.Fields(r.Conversation()); !cmp.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("Conversation() = %q", got)
	}
	if got := strings.Fields(r.Last()); !cmp.Equal(got, []string{"two", "three"}) {
		t.Errorf("Last() = %q", got)
	}
	if got := strings.TrimSpace(r.System()); got != "rules" {
		t.Errorf("System() = %q", got)
	}
}

func TestScriptAndRules(t *testing.T) {
	t.Parallel()
	m := e2e.NewModel(e2e.Say("first"))
	m.Rule(e2e.Rule{Contains: "summary of", Turn: e2e.Say("<summary>short</summary>")})
	m.Script(e2e.Say("second"))
	for _, step := range []struct{ say, want string }{
		{"a", "first"}, {"make a summary of it", "<summary>short</summary>"}, {"b", "second"}, {"c", "done"},
	} {
		var whole struct {
			Content []struct{ Text string }
			Stop    string `json:"stop_reason"`
		}
		if err := json.NewDecoder(ask(t, m, false, step.say).Body).Decode(&whole); err != nil {
			t.Fatal(err)
		}
		if len(whole.Content) != 1 || whole.Content[0].Text != step.want || whole.Stop != "end_turn" {
			t.Errorf("%q is answered with %+v, want %q", step.say, whole, step.want)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	m := e2e.NewModel(e2e.Turn{Status: 500}, e2e.Turn{Blocks: e2e.Say("cut").Blocks, Cut: 3},
		e2e.Turn{Blocks: e2e.Say("slow").Blocks, Pause: 5 * time.Millisecond})
	if answer := ask(t, m, true, "a"); answer.StatusCode != 500 {
		t.Errorf("status %d, want 500", answer.StatusCode)
	}
	all, err := frames(t, ask(t, m, true, "b").Body)
	if len(all) != 3 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut stream has %d events and ends with %v", len(all), err)
	}
	began := time.Now()
	all, err = frames(t, ask(t, m, true, "c").Body)
	if took := time.Since(began); len(all) != 6 || err != nil || took < 30*time.Millisecond {
		t.Errorf("a slow stream has %d events (%v) in %v", len(all), err, took)
	}
}

func TestOtherRequests(t *testing.T) {
	t.Parallel()
	m := e2e.NewModel()
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/v1/messages/count_tokens", `{"messages":[]}`, 200, `"input_tokens"`},
		{"POST", "/api/event_logging", `{}`, 200, "{}"},
		{"HEAD", "/", "", 200, ""},
		{"GET", "/v1/models", "", 404, "not_found_error"},
		{"POST", "/v1/messages", "{", 400, "malformed JSON"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL+tt.path, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != tt.status || !strings.Contains(string(got), tt.want) {
			t.Errorf("%s %s: %d %q %v, want %d %q", tt.method, tt.path, answer.StatusCode, got, err, tt.status, tt.want)
		}
	}
	if n := len(m.Requests()); n != 0 {
		t.Errorf("%d requests are kept, want none", n)
	}
}
