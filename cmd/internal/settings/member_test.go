package settings_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/settings"
)

// members returns a server with a program, and a value without one.
func members(program string) settings.Wanted {
	return settings.Wanted{Own: wanted("").Own, Members: []settings.Member{
		{In: "mcpServers", Name: "gitmem", Value: json.RawMessage(`{"command":"` + program + `","args":["mcp"]}`)},
		{In: "plugins", Name: "gitmem@gitmem", Value: true},
	}}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, out, back, did string }{
		{"nothing", `{}`, `{
  "mcpServers": {
    "gitmem": {
      "command": "/new/gitmem",
      "args": [
        "mcp"
      ]
    }
  },
  "plugins": {
    "gitmem@gitmem": true
  }
}`, `{}`, "added added"},
		{"beside others", `{"mcpServers":{"x":{"command":"y"}},"n":1.50}`,
			`{"mcpServers":{"x":{"command":"y"},"gitmem":{"command":"/new/gitmem","args":["mcp"]}},"n":1.50,` +
				`"plugins":{"gitmem@gitmem":true}}`,
			`{"mcpServers":{"x":{"command":"y"}},"n":1.50}`, "added added"},
		{"moved, with what clients add",
			`{"mcpServers":{"gitmem":{"env":{},"command":"/old/gitmem","args":["mcp"]}},"plugins":{"gitmem@gitmem":true}}`,
			`{"mcpServers":{"gitmem":{"env":{},"command":"/new/gitmem","args":["mcp"]}},"plugins":{"gitmem@gitmem":true}}`, `{}`,
			"moved kept"},
		{"others of that name",
			`{"mcpServers":{"gitmem":{"command":"npx","args":["gitmem"]}},"plugins":{"gitmem@gitmem":false}}`,
			`{"mcpServers":{"gitmem":{"command":"npx","args":["gitmem"]}},"plugins":{"gitmem@gitmem":false}}`,
			`{"mcpServers":{"gitmem":{"command":"npx","args":["gitmem"]}},"plugins":{"gitmem@gitmem":false}}`, "kept kept"},
		{"with hooks that are not this file's",
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"gitmem hook stop"}]}]},` +
				`"mcpServers":{"gitmem":{"command":"/new/gitmem","args":["mcp"]}},"plugins":{"gitmem@gitmem":true}}`,
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"gitmem hook stop"}]}]},` +
				`"mcpServers":{"gitmem":{"command":"/new/gitmem","args":["mcp"]}},"plugins":{"gitmem@gitmem":true}}`,
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"gitmem hook stop"}]}]}}`, "kept kept"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, changes, err := settings.Install([]byte(tt.in), members("/new/gitmem"))
			if diff := cmp.Diff(tt.out, string(out)); diff != "" || err != nil {
				t.Fatal(err, diff)
			}
			var did []string
			for _, c := range changes {
				did = append(did, c.Did)
			}
			if got := strings.Join(did, " "); got != tt.did {
				t.Errorf("%s: %v", got, changes)
			}
			if again, _, err := settings.Install(out, members("/new/gitmem")); err != nil || string(again) != string(out) {
				t.Errorf("twice is not once: %v %s", err, again)
			}
			back, _, err := settings.Remove(out, nil, members(""))
			if diff := cmp.Diff(tt.back, string(back)); diff != "" || err != nil {
				t.Error(err, diff)
			}
		})
	}
	if _, _, err := settings.Install([]byte(`{"mcpServers":[]}`), members("/new/gitmem")); err == nil ||
		err.Error() != "mcpServers is a list, not an object" {
		t.Errorf("a list of servers: %v", err)
	}
	for _, entry := range []string{
		`"command":"gitmem","args":["mcp","memory"]`, `"command":"/x/gitmem","args":["mcp"],"env":{"K":"v"}`,
		`"command":"gitmem","args":["mcp"],"cwd":"/w"`, `"command":"/opt/gitmem/bin/gitmem.py"`,
	} {
		src := `{"mcpServers":{"gitmem":{` + entry + `}},"plugins":{"gitmem@gitmem":true}}`
		out, c, err := settings.Install([]byte(src), members("/new/gitmem"))
		if err != nil || string(out) != src || c[0].Did != "kept" || c[0].Notes == "" {
			t.Errorf("a server of the user's: %v %v %s", err, c, out)
		}
		back, c, err := settings.Remove(out, nil, members(""))
		if err != nil || !strings.Contains(string(back), entry) || c[0].Did != "kept" || c[0].Notes == "" {
			t.Errorf("removed a server of the user's: %v %v %s", err, c, back)
		}
	}
	back, _, err := settings.Remove([]byte(`{"plugins":{"gitmem@gitmem":true}}`), []byte(`{"plugins":{}}`), members(""))
	if err != nil || string(back) != `{"plugins":{}}` {
		t.Errorf("what was there before: %v %s", err, back)
	}
}
