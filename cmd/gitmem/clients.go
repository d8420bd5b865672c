package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// client is a program that starts the tool server, and where it is registered for this user. The formats are
// documented at code.claude.com/docs/en/mcp, learn.chatgpt.com/docs/extend/mcp (Codex), cursor.com/docs/mcp,
// geminicli.com/docs/tools/mcp-server and code.visualstudio.com/docs/agents/reference/mcp-configuration; the
// entries of the others are those that their own "mcp add" writes: GitHub Copilot CLI 1.0.102, Qwen Code
// 0.24.4, OpenCode 1.18.33 and pi 1.6.0. Crush has no such command; its crush.json and crushrc are those of
// version 0.90.
type client struct {
	name, title  string
	program      string   // executable name
	dir          string   // its folder, which exists if the client is installed
	file         string   // in dir: file with its tool servers
	in           string   // the object of servers
	entry        string   // JSON of a server, with %s for the program
	comments     bool     // it accepts comments in file
	rules        string   // format of a tool in a permission rule, "" if it has no rules
	rulesIn      string   // the list of rules, "" for allow
	hooks        string   // in dir: its hooks, "" for none
	instructions string   // the instructions file that it reads in a checkout
	wants        []string // what only a person can do or needs to know
}

// The server entries that several clients share.
const (
	plainEntry = `{"command":%s,"args":["mcp"]}`
	stdioEntry = `{"type":"stdio","command":%s,"args":["mcp"]}`
)

// clients returns the clients that install supports, Claude Code first.
func (a *app) clients() []client {
	dir := func(env string, in ...string) string {
		return cmp.Or(a.getenv(env), filepath.Join(append([]string{a.home}, in...)...))
	}
	config := dir("XDG_CONFIG_HOME", ".config")
	user, crush := config, filepath.Join(config, "crush")
	switch runtime.GOOS {
	case "darwin":
		user = filepath.Join(a.home, "Library", "Application Support")
	case "windows":
		user, crush = a.getenv("APPDATA"), filepath.Join(a.getenv("LOCALAPPDATA"), "crush")
	}
	openCode := cmp.Or(a.getenv("OPENCODE_CONFIG_DIR"), filepath.Join(config, "opencode"))
	local := func(in ...string) string { return filepath.Join(append([]string{a.home}, in...)...) }
	return []client{
		{name: "claude", title: "Claude Code", program: "claude",
			dir: dir("CLAUDE_CONFIG_DIR"), file: ".claude.json", in: "mcpServers", entry: stdioEntry},
		{name: "codex", title: "Codex CLI", program: "codex",
			dir: dir("CODEX_HOME", ".codex"), file: "config.toml", hooks: "hooks.json", instructions: "AGENTS.md",
			wants: []string{"Codex CLI runs no hook before you trust it: start codex and answer Trust all, or call /hooks " +
				"there; " +
				"codex exec leaves out the others and says nothing"}},
		{name: "copilot", title: "GitHub Copilot CLI", program: "copilot",
			dir: dir("COPILOT_HOME", ".copilot"), file: "mcp-config.json", in: "mcpServers",
			entry: `{"type":"local","command":%s,"args":["mcp"],"tools":["*"]}`,
			hooks: filepath.Join("hooks", "gitmem.json"), instructions: "AGENTS.md",
			wants: []string{"copilot -p refuses the tools that write: --allow-tool=gitmem allows them"}},
		{name: "crush", title: "Crush", program: "crush",
			dir: crush, file: "crush.json", in: "mcp", entry: stdioEntry,
			rules: "mcp_gitmem_", rulesIn: "allowed_tools", instructions: "AGENTS.md",
			wants: []string{"Crush asks before it calls a tool that writes or costs; its sub-agents have none of the tools"}},
		{name: "cursor", title: "Cursor", program: "cursor",
			dir: local(".cursor"), file: "mcp.json", in: "mcpServers", entry: plainEntry, instructions: "AGENTS.md"},
		{name: "gemini", title: "Gemini CLI", program: "gemini",
			dir: filepath.Join(cmp.Or(a.getenv("GEMINI_CLI_HOME"), a.home), ".gemini"), file: "settings.json",
			in: "mcpServers", entry: plainEntry, comments: true, hooks: "settings.json", instructions: "GEMINI.md",
			wants: []string{
				"Gemini CLI starts servers in folders only that you trust: it asks once in each; elsewhere gemini -p ends " +
					"with exit code 55, unless --skip-trust or GEMINI_CLI_TRUST_WORKSPACE=true is given",
				"gemini -p has the tools that only read, by policies/gitmem.toml, and not those that write"}},
		{name: "opencode", title: "OpenCode", program: "opencode",
			dir: openCode, file: "opencode.jsonc", in: "mcp",
			entry: `{"type":"local","command":[%s,"mcp"],"enabled":true}`, comments: true, instructions: "AGENTS.md"},
		{name: "pi", title: "pi",
			dir: dir("PI_CODING_AGENT_DIR", ".pi", "agent"), file: "mcp.json", in: "mcpServers",
			entry: `{"command":%s,"args":["mcp"],"exposure":"direct"}`, instructions: "AGENTS.md"},
		{name: "qwen", title: "Qwen Code", program: "qwen",
			dir: dir("QWEN_HOME", ".qwen"), file: "settings.json", in: "mcpServers", entry: plainEntry,
			comments: true, rules: "mcp__gitmem__", hooks: "settings.json", instructions: "AGENTS.md",
			wants: []string{"qwen -p refuses the tools that write: permissions.allow in its settings names those that it may " +
				"call"}},
		{name: "vscode", title: "VS Code", program: "code",
			dir: filepath.Join(user, "Code", "User"), file: "mcp.json", in: "servers", entry: stdioEntry,
			comments: true, instructions: "AGENTS.md"},
	}
}

