package jira_test

import (
	"net/http"
	"testing"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/jira"
	"github.com/gitmem/gitmem/providers/providertest"
)

func FuzzAnswers(f *testing.F) {
	providertest.FuzzAnswers(f, func(tb testing.TB, tr http.RoundTripper) providers.Source {
		return open(tb, "https://jira.example", false, func(o *jira.Options) { o.Transport = tr })
	},
		`{"startAt":0,"total":1,"issues":[{"key":"ABC-1","fields":{"summary":"Relays","description":"h1. Why",
		"issuetype":{"name":"Bug"},
		"reporter":{"displayName":"Ada"},"created":"2026-03-01T10:00:00.000+0100","updated":"2026-03-01T11:00:00.000+0100",
		"comment":{"total":2,"comments":[{"author":null,"body":"x","created":"2026-03-01T10:00:00.000+0100"}]}}}]}`,
		`{"key":"ABC-1","total":9,"issues":[{"key":"ABC-1","fields":{"created":"2026-03-01T10:00:00Z",
		"comment":{"total":2}}}],
		"comments":[{"body":"x"}],"fields":{"created":"2026-03-01T10:00:00Z","comment":{"total":2}}}`)
}
