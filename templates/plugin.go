package templates

import (
	"embed"
	"strings"
)

//go:embed plugin/memory-backfill.md plugin/memory-stats.md plugin/memory-topics.md plugin/promote.md plugin/remember.md
var skills embed.FS

//go:embed plugin/plugin.json
var pluginManifest string

//go:embed plugin/marketplace.json
var marketplace string

//go:embed agents.md
var agents string

//go:embed plugin/version.txt
var release string

// Skills returns the names of the skills, for the plugin and for a user's own installation.
func Skills() []string {
	return []string{"memory-backfill", "memory-stats", "memory-topics", "promote", "remember"}
}

// Skill returns the text of a skill.
func Skill(name string) string {
	b, _ := skills.ReadFile("plugin/" + name + ".md")
	return string(b)
}

// PluginManifest returns the plugin's plugin.json, with {{version}}.
func PluginManifest() string { return pluginManifest }

// Marketplace returns the marketplace.json that offers the plugin.
func Marketplace() string { return marketplace }

// Agents returns the paragraph for an AGENTS.md about when to search memory.
func Agents() string { return agents }

// Release returns the version that this tree is or will be released as.
func Release() string { return strings.TrimSpace(release) }
