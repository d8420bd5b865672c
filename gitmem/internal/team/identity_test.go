package team_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/providers"
)

func TestWhoIsOne(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		list []string
		want []string // names of the people, best first
	}{
		{"one address", []string{"Ada Lovelace <a@example.org>", "ada <A@example.org>"}, []string{"Ada Lovelace"}},
		{"one full name", []string{"John Smith <js@work.example>", "John Smith <john@home.example>"}, []string{"John Smith"}},
		{"John A. Smith is another", []string{"John Smith <js@work.example>", "John A. Smith <john@home.example>"},
			[]string{"John A. Smith", "John Smith"}},
		{"two of one first name", []string{"John <js@work.example>", "John <john@home.example>"}, []string{"John", "John"}},
		{"two that anybody may be", []string{"root <root@a.example>", "root <root@b.example>"}, []string{"root", "root"}},
		{"a hidden address and the login", []string{"Ada <12+lovelace@users.noreply.github.com>",
			"lovelace <ada@example.org>"}, []string{"Ada"}},
		{"an old hidden address", []string{"Ada <lovelace@users.noreply.github.com>",
			"Augusta Ada <9+lovelace@users.noreply.github.com>"}, []string{"Augusta Ada"}},
		{"one local part and a name in common", []string{"Ada Lovelace <lovelace@a.example>",
			"A. Lovelace <lovelace@b.example>"}, []string{"A. Lovelace"}},
		{"one local part and nothing in common", []string{"Ada Byron <lovelace@a.example>", "Bob Stone <lovelace@b.example>"},
			[]string{"Ada Byron", "Bob Stone"}},
		{"what anybody writes before the @", []string{"Ada Byron <info@a.example>", "Bob Stone <info@b.example>"},
			[]string{"Ada Byron", "Bob Stone"}},
		{"a bot with the address of its owner", []string{"Ada Lovelace <a@example.org>", "release-bot <a@example.org>"},
			[]string{"Ada Lovelace"}},
		{"no address", []string{"Ada Lovelace <>", "Bob Stone <>"}, []string{"Ada Lovelace", "Bob Stone"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := &team.History{}
			for i, who := range tt.list {
				h.Add(work(int64(i), who, "2024-01-01", 10, "a.go"))
			}
			if diff := cmp.Diff(tt.want, names(h.Rank(nil, team.Options{}))); diff != "" {
				t.Errorf("people (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsBot(t *testing.T) {
	t.Parallel()
	for who, want := range map[string]bool{
		"dependabot[bot] <1+dependabot[bot]@users.noreply.github.com>": true, "renovate <r@example.org>": true,
		"github-actions <x@example.org>": true,
		"deploy-bot <d@example.org>":     true, "Release Bot <r@example.org>": true,
		"Copilot Autofix powered by AI <1+Copilot@users.noreply.github.com>": true,
		"Abbott Costello <abbott@example.org>":                               false, "Robot Jones <robot@example.org>": false,
		"Talbot <t@example.org>": false, "Claude <noreply@anthropic.com>": true, "Claude Monet <monet@example.org>": false,
	} {
		if got := providers.IsBot(team.SplitName(who)); got != want {
			t.Errorf("%s: %v", who, got)
		}
	}
}
