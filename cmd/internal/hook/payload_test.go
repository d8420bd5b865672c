package hook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/hook"
)

// payload returns a tool's payload of a session in /w/repo.
func payload(event, tool, rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return fmt.Sprintf(`{"session_id":"s1","cwd":"/w/repo","hook_event_name":%q,"tool_name":%q%s}`, event, tool, rest)
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                  "standard input is empty",
		" \n\t":                             "standard input is empty",
		`{"session_id":`:                    "malformed JSON",
		`[]`:                                "malformed JSON",
		`"text"`:                            "malformed JSON",
		`{"session_id":7}`:                  "malformed JSON",
		`{"session_id":"s","cwd":{}}`:       "malformed JSON",
		"\xff\xfe{\x00":                     "malformed JSON",
		strings.Repeat("[", 100_000):        "malformed JSON",
		`null`:                              "no session_id",
		`{}`:                                "no session_id",
		`{"session_id":null}`:               "no session_id",
		`{"session_id":"","tool_name":"x"}`: "no session_id",
	} {
		if _, err := hook.Parse(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.30q) = %v, want %q", in, err, want)
		}
	}
}

// FuzzParse: for any input, nothing panics, and accepted input begins with a JSON object with a session.
func FuzzParse(f *testing.F) {
	f.Add([]byte(payload("PostToolUse", "Bash", `"tool_input":{"command":"ls"},"tool_response":{"stdout":"a"}`)))
	f.Add([]byte(payload("PostToolUse", "Edit", `"tool_input":[{"file_path":1}],"tool_response":null`)))
	f.Add([]byte(payload("PostToolUseFailure", "mcp__a__b", `"error":"x"`)))
	f.Add([]byte(`{"session_id":"\ud800","cwd":"\u0000","tool_name":"Read","tool_input":{"file_path":"../\n"}}`))
	f.Add([]byte(`{"SESSION_ID":"s","Tool_Name":"Read"}`))
	f.Add([]byte("{\"session_id\":"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := hook.Parse(bytes.NewReader(b))
		if err != nil {
			return
		}
		if json.NewDecoder(bytes.NewReader(b)).Decode(new(any)) != nil || p.SessionID == "" {
			t.Errorf("Parse(%q) accepts it", b)
		}
		o := p.Observation()
		if o.Session != p.SessionID || o.Tool != p.ToolName || len(o.Read)+len(o.Wrote) > 1 {
			t.Errorf("Observation of %q = %+v", b, o)
		}
	})
}
