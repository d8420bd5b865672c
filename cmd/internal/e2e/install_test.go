//go:build e2e && linux

package e2e_test

import (
	"encoding/json"
	"os"
	"strings"
)

// install makes the client call gitmem's hooks.
func (d *desk) install() {
	d.t.Helper()
	if d.has("install") {
		d.gitmem("install")
		return
	}
	hooks := map[string]any{}
	for event, name := range map[string]string{
		"SessionStart": "session-start", "UserPromptSubmit": "user-prompt-submit", "PostToolUse": "post-tool-use",
		"PostToolUseFailure": "post-tool-use-failure", "Stop": "stop", "SubagentStop": "subagent-stop",
		"PreCompact": "pre-compact", "PostCompact": "post-compact", "SessionEnd": "session-end",
	} {
		if !d.has(name) {
			continue
		}
		hooks[event] = []any{map[string]any{"hooks": []any{map[string]any{
			"type": "command", "command": os.Getenv(gitmemVar), "args": []string{"hook", name}, "timeout": 10,
		}}}}
	}
	b, err := json.Marshal(map[string]any{"hooks": hooks})
	if err != nil {
		d.t.Fatal(err)
	}
	d.write(d.config("settings.json"), string(b))
	d.gitmem("init")
}

// has says whether this program has a command or a hook.
func (d *desk) has(name string) bool {
	d.t.Helper()
	return strings.Contains(d.gitmem("--help"), "\n  "+name+" ") || strings.Contains(d.gitmem("hook", "--help"), name)
}

// pending skips a scenario whose hook or command this program does not have yet.
func (d *desk) pending(names ...string) {
	d.t.Helper()
	for _, name := range names {
		if !d.has(name) {
			d.t.Skipf("PENDING: %s is missing", name)
		}
	}
}
