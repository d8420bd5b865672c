package remote

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// botNames are accounts that report what a machine found, besides those whose
// name says so.
var botNames = [...]string{
	"appveyor", "cla-assistant", "claassistant", "codecov-commenter", "codecov-io", "copilot", "coveralls",
	"dependabot", "dependabot-preview", "gitguardian", "github-actions", "googlebot", "greenkeeper",
	"k8s-ci-robot", "k8s-github-robot", "k8s-triage-robot", "mergify", "netlify", "renovate", "snyk",
	"sonarcloud", "sonarqubecloud", "stale", "travis-ci", "vercel",
}

// IsBot reports whether an account by its name is a machine's.
func IsBot(login string) bool {
	login = strings.ToLower(login)
	ends := []string{"[bot]", "-bot", "_bot", "-robot", "-automation"}
	if slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(login, end) }) {
		return true
	}
	// Tokens of GitLab projects and groups act under names such as
	// project_42_bot_3f2a.
	if strings.HasPrefix(login, "project_") || strings.HasPrefix(login, "group_") {
		return strings.Contains(login, "_bot_")
	}
	return slices.Contains(botNames[:], login)
}

// AddPeople adds people to a list, without doubles, without the author and without
// bots.
func AddPeople(list []providers.Person, author providers.Person, more ...providers.Person) []providers.Person {
	for _, p := range more {
		if p.Name != "" && p != author && !IsBot(p.Name) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}
