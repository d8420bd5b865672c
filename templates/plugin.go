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

// Skills are the names of the skills, for the plugin and for a user's own ones.
func Skills() []string {
	return []string{"memory-backfill", "memory-stats", "memory-topics", "promote", "remember"}
}

// Skill is the text of a skill.
func Skill(name string) string {
	b, _ := skills.ReadFile("plugin/" + name + ".md")
	return string(b)
}

// PluginManifest is the plugin's plugin.json, with {{version}}.
func PluginManifest() string { return pluginManifest }

// Marketplace is the marketplace.json that offers the plugin.
func Marketplace() string { return marketplace }

// Agents is the paragraph of an AGENTS.md that says when to ask memory.
func Agents() string { return agents }

// Release is the version that this tree is or will be released as.
func Release() string { return strings.TrimSpace(release) }
