package providers_test

import (
	"slices"
	"testing"

	"github.com/gitmem/gitmem/providers"
)

func TestClosing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Fixes #12":            {"#12"},
		"closes: acme/relay#3": {"acme/relay#3"},
		"Resolved https://h.example/a/b/issues/4.":       {"a/b#4"},
		"closes https://gitlab.example/g/s/b/-/issues/4": {"g/s/b#4"},
		"fixes #1, #2 and #3":                            {"#1", "#2", "#3"},
		"Fix #1. See #2":                                 {"#1"},
		"This fixes the bug in #5":                       nil,
		"See #7":                                         nil,
		"prefixes #7":                                    nil,
		"**Closes** (GH-8)":                              {"#8"},
		"fixes ABC-1":                                    {"ABC-1"},
		"fixes #1 fixes #1":                              {"#1"},
		"fixed #1, but #2 stays":                         {"#1"},
		"closes https://h.example/issues/4":              nil,
		"":                                               nil,
	} {
		if got := providers.Closing(text); !slices.Equal(got, want) {
			t.Errorf("Closing(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzClosing(f *testing.F) {
	f.Add("Fixes #12, owner/repo#3 and https://h.example/a/b/issues/4.")
	f.Add("closes http://%zz/issues/1 GH-2")
	f.Fuzz(func(t *testing.T, text string) {
		for _, ref := range providers.Closing(text) {
			if ref == "" {
				t.Errorf("Closing(%q) holds an empty reference", text)
			}
		}
	})
}

func TestTypeOfLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		labels []string
		want   string
	}{
		{nil, ""},
		{[]string{"bug"}, "fix"},
		{[]string{"kind/bug", "P1"}, "fix"},
		{[]string{"type: enhancement"}, "feature"},
		{[]string{"C-documentation"}, "docs"},
		{[]string{"question"}, "discussion"},
		{[]string{"help wanted"}, ""},
		{[]string{"bug", "enhancement"}, ""},
		{[]string{"bug", "regression"}, "fix"},
		{[]string{"dependencies", "go"}, "chore"},
		{[]string{"debugging"}, ""},
		{[]string{"incident::closed"}, "incident"},
	} {
		if got := providers.TypeOfLabels(c.labels); got != c.want {
			t.Errorf("TypeOfLabels(%q) = %q, want %q", c.labels, got, c.want)
		}
	}
}
