package providers

import (
	"slices"
	"strings"
)

// IsBot reports whether a name or login, or an address where one is known, belongs to an automatic committer
// or account. It recognises the marks that forges and services use. Coding agents that sign as co-authors
// count as bots too, because nobody can ask them.
func IsBot(name, email string) bool {
	n, m := strings.ToLower(name), strings.ToLower(email)
	switch m {
	case "noreply@anthropic.com", "noreply@openai.com", "cursoragent@cursor.com", "copilot@github.com":
		return true
	}
	switch n {
	case "bot", "appveyor", "cla-assistant", "claassistant", "copilot", "coveralls", "gitguardian", "googlebot", "netlify",
		"snyk", "sonarcloud", "sonarqubecloud", "stale", "travis-ci", "vercel":
		return true
	}
	// Tokens of GitLab projects and groups use names such as project_42_bot_3f2a.
	if strings.Contains(n, "[bot]") || strings.Contains(m, "[bot]") || strings.HasPrefix(n, "bot-") ||
		(strings.HasPrefix(n, "project_") || strings.HasPrefix(n, "group_")) && strings.Contains(n, "_bot_") {
		return true
	}
	marks := []string{"dependabot", "renovate", "github-actions", "github actions", "greenkeeper", "codecov",
		"pre-commit-ci", "semantic-release", "allcontributors", "mergify", "imgbot", "snyk-", "devin-ai-integration",
		"copilot-swe-agent", "copilot autofix", "gopher robot", "web-flow"}
	ends := []string{"-bot", "_bot", "-robot", "-automation"}
	if email != "" { // without an address, it may be the name of a person
		ends = append(ends, " bot")
	}
	return slices.ContainsFunc(marks, func(mark string) bool {
		return strings.Contains(n, mark) || strings.HasPrefix(m, mark)
	}) ||
		slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(n, end) })
}