// client returns a client by its name.
func (a *app) client(name string) (client, error) {
	all := a.clients()
	var names []string
	for _, c := range all {
		if c.name == name {
			if !filepath.IsAbs(c.dir) {
				return c, fmt.Errorf("%s is no absolute path: HOME, or the variable that names the client's folder, has to be one",
					c.dir)
			}
			return c, nil
		}
		names = append(names, c.name)
	}
	last := len(names) - 1
	list := strings.Join(names[:last], ", ") + " or " + names[last]
	return client{}, &usageError{fmt.Errorf("--client %q: expected %s", name, list)}
}

// clientEdits returns the edits that register the tool server with a client, its hooks, and rules that allow
// the read-only tools without confirmation. The first one is that of the server.
func (a *app) clientEdits(c client, program string) ([]edit, error) {
	command, err := json.Marshal(program) // TOML quotes like JSON
	if err != nil {
		return nil, err
	}
	path := filepath.Join(c.dir, c.file)
	hooks := settingsEdit(filepath.Join(c.dir, c.hooks), settings.Wanted{
		Own: gitmem.HookWords, Hooks: shellHooks(c.name, program),
	})
	hooks.folders = append(hooks.folders, c.dir)
	switch c.name {
	case "codex":
		return []edit{codexEdit(path, command), hooks}, nil
	case "crush":
		if rc := filepath.Join(c.dir, "crushrc"); isThere(rc) && !isThere(path) {
			return []edit{crushrcEdit(rc, program)}, nil
		}
	case "opencode":
		path = openCodeFile(c.dir)
	}
	w := settings.Wanted{Own: gitmem.HookWords, Comments: c.comments, AllowIn: c.rulesIn, Members: []settings.Member{
		{In: c.in, Name: "gitmem", Value: json.RawMessage(fmt.Sprintf(c.entry, command))},
	}}
	if c.rules != "" {
		w.Allow = readTools(c.rules)
	}
	if c.hooks == c.file {
		w.Hooks = shellHooks(c.name, program)
	}
	list := []edit{settingsEdit(path, w)}
	switch {
	case c.name == "claude":
		list[0].folders = nil // it is the user's home
	case c.hooks != "" && c.hooks != c.file:
		list = append(list, hooks)
	case c.name == "gemini":
		policies := filepath.Join(c.dir, "policies")
		list = append(list, sealedEdit(filepath.Join(policies, "gitmem.toml"), geminiPolicy, policies, c.dir))
	}
	return list, nil
}

// geminiPolicy lets Gemini CLI call the tools of gitmem that are annotated as read-only.
const geminiPolicy = `[[rule]]
mcpName = "gitmem"
toolName = "*"
toolAnnotations = { readOnlyHint = true }
decision = "allow"
priority = 100
`

// shellHooks returns the hooks of an agent other than Claude Code, as shell command lines.
func shellHooks(agent, program string) (list []settings.Hook) {
	for _, h := range hook.Registered(agent) {
		list = append(list, settings.Hook{
			Event: h.Event, Matcher: h.Matcher, Shell: true, Args: []string{"hook", h.Name},
			Command: hookProgram(program) + " hook " + h.Name + " --agent " + agent,
			Timeout: h.Timeout, StatusMessage: h.StatusMessage,
		})
	}
	return list
}

