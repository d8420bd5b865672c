package settings_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/settings"
)

// commented returns a server, a shell hook and a rule, for settings with comments.
func commented(program string) settings.Wanted {
	return settings.Wanted{
		Own: wanted("").Own, Comments: true, Allow: []string{"mcp_gitmem_memory"}, AllowIn: "allowed_tools",
		Hooks: []settings.Hook{{Event: "Stop", Command: program + " hook stop --agent x", Args: []string{"hook", "stop"},
			Shell: true, Timeout: 10000}},
		Members: []settings.Member{{In: "mcp", Name: "gitmem", Value: json.RawMessage(`{"type":"local","command":["` +
			program + `","mcp"],"enabled":true}`)}},
	}
}

// TestComments: comments, trailing commas and every other byte stay, and removing restores the original using
// only the outline.
func TestComments(t *testing.T) {
	t.Parallel()
	sources := map[string]string{
		"nothing":     "",
		"white space": " \n",
		"empty":       "{}",
		"empty lines": "{\n\n}\n",
		"empty objects": "{\n  \"mcp\": {\n  },\n  \"hooks\": { },\n  \"permissions\": {\"allowed_tools\": [\n ]}\n" +
			"}\n",
		"a comment only":        "{\n  // nothing yet\n}\n",
		"before and after":      "// mine\n{\n  \"a\": 1 // one, two\n  /* three */\n}\n// end\n",
		"on the last line":      "{\n  \"a\": 1, // one\n  \"b\": [1, 2], // two\n  // \"mcp\": {\"x\": {}}\n}\n",
		"comma behind the last": "{\n  \"a\": 1,\n  \"b\": {\"c\": [1, 2,],}, // d\n}\n",
		"one line":              "{\"a\": 1 /* x, y */, }",
		"one line that ends":    "{ \"a\": 1 // x\n}",
		"texts like comments":   "{\n  \"u\": \"http://x/*\", // y \"\n  \"v\": \"*/ \\\" //\"\n}",
		"servers of others":     "{\n  \"mcp\": {\n    // off\n    \"x\": {\"command\": [\"y\"]}, // why\n  },\n}\n",
		"commented out":         "{\n  \"mcp\": {\n    // \"x\": {\"key\": \"secret\"}\n  }\n}\n",
		"lists": "{\n  \"permissions\": {\n    \"allowed_tools\": [\n      \"ls\", // look\n" +
			"      \"cat\" // read\n    ]\n  }\n}\n",
		"CRLF":            "{\r\n  // x\r\n  \"a\": 1, // y\r\n}\r\n",
		"byte order mark": "\ufeff{\n  \"a\": 1 // x\n}\n",
		"rule of before":  "{\"permissions\":{\"allowed_tools\":[\"mcp_gitmem_memory\"]}}",
	}
	for name, src := range sources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _, err := settings.Install([]byte(src), commented("/bin/gitmem"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(out), `"/bin/gitmem hook stop --agent x"`) || strings.TrimSpace(src) != "" &&
				!isSubsequence([]byte(src), out) {
				t.Errorf("installed: %s", out)
			}
			checkComments(t, []byte(src), out)
		})
	}
}

// checkComments installs again, with another program, and removes.
func checkComments(t *testing.T, src, out []byte) {
	t.Helper()
	again, changes, err := settings.Install(out, commented("/bin/gitmem"))
	if diff := cmp.Diff(string(out), string(again)); diff != "" || err != nil {
		t.Errorf("twice is not once: %v %v %s", err, changes, diff)
	}
	moved, _, err := settings.Install(out, commented("/new/gitmem"))
	if want := bytes.ReplaceAll(out, []byte("/bin/gitmem"), []byte("/new/gitmem")); err != nil ||
		!bytes.Equal(moved, want) {
		t.Errorf("moved: %v %s", err, moved)
	}
	outline := settings.Outline(src, commented(""))
	if bytes.Contains(outline, []byte("secret")) || bytes.Contains(outline, []byte(`"a"`)) {
		t.Errorf("more than an outline: %s", outline)
	}
	back, _, err := settings.Remove(out, outline, commented(""))
	if diff := cmp.Diff(string(src), string(back)); diff != "" || err != nil {
		t.Errorf("removed by %s: %v %s", outline, err, diff)
	}
}

// TestCommentsMeanwhile: text that somebody adds around our entries stays.
func TestCommentsMeanwhile(t *testing.T) {
	t.Parallel()
	entry := "\"gitmem\": {\"type\":\"local\",\"command\":[\"gitmem\",\"mcp\"]}"
	tests := []struct{ name, in, want string }{
		{"between two", "{\"mcp\": {\n  \"a\": 1, // one\n  " + entry + ", // two\n  // three\n  \"b\": 2\n}}",
			"{\"mcp\": {\n  \"a\": 1, // one\n // two\n  // three\n  \"b\": 2\n}}"},
		{"at the end", "{\"mcp\": {\n  \"a\": 1, // one\n  " + entry + ", // two\n}}",
			"{\"mcp\": {\n  \"a\": 1, // one\n // two\n}}"},
		{"alone", "{\"x\": 1, \"mcp\": {/* one */ " + entry + " /* two */,}}", "{\"x\": 1, \"mcp\": {/* one */ /* two */}}"},
		{"a list of one line", "{\"mcp\": {\"a\": 1, // one\n" + entry + "}}", "{\"mcp\": {\"a\": 1 // one\n}}"},
	}
	for _, tt := range tests {
		out, _, err := settings.Remove([]byte(tt.in), nil, commented(""))
		if diff := cmp.Diff(tt.want, string(out)); diff != "" || err != nil {
			t.Errorf("%s: %v %s", tt.name, err, diff)
		}
	}
	for _, in := range []string{"{,}", "{\"a\": 1,,}", "{\"a\",}", "{\"a\":,}", "[,]", "{} /* ", "{\"a\": 1 / 2}",
		"{\"a\": \"x}"} {
		if out, _, err := settings.Install([]byte(in), commented("/bin/gitmem")); err == nil || out != nil {
			t.Errorf("%s was edited: %s", in, out)
		}
	}
}

// FuzzComments is [FuzzSettings] for settings with comments, in which no byte may change at all.
func FuzzComments(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{ // x\n}", "{\"a\":1, // y\n}",
		"{\"mcp\":{/* */\"x\":{},},\"permissions\":{\"allowed_tools\":[\"x\",//\n]},}", "{\"a\":1//,\n,\"hooks\":{ \n}}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		out, _, err := settings.Install(src, commented("/bin/gitmem"))
		if err != nil || hasOwn(src) {
			return
		}
		checkComments(t, src, out)
	})
}
