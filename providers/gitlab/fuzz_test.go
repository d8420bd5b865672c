package gitlab_test

import (
	"net/http"
	"testing"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/gitlab"
	"github.com/gitmem/gitmem/providers/providertest"
)

func FuzzAnswers(f *testing.F) {
	providertest.FuzzAnswers(f, func(tb testing.TB, tr http.RoundTripper) providers.Source {
		return open(tb, "https://forge.example", func(o *gitlab.Options) { o.Transport = tr })
	},
		`[{"iid":2,"id":9,"title":"Debounce","description":"Closes #1","author":{"name":"Ada","username":"ada"},
		"created_at":"2026-03-01T10:00:00Z",
		"updated_at":"2026-03-01T11:00:00Z","state":"merged","merged_at":"2026-03-02T10:00:00Z",
		"labels":["bug"],"user_notes_count":1,
		"body":"Why?","position":{"new_path":"a\nb","new_line":3}}]`,
		`[{"id":7,"body":"approved this merge request","system":true,"author":{},"created_at":"2026-03-01T10:00:00Z",`+
			`"iid":3,"title":""}]`)
}