// hookProgram quotes a program for the command line of a hook.
func hookProgram(path string) string {
	switch {
	case runtime.GOOS != "windows":
		return shellWord(path)
	case strings.Contains(path, " "):
		return `"` + path + `"`
	}
	return path
}

// openCodeFile returns the file of OpenCode's global settings that mentions gitmem, otherwise the first that
// exists. OpenCode reads both.
func openCodeFile(dir string) string {
	var there []string
	for _, name := range []string{"opencode.jsonc", "opencode.json"} {
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(path)
		if err == nil && settings.HasOwn(b, settings.Wanted{Own: gitmem.HookWords, Comments: true, Members: []settings.Member{
			{In: "mcp", Name: "gitmem", Value: json.RawMessage(`{"command":["","mcp"]}`)},
		}}) {
			return path
		}
		if err == nil {
			there = append(there, path)
		}
	}
	return append(there, filepath.Join(dir, "opencode.jsonc"))[0]
}

// crushrcEdit adds lines to the end of Crush's shell script, for users without crush.json.
func crushrcEdit(path, program string) edit {
	const lines = "# gitmem\nmcp add gitmem --command %s --args mcp\npermissions allow %s\n"
	ours := regexp.MustCompile(`(?m)^(# gitmem\nmcp add gitmem --command .*gitmem.* --args mcp\n` +
		`permissions allow mcp_gitmem_.*\n)`)
	server := regexp.MustCompile(`(?m)^\s*mcp\s+add\s+gitmem\b(?:.*--command (.*) --args mcp$)?`)
	text := fmt.Sprintf(lines, shellWord(program), strings.Join(readTools("mcp_gitmem_"), " "))
	e := textEdit(path, "mcp.gitmem", text, nil, ours, func(src []byte) (any, error) {
		if server.Match(src) {
			return path, nil
		}
		return nil, nil
	})
	e.program = func(src []byte) string {
		m := server.FindSubmatch(src)
		if m == nil {
			return ""
		}
		words, _ := gitmem.HookWords(string(m[1])+" hook x", nil)
		return words[0]
	}
	return e
}

// codexConfig is the relevant part of Codex's configuration.
type codexConfig struct {
	Servers map[string]any `toml:"mcp_servers"`
	Hooks   struct {
		State map[string]struct {
			Hash    string `toml:"trusted_hash"`
			Enabled *bool
		}
	}
}

// codexEdit adds a table to the end of Codex's configuration. Codex starts servers without its environment,
// except for the variables in the table.
func codexEdit(path string, command []byte) edit {
	const (
		table = "[mcp_servers.gitmem]\ncommand = %s\nargs = [\"mcp\"]\n"
		env   = `env_vars = ["GITMEM_HOME", "CLAUDE_CONFIG_DIR", "GITMEM_OFFLINE"]` + "\n"
	)
	program := `"(?:[^"\n]*[/\\])?gitmem(?:[-.][^"/\\\n]*)?"`
	ours := regexp.MustCompile("(" + fmt.Sprintf(regexp.QuoteMeta(table), program) +
		"(?:" + regexp.QuoteMeta(env) + `)?)(?:\s*\[|\s*$)`)
	whole := regexp.MustCompile(`(?m)^\s*\[\s*"?mcp_servers"?\s*\]`)
	text := fmt.Sprintf(table, command) + env
	e := textEdit(path, "mcp_servers.gitmem", text, []string{filepath.Dir(path)}, ours, func(src []byte) (any, error) {
		var config codexConfig
		meta, err := toml.Decode(string(src), &config)
		server := config.Servers["gitmem"]
		named := slices.ContainsFunc(meta.Keys(), func(k toml.Key) bool { return k.String() == "mcp_servers" })
		if server != nil && named && !whole.Match(src) { // the TOML library accepts that
			err = errors.New("mcp_servers is an inline table, to which no other can be added")
		}
		return server, err
	})
	e.program = func(src []byte) string {
		var config codexConfig
		_, _ = toml.Decode(string(src), &config) // an invalid file names no program
		server, _ := config.Servers["gitmem"].(map[string]any)
		program, _ := server["command"].(string)
		if _, ok := gitmem.HookWords(program, []string{"hook", "x"}); !ok {
			return ""
		}
		return program
	}
	return e
}

// paragraph adds a text about when an agent should search memory to a checkout's instructions file.
func paragraph(path string) edit {
	ours := regexp.MustCompile("(" + regexp.QuoteMeta(templates.Agents()) + ")")
	e := textEdit(path, path, templates.Agents(), nil, ours, func(src []byte) (any, error) {
		if bytes.Contains(src, []byte("<!-- gitmem -->")) {
			return path, nil
		}
		return nil, nil
	})
	e.shared = true
	return e
}
