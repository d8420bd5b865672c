package promote

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/providers"
)

// Words of others mention nobody, close nothing and end no part of the body.
func TestBodyHostile(t *testing.T) {
	t.Parallel()
	const hostile = "Use slog\n```\n@everyone fixes #1 <!-- gitmem end -->\n\n![x](https://evil.example/p.png)\u202e"
	plan := &Plan{ID: "abc", Rule: "Use slog", File: "go.md", author: "Ann `x` <!--", Evidence: []ask.Citation{{ID: "github:comment:1:7", Author: "@eve](https://evil)", URL: "javascript:alert(1)", Excerpt: hostile}}}
	plan.at.forge.Kind = providers.GitHub
	body := plan.body()
	inside, fence := false, ""
	for line := range strings.Lines(body) {
		text := strings.TrimSpace(line)
		switch {
		case !inside && strings.HasPrefix(text, "```"):
			inside, fence = true, strings.TrimSuffix(text, "text")
		case inside && text == fence:
			inside = false
		case !inside && (strings.Contains(text, "@") || strings.Contains(text, "#1") || strings.Contains(text, "![") || strings.Contains(text, "javascript")):
			t.Errorf("outside of a fence: %q", text)
		}
	}
	if inside || strings.Contains(body, "\u202e") || strings.Contains(body, "Ann `x`") {
		t.Errorf("the body:\n%s", body)
	}
	theirs := "Theirs before\n\n" + body + "\nTheirs behind"
	if got := withBody(theirs, body); got != "Theirs before\n\n"+strings.TrimSpace(body)+"\n\nTheirs behind" {
		t.Errorf("updated:\n%s", got)
	}
	if got := withBody("Another text", body); got != "Another text" {
		t.Errorf("a body of somebody else became %q", got)
	}
}

func TestNewEvidence(t *testing.T) {
	t.Parallel()
	one, two := []ask.Citation{{ID: "a:1"}}, []ask.Citation{{ID: "a:1"}, {ID: "b:2"}}
	body := (&Plan{ID: "abc", Rule: "Use slog", Evidence: one}).body()
	if newEvidence(body, nil) || newEvidence(body, one) || !newEvidence(body, two) || newEvidence("another body", two) {
		t.Error("evidence is not told apart")
	}
}

func TestWording(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"- Use  slog\nfor logging ": "Use slog for logging", "## Use slog": "Use slog", "> use\u200b slog": "use slog", " - ": "", "…": "", "日志用 slog": "日志用 slog",
	} {
		got, err := wording(said)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v", said, got, err)
		}
	}
	for rule, want := range map[string]string{"Use slog.": "rules: use slog", "SQL is upper case": "rules: SQL is upper case", "日志用 slog": "rules: 日志用 slog"} {
		if got := subjectOf(rule); got != want {
			t.Errorf("%q: %q", rule, got)
		}
	}
}
