package corpus

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestTemplates(t *testing.T) {
	t.Parallel()
	got := parseTemplate("{n}: if {x} { {id} }")
	if !slices.Equal(got.parts, []string{"", ": if {x} { ", " }"}) ||
		!slices.Equal(got.slots, []slot{slotNoun, slotIdentifier}) {
		t.Errorf("got %q %v", got.parts, got.slots)
	}
	for _, list := range []string{"prompts", "says", "thoughts", "code", "logs", "commands"} {
		for line := range strings.Lines(text(list)) {
			if len(parseTemplate(line).slots) == 0 && strings.Contains(line, "{n") {
				t.Errorf("%s: no word is filled in: %s", list, line)
			}
		}
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	const hard = "a \"b\" \\ c\n\t\x01 é →"
	var got string
	if err := json.Unmarshal(quote(nil, hard), &got); err != nil || got != hard {
		t.Errorf("%q came back as %q, error %v", hard, got, err)
	}
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]verb{
		"build:built": {"build", "builds", "built", "building"}, "apply": {"apply", "applies", "applied", "applying"},
		"stop": {"stop", "stops", "stopped", "stopping"}, "cache": {"cache", "caches", "cached", "caching"},
		"run:ran": {"run", "runs", "ran", "running"},
		"index":   {"index", "indexes", "indexed", "indexing"}, "read:read": {"read", "reads", "read", "reading"},
		"commit":      {"commit", "commits", "committed", "committing"},
		"show:showed": {"show", "shows", "showed", "showing"}, "agree": {"agree", "agrees", "agreed", "agreeing"},
		"fix": {"fix", "fixes", "fixed", "fixing"},
	} {
		if got := conjugate(entry); got != want {
			t.Errorf("%s: %+v, want %+v", entry, got, want)
		}
	}
}
