package github_test

import (
	"net/http"
	"testing"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/github"
	"github.com/gitmem/gitmem/providers/providertest"
)

func FuzzAnswers(f *testing.F) {
	providertest.FuzzAnswers(f, func(tb testing.TB, tr http.RoundTripper) providers.Source {
		return open(tb, "https://forge.example/", func(o *github.Options) { o.Transport = tr })
	},
		`[{"number":2,"title":"Debounce","body":"Fixes #1","user":{"login":"ada"},"created_at":"2026-03-01T10:00:00Z",
		"updated_at":"2026-03-01T11:00:00Z",
		"merged_at":"2026-03-02T10:00:00Z","merge_commit_sha":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"labels":[{"name":"bug"}]}]`,
		`[{"id":7,"body":"Why?","user":null,"created_at":"2026-03-01T10:00:00Z","issue_url":"https://h/repos/a/b/issues/2",
		"html_url":"https://h/a/b/pull/2#x",
		"pull_request_url":"https://h/repos/a/b/pulls/2","path":"a\nb","line":3,
		"submitted_at":"2026-03-01T10:00:00Z","state":"APPROVED"}]`)
}
