package promote

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
)

// Text of others mentions nobody, closes nothing and ends no part of the body.
func TestBodyHostile(t *testing.T) {
	t.Parallel()
	const hostile = "Use slog\n```\n@everyone fixes #1 <!-- gitmem end -->\n\n![x](https://evil.example/p.png)\u202e"
	plan := &Plan{ID: "abc", Rule: "Use slog", File: "go.md", author: "Ann `x` <!-- GH-1 www.example.org",
		Paths: []string{"a`@everyone fixes #1`"},
		Evidence: []answer.Citation{{ID: "github:comment:1:7", Author: "@eve](https://evil)", URL: "javascript:alert(1)",
			Excerpt: hostile}}}
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
		case !inside && (strings.Contains(text, "@") || strings.Contains(text, "#1") || strings.Contains(text, "![") ||
			strings.Contains(text, "javascript") || strings.Contains(text, "GH-1") || strings.Contains(text, "www.")) &&
			!strings.Contains(text, "with files that match `a@everyone fixes #1`"):
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

// TestBodyLong checks the maximum length that a forge accepts.
func TestBodyLong(t *testing.T) {
	t.Parallel()
	plan := &Plan{ID: "abc", Rule: strings.Repeat("r", maxRule)}
	for i := range 500 {
		plan.Evidence = append(plan.Evidence, answer.Citation{ID: fmt.Sprint("github:comment:1:", i),
			Excerpt: strings.Repeat("é", maxQuote)})
	}
	plan.Near, plan.Against = plan.Evidence[:maxNear], plan.Evidence[:maxNear]
	if body := plan.body(); utf8.RuneCountInString(body) > 65536 || !strings.Contains(body, "and 480 more") ||
		newEvidence(body, plan.Evidence) {
		t.Errorf("%d characters", utf8.RuneCountInString(body))
	}
}

// TestBodyVerbatim checks that text that looks like the template's own is kept verbatim.
func TestBodyVerbatim(t *testing.T) {
	t.Parallel()
	plan := &Plan{ID: "abc", Rule: "Use {{ .Values.image }} and {{file}}", File: "go.md"}
	if body := plan.body(); !strings.Contains(body, plan.Rule) {
		t.Error(body)
	}
}

func TestInert(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"closes #12 and GH-3":                                 "closes 12 and 3",
		"closes https://git.example.org/acme/pump/issues/1":   "closes https://git.example.org/acme/pump1",
		"as in https://x.example/a/-/merge_requests/7 [skip]": "as in https://x.example/a/-7 (skip)",
	} {
		if got := inert(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestPeople checks that a name that somebody writes in lower case is a thing, not a person.
func TestPeople(t *testing.T) {
	t.Parallel()
	got := peopleIn([]Said{{Citation: answer.Citation{Author: "docker helper"}, Sentences: []string{"Ask Jonas"}},
		{Citation: answer.Citation{Author: "jonas"}, Sentences: []string{"build it with docker"}}})
	if len(got) != 1 || !got["Jonas"] {
		t.Error(got)
	}
}

func TestGlobs(t *testing.T) {
	t.Parallel()
	for front, want := range map[string][]string{
		`paths: "src/**/*.{ts,tsx}, docs/**"`: {"src/**/*.{ts,tsx}", "docs/**"}, `paths: ""`: {}, "paths: [a, b]": {"a", "b"},
		"other: x": nil,
	} {
		f := ruleFile{text: []byte("---\n" + front + "\n---\n\n- Use slog\n")}
		if got := f.globs(); !slices.Equal(got, want) || f.unreadable() {
			t.Errorf("%s: %q", front, got)
		}
	}
	if !(ruleFile{text: []byte("---\npaths: [a\n---\n\n- Use slog\n")}).unreadable() {
		t.Error("broken frontmatter counts for all files")
	}
}

func TestNewEvidence(t *testing.T) {
	t.Parallel()
	one, two := []answer.Citation{{ID: "a:1"}}, []answer.Citation{{ID: "a:1"}, {ID: "b:2"}}
	body := (&Plan{ID: "abc", Rule: "Use slog", Evidence: one}).body()
	if newEvidence(body, nil) || newEvidence(body, one) || !newEvidence(body, two) || newEvidence("another body", two) {
		t.Error("evidence is not told apart")
	}
}

func TestWording(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"- Use  slog\nfor logging ": "Use slog for logging", "## Use slog": "Use slog", "> use\u200b slog": "use slog",
		" - ": "", "…": "", "日志用 slog": "日志用 slog",
		"-race is for CI": "-race is for CI", "*.go files have tests": "*.go files have tests",
		"#[test] for tests": "#[test] for tests", "- [ ] Use slog": "Use slog", "1. Use slog": "Use slog",
	} {
		got, err := wording(said)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v", said, got, err)
		}
	}
	for rule, want := range map[string]string{"Use slog.": "rules: use slog",
		"SQL is upper case": "rules: SQL is upper case", "日志用 slog": "rules: 日志用 slog",
		"@everyone fixes #1, GH-2 [skip ci]": "rules: @everyone fixes #1, GH-2 [skip ci]"} {
		want = strings.NewReplacer("@", "", "#", "", "GH-", "", "[", "(", "]", ")").Replace(want)

		if got := subjectOf(rule); got != want {
			t.Errorf("%q: %q", rule, got)
		}
	}
}

// Text around a removed rule is kept.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, rule, want string }{
		{"- one\n- two\n  more\n<!-- keep -->\n- three\n", "", "- one\n<!-- keep -->\n- three\n"},
		{"- one\n- two\n\n| a | b |\n|---|---|\n| c | d |\n", "", "- one\n\n| a | b |\n|---|---|\n| c | d |\n"},
		{"1. one\r\n2. two\r\n3. three\r\n", "Another", "1. one\r\n2. Another\r\n3. three\r\n"},
		{"- [ ] one\n- [x] two", "Another", "- [ ] one\n- [x] Another"},
	} {
		f := ruleFile{path: "go.md", text: []byte(tt.text)}
		if got, _ := replaced(f, statements(f), 1, tt.rule); string(got) != tt.want {
			t.Errorf("%q: %q", tt.text, got)
		}
	}
}

func TestGlobsOfAFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, text string
		want       string
		unreadable bool
	}{
		{"AGENTS.md", "- one\n", "", false},
		{"pkg/api/CLAUDE.md", "- one\n", "pkg/api/**", false},
		{"app/[id]/AGENTS.md", "- one\n", `app/\[id\]/**`, false},
		{".claude/CLAUDE.md", "- one\n", "", false},
		{".claude/rules/ts.md", "---\npaths: **/*.ts, *.tsx\n---\n- one\n", "**/*.ts *.tsx", false},
		{".claude/rules/ts.md", "---\npaths: [**/*.ts\n---\n- one\n", "", true},
		{".claude/rules/ts.md", "---\npaths: {a: b}\n---\n- one\n", "", true},
		{".claude/rules/ts.md", "---\nname: ts\n---\n- one\n", "", false},
	} {
		f := ruleFile{path: tt.path, text: []byte(tt.text)}
		if got := strings.Join(f.globs(), " "); got != tt.want || f.unreadable() != tt.unreadable {
			t.Errorf("%s %q: globs %q, unreadable %v", tt.path, tt.text, got, f.unreadable())
		}
		if dir := path.Dir(tt.path); docs.Rules(tt.path) && dir != "." && dir[0] != '.' &&
			!covers(f.globs(), []string{dir + "/page.tsx"}) {
			t.Errorf("%s: not for a file beside it", tt.path)
		}
	}
}
