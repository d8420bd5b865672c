package config

import (
	"slices"
	"strings"
)

// Keys returns the environment variables that gitmem reads keys and tokens from.
func Keys() []string {
	return []string{
		"GITMEM_AGENT_API_KEY", "GITMEM_EMBED_API_KEY", "OPENAI_TOKEN_MEMORY_EMBEDDINGS", "ANTHROPIC_API_KEY",
		"OPENAI_API_KEY",
		"GITMEM_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN",
		"GITLAB_TOKEN", "JIRA_TOKEN",
	}
}

// WithoutKeys returns an environment without gitmem's keys, except those that a program needs.
func WithoutKeys(env []string, needs ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(Keys(), name) && !slices.Contains(needs, name)
	})
}
