package copilot

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

// recordsOf returns the records of events, to each of which it gives an id.
func recordsOf(t *testing.T, events ...string) []dialect.Record {
	t.Helper()
	for i, e := range events {
		events[i] = fmt.Sprintf(`{"id":"%d",%s}`, i, e)
	}
	root := store(t, map[string][2]string{"s": {strings.Join(events, "\n") + "\n", ""}})
	records, err := Records(dialect.Session{Source: filepath.Join(root, "session-state", "s", eventsFile), ID: "s"})
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestWhoSpeaks(t *testing.T) {
	for _, c := range []struct {
		data string
		want dialect.Speaker
	}{
		{`"content":"hi","delivery":"queued"`, dialect.Person},
		{`"content":"hi","source":"agent-a"`, dialect.Agent},
		{`"content":"hi","source":"schedule-1"`, dialect.Program},
		{`"content":"hi","source":"skill-pdf"`, ""},
		{`"content":"hi","isAutopilotContinuation":true`, ""},
		{`"content":""`, ""},
		{`"content":["hi"]`, ""},
	} {
		var got dialect.Speaker
		for _, r := range recordsOf(t, `"type":"user.message","data":{`+c.data+`}`) {
			got = r.Speaker
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.data, got, c.want)
		}
	}
}

func TestResults(t *testing.T) {
	const exit4 = "<shellId: 0 completed with exit code 4>"
	const hooks = `\n\nTool \"bash\" succeeded. Additional guidance from postToolUse hooks:\nMind the gap`
	for _, c := range []struct {
		tool, data, text string
		failed           bool
	}{
		{"bash", `"success":true,"result":{"content":"ok` + hooks + `"}`, "ok", false},
		{"bash", `"success":true,"result":{"content":"ok` + hooks + `","detailedContent":"ok"}`, "ok", false},
		{"bash", `"success":true,"result":{"content":"Saved: f","detailedContent":"long output"}`, "long output", false},
		{"bash", `"success":true,"shellExecution":{"exitCode":3},"result":{"content":"no"}`, "no", true},
		{"read_bash", `"success":true,"result":{"content":"no\n` + exit4 + `"}`, "no\n" + exit4, true},
		{"view", `"success":true,"result":{"content":"` + exit4 + `"}`, exit4, false},
		{"view", `"success":false,"error":{"message":"Path does not exist"}`, "Path does not exist", true},
		{"gitmem-ask", `"success":true,"result":{"content":"it is so","detailedContent":"<ask>"}`, "it is so", false},
		{"gitmem-ask", `"result":"x","shellExecution":[]`, "", false},
	} {
		call := `{"toolCallId":"c","name":"` + c.tool + `","arguments":{}}`
		records := recordsOf(t, `"type":"assistant.message","data":{"toolRequests":[`+call+`]}`,
			`"type":"tool.execution_complete","data":{"toolCallId":"c",`+c.data+`}`)
		want := []dialect.Result{{ID: "c", Text: c.text, Failed: c.failed}}
		if len(records) != 2 {
			t.Fatalf("%s: %d records", c.data, len(records))
		}
		if diff := cmp.Diff(want, records[1].Results); diff != "" {
			t.Errorf("%s: %s", c.data, diff)
		}
	}
}

// TestEventsOfNoRecord: the client's internal events, commands of the user, and events that were written twice give no
// records.
func TestEventsOfNoRecord(t *testing.T) {
	records := recordsOf(t, `"type":"system.message","data":{"content":"You are"}`,
		`"type":"model.message","data":{"message":{"content":"a copy"}}`,
		`"type":"tool.user_requested","data":{"toolCallId":"c","toolName":"local_shell"}`,
		`"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"x"}}`,
		`"type":"session.compaction_complete","data":{"success":false}`,
		`"type":"user.message","data":{"content":"hi"}`,
		`"type":"user.message","data":{"content":"hi"},"id":"5"`)
	if len(records) != 1 {
		t.Errorf("%+v", records)
	}
}

func TestBrokenLine(t *testing.T) {
	events := `{"type":"session.start","id":"1","data":{}}` + "\n" + `{"type":` + "\n"
	root := store(t, map[string][2]string{"s": {events, ""}})
	records, err := Records(dialect.Session{Source: filepath.Join(root, "session-state", "s", eventsFile), ID: "s"})
	if err != nil || len(records) != 1 || records[0].Speaker != dialect.Broken {
		t.Errorf("%+v, %v", records, err)
	}
}
