package browser

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// The sessions of the fixture.
const (
	rewound = "11111111-0000-4000-8000-000000000001" // its user undid a branch
	failing = "22222222-0000-4000-8000-000000000002" // with tools, one of which failed, and hostile results
	codexID = "01a1ee10-0000-7000-8000-000000000003"
)

// object is a JSON object.
type object = map[string]any

// transcript is a session of Claude Code that is being written.
type transcript struct {
	w      *world
	id     string
	at     time.Time
	n      int
	parent string
	lines  strings.Builder
}

// add writes a record that follows the last one, and returns its id.
func (s *transcript) add(kind string, message object, extra object) string {
	s.n++
	s.at = s.at.Add(37 * time.Second)
	id := fmt.Sprintf("u%04d", s.n)
	record := object{
		"type": kind, "uuid": id, "parentUuid": nil, "isSidechain": false, "sessionId": s.id, "message": message,
		"timestamp": s.at.Format(time.RFC3339Nano), "cwd": s.w.repo, "gitBranch": "main", "version": "2.1.332",
		"entrypoint": "cli",
	}
	if s.parent != "" {
		record["parentUuid"] = s.parent
	}
	for k, v := range extra {
		record[k] = v
	}
	s.line(record)
	s.parent = id
	return id
}

func (s *transcript) line(record object) {
	b, err := json.Marshal(record)
	if err != nil {
		s.w.t.Fatal(err)
	}
	s.lines.Write(append(b, '\n'))
}

func (s *transcript) user(text string) string {
	return s.add("user", object{"role": "user", "content": text},
		object{"promptSource": "typed", "origin": object{"kind": "human"}})
}

func (s *transcript) says(blocks ...object) string {
	return s.add("assistant",
		object{"id": "msg_" + fmt.Sprint(s.n), "role": "assistant", "model": "model-a", "content": blocks}, nil)
}

func said(text string) object { return object{"type": "text", "text": text} }
func thought(text string) object {
	return object{"type": "thinking", "thinking": text, "signature": "x"}
}

// tool writes a call and its result.
func (s *transcript) tool(name string, input object, result string, failed bool) {
	id := fmt.Sprintf("toolu_%04d", s.n)
	s.says(object{"type": "tool_use", "id": id, "name": name, "input": input})
	s.add("user", object{"role": "user", "content": []object{
		{"type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed},
	}}, object{"toolUseResult": object{"stdout": result, "stderr": "", "interrupted": false}})
}

func (s *transcript) write() {
	s.w.file(s.w.home, filepath.Join(".claude", "projects", "-w-pump", s.id+".jsonl"), s.lines.String())
}

func (w *world) session(id string, ago int) *transcript {
	return &transcript{w: w, id: id, at: w.day(ago).Add(-2 * time.Hour)}
}

func (w *world) transcripts() {
	w.rewind()
	w.fails()
	w.codex()
	for i := range 30 { // enough for a list of several pages
		s := w.session(fmt.Sprintf("33333333-0000-4000-8000-%012d", i), 45-i)
		s.user(fmt.Sprintf("How long does valve %d take to close?", i))
		s.says(said(fmt.Sprintf("We decided to give valve %d a spring because it closed in %d seconds.", i, i+1)))
		s.write()
	}
}

// rewind writes a session whose user went back and continued differently.
func (w *world) rewind() {
	s := w.session(rewound, 42)
	s.user("Which relay does the pump need, please?")
	s.says(thought("The data sheet says 7 A."),
		said("We decided to use the ten ampere relay because the pump draws seven ampere.\n\n"+
			"| relay | current |\n| --- | --- |\n| G5 | 10 A |\n\n```go\nfunc main() { <-done }\n```\n\n"+
			"- The TCXO drift was caused by a missing calibration.\n"))
	kept := s.parent
	s.user("Should we rewrite the firmware in Rust?")
	s.says(said("We decided to rewrite the firmware in Rust because C has no borrow checker."))
	s.parent = kept
	s.user("Let us keep the firmware in C, please.")
	s.says(said("We decided to keep the firmware in C because the vendor's HAL exists only in C. " +
		"The range test is still open."))
	s.write()
}

// fails writes a session with tools, one of which fails, and with text from external sources.
func (w *world) fails() {
	s := w.session(failing, 12)
	s.user("Why do the tests fail? " + hostile("prompt"))
	s.tool("Bash", object{"command": "make test", "description": "Run the tests"},
		"FAIL: relay_test.c:12: expected 10, got 5\nexit status 2", true)
	s.tool("Read", object{"file_path": filepath.Join(w.repo, "relay.c")}, "1\tint relay;", false)
	s.tool("WebFetch", object{"url": "http://evil.example/" + hostile("input")}, hostile("result"), false)
	s.tool("Edit", object{"file_path": filepath.Join(w.repo, "docs", hostileNames()[0]),
		"old_string": hostile("old"), "new_string": hostile("new")}, "done", false)
	long := strings.Repeat("a long line of output that goes on and on\n", 400)
	s.tool("Bash", object{"command": "seq 1 400"}, long, false)
	s.says(thought(hostile("thought")), said("It turned out that the relay was too small. "+hostile("answer")))
	for i := range 120 {
		s.user(fmt.Sprintf("And step %d of the valve?", i))
		s.says(said(fmt.Sprintf("Step %d is done, the valve closes in %d ms.", i, i*7)))
	}
	s.write()
}

// codex writes a session of Codex CLI in its record format.
func (w *world) codex() {
	var b strings.Builder
	at := w.day(14)
	line := func(kind string, payload object) {
		at = at.Add(time.Second)
		stamp := at.Format("2006-01-02T15:04:05.000Z")
		text, err := json.Marshal(object{"timestamp": stamp, "type": kind, "payload": payload})
		if err != nil {
			w.t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	item := func(item object) {
		line("event_msg", object{"type": "item_completed", "thread_id": codexID, "turn_id": codexID, "item": item})
	}
	line("session_meta", object{
		"id": codexID, "session_id": codexID, "timestamp": at.Format(time.RFC3339), "cwd": w.repo, "originator": "codex-tui",
		"cli_version": "0.171.0", "source": "cli", "history_mode": "paginated", "git": object{"branch": "main"},
	})
	item(object{"type": "UserMessage", "id": "u1",
		"content": []object{{"type": "text", "text": "Choose a connector for the sensor " + hostile("codex")}}})
	item(object{"type": "CommandExecution", "id": "exec-1", "command": []string{"/bin/bash", "-lc", "echo hi; exit 4"},
		"cwd": "file://" + w.repo, "status": "failed", "aggregated_output": "hi " + hostile("output") + "\n", "exit_code": 4})
	item(object{"type": "AgentMessage", "id": "a1", "content": []object{{"type": "Text",
		"text": "We decided to use the four pin connector because the sensor needs four lines."}}})
	w.file(filepath.Join(w.home, ".codex", "sessions", at.Format("2006/01/02")),
		"rollout-"+at.Format("2006-01-02T15-04-05")+"-"+codexID+".jsonl", b.String())
}
