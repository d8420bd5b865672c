package gitmem_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// newOffice returns a lab with documents of all layers about one thing, the relay.
func newOffice(t *testing.T) (*lab, string) {
	t.Helper()
	l := newLab(t)
	r := l.repo("office")
	r.git("remote", "add", "origin", "https://github.com/acme/office.git")
	r.commit("2024-01-05", "Ann Lee", "firmware/relay.c", "feat: add the relay driver\n\nIt must click exactly once.")
	r.commit("2024-02-05", "Bob Ray", "vendor/relay.c", "fix: relay clicks once exactly")
	r.commit("2024-03-05", "Cara Moe", "docs/relay.md", "docs: describe the relay of Ann Lee")
	l.write(filepath.Join(r.dir, "CLAUDE.md"), "# Rules\n\nCompare relay states with `a != b` only.\n")
	l.transcriptFile(r.dir, sessionA, []turn{
		{role: "user", at: "2025-03-08T14:02:00Z", text: "Does the relay need a fuse?"},
		{role: "assistant", at: "2025-03-08T14:03:00Z", text: "The relay needs no fuse, the long-term plan has one."},
	}...)
	l.write(filepath.Join(l.root, "gitmem/projects/github.com/acme/office/sessions/2025/2025-03-01.md"), archiveOfIdeas)
	return l, r.dir
}

const archiveOfIdeas = `---
format: 1
kind: archive
date: "2025-03-01"
---

# 2025-03-01

## Bring up the relay board ^s-3f2a91c4

session: 77770000-0000-4000-8000-000000000009 · 14:02–15:40 UTC

- [decision] The relay gets a diode ^i-aaaaaaaa
- [bug] The relay sticks in the cold ^i-bbbbbbbb
- [solution] Warm the relay first ^i-cccccccc
`

