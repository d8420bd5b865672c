package hook

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestOtherAgents reads recorded payloads of the agents: Codex CLI 0.171.0, Copilot CLI 1.0.102 with its
// events in both forms, Gemini CLI 0.61.0 and Qwen Code 0.24.4.
func TestOtherAgents(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/agents/*.jsonl")
	if err != nil || len(files) != 5 {
		t.Fatalf("%d files of samples, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		agent, _, _ := strings.Cut(name, "-")
		var got strings.Builder
		for _, in := range samples(t, file) {
			p, err := Parse(bytes.NewReader(in.Stdin))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if by := p.writtenBy(); by != agent && (agent == codex || agent == copilot) {
				t.Errorf("%s: %s is taken for one of %s", name, in.Stdin, by)
			}
			h, _ := find(in.Hook)
			got.WriteString(in.Hook + " " + adapted(p, agent, h) + "\n")
		}
		golden := filepath.Join("testdata", "agents", name+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Error(err)
		}
		if got.String() != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got.String(), want)
		}
	}
}

type sample struct {
	Hook  string          `json:"hook"`
	Stdin json.RawMessage `json:"stdin"`
}

func samples(t *testing.T, file string) (list []sample) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// adapted returns the adapted payload on one line.
func adapted(p Payload, agent string, h Hook) string {
	if nothing := p.adapt(agent, h); nothing != "" {
		return "(" + nothing + ")"
	}
	var b strings.Builder
	fmt.Fprint(&b, p.SessionID[:min(len(p.SessionID), len(agent)+9)], " ", p.Event)
	for _, f := range [][2]string{
		{"source", p.Source}, {"prompt", string(p.Prompt)}, {"trigger", p.Trigger}, {"summary", p.CompactSummary},
		{"reason", p.Reason},
		{"agent", p.AgentType}, {"said", p.LastMessage},
	} {
		if f[1] != "" {
			fmt.Fprintf(&b, " · %s: %s", f[0], clip(f[1], 100))
		}
	}
	if p.ToolName == "" {
		return b.String()
	}
	o := p.Observation()
	fmt.Fprintf(&b, " · %s ok=%t unsettled=%t call=%s", o.Tool, o.OK, o.Unsettled, o.Call)
	for _, f := range [][2]string{
		{"in", o.Input}, {"out", o.Output}, {"read", strings.Join(o.Read, " ")}, {"wrote", strings.Join(o.Wrote, " ")},
		{"searched", strings.Join(o.Searched, " ")},
	} {
		if f[1] != "" {
			fmt.Fprintf(&b, " · %s: %s", f[0], clip(strings.ReplaceAll(f[1], "\n", "\\n"), 100))
		}
	}
	return b.String()
}

// TestClaudeCode leaves payloads of Claude Code unchanged.
func TestClaudeCode(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../gitmem/testdata/hooks/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(bytes.NewReader(b))
		if by := p.writtenBy(); err != nil || by != claudeCode {
			t.Errorf("%s is taken for one of %s, %v", file, by, err)
		}
	}
}

// TestExitCodeOfCodex finds the exit code of a command in the session file, which may not contain it yet.
func TestExitCodeOfCodex(t *testing.T) {
	t.Parallel()
	const done = `{"timestamp":"2026-11-28T18:37:48.000Z","ordinal":9,"type":"event_msg",` +
		`"payload":{"type":"item_completed",` +
		`"item":{"type":"CommandExecution","id":"call_1","command":["/bin/bash","-lc","make"],"status":"%s","exit_code":%d,` +
		`"aggregated_output":"no rule"}}}` + "\n"
	call := `{"type":"response_item","payload":{"type":"function_call","call_id":"call_1","name":"exec_command"}}` + "\n"
	long := strings.Repeat(`{"type":"event_msg","payload":{"type":"token_count"}}`+"\n", 12_000)
	for name, tt := range map[string]struct {
		file, want string
	}{
		"failed": {long + call + fmt.Sprintf(done, "failed", 3),
			"Bash ok=false unsettled=false call=call_1 · in: make · out: Exit code 3\\nno rule"},
		"ended well": {call + fmt.Sprintf(done, "completed", 0),
			"Bash ok=true unsettled=false call=call_1 · in: make · out: no rule"},
		"not there yet": {call, "Bash ok=true unsettled=true call=call_1 · in: make · out: no rule"},
		"far before": {fmt.Sprintf(done, "failed", 3) + long,
			"Bash ok=true unsettled=true call=call_1 · in: make · out: no rule"},
		"no file": {"", "Bash ok=true unsettled=true call=call_1 · in: make · out: no rule"},
		"an unfinished line": {call + fmt.Sprintf(done, "failed", 3)[:200],
			"Bash ok=true unsettled=true call=call_1 · in: make · out: no rule"},
	} {
		file := filepath.Join(t.TempDir(), "rollout-x.jsonl")
		if tt.file != "" {
			if err := os.WriteFile(file, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		h, _ := find("post-tool-use")
		in := `{"session_id":"01a2","turn_id":"t","transcript_path":"` + filepath.ToSlash(file) +
			`","tool_name":"Bash","tool_use_id":"call_1","tool_input":{"command":"make"},"tool_response":"no rule"}`
		p, err := Parse(strings.NewReader(in))
		if got := adapted(p, codex, h); err != nil || !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %s, %v\nwant %s", name, got, err, tt.want)
		}
	}
}

// TestShellOutput splits the result of a command for the model.
func TestShellOutput(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"alpha\n<shellId: 0 completed with exit code 0>":    "alpha 0",
		"<shellId: 12 completed with exit code 127>":        " 127",
		"<shellId: 1 is running>":                           "<shellId: 1 is running> 0",
		"Output: a\nExit Code: 3\nProcess Group PGID: 7":    "a 3",
		"Output: Exit Code: 3\nthen\nProcess Group PGID: 7": "Exit Code: 3\nthen 0",
		"Output: (empty)\nSignal: 9\nProcess Group PGID: 7": " -1",
		"Command: x\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 0\nSignal: (none)\n" +
			"Process Group PGID: (none)": "a\nb 0",
		"": " 0",
	} {
		output, code := shellOutput(in)
		if got := fmt.Sprintf("%s %d", output, code); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestRepliesOfOtherAgents checks what the agents accept: Codex CLI counts bytes, and Gemini CLI would give
// the model &lt; for a tag.
func TestRepliesOfOtherAgents(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := (reply{context: "a <b>", agent: gemini}).write(&out, "UserPromptSubmit"); err != nil ||
		!strings.Contains(out.String(), `"a ‹b›"`) {
		t.Errorf("%s, %v", out.String(), err)
	}
	for n, fits := range map[int]bool{5000: true, 5001: false} {
		out.Reset()
		err := (reply{context: strings.Repeat("é", n), agent: codex}).write(&out, "SessionStart")
		if (err == nil) != fits || (out.Len() > 0) != fits {
			t.Errorf("%d bytes: %v, %d bytes are written", 2*n, err, out.Len())
		}
	}
}

// FuzzAdapt: for any payload, nothing panics, and the session is one of the agent's.
func FuzzAdapt(f *testing.F) {
	for _, name := range []string{codex, copilot, "copilot-camel", gemini, qwen} {
		b, err := os.ReadFile(filepath.Join("testdata", "agents", name+".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(b) {
			var s sample
			if err := json.Unmarshal(line, &s); err != nil {
				f.Fatal(err)
			}
			f.Add([]byte(s.Stdin))
		}
	}
	f.Add([]byte(`{"session_id":"s","tool_name":"apply_patch","tool_input":"*** Add File: a\n","tool_result":[],` +
		`"toolArgs":7}`))
	f.Add([]byte(`{"sessionId":"s","toolName":"Bash","toolResult":{"textResultForLlm":7,"error":null},` +
		`"parentAgentId":[]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, agent := range Agents() {
			for _, h := range hooks {
				p, err := Parse(bytes.NewReader(b))
				if err != nil {
					return
				}
				if p.TranscriptPath != "" {
					p.TranscriptPath = "/nowhere/" + filepath.Base(p.TranscriptPath)
				}
				p.writtenBy()
				if p.adapt(agent, h) == "" && agent != claudeCode && !strings.HasPrefix(p.SessionID, agent+"-") {
					t.Errorf("session %q of %s", p.SessionID, agent)
				}
				p.Observation()
			}
		}
	})
}
