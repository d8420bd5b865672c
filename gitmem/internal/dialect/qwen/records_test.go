package qwen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/dialecttest"
)

// TestRecords reads sessions of the real client: each golden file has the expected records of one session.
func TestRecords(t *testing.T) {
	home, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	sessions, errs := Sessions(home, func(string) string { return "" })
	if len(errs) > 0 || len(sessions) == 0 {
		t.Fatalf("%d sessions, %v", len(sessions), errs)
	}
	for _, s := range sessions {
		name := s.ID
		if s.Agent != "" {
			name += "-" + s.Agent
		}
		t.Run(name, func(t *testing.T) {
			records, err := Records(s)
			if err != nil {
				t.Fatal(err)
			}
			got := dialecttest.Readable(s, records)
			file := filepath.Join("testdata", "golden", name+".txt")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// recordsOf returns the records of lines, each of which gets an id and continues the previous one.
func recordsOf(t *testing.T, agent string, lines ...string) []dialect.Record {
	t.Helper()
	parent := "null"
	for i, l := range lines {
		lines[i] = fmt.Sprintf(`{"uuid":"%d","parentUuid":%s,%s}`, i, parent, l)
		parent = fmt.Sprintf(`"%d"`, i)
	}
	file := write(t, t.TempDir(), "s.jsonl", strings.Join(lines, "\n")+"\n")
	records, err := Records(dialect.Session{Source: file, ID: "s", Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestWhoSpeaks(t *testing.T) {
	const hook = `,{"text":"<qwen:user-prompt-submit-context>\nx\n</qwen:user-prompt-submit-context>"}`
	const file = `,{"text":"\n--- Content from referenced files ---"},{"text":"secret"}`
	for _, c := range []struct{ agent, line, want string }{
		{"", `"provenance":"real_user","message":{"parts":[{"text":"hi"}]}`, "person: hi"},
		{"", `"message":{"parts":[{"text":"hi"}]}`, "person: hi"},
		{"", `"provenance":"real_user","message":{"parts":[{"text":"hi"}` + hook + `]}`, "person: hi"},
		{"", `"provenance":"real_user","message":{"parts":[{"text":"@f"}` + file + hook + `]}`, "person: @f"},
		{"", `"message":{"parts":[{"text":"hi x"}]},"systemPayload":{"displayText":"hi"}`, "person: hi"},
		{"", `"provenance":"real_user","subtype":"mid_turn_user_message","message":{"parts":[{"text":"hi"}]}`, "person: hi"},
		{"", `"provenance":"system","subtype":"notification","message":{"parts":[{"text":"hi"}]}`, "agent: hi"},
		{"", `"provenance":"system","subtype":"cron","message":{"parts":[{"text":"hi"}]}`, "program: hi"},
		{"", `"provenance":"goal_runtime","subtype":"goal_runtime","message":{"parts":[{"text":"hi"}]}`, ""},
		{"", `"provenance":"system","message":{"parts":[{"text":"hi"}]}`, ""},
		{"a", `"message":{"parts":[{"text":"hi"}]}`, "agent: hi"},
		{"", `"provenance":"real_user","message":{"parts":"hi"}`, ""},
		{"", `"provenance":"real_user","message":["hi"]`, ""},
	} {
		got := ""
		for _, r := range recordsOf(t, c.agent, `"type":"user",`+c.line) {
			got = string(r.Speaker) + ": " + r.Text
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

// TestCommands: the client writes the prompt that it generates from a command as if the user had typed it.
func TestCommands(t *testing.T) {
	const prompt = `"type":"user","provenance":"real_user","message":{"parts":[{"text":"long prompt"}]}`
	const sent = `"type":"system","subtype":"slash_command","systemPayload":{"rawCommand":"/fix it","sentToModel":true}`
	const result = `"type":"system","subtype":"slash_command","systemPayload":{"phase":"result","rawCommand":"/fix it"}`
	const telemetry = `"type":"system","subtype":"ui_telemetry"`
	const rename = `"type":"system","subtype":"slash_command","systemPayload":{"rawCommand":"/rename"}`
	const missing = `"type":"system","subtype":"at_command","systemPayload":{"status":"error","userText":"see @f"}`
	const answer = `"type":"assistant","message":{"parts":[{"text":"done"}]}`
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{sent, result, prompt}, "/fix it"},
		{[]string{sent, result, telemetry, prompt}, "/fix it"},
		{[]string{sent, result, rename, prompt}, "long prompt"},
		{[]string{sent, answer, prompt}, "long prompt"},
		{[]string{missing, prompt}, "long prompt"},
		{[]string{sent, missing, prompt}, "long prompt"},
	} {
		name := strings.Join(c.lines, " ")
		records := recordsOf(t, "", c.lines...)
		if got := records[len(records)-1].Text; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestResults(t *testing.T) {
	for _, c := range []struct {
		tool, response, outcome string
		want                    dialect.Result
	}{
		{"read_file", `"output":"x"`, `{"status":"success","resultDisplay":""}`, dialect.Result{Text: "x"}},
		{"mcp__a__b", `"output":"x\n\nhook"`, `{"status":"success","resultDisplay":"x"}`, dialect.Result{Text: "x"}},
		{"tool_search", `"output":"<functions>"`, `{"status":"success","resultDisplay":"Reviewed 1"}`, dialect.Result{}},
		{"mcp__a__b", `"output":"long"`, `{"status":"success","resultDisplay":"Read 1 file"}`, dialect.Result{Text: "long"}},
		{"read_file", `"error":"no"`, `{"status":"error","resultDisplay":"no"}`, dialect.Result{Text: "no", Failed: true}},
		{"read_file", `"output":"x"`, `{"status":"cancelled"}`, dialect.Result{Text: "x", Failed: true}},
		{shell, `"output":"x"`, `{"status":"success","resultDisplay":{"type":"shell_result","exitCode":1,"output":"y"}}`,
			dialect.Result{Text: "y", Failed: true}},
		{shell, `"output":"x"`, `{"status":"success","resultDisplay":{"type":"shell_result","exitCode":1,"text":"y"}}`,
			dialect.Result{Text: "y", Failed: true}},
		{shell, `"output":"x"`, `{"status":"success","resultDisplay":{"type":"shell_result"}}`, dialect.Result{}},
		{shell, `"output":"Command: a\nDirectory: b\nOutput: c\nError: (none)\n\nhook"`, `{}`, dialect.Result{Text: "c"}},
		{"edit", `"output":"done"`, `{"status":"success","resultDisplay":{"fileDiff":"+x"}}`, dialect.Result{Text: "+x"}},
		{"agent", `"output":"x"`, `{"resultDisplay":{"type":"task_execution","result":"y"}}`,
			dialect.Result{Text: "y", Report: "y"}},
		{"edit", `"output":5`, `{"status":5,"resultDisplay":[]}`, dialect.Result{}},
	} {
		line := fmt.Sprintf(`"type":"tool_result","message":{"parts":[{"functionResponse":`+
			`{"id":"c","name":%q,"response":{%s}}}]},"toolCallResult":%s`, c.tool, c.response, c.outcome)
		c.want.ID = "c"
		if diff := cmp.Diff([]dialect.Result{c.want}, recordsOf(t, "", line)[0].Results); diff != "" {
			t.Errorf("%s %s %s: %s", c.tool, c.response, c.outcome, diff)
		}
	}
}

// TestCompaction: a compaction without the model repeats the summary of an earlier one, or has no summary.
func TestCompaction(t *testing.T) {
	compaction := func(text string) string {
		return `"type":"system","subtype":"chat_compression","systemPayload":{"compressedHistory":` +
			`[{"parts":[{"text":"` + text + `"}]}]}`
	}
	records := recordsOf(t, "", compaction("hi"), compaction("<state_snapshot>\\n1\\n</state_snapshot> Go on."),
		compaction("<state_snapshot>1</state_snapshot>"), compaction("<state_snapshot>2"))
	var got []string
	for _, r := range records {
		got = append(got, string(r.Speaker)+" "+r.Text)
	}
	if diff := cmp.Diff([]string{"summary 1", "summary 2"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestBrokenLine(t *testing.T) {
	lines := `{"uuid":"1","type":"user","message":{"parts":[{"text":"hi"}]}}` + "\n{\"uuid\":\n"
	file := write(t, t.TempDir(), "s.jsonl", lines)
	records, err := Records(dialect.Session{Source: file, ID: "s"})
	if err != nil || len(records) != 2 || records[1].Speaker != dialect.Broken {
		t.Errorf("%+v, %v", records, err)
	}
}
