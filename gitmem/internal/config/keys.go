package config

import (
	"slices"
	"strings"
)

// Keys are the variables of the environment that gitmem reads a key or a token from.
func Keys() []string {
	return []string{
		"GITMEM_AGENT_API_KEY", "GITMEM_EMBED_API_KEY", "OPENAI_TOKEN_MEMORY_EMBEDDINGS", "ANTHROPIC_API_KEY",
		"OPENAI_API_KEY",
		"GITMEM_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN",
		"GITLAB_TOKEN", "JIRA_TOKEN",
	}
}

// WithoutKeys is an environment without gitmem's keys, but for those that a program needs itself.
func WithoutKeys(env []string, needs ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(Keys(), name) && !slices.Contains(needs, name)
	})
}
