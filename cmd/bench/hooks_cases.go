package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// The sessions in which hooks are called: one with a long log, one that starts, and one whose turns end.
const (
	longSession  = "10000000-0000-4000-8000-000000000001"
	startSession = "10000000-0000-4000-8000-000000000002"
	turnSession  = "10000000-0000-4000-8000-000000000003"
)

// Sizes of the data that hooks find.
const (
	loggedCalls = 5000 // lines of the long session's log
	turnLines   = 200  // new lines of a transcript at the end of a turn
)

// hookWorld creates the payloads of hooks and the sessions they refer to.
type hookWorld struct {
	home    home
	self    string
	prompts []string
	asked   []remembered
	long    []byte // payload of a long prompt
	records []byte // of a session of the corpus
	made    []string
}

// newHookWorld creates the sessions.
func newHookWorld(ctx context.Context, s *sessions) (*hookWorld, error) {
	w := &hookWorld{home: s.home, self: s.gitmem}
	files, err := transcripts(s.home)
	if err != nil {
		return nil, err
	}
	// limited, because children inherit the peak of their parent's memory
	for i := 0; i < len(files) && len(w.records) < 1<<20; i += max(1, len(files)/40) {
		b, err := os.ReadFile(files[i])
		if err != nil {
			return nil, err
		}
		session := strings.TrimSuffix(filepath.Base(files[i]), ".jsonl")
		if session != turnSession && session != longSession {
			w.records = append(w.records, ours(b, session, s.home.work())...)
		}
	}
	w.draw(s.corpus)
	if len(w.prompts) == 0 || len(w.asked) == 0 {
		return nil, errors.New("the corpus holds no prompt to send, or nothing to ask about")
	}
	for _, session := range []string{longSession, turnSession} {
		if err := w.turn(session, 0); err != nil {
			return nil, err
		}
	}
	return w, w.lengthen(ctx)
}

// draw takes prompts and questions from sessions of the corpus: three prompts of each, and one question about
// something in it.
func (w *hookWorld) draw(c corpus.Corpus) {
	session, n, prompts, asked := "", -1, 0, false
	for m := range c.Messages() {
		if m.Session != session {
			session, n, prompts, asked = m.Session, n+1, 0, false
		}
		if n%max(1, c.Sessions/40) != 0 {
			continue
		}
		if m.Kind == "prompt" && prompts < 3 {
			w.prompts, prompts = append(w.prompts, m.Text), prompts+1
		}
		if m.Kind == "text" && !asked {
			var q remembered
			if q, asked = rememberedOf(m); asked {
				w.asked = append(w.asked, q)
			}
		}
		if len(w.asked) >= 40 {
			return
		}
	}
}

// ours rewrites the records of a session as records of the measured one.
func ours(b []byte, session, cwd string) []byte {
	b = bytes.ReplaceAll(b, []byte(session), []byte(turnSession))
	var out []byte
	for line := range bytes.Lines(b) {
		var r struct{ Cwd string }
		if json.Unmarshal(line, &r) == nil && r.Cwd != "" {
			line = bytes.Replace(line, quoted(r.Cwd), quoted(cwd), 1)
		}
		out = append(out, line...)
	}
	return out
}

func quoted(s string) []byte {
	b, _ := json.Marshal(s) // a string can always be encoded
	return b
}

func (w *hookWorld) transcript(session string) string {
	return filepath.Join(w.home.client(), "projects", corpus.Munge(w.home.work()), session+".jsonl")
}

// turn appends the lines of a turn to a transcript.
func (w *hookWorld) turn(session string, number int) error {
	name := w.transcript(session)
	lines := bytes.SplitAfter(w.records, []byte("\n"))
	from := number * turnLines % max(1, len(lines)-turnLines)
	text := bytes.Join(lines[from:min(len(lines), from+turnLines)], nil)
	if number == 0 {
		w.made = append(w.made, name)
		return errors.Join(os.MkdirAll(filepath.Dir(name), 0o700),
			os.WriteFile(name, bytes.ReplaceAll(text, []byte(turnSession), []byte(session)), 0o600))
	}
	return appendTo(name, bytes.ReplaceAll(text, []byte(turnSession), []byte(session)))
}

