package templates

import (
	_ "embed"
	"strings"
)

//go:embed plugin/remember.md
var remember string

//go:embed plugin/plugin.json
var pluginManifest string

//go:embed plugin/marketplace.json
var marketplace string

//go:embed agents.md
var agents string

//go:embed plugin/version.txt
var release string

// Remember is the skill that recalls, for the plugin and for a user's own skills.
func Remember() string { return remember }

// PluginManifest is the plugin's plugin.json, with {{version}}.
func PluginManifest() string { return pluginManifest }

// Marketplace is the marketplace.json that offers the plugin.
func Marketplace() string { return marketplace }

// Agents is the paragraph of an AGENTS.md that says when to ask memory.
func Agents() string { return agents }

// Release is the version that this tree is or will be released as.
func Release() string { return strings.TrimSpace(release) }
