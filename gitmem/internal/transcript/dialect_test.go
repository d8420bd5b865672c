package transcript_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// dialect is one record with its expected result: a message, a title, or nothing.
type dialect struct {
	name, record string
	want         *transcript.Message
	title        string
	skipped      bool
}

// msg returns a message of a role, which determines its speaker.
func msg(role transcript.Role, text string, prompt bool) *transcript.Message {
	speakers := map[transcript.Role]transcript.Speaker{
		transcript.RoleUser: transcript.Person, transcript.RoleAssistant: transcript.Model,
		transcript.RoleSummary: transcript.Client,
		transcript.RoleProgram: transcript.Program, transcript.RoleAgent: transcript.Agent,
		transcript.RoleClient: transcript.Client,
	}
	return &transcript.Message{Role: role, Speaker: speakers[role], Text: text, Prompt: prompt}
}

func TestDialects(t *testing.T) {
	t.Parallel()
	for _, c := range append(conversation(), bookkeeping()...) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, r := read(t, c.record+"\n")
			var want []transcript.Message
			if c.want != nil {
				m := *c.want
				m.Line, m.Length = 1, int64(len(c.record))
				want = append(want, m)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if stats := r.Stats(); stats.Skipped > 0 != c.skipped {
				t.Errorf("stats %+v", stats)
			}
			if m, _ := transcript.At(strings.NewReader(c.record), 0, int64(len(c.record))); c.want == nil && m.Text != c.title {
				t.Errorf("title %q", m.Text)
			}
			if want := (transcript.Position{Offset: int64(len(c.record)) + 1, Line: 1}); r.Position() != want {
				t.Errorf("position %+v, want %+v", r.Position(), want)
			}
		})
	}
}

// conversation is what somebody says, each form of a record once.
func conversation() []dialect { return slices.Concat(replies(), prompts(), notices()) }

// replies are what the model says, and what its tools return.
func replies() []dialect {
	full := &transcript.Message{
		UUID: "u", Session: "s", Sidechain: true, Role: transcript.RoleAssistant, Speaker: transcript.Model,
		Time: time.Date(2026, 11, 20, 14, 2, 1, 5e8, time.UTC),
		Cwd:  "/d", Branch: "main", Model: "m", Text: "one\n\ntwo", Thinking: "hm",
		Tools: []transcript.ToolUse{{ID: "t", Name: "Edit", Input: json.RawMessage(`{"file_path":"/d/f"}`),
			Paths: []string{"/d/f"}, Writes: true}},
	}
	return []dialect{
		{name: "assistant, every field", want: full,
			record: `{"type":"assistant","uuid":"u","parentUuid":"p","isSidechain":true,"sessionId":"s","agentId":"a",` +
				`"requestId":"q","timestamp":"2026-11-20T14:02:01.500Z","cwd":"/d","gitBranch":"main","version":"2.1.329",` +
				`"message":{"id":"x","model":"m","content":[{"type":"text","text":"one"},{"type":"thinking","thinking":"hm"},` +
				`{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"/d/f"}},` +
				`{"type":"text","text":"two"}]}}`},
		{name: "a branch of several lines", want: full,
			record: `{"type":"assistant","uuid":"u","parentUuid":"p","isSidechain":true,"sessionId":"s","agentId":"a",` +
				`"requestId":"q","timestamp":"2026-11-20T14:02:01.500Z","cwd":"/d","gitBranch":" main \n","version":"2.1.329",` +
				`"message":{"id":"x","model":"m","content":[{"type":"text","text":"one"},{"type":"thinking","thinking":"hm"},` +
				`{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"/d/f"}},` +
				`{"type":"text","text":"two"}]}}`},
		{name: "assistant, content a string", want: msg("assistant", "hi", false),
			record: `{"type":"assistant","message":{"content":"hi"}}`},
		{name: "tool result, a string", want: result("out", true),
			record: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"out",` +
				`"is_error":true}]},"toolUseResult":"Error: out"}`},
		{name: "tool result, blocks", want: result("a\nb", false),
			record: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text",` +
				`"text":"a"},{"type":"image"},{"type":"text","text":"b"}]}]}}`},
		{name: "tool result with the words of a hook", want: result("a", false),
			record: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t",` +
				`"content":"a\n<system-reminder>PostToolUse:Edit hook additional context: x</system-reminder>"}]}}`},
		{name: "tool result that quotes a reminder", want: result("<system-reminder>x</system-reminder>", false),
			record: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t",` +
				`"content":"<system-reminder>x</system-reminder>"}]}}`},
	}
}