// hitNames returns short unique names for the sources of hits.
func hitNames(r gitmem.Results) string {
	var out []string
	for _, h := range r.Hits {
		name, _, _ := strings.Cut(h.ID, ":")
		switch {
		case h.Author == "Ann Lee", h.Author == "Bob Ray", h.Author == "Cara Moe":
			name = strings.ToLower(h.Author[:3])
		case h.Layer == "transcripts":
			name = h.Author
		case name == "idea":
			name = "idea-" + h.ID[len(h.ID)-1:]
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

func TestQueryLanguage(t *testing.T) {
	t.Parallel()
	l, dir := newOffice(t)
	tests := []struct {
		query string
		f     gitmem.Filter
		want  string
	}{
		{"relay layer:team", gitmem.Filter{}, "ann bob car"},
		{`"exactly once"`, gitmem.Filter{}, "ann"},
		{`relay -"exactly once" layer:team`, gitmem.Filter{}, "bob car"},
		{`"a != b"`, gitmem.Filter{}, "rules"},
		{`"a == b"`, gitmem.Filter{}, ""},
		{"relay +clicks", gitmem.Filter{}, "ann bob"},
		{"relay +click layer:team -once", gitmem.Filter{}, ""},
		{"relay -fuse layer:transcripts", gitmem.Filter{}, ""},
		{"relay -clicking layer:team", gitmem.Filter{}, "car"},
		{`relay "long-term"`, gitmem.Filter{}, "assistant"},
		{`relay "long term"`, gitmem.Filter{}, "assistant"},
		{`relay author:"ann lee"`, gitmem.Filter{}, "ann"},
		{"relay author:ann,bob", gitmem.Filter{}, "ann bob"},
		{"relay author:ann author:bob", gitmem.Filter{}, "ann bob"},
		{"relay layer:team -author:ann,bob", gitmem.Filter{}, "car"},
		{"relay author:ann", gitmem.Filter{Author: []string{"lee"}}, "ann"},
		{"relay author:ann", gitmem.Filter{Author: []string{"bob"}}, ""},
		{"relay layer:team -path:vendor", gitmem.Filter{}, "ann car"},
		{"relay path:*.md layer:team", gitmem.Filter{}, "car"},
		{"relay type:fix,docs layer:team", gitmem.Filter{}, "bob car"},
		{"relay role:user", gitmem.Filter{}, "user"},
		{"relay layer:transcripts -role:user", gitmem.Filter{}, "assistant"},
		{"relay role:commit since:2024-02-01 until:2024-02-29", gitmem.Filter{}, "bob"},
		{"relay role:commit since:2024-02-01", gitmem.Filter{Until: "2024-02-29"}, "bob"},
		{"relay role:commit until:2024-02", gitmem.Filter{Until: "2024-01"}, "ann"},
		{"relay intent:decision", gitmem.Filter{}, "idea-a"},
		{"relay intent:bug,solution", gitmem.Filter{}, "idea-b idea-c"},
		{"relay role:idea -intent:bug", gitmem.Filter{}, "idea-a idea-c"},
		{"relay session:" + sessionA[:8], gitmem.Filter{}, "assistant user"},
		{"author:ann", gitmem.Filter{}, "ann"},
		{"relay project:nosuch layer:team", gitmem.Filter{}, ""},
		{`"Ann Lee"`, gitmem.Filter{}, "car"},
		{`("describe the relay")`, gitmem.Filter{}, "car"},
		{"std::vector relay layer:team", gitmem.Filter{}, "ann bob car"},
	}
	for _, tt := range tests {
		if got := hitNames(l.search(dir, tt.query, tt.f)); got != tt.want {
			t.Errorf("%s %+v: hits %q, want %q", tt.query, tt.f, got, tt.want)
		}
	}
}

func TestQueryLanguageRefuses(t *testing.T) {
	t.Parallel()
	l, dir := newOffice(t)
	m := l.open(dir)
	tests := []struct {
		query string
		f     gitmem.Filter
		want  []string
	}{
		{"layer:attic", gitmem.Filter{}, []string{"layer:attic", "rules, memory", `"layer:attic" in quotes`}},
		{"type:novel", gitmem.Filter{}, []string{"type:novel", "decision"}},
		{"role:admin", gitmem.Filter{}, []string{"role:admin", "assistant"}},
		{"intent:evil", gitmem.Filter{}, []string{"intent:evil", "lesson"}},
		{"since:soonish", gitmem.Filter{}, []string{"since:soonish", "3d, 1w"}},
		{"since:1w since:3d", gitmem.Filter{}, []string{"names several times"}},
		{"-since:1w", gitmem.Filter{}, []string{"use until:"}},
		{"path:[a", gitmem.Filter{}, []string{"path:[a", "brackets"}},
		{"layer:team", gitmem.Filter{Layer: "rules"}, []string{"--layer rules", "layer:team", "can't both hold"}},
		{"-layer:team", gitmem.Filter{Layer: "team"}, []string{"can't both hold"}},
		{"type:fix", gitmem.Filter{Type: "docs"}, []string{"--type docs"}},
		{"session:aaaa", gitmem.Filter{Session: "bbbb"}, []string{"--session bbbb"}},
		{"project:a", gitmem.Filter{Project: "b"}, []string{"--project b"}},
		{"until:2024", gitmem.Filter{Since: "2025"}, []string{"until:2024", "leave no time"}},
		{"author:ann -author:ann", gitmem.Filter{}, []string{"wanted and refused"}},
	}
	for _, tt := range tests {
		_, err := m.Search(t.Context(), "relay "+tt.query, tt.f)
		_, askErr := m.Ask(t.Context(), "relay "+tt.query, tt.f)
		for _, err := range []error{err, askErr} {
			if !errors.Is(err, gitmem.ErrUsage) {
				t.Errorf("%s: error %v, want a usage error", tt.query, err)
				continue
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %q does not say %q", tt.query, err, want)
				}
			}
		}
	}
}

// Questions as people type them keep their words.
func TestQuestionsAreNotMisread(t *testing.T) {
	t.Parallel()
	l, dir := newOffice(t)
	plain := l.ask(dir, "does the relay need a fuse?", gitmem.Filter{})
	if plain.Confidence == gitmem.None {
		t.Fatalf("no answer at all: %s", describe(plain))
	}
	for _, q := range []string{
		`does the relay need a "fuse?`, "doesn't the relay need a fuse?", "does the relay need a - fuse -?",
		"does the relay need -a fuse?",
		"does the relay need --a fuse?", "does the -relay need the fuse", "does the relay need a -fuse?",
		`does the relay need a "fuse"?`,
		"does the relay need a fuse: -valve", "does the relay need a fuse layer:transcripts?",
	} {
		if a := l.ask(dir, q, gitmem.Filter{}); !slices.Contains(citations(a), citations(plain)[0]) {
			t.Errorf("%s: %s", q, describe(a))
		}
	}
	if a := l.ask(dir, "does the relay need a fuse layer:team?", gitmem.Filter{}); len(a.Citations) > 0 &&
		a.Citations[0].Layer != "team" {
		t.Errorf("a field in a question does not count: %s", describe(a))
	}
	if a := l.ask(dir, `does the relay need "no fuse"`, gitmem.Filter{}); len(a.Citations) != 1 ||
		a.Citations[0].Author != "assistant" {
		t.Errorf("a phrase in a question does not count: %s", describe(a))
	}
}
