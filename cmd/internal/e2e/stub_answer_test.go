package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// answer is one turn in the formats of the Messages API: complete, or as a stream of server-sent events.
type answer struct {
	turn   Turn
	id     string
	model  string
	blocks []map[string]any
	stop   string
}

func newAnswer(number int, model string, turn Turn) answer {
	a := answer{turn: turn, id: fmt.Sprintf("msg_%06d", number), model: model, stop: "end_turn"}
	for i, b := range turn.Blocks {
		switch {
		case b.Text != "":
			a.blocks = append(a.blocks, map[string]any{"type": "text", "text": b.Text})
		case b.Thinking != "":
			a.blocks = append(a.blocks, map[string]any{"type": "thinking", "thinking": b.Thinking, "signature": "c2lnbmVk"})
		default:
			a.stop = "tool_use"
			a.blocks = append(a.blocks, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%06d_%d", number, i),
				"name": b.Tool, "input": b.Input})
		}
	}
	return a
}

func usage(output int) map[string]any {
	return map[string]any{"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
		"output_tokens": output}
}

func (a answer) message(content any, stop any, output int) map[string]any {
	return map[string]any{
		"id": a.id, "type": "message", "role": "assistant", "model": a.model, "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": usage(output),
	}
}

// whole returns the response to a request without streaming.
func (a answer) whole() map[string]any { return a.message(a.blocks, a.stop, 10) }

// event is one server-sent event. Its name and its data both contain the type.
type event struct {
	name string
	data map[string]any
}

// events returns the events of the whole stream.
func (a answer) events() []event {
	all := []event{{"message_start", map[string]any{"message": a.message([]any{}, nil, 1)}}}
	for i, b := range a.blocks {
		start, deltas := parts(b)
		all = append(all, event{"content_block_start", map[string]any{"index": i, "content_block": start}})
		for _, d := range deltas {
			all = append(all, event{"content_block_delta", map[string]any{"index": i, "delta": d}})
		}
		all = append(all, event{"content_block_stop", map[string]any{"index": i}})
	}
	return append(all,
		event{"message_delta", map[string]any{"delta": map[string]any{"stop_reason": a.stop, "stop_sequence": nil},
			"usage": usage(10)}},
		event{"message_stop", map[string]any{}})
}

// parts splits a block into the empty one that starts it in a stream, and the deltas.
func parts(b map[string]any) (start map[string]any, deltas []map[string]any) {
	switch b["type"] {
	case "text":
		return map[string]any{"type": "text", "text": ""},
			[]map[string]any{{"type": "text_delta", "text": b["text"]}}
	case "thinking":
		return map[string]any{"type": "thinking", "thinking": "", "signature": ""},
			[]map[string]any{{"type": "thinking_delta", "thinking": b["thinking"]},
				{"type": "signature_delta", "signature": b["signature"]}}
	}
	input, err := json.Marshal(b["input"])
	if err != nil || b["input"] == nil {
		input = []byte("{}")
	}
	return map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}},
		[]map[string]any{{"type": "input_json_delta", "partial_json": string(input)}}
}

// stream writes the events until done is closed, with the turn's faults.
func (a answer) stream(w http.ResponseWriter, done <-chan struct{}) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Request-Id", "req_"+a.id)
	flusher, _ := w.(http.Flusher)
	for n, e := range a.events() {
		if a.turn.Cut > 0 && n == a.turn.Cut {
			panic(http.ErrAbortHandler) // the server closes the connection without an end
		}
		select {
		case <-done:
			return
		case <-time.After(a.turn.Pause):
		}
		e.data["type"] = e.name
		data, err := json.Marshal(e.data)
		if err != nil {
			panic(http.ErrAbortHandler) // an invalid script appears as a broken stream
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, data); err != nil {
			return
		}
		if flusher != nil {
			flusher.Flush()
		}
	}
}
