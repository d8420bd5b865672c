package settings_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/settings"
)

// wanted returns two hooks and a rule, with a program.
func wanted(program string) settings.Wanted {
	hook := func(event, name string) settings.Hook {
		return settings.Hook{Event: event, Command: program, Args: []string{"hook", name}, Timeout: 10}
	}
	return settings.Wanted{
		Hooks: []settings.Hook{hook("UserPromptSubmit", "user-prompt-submit"), hook("Stop", "stop")},
		Allow: []string{"Bash(gitmem ask:*)"},
		Own: func(command string, args []string) ([]string, bool) {
			words := append([]string{command}, args...)
			if args == nil {
				words = strings.Fields(command)
			}
			return words, len(words) >= 3 && strings.HasSuffix(words[0], "gitmem") && words[1] == "hook"
		},
	}
}

// twoHooks is the result of installing into nothing.
const twoHooks = `{
  "hooks": {
    "UserPromptSubmit": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/bin/gitmem",
            "args": [
              "hook",
              "user-prompt-submit"
            ],
            "timeout": 10
          }
        ]
      }
    ],
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/bin/gitmem",
            "args": [
              "hook",
              "stop"
            ],
            "timeout": 10
          }
        ]
      }
    ]
  },
  "permissions": {
    "allow": [
      "Bash(gitmem ask:*)"
    ]
  }
}
`

func install(t *testing.T, src, program string) string {
	t.Helper()
	out, _, err := settings.Install([]byte(src), wanted(program))
	if err != nil {
		t.Fatalf("install into %q: %v", src, err)
	}
	return string(out)
}

func remove(t *testing.T, src, before string) string {
	t.Helper()
	out, _, err := settings.Remove([]byte(src), []byte(before), wanted(""))
	if err != nil {
		t.Fatalf("remove from %q: %v", src, err)
	}
	return string(out)
}

func TestInstallIntoNothing(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(twoHooks, install(t, "", "/bin/gitmem")); diff != "" {
		t.Error(diff)
	}
}

// TestThereAndBack: other bytes are unchanged, an entry of ours is added after them, and removing it leaves
// nothing.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	sources := map[string]string{
		"empty":                "{}",
		"a line feed":          "{}\n",
		"numbers as written":   "{\n  \"a\": 1.0e+05,\n  \"b\": -0\n}\n",
		"tabs":                 "{\n\t\"model\": \"x\"\n}",
		"CRLF":                 "{\r\n    \"model\": \"x\"\r\n}\r\n",
		"byte order mark":      "\ufeff{\n  \"model\": \"x\"\n}\n",
		"one line":             `{"model":"x","permissions":{"deny":["Read(.env)"]}}`,
		"one line with blanks": `{ "model": "x", "hooks": { "Stop": [ ] , "a": 1 } }`,
		"no indentation":       "{\n\"model\": \"x\"\n}",
		"escapes and UTF-8":    "{\n  \"\\u0061\": \"é\\ud83d\\ude00<&>\\/\"\n}",
		"a wrong byte":         "{\n  \"a\": \"\xff\"\n}",
		"same name twice":      "{\n  \"hooks\": {\"Stop\": []},\n  \"hooks\": {\n    \"x\": [{}]\n  }\n}",
		"hooks of others": "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", " +
			"\"command\": \"say done\"}]}\n    ],\n    \"PreToolUse\": []\n  },\n  \"z\": 1\n}\n",
		"rules of others": "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\", \"Bash(cat:*)\"],\n" +
			"    \"deny\": []\n  }\n}\n",
		"blanks in odd places":  "\n\n {  \"a\" :1 ,\n\n   \"b\":\t2   }  \n\n",
		"an escaped name":       "{\n  \"hook\\u0073\": {\n    \"Stop\": [1.50, {}]\n  }\n}",
		"deeper than it is big": strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 50),
	}
	for name, src := range sources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "an escaped name" {
				src = strings.Replace(src, "1.50, ", "", 1)
			}
			out := install(t, src, "/bin/gitmem")
			if n := strings.Count(out, "/bin/gitmem"); n != 2 {
				t.Errorf("%d hooks in %s", n, out)
			}
			if strings.Contains(src, "\r\n") && strings.Count(out, "\r\n") != strings.Count(out, "\n") {
				t.Errorf("line endings differ: %q", out)
			}
			if src != "{}" && !strings.Contains(src, "\n") && strings.Contains(out, "\n") {
				t.Errorf("one line became more: %q", out)
			}
			if diff := cmp.Diff(out, install(t, out, "/bin/gitmem")); diff != "" {
				t.Errorf("installed once more: %s", diff)
			}
			if diff := cmp.Diff(src, remove(t, out, src)); diff != "" {
				t.Errorf("removed: %s", diff)
			}
		})
	}
}

// TestLastMember: of two members with the same name the client reads the last.
func TestLastMember(t *testing.T) {
	t.Parallel()
	out := install(t, `{"hooks":{"a":1},"z":1,"hooks":{"b":1}}`, "/bin/gitmem")
	if !strings.HasPrefix(out, `{"hooks":{"a":1},"z":1,"hooks":{"b":1,"UserPromptSubmit":[`) {
		t.Error(out)
	}
}

