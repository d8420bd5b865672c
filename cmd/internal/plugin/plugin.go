// Package plugin builds the files of the client's plugin from the templates. The plugin does not
// contain the gitmem program; its hooks find it. The caller, which installs the same hooks into
// settings, passes them in. This package writes no file.
package plugin

import "github.com/gitmem/gitmem/templates"

// Env is the environment variable that indicates to a hook and a tool server that the plugin started it and
// not the settings.
const Env = "GITMEM_PLUGIN"

// File is one file, with its slash-separated path relative to the plugin's folder.
type File struct {
	Path string
	Text []byte
}

// Files returns the files of the plugin, which is its own marketplace, with the JSON of its hooks.
func Files(hooks []byte) []File {
	files := []File{
		{".claude-plugin/hooks.json", hooks},
		{".claude-plugin/marketplace.json", []byte(templates.Marketplace())},
		{".claude-plugin/plugin.json",
			[]byte(templates.Fill(templates.PluginManifest(), map[string]string{"version": templates.Release()}))},
	}
	for _, name := range templates.Skills() {
		files = append(files, File{".claude-plugin/skills/" + name + "/SKILL.md", []byte(templates.Skill(name))})
	}
	return files
}

// NoHooks is the JSON of a plugin without hooks.
const NoHooks = "{\n  \"description\": \"gitmem records sessions and recalls what they left\"\n}\n"

// missing is the message at the start of a session if the program is not found.
const missing = `{"systemMessage":"gitmem: the program is not on PATH, so nothing is recorded or recalled; get a ` +
	`binary at https://github.com/gitmem/gitmem/releases and check it against SHA256SUMS, or get it with: go install ` +
	`github.com/gitmem/gitmem/cmd/gitmem@latest"}`

// Command returns the command line of a hook for a POSIX shell, which the client uses on Windows too. It does
// not fail if the program is missing, because a failing hook is shown to the user at every event; the first
// hook of a session prints how to install it.
func Command(hook string) string {
	absent := "exit 0"
	if hook == "session-start" {
		absent = "{ echo '" + missing + "'; exit 0; }"
	}
	return "command -v gitmem >/dev/null 2>&1 || " + absent + "; " + Env + "=1 exec gitmem hook " + hook
}
