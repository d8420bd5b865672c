//go:build e2e && linux

package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// agentModel is a stub of the model APIs of agents other than Claude Code: OpenAI's responses and chat
// completions, and Gemini's. It plays one script for all of them, whose turns have one block each.
type agentModel struct {
	mu     sync.Mutex
	script []e2e.Turn
	calls  int
}

// asked is the part of a request that the stub reads, for any of the APIs.
type asked struct {
	Stream bool `json:"stream"`
	Tools  []struct {
		Functions []any `json:"functionDeclarations"` // Gemini's; for other APIs each tool is an element of Tools
	} `json:"tools"`
}

// fewTools is a number of tools up to which a request is not part of the conversation: clients request titles
// separately.
const fewTools = 3

// next returns the answer to a request, and an id for it.
func (m *agentModel) next(r asked) (e2e.Block, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	id, tools := fmt.Sprintf("a%06d", m.calls), len(r.Tools)
	for _, t := range r.Tools {
		tools += len(t.Functions)
	}
	if tools <= fewTools || len(m.script) == 0 {
		return e2e.Block{Text: "Aside"}, id
	}
	turn := m.script[0]
	m.script = m.script[1:]
	return turn.Blocks[0], id
}

// play replaces the script, and returns the unused turns.
func (m *agentModel) play(turns ...e2e.Turn) (left []e2e.Turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	left, m.script = m.script, turns
	return left
}

// ServeHTTP answers a client. It accepts requests other than for an answer.
func (m *agentModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body asked
	// other requests need no body
	_ = json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<20)).Decode(&body)
	switch path := r.URL.Path; {
	case r.Method != http.MethodPost:
		answerJSON(w, object{"object": "list", "data": []any{object{"id": "stub", "object": "model"}}})
	case strings.HasSuffix(path, "/responses"):
		m.responses(w, body)
	case strings.HasSuffix(path, "/chat/completions"):
		m.completions(w, body)
	case strings.HasSuffix(path, "enerateContent"):
		m.contents(w, body, strings.Contains(path, "stream"))
	default:
		answerJSON(w, object{"totalTokens": 100})
	}
}

type object = map[string]any

// responses answers in the format of OpenAI's responses, always as a stream.
func (m *agentModel) responses(w http.ResponseWriter, r asked) {
	b, id := m.next(r)
	item := object{"type": "message", "id": "msg_" + id, "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": b.Text, "annotations": []any{}}}}
	if b.Tool != "" {
		item = object{"type": "function_call", "id": "fc_" + id, "call_id": "call_" + id, "status": "completed",
			"name": b.Tool, "arguments": encoded(b.Input)}
	}
	response := object{"id": "resp_" + id, "object": "response", "output": []any{item},
		"usage": object{"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}}
	answerEvents(w,
		object{"type": "response.created", "response": response},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": response})
}

// completions answers in the format of OpenAI's chat completions.
func (m *agentModel) completions(w http.ResponseWriter, r asked) {
	b, id := m.next(r)
	message, finish := object{"role": "assistant", "content": b.Text}, "stop"
	if b.Tool != "" {
		finish = "tool_calls"
		message["tool_calls"] = []any{object{"index": 0, "id": "call_" + id, "type": "function",
			"function": object{"name": b.Tool, "arguments": encoded(b.Input)}}}
	}
	usage := object{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
	reply := func(kind string, choice object) object {
		choice["index"] = 0
		return object{"id": id, "object": kind, "created": 1, "model": "stub", "choices": []any{choice}, "usage": usage}
	}
	if !r.Stream {
		answerJSON(w, reply("chat.completion", object{"message": message, "finish_reason": finish}))
		return
	}
	answerEvents(w,
		reply("chat.completion.chunk", object{"delta": message, "finish_reason": nil}),
		reply("chat.completion.chunk", object{"delta": object{}, "finish_reason": finish}))
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// contents answers in the format of Gemini's API.
func (m *agentModel) contents(w http.ResponseWriter, r asked, stream bool) {
	b, id := m.next(r)
	part := object{"text": b.Text}
	if b.Tool != "" {
		part = object{"functionCall": object{"id": id, "name": b.Tool, "args": b.Input}}
	}
	reply := object{
		"candidates": []any{object{"index": 0, "finishReason": "STOP",
			"content": object{"role": "model", "parts": []any{part}}}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
	}
	if stream {
		answerEvents(w, reply)
		return
	}
	answerJSON(w, reply)
}

// encoded returns a value as JSON.
func encoded(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(http.ErrAbortHandler) // an invalid script appears as a broken answer
	}
	return string(b)
}

func answerJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintln(w, encoded(value))
}

// answerEvents answers with server-sent events.
func answerEvents(w http.ResponseWriter, events ...any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		fmt.Fprintf(w, "data: %s\n\n", encoded(e))
	}
}