func TestLayout(t *testing.T) {
	t.Parallel()
	src := "{\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(ls)\"]\n\t},\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{}\n" +
		"\t\t]\n\t}\n}\n"
	out := install(t, src, "/bin/gitmem")
	for _, want := range []string{`["Bash(ls)", "Bash(gitmem ask:*)"]`, "\n\t\t\t{},\n\t\t\t{\n\t\t\t\t\"hooks\": [\n",
		"\n\t\t],\n\t\t\"UserPromptSubmit\": [\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestOwnEntries(t *testing.T) {
	t.Parallel()
	entry := func(program, name, more string) string {
		return `{"type":"command","command":"` + program + `","args":["hook","` + name + `"]` + more + `}`
	}
	stop := func(entries ...string) string {
		return `{"permissions":{"allow":["Bash(gitmem ask:*)"]},"hooks":{"UserPromptSubmit":[{"hooks":[` +
			entry("/new/gitmem", "user-prompt-submit", "") + `]}],"Stop":[{"hooks":[` + strings.Join(entries, ",") + `]}]}}`
	}
	tests := []struct{ name, in, want string }{
		{"a program that moved", stop(entry("/old/gitmem", "stop", `,"timeout":3`)),
			stop(entry("/new/gitmem", "stop", `,"timeout":3`))},
		{"twice", stop(entry("/old/gitmem", "stop", ""), `{"x":1}`, entry("/old/gitmem", "stop", "")),
			stop(entry("/new/gitmem", "stop", ""), `{"x":1}`)},
		{"for a shell", stop(`{"type":"command","command":"gitmem hook stop"}`), stop(entry("/new/gitmem", "stop", ""))},
		{"for a shell with more words", stop(`{"type":"command","command":"gitmem hook stop || true"}`),
			stop(`{"type":"command","command":"gitmem hook stop || true"}`)},
		{"no longer wanted", strings.Replace(stop(entry("/new/gitmem", "stop", "")), `"Stop":`, `"Setup":[{"hooks":[`+
			entry("/old/gitmem", "setup", "")+`]}],"Stop":`, 1), stop(entry("/new/gitmem", "stop", ""))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := install(t, tt.in, "/new/gitmem")
			if diff := cmp.Diff(tt.want, out); diff != "" {
				t.Error(diff)
			}
			if left := remove(t, out, ""); strings.Contains(left, "gitmem hook") || strings.Contains(left, "/gitmem") {
				t.Errorf("left after removing: %s", left)
			}
		})
	}
}

func TestInstallTells(t *testing.T) {
	t.Parallel()
	_, changes, err := settings.Install([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command",
		"command":"gitmem hook stop 2>/dev/null"}]}],
		"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/old/gitmem","args":["hook","user-prompt-submit"]}]}]}}`),
		wanted("/new/gitmem"))
	want := []settings.Change{
		{Did: "moved", What: "hooks.UserPromptSubmit", Notes: "from /old/gitmem"},
		{Did: "kept", What: "hooks.Stop", Notes: "a command of your own: gitmem hook stop 2>/dev/null"},
		{Did: "added", What: "permissions.allow Bash(gitmem ask:*)"},
	}
	if diff := cmp.Diff(want, changes); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"{\n  \"é\": tru}", "line 2, column 11: invalid character '}' in literal true (expecting 'e')"},
		{"\ufeff{,}", "line 1, column 2: invalid character ',' looking for beginning of object key string"},
		{"{\"a\": 1", "line 1, column 8: unexpected end of JSON input"},
		{"{} // done", "line 1, column 4: invalid character '/' after top-level value"},
		{"{\"a\": [1,]}", "line 1, column 10: invalid character ']' looking for beginning of value"},
		{"[]", "the settings are a list, not an object"},
		{`{"hooks":[]}`, "hooks is a list, not an object"},
		{`{"hooks":null}`, "hooks is null, not an object"},
		{`{"hooks":{"Stop":{}}}`, "hooks.Stop is an object, not a list"},
		{`{"hooks":{"Stop":[{},"x"]}}`, "hooks.Stop[1] is text, not an object"},
		{`{"hooks":{"Stop":[{"hooks":7}]}}`, "hooks.Stop[0].hooks is a number, not a list"},
		{`{"permissions":true}`, "permissions is true or false, not an object"},
		{`{"permissions":{"allow":{}}}`, "permissions.allow is an object, not a list"},
	}
	for _, tt := range tests {
		out, _, err := settings.Install([]byte(tt.in), wanted("/bin/gitmem"))
		if err == nil || err.Error() != tt.want || out != nil {
			t.Errorf("%s: %v, want %s", tt.in, err, tt.want)
		}
	}
}

// TestRemoveAfterRewriting: the client rewrites the whole file when it stores a permission. The stored
// permission stays, ours is removed.
func TestRemoveAfterRewriting(t *testing.T) {
	t.Parallel()
	var all map[string]any
	if err := json.Unmarshal([]byte(install(t, `{"model":"x"}`, "/bin/gitmem")), &all); err != nil {
		t.Fatal(err)
	}
	all["permissions"].(map[string]any)["allow"] = append(all["permissions"].(map[string]any)["allow"].([]any), "Bash(ls)")
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"model\": \"x\",\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ]\n  }\n}"
	if diff := cmp.Diff(want, remove(t, string(b), `{"model":"x"}`)); diff != "" {
		t.Error(diff)
	}
}

// TestRemoveKeepsRulesOfBefore: a rule that existed before is not ours, even if it is identical.
func TestRemoveKeepsRulesOfBefore(t *testing.T) {
	t.Parallel()
	const src = `{"permissions":{"allow":["Bash(gitmem ask:*)"]}}`
	if diff := cmp.Diff(src, remove(t, install(t, src, "/bin/gitmem"), src)); diff != "" {
		t.Error(diff)
	}
	if got := remove(t, src, ""); got != "{}" {
		t.Errorf("without knowing what was before: %s", got)
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{"{}": true, "\ufeff{ }\n": true, `{"a":1}`: false, "": false, "[]": false} {
		if settings.Empty([]byte(src)) != want {
			t.Errorf("%q", src)
		}
	}
	if !bytes.Equal([]byte("{}"), []byte(remove(t, "{}", ""))) {
		t.Error("an empty object changed")
	}
}
