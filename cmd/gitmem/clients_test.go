package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// clientFiles returns settings as written by the clients themselves, by their paths in the home folder.
func clientFiles() map[string]map[string]string {
	const env = `      "env": {
        "KEY": "example-key"
      }
`
	servers := func(in, more string) string {
		return "{\n  \"" + in +
			"\": {\n    \"other\": {\n      \"command\": \"npx\",\n      \"args\": [\n        \"-y\",\n        \"other\"\n" +
			"      ],\n" + env + "    }\n  }" + more + "\n}"
	}
	hooks := "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n" +
		"            \"type\": \"command\",\n            \"command\": \"say done\",\n            \"timeout\": 5\n" +
		"          }\n        ]\n      }\n    ]\n  }\n}\n"
	return map[string]map[string]string{
		"claude": {".claude.json": servers("mcpServers", ",\n  \"numStartups\": 3"), ".claude/settings.json": hooks},
		"codex": {
			".codex/config.toml": "model = \"o\"\n\n[mcp_servers.other]\ncommand = \"npx\"\nargs = [\"-y\", \"other\"]\n\n" +
				"[mcp_servers.other.env]\nKEY = \"example-key\"\n\n[projects.\"/work\"]\ntrust_level = \"trusted\"\n",
			".codex/hooks.json": hooks,
		},
		"copilot": {".copilot/mcp-config.json": servers("mcpServers", ""), ".copilot/hooks/other.json": hooks},
		"crush": {".config/crush/crush.json": "{\"$schema\":\"https://charm.land/crush.json\"," +
			"\"permissions\":{\"allowed_tools\":[\"view\",\"ls\"]},\"mcp\":{}}\n"},
		"cursor": {".cursor/mcp.json": servers("mcpServers", "")},
		"gemini": {".gemini/settings.json": "{\n  // mine\n  \"security\": {\n    \"auth\": {\n" +
			"      \"selectedType\": \"gemini-api-key\"\n    }\n  },\n  \"mcpServers\": {}, // none yet\n  \"hooks\": {\n" +
			"    \"AfterAgent\": []\n  }\n}",
			".gemini/policies/mine.toml": "[[rule]]\ntoolName = \"glob\"\n"},
		"opencode": {".config/opencode/opencode.jsonc": "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n" +
			"  // \"mcp\": {},\n  \"mcp\": {\n    \"other\": {\n      \"type\": \"local\",\n      \"command\": [\n" +
			"        \"npx\",\n        \"other\"\n      ], // why\n    },\n  },\n}"},
		"pi": {".pi/agent/mcp.json": servers("mcpServers", "") + "\n"},
		"qwen": {".qwen/settings.json": servers("mcpServers",
			",\n  \"permissions\": {\n    \"allow\": [\n      \"mcp__gitmem__memory_show\"\n    ]\n  },\n  \"$version\": 3")},
		"vscode": {".config/Code/User/mcp.json": "{\n\t\"servers\": {\n\t\t\"other\": {\n" +
			"\t\t\t\"command\": \"npx\" // x\n\t\t}\n\t},\n\t\"inputs\": []\n}"},
	}
}

// tree returns every file and folder below the home folder with mode and content, except memory.
func tree(t *testing.T, home string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(home, path)
		if rel == filepath.Join(".claude", "gitmem") || rel == filepath.Join(".claude", ".git") ||
			strings.HasPrefix(rel, filepath.Join(".claude", ".git")) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err != nil || rel == "." || rel == ".claude" {
			return err
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			files[rel] = "folder"
			return err
		}
		b, err := os.ReadFile(path)
		files[rel] = info.Mode().String() + " " + string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestClients: for each client, the existing text is unchanged, a second installation changes nothing, and
// uninstalling restores every byte, mode and folder, even if nothing existed before.
func TestClients(t *testing.T) {
	t.Parallel()
	if filepath.Separator != '/' {
		t.Skip("the folders are those of Linux")
	}
	for name, files := range clientFiles() {
		for _, fresh := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				a, out := installer(t)
				a.getenv = func(v string) string {
					return map[string]string{"XDG_CONFIG_HOME": filepath.Join(a.home, ".config")}[v]
				}
				for path, text := range files {
					writeFile(t, filepath.Join(a.home, path), text, fresh)
				}
				before := tree(t, a.home)
				run := func(args ...string) map[string]string {
					t.Helper()
					out.Reset()
					if code := a.run(t.Context(), append(args, "--client", name)); code != exitOK {
						t.Fatalf("%v: %d %s", args, code, out)
					}
					return tree(t, a.home)
				}
				if diff := cmp.Diff(before, run("install", "--dry-run")); diff != "" {
					t.Errorf("a dry run: %s", diff)
				}
				installed := run("install")
				checkInstalled(t, a, name, before, installed, out.String())
				if diff := cmp.Diff(installed, run("install")); diff != "" {
					t.Errorf("twice is not once: %s", diff)
				}
				if diff := cmp.Diff(before, run("uninstall")); diff != "" {
					t.Errorf("uninstalled: %s\n%s", diff, out)
				}
				if diff := cmp.Diff(before, run("uninstall")); diff != "" {
					t.Errorf("uninstalled twice: %s", diff)
				}
			})
		}
	}
}

// writeFile writes a file with an unusual mode, or only its folder.
func writeFile(t *testing.T, path, text string, onlyFolder bool) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if onlyFolder {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// checkInstalled checks that a client starts the program, that other bytes and modes are unchanged, and that
// no copy of other text is kept, because it may contain keys.
func checkInstalled(t *testing.T, a *app, name string, before, now map[string]string, shown string) {
	t.Helper()
	var texts []string
	for path, text := range now {
		old, there := before[path]
		switch {
		case text == "folder":
		case !there && !strings.HasPrefix(text, "-rw-------"):
			t.Errorf("%s is new with mode %.10s", path, text)
		case !isSubsequence(old, text):
			t.Errorf("%s lost something:\n%s\n%s", path, old, text)
		}
		if old != text {
			texts = append(texts, text)
		}
	}
	all := strings.Join(texts, "\n")
	if program, _ := a.program(); !strings.Contains(all, program) {
		t.Errorf("%s is in no file:\n%s", program, all)
	}
	hooked := []string{"claude", "codex", "copilot", "gemini", "qwen"}
	if got := strings.Contains(all, " hook stop --agent "+name) ||
		strings.Contains(all, `"stop"`); got != slices.Contains(hooked, name) {
		t.Errorf("hooks: %v\n%s", got, all)
	}
	if strings.Contains(shown, "example-key") {
		t.Errorf("shown: %s", shown)
	}
	store := filepath.Join(a.home, ".claude", "gitmem")
	_ = filepath.WalkDir(store, func(path string, d fs.DirEntry, err error) error {
		if b, _ := os.ReadFile(path); name != "claude" && strings.Contains(string(b), "example-key") {
			t.Errorf("%s has a key", path)
		}
		return nil
	})
}

func isSubsequence(part, whole string) bool {
	for _, b := range []byte(whole) {
		if part != "" && part[0] == b {
			part = part[1:]
		}
	}
	return part == ""
}
