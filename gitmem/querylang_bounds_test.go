package gitmem_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// A query of very many parts costs no more than one of many.
func TestQueryIsBounded(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	many := func(form string, n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(form, i)
		}
		return strings.Join(parts, " ")
	}
	m := l.open(dir)
	for query, refused := range map[string]bool{
		"crane " + many("-w%dx", 100):                              false,
		"crane " + many("-w%dx", 101):                              true,
		"crane " + many("+w%dx", 101):                              true,
		"crane -path:" + strings.Repeat("a,", 100) + "b":           true,
		"crane " + many("-w%dx", 60) + " " + many("-path:p%d", 60): true,
	} {
		_, err := m.Search(t.Context(), query, gitmem.Filter{})
		if got := errors.Is(err, gitmem.ErrUsage) && strings.Contains(err.Error(), "at most 100"); got != refused ||
			!refused && err != nil {
			t.Errorf("%.40s: %v", query, err)
		}
	}
	pasted := many(`"quote%d here"`, 101)
	r := l.search(dir, pasted+` "operator crane"`, gitmem.Filter{}) // more phrases than are used
	equal(t, "a pasted text", []string{}, hitIDs(r))
	if _, err := m.Ask(t.Context(), "why did we lift "+pasted+"?", gitmem.Filter{}); err != nil {
		t.Errorf("a question with a pasted text: %v", err)
	}
}

// The number of suggested words is limited, since texts are read for each.
func TestFewWordsAreNamed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("yard")
	words := strings.Fields("crane gravel girder hammer ladder mortar pulley rafter scaffold shovel tunnel valve wagon " +
		"yoke anchor bucket cement")
	r.commit("2024-01-05", "Ann Lee", "a.txt", strings.Join(words, " "))
	named := 0
	for _, s := range l.search(r.dir, strings.Join(words, "x ")+"x", gitmem.Filter{}).Suggestions {
		if strings.HasPrefix(s, "Did you mean") {
			named++
		}
	}
	if named != 10 {
		t.Errorf("%d words are named for %d", named, len(words))
	}
}

// For a pasted log the most informative words are searched for, at any position.
func TestLongQueryIsSearchedByItsRarestWords(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	words := make([]string, 300)
	for i := range words {
		words[i] = fmt.Sprintf("part%dx", i)
	}
	pasted := strings.Join(words, " ")
	l.transcriptFile(dir, "9c1d02e9-0000-4000-8000-000000000003",
		turn{role: "user", at: "2025-03-10T14:02:00Z", text: pasted},
		turn{role: "assistant", at: "2025-03-10T14:05:00Z", text: pasted + " again"},
	)
	l.transcriptFile(dir, "9c1d02e9-0000-4000-8000-000000000004", turn{role: "user", at: "2025-03-10T15:05:00Z",
		text: "The gantry rusts"})
	told := func(caveats []string) bool {
		return slices.ContainsFunc(caveats, func(c string) bool {
			return strings.Contains(c, "of which the 200 that say most")
		})
	}
	id := "transcript:9c1d02e9-0000-4000-8000-000000000004:1"
	r := l.search(dir, pasted+" gantry", gitmem.Filter{})
	if !told(r.Caveats) || !slices.Contains(hitIDs(r), id) {
		t.Errorf("%v, %q", hitIDs(r), r.Caveats)
	}
	if r := l.search(dir, pasted[:1000]+" gantry", gitmem.Filter{}); told(r.Caveats) {
		t.Errorf("a shorter one: %q", r.Caveats)
	}
	if r := l.search(dir, strings.ReplaceAll(pasted, "part", "no"), gitmem.Filter{}); !told(r.Caveats) || len(r.Hits) > 0 {
		t.Errorf("of unknown words: %v, %q", hitIDs(r), r.Caveats)
	}
	a, err := l.open(dir).Ask(t.Context(), "what about "+pasted+" gantry?", gitmem.Filter{})
	if err != nil || !told(a.Caveats) {
		t.Errorf("asked: %q, %v", a.Caveats, err)
	}
}
