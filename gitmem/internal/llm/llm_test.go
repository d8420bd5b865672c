package llm_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/llm"
	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
)

// served returns a model behind a server that gives one answer, and the received request.
func served(t *testing.T, of func(modelapi.Server, string) (llm.Model, error), status int,
	answer string) (llm.Model, func() (path, key string, body string)) {
	t.Helper()
	var path, key, body string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		path, key, body = r.URL.Path, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"), string(b)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	m, err := of(modelapi.Server{Base: s.URL, Key: "s3cret",
		Pacer: modelapi.Pacer{Wait: func(ctx context.Context, _ time.Duration) error {
			return ctx.Err()
		}}}, "m")
	if err != nil {
		t.Fatal(err)
	}
	return m, func() (string, string, string) { return path, key, body }
}

// conversation returns a conversation with all parts: a failed call and its result, and more text.
func conversation() llm.Request {
	return llm.Request{System: "Be brief.", MaxTokens: 100,
		Tools: []llm.Tool{{Name: "look", Description: "Looks.", Schema: json.RawMessage(`{"type":"object"}`)}},
		Messages: []llm.Message{
			{Text: "Why?"},
			{Reply: &llm.Reply{Text: "I look.", Calls: []llm.Call{{ID: "c1", Name: "look", Args: json.RawMessage(`{"at":"it"}`)},
				{ID: "c2", Name: "look", Args: json.RawMessage(`{torn`)}}}},
			{Results: []llm.Result{{ID: "c1", Text: "nothing"}, {ID: "c2", Text: "bad", Failed: true}}, Text: "Go on."},
		}}
}

func TestAnthropic(t *testing.T) {
	t.Parallel()
	m, sent := served(t, llm.Anthropic, 200,
		`{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"Hm."},{"type":"tool_use","id":"c3",`+
			`"name":"look","input":{"a":1}}],`+
			`"stop_reason":"max_tokens","usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":7}}`)
	got, err := m.Reply(t.Context(), conversation())
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Reply{Text: "Hm.", Calls: []llm.Call{{ID: "c3", Name: "look", Args: json.RawMessage(`{"a":1}`)}},
		Truncated: true, Tokens: 22}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
	path, key, body := sent()
	wantBody := `{"model":"m","max_tokens":100,"system":"Be brief.","messages":[{"role":"user",` +
		`"content":[{"type":"text","text":"Why?"}]},` +
		`{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"look",` +
		`"input":{"at":"it"}},{"type":"tool_use","id":"c2","name":"look","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"nothing"},{"type":"tool_result",` +
		`"tool_use_id":"c2","content":"bad","is_error":true},{"type":"text","text":"Go on."}]}],` +
		`"tools":[{"name":"look","description":"Looks.","input_schema":{"type":"object"}}]}`
	if diff := cmp.Diff([]string{"/v1/messages", "s3cret", wantBody}, []string{path, key, body}); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestOpenAI(t *testing.T) {
	t.Parallel()
	m, sent := served(t, llm.OpenAI, 200,
		`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function",`+
			`"function":{"name":"look","arguments":"{\"a\":1}"}}]},"finish_reason":"length"}],`+
			`"usage":{"prompt_tokens":10,"completion_tokens":7}}`)
	got, err := m.Reply(t.Context(), conversation())
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Reply{Calls: []llm.Call{{ID: "c3", Name: "look", Args: json.RawMessage(`{"a":1}`)}},
		Truncated: true, Tokens: 17}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
	path, key, body := sent()
	wantBody := `{"model":"m","max_tokens":100,"messages":[{"role":"system","content":"Be brief."},{"role":"user",` +
		`"content":"Why?"},` +
		`{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look",` +
		`"arguments":"{\"at\":\"it\"}"}},{"id":"c2","type":"function","function":{"name":"look","arguments":"{}"}}]},` +
		`{"role":"tool","content":"nothing","tool_call_id":"c1"},{"role":"tool","content":"error: bad",` +
		`"tool_call_id":"c2"},{"role":"user","content":"Go on."}],` +
		`"tools":[{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}]}`
	if diff := cmp.Diff([]string{"/chat/completions", "Bearer s3cret", wantBody}, []string{path, key, body}); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(modelapi.Server, string) (llm.Model, error){"anthropic": llm.Anthropic,
		"openai": llm.OpenAI} {
		for _, tt := range []struct {
			status       int
			answer, want string
		}{
			{401, `{"error":{"message":"bad key s3cret"}}`, "401 Unauthorized: bad key [key]"},
			{500, `{}`, "500 Internal Server Error"},
			{302, ``, "redirects are not followed"},
			{200, `{torn`, "the reply is not what"},
			{200, `{"content":[],"choices":[]}`, "the reply is empty"},
			{200, `{"content":[{"type":"text"}],"choices":[{"message":{}}]}`, "the reply is empty"},
		} {
			m, _ := served(t, of, tt.status, tt.answer)
			if _, err := m.Reply(t.Context(), conversation()); err == nil || !strings.Contains(err.Error(), tt.want) ||
				strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%s, %d %s: %v", name, tt.status, tt.answer, err)
			}
		}
	}
}

// TestNegativeUsage checks that a server's token counts can't reduce those of a day.
func TestNegativeUsage(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(modelapi.Server, string) (llm.Model, error){
		`{"content":[{"type":"text","text":"Hm."}],"usage":{"input_tokens":-5000,"output_tokens":7}}`: llm.Anthropic,
		`{"choices":[{"message":{"content":"Hm."}}],` +
			`"usage":{"prompt_tokens":7,"completion_tokens":-9000000000000000000}}`: llm.OpenAI,
	} {
		m, _ := served(t, of, 200, name)
		if got, err := m.Reply(t.Context(), conversation()); err != nil || got.Tokens != 7 {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