// prompts are what a person says.
func prompts() []dialect {
	return []dialect{
		{name: "prompt, newer", want: msg("user", "do it", true),
			record: `{"type":"user","promptSource":"typed","message":{"content":"do it"}}`},
		{name: "prompt, older", want: msg("user", "do it", true),
			record: `{"type":"user","message":{"role":"user","content":"do it"}}`},
		{name: "prompt, only an image", want: msg("user", "", true),
			record: `{"type":"user","promptSource":"typed","message":{"content":[{"type":"image"}]}}`},
		{name: "prompt with a reminder of the client", want: msg("user", "do it", true),
			record: `{"type":"user","promptSource":"typed","message":{"content":[{"type":"text",` +
				`"text":"<system-reminder>\nUserPromptSubmit hook additional context: use X\n</system-reminder>"},{"type":"text",` +
				`"text":"do it"}]}}`},
		{name: "reminder before the words", want: msg("user", "do it", true),
			record: `{"type":"user","message":{"content":"<system-reminder>SessionStart:startup hook success: ` +
				`x</system-reminder>\ndo it"}}`},
		{name: "prompt while the assistant works", want: msg("user", "and tests", true),
			record: `{"type":"attachment","attachment":{"type":"queued_command","prompt":"and tests","commandMode":"prompt"}}`},
		{name: "slash command", want: msg("user", "/model fast one", false),
			record: `{"type":"user","message":{"content":"<command-name>/model</command-name>\n            ` +
				`<command-message>model</command-message>\n            <command-args>fast one</command-args>"}}`},
		{name: "command of a plugin", want: msg("user", "/workflows:plan warn less", true),
			record: `{"type":"user","message":{"content":"<command-message>workflows:plan</command-message>\n<command-name>/wo` +
				`rkflows:plan</command-name>\n<command-args>warn less</command-args>"}}`},
		{name: "prompt in an editor", want: msg("user", "do it", true),
			record: `{"type":"user","message":{"content":"<ide_opened_file>The user opened the file /d/f in the ` +
				`IDE.</ide_opened_file>\n\ndo it"}}`},
		{name: "prompt with a selection", want: msg("user", "do it", true),
			record: `{"type":"user","message":{"content":[{"type":"text","text":"<ide_selection>The user selected the lines 1 ` +
				`to 2 from /d/f:\na\nb</ide_selection>"},{"type":"text","text":"do it"}]}}`},
		{name: "prompt that quotes a teammate", want: msg("user", "why <teammate-message>x</teammate-message>?", true),
			record: `{"type":"user","message":{"content":"why <teammate-message>x</teammate-message>?"}}`},
		{name: "prompt that quotes an editor", want: msg("user", "why <ide_opened_file>x</ide_opened_file>?", true),
			record: `{"type":"user","message":{"content":"why <ide_opened_file>x</ide_opened_file>?"}}`},
		{name: "image in an editor", want: msg("user", "", true),
			record: `{"type":"user","promptSource":"typed","message":{"content":[{"type":"text",` +
				`"text":"<ide_opened_file>x</ide_opened_file>"},{"type":"image"}]}}`},
		{name: "shell line", want: msg("user", "ls", false),
			record: `{"type":"user","message":{"content":"<bash-input>ls</bash-input>"}}`},
		{name: "fields of another type", want: msg("user", "do it", true),
			record: `{"type":"user","timestamp":12,"uuid":null,"version":2,"cwd":["x"],"message":{"content":"do it"}}`},
		{name: "not ASCII", want: msg("user", "Größe 日本 😀 \u2028", true),
			record: `{"type":"user","message":{"content":"Größe 日本 \ud83d\ude00 \u2028"}}`},
	}
}