// lengthen gives the long session's log as many lines as on a long day.
func (w *hookWorld) lengthen(ctx context.Context) error {
	in, err := w.call(longSession, "post-tool-use", nil)
	if err != nil {
		return err
	}
	if _, err := w.home.feed(ctx, in, w.self, "hook", "post-tool-use"); err != nil {
		return err
	}
	logs, err := filepath.Glob(filepath.Join(w.home.client(), "gitmem", "projects", "*", "*", "observations", "*",
		"*-"+longSession[:8]+"*.md"))
	if err != nil || len(logs) == 0 {
		return errors.Join(err, errors.New("post-tool-use has logged nothing"))
	}
	b, err := os.ReadFile(logs[0])
	if err != nil || bytes.Count(b, []byte("\n")) > loggedCalls {
		return err
	}
	var text strings.Builder
	for i := range loggedCalls {
		fmt.Fprintf(&text,
			"- 10:00:00 Bash ok · in: go test ./gitmem/internal/part%d/... · out: ok "+
				"github.com/acme/pump/gitmem/internal/part%d 0.%03ds ^o-%d\n", i%40, i%40, i%1000, i+2)
	}
	return appendTo(logs[0], []byte(text.String()))
}

// takeBack removes the transcripts that were created.
func (w *hookWorld) takeBack() error {
	var errs []error
	for _, name := range w.made {
		errs = append(errs, os.Remove(name))
	}
	return errors.Join(errs...)
}

// call returns a payload with the fields that all events have.
func (w *hookWorld) call(session, event string, own map[string]any) ([]byte, error) {
	p := map[string]any{
		"session_id": session, "transcript_path": w.transcript(session), "cwd": w.home.work(), "hook_event_name": event,
		"permission_mode": "default",
	}
	for name, v := range own {
		p[name] = v
	}
	return json.Marshal(p)
}

// of returns a function that creates the payloads of an event.
func (w *hookWorld) of(session, event string, own map[string]any) func(int) ([]byte, error) {
	return func(int) ([]byte, error) { return w.call(session, event, own) }
}

// prompt returns a payload with another prompt each time.
func (w *hookWorld) prompt(run int) ([]byte, error) {
	return w.call(turnSession, "UserPromptSubmit", map[string]any{"prompt": w.prompts[run%len(w.prompts)]})
}

// ended returns the payload of the end of a turn with new lines.
func (w *hookWorld) ended(run int) ([]byte, error) {
	if err := w.turn(turnSession, run+1); err != nil {
		return nil, err
	}
	return w.call(turnSession, "Stop", map[string]any{"last_assistant_message": "The relay is wired.",
		"stop_hook_active": false})
}

// cases returns the hooks in the situations of a session. settle waits until the background work of a session
// start has ended.
func (w *hookWorld) cases(settle func(context.Context) error) []*hookCase {
	bash := map[string]any{
		"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./...", "description": "Run the tests"},
		"tool_response": map[string]any{"stdout": strings.Repeat("ok  \tgithub.com/acme/pump\t0.010s\n", 200), "stderr": "",
			"interrupted": false},
	}
	failed := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."},
		"error": "Exit code 1", "is_interrupt": false}
	return []*hookCase{
		{hook: "session-start", about: "a new session", limit: 60,
			payload: w.of(startSession, "SessionStart", map[string]any{"source": "startup"}), after: settle},
		{hook: "user-prompt-submit", about: "a prompt of some sentences", limit: 100, payload: w.prompt},
		{hook: "user-prompt-submit", about: "one about an earlier session", limit: 100, payload: w.known, speaks: true},
		{hook: "user-prompt-submit", about: "one of 5 MB", limit: 100, payload: w.pasted},
		{hook: "post-tool-use", about: "5,000 calls are logged already", limit: 10,
			payload: w.of(longSession, "PostToolUse", bash)},
		{hook: "post-tool-use-failure", about: "5,000 calls are logged already", limit: 10,
			payload: w.of(longSession, "PostToolUseFailure", failed)},
		{hook: "stop", about: "200 new lines of transcript", limit: 100, payload: w.ended},
		{hook: "stop", about: "nothing new", limit: 100,
			payload: w.of(turnSession, "Stop", map[string]any{"stop_hook_active": false})},
		{hook: "pre-compact", about: "nothing new",
			payload: w.of(turnSession, "PreCompact", map[string]any{"trigger": "auto"})},
		{hook: "subagent-stop", about: "without a transcript", payload: w.of(turnSession, "SubagentStop",
			map[string]any{"agent_id": "a1", "agent_type": "Explore", "last_assistant_message": "Two relays."})},
		{hook: "session-end", about: "left to the background",
			payload: w.of(turnSession, "SessionEnd", map[string]any{"reason": "other"})},
	}
}
