// Package plugin makes the files of the client's plugin from the templates.
//
// It knows what a plugin consists of and how its hooks find the program, which it
// does not bring along. Which hooks there are it is told by its caller, who installs
// the same ones into settings; it writes no file.
package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gitmem/gitmem/templates"
)

// Env is the variable by which a hook learns that the plugin called it and not the
// settings.
const Env = "GITMEM_PLUGIN"

// Hook is one hook of the plugin.
type Hook struct {
	Event, Matcher string // the matcher is "" for all
	Hook           string // name for gitmem hook
	Timeout        int    // seconds
	StatusMessage  string
	Tells          bool // says how to get the program where it is missing
}

// File is one file, by its path with slashes below the plugin's folder.
type File struct {
	Path string
	Text []byte
}

// Files are the files of the plugin, which is a marketplace of itself too.
func Files(hooks []Hook) ([]File, error) {
	list, err := hooksJSON(hooks)
	if err != nil {
		return nil, err
	}
	return []File{
		{".claude-plugin/hooks.json", list},
		{".claude-plugin/marketplace.json", []byte(templates.Marketplace())},
		{".claude-plugin/plugin.json", []byte(templates.Fill(templates.PluginManifest(), map[string]string{"version": templates.Release()}))},
		{".claude-plugin/skills/remember/SKILL.md", []byte(templates.Remember())},
	}, nil
}

// missing is what is shown at the start of a session where the program is not found.
const missing = "gitmem: the program is not on PATH, so nothing is recorded or recalled; get it with: go install github.com/gitmem/gitmem/cmd/gitmem@latest"

// command is for a POSIX shell, which the client uses on Windows too. Nothing in it
// fails where the program is missing, since a failing hook is shown to the user at
// every event.
func command(h Hook) (string, error) {
	absent := "exit 0"
	if h.Tells {
		said, err := json.Marshal(map[string]string{"systemMessage": missing})
		if err != nil {
			return "", err
		}
		absent = "{ echo '" + string(said) + "'; exit 0; }"
	}
	return fmt.Sprintf("command -v gitmem >/dev/null 2>&1 || %s; %s=1 exec gitmem hook %s", absent, Env, h.Hook), nil
}

type (
	handler struct {
		Type          string `json:"type"`
		Command       string `json:"command"`
		Timeout       int    `json:"timeout,omitempty"`
		StatusMessage string `json:"statusMessage,omitempty"`
	}
	group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
)

// hooksJSON writes the events in the order in which they are given.
func hooksJSON(hooks []Hook) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{\n  \"description\": \"gitmem records sessions and recalls what they left\",\n  \"hooks\": {")
	for i, h := range hooks {
		line, err := command(h)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(",")
		}
		text, err := encode([]group{{h.Matcher, []handler{{"command", line, h.Timeout, h.StatusMessage}}}})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n    %q: %s", h.Event, text)
	}
	b.WriteString("\n  }\n}\n")
	return b.Bytes(), nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("    ", "  ")
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