// notices are what other agents, programs and the client say where a prompt would stand.
func notices() []dialect {
	return []dialect{
		{name: "prompt, sent by a program", want: msg("program", "do it", true),
			record: `{"type":"user","promptSource":"sdk","message":{"content":[{"type":"text","text":"do it"},` +
				`{"type":"image"}]}}`},
		{name: "prompt to a subagent", want: &transcript.Message{Role: "agent", Speaker: transcript.Agent, Text: "dig",
			Sidechain: true},
			record: `{"type":"user","isSidechain":true,"agentId":"a1","promptSource":"sdk","message":{"content":"dig"}}`},
		{name: "skill that the model called", want: msg("program", "pdf", false),
			record: `{"type":"user","message":{"content":"<command-message>The \"pdf\" skill is ` +
				`running</command-message>\n<command-name>pdf</command-name>"}}`},
		{name: "messages of teammates", want: msg("agent", "DOM-1 is done.\n\nSo is DOM-2.", false),
			record: `{"type":"user","teamName":"t","message":{"content":"<teammate-message teammate_id=\"dev\" summary=\"a -> ` +
				`b\">\nDOM-1 is done.\n</teammate-message>\n\n<teammate-message teammate_id=\"ui\">\nSo is ` +
				`DOM-2.\n</teammate-message>"}}`},
		{name: "message of a teammate, introduced", want: msg("agent", "done", false),
			record: `{"type":"user","message":{"content":"Another Claude session sent a message:\n<teammate-message ` +
				`teammate_id=\"dev\">done</teammate-message>"}}`},
		{name: "message of a teammate while the assistant works", want: msg("agent", "done", false),
			record: `{"type":"attachment","attachment":{"type":"queued_command","prompt":"<teammate-message ` +
				`teammate_id=\"dev\">done</teammate-message>","commandMode":"prompt"}}`},
		{name: "message to a teammate", want: msg("agent", "Wire the board.", true),
			record: `{"type":"user","teamName":"t","agentName":"dev","message":{"content":"<teammate-message ` +
				`teammate_id=\"team-lead\">\nWire the board.\n</teammate-message>"}}`},
		{name: "plan that was accepted", want: &transcript.Message{Role: "model",
			Text: "Implement the following plan:\n\n# Relays", Prompt: true, Speaker: transcript.Model},
			record: `{"type":"user","planContent":"# Relays",` +
				`"message":{"content":"Implement the following plan:\n\n# Relays"}}`},
		{name: "words of a hook that stopped it", want: msg("program", "Operation stopped by hook: busy", false),
			record: `{"type":"user","message":{"content":"Operation stopped by hook: busy"}}`},
		{name: "output of a slash command", want: msg("client", "Set", false),
			record: `{"type":"user","message":{"content":"<local-command-stdout>Set</local-command-stdout>"}}`},
		{name: "interruption", want: msg("client", "[Request interrupted by user]", false),
			record: `{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}`},
		{name: "compact summary", want: msg("summary", "It was.", false),
			record: `{"type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"content":"It was."}}`},
	}
}

func result(text string, failed bool) *transcript.Message {
	return &transcript.Message{Role: transcript.RoleTool, Speaker: transcript.Program,
		Results: []transcript.ToolResult{{ID: "t", Text: text, Error: failed}}}
}

func bookkeeping() []dialect {
	return []dialect{
		{name: "meta", record: `{"type":"user","isMeta":true,"message":{"content":"Caveat"}}`},
		{name: "only a reminder", record: `{"type":"user","message":{"content":"<system-reminder>x</system-reminder>"}}`},
		{name: "context of a hook",
			record: `{"type":"attachment","attachment":{"type":"hook_additional_context","content":["x"]}}`},
		{name: "output of a hook", record: `{"type":"attachment","attachment":{"type":"hook_success","content":"x"}}`},
		{name: "message of a hook",
			record: `{"type":"attachment","attachment":{"type":"hook_system_message","content":"x"}}`},
		{name: "other attachment", record: `{"type":"attachment","attachment":{"type":"instructions","rendered":["x"]}}`},
		{name: "unknown attachment", record: `{"type":"attachment","attachment":{"type":"mood"}}`},
		{name: "unknown type", record: `{"type":"weather","message":{"content":"sun"}}`},
		{name: "system", record: `{"type":"system","subtype":"compact_boundary","parentUuid":null}`},
		{name: "request", record: `{"type":"api-request-blob","blob":"x"}`},
		{name: "snapshot", record: `{"type":"file-history-snapshot","snapshot":{}}`},
		{name: "title of an older client", title: "Relays", record: `{"type":"summary","summary":"Relays","leafUuid":"u"}`},
		{name: "title by a model", title: "Relays", record: `{"type":"ai-title","aiTitle":"Relays","sessionId":"s"}`},
		{name: "title by the user", title: "Relays",
			record: `{"type":"custom-title","customTitle":"Relays","sessionId":"s"}`},
		{name: "no type", skipped: true, record: `{"message":{"content":"x"}}`},
		{name: "no content", skipped: true, record: `{"type":"user","message":{}}`},
		{name: "not an object", skipped: true, record: `["user"]`},
		{name: "broken", skipped: true, record: `{"type":"user","message":{"content":"x`},
		{name: "NUL bytes", skipped: true, record: "\x00\x00\x00"},
	}
}
