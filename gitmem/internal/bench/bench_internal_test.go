package bench

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPercentileAndMedian(t *testing.T) {
	t.Parallel()
	ten := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	if got := []float64{percentile(ten, 50), percentile(ten, 95), percentile(ten, 100), percentile(nil, 50), median(ten), median(ten[:3])}; !slices.Equal(got, []float64{5, 10, 10, 0, 5.5, 9}) {
		t.Errorf("got %v", got)
	}
	if !math.IsNaN(median(nil)) {
		t.Error("the median of nothing is a number")
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	one := func(v float64) *float64 { return &v }
	for _, tt := range []struct {
		name         string
		by           string
		gitmem, fts5 *float64
		want         string
	}{
		{"aim by ratio", byRatio, one(2), one(10), "aim"},
		{"limit by ratio", byRatio, one(4), one(10), "limit"},
		{"missed by ratio", byRatio, one(6), one(10), "missed"},
		{"no other side", byRatio, one(6), nil, "not measured"},
		{"the other side took no time", byRatio, one(6), one(0), "not measured"},
		{"by itself", byGitmem, one(0.2), nil, "aim"},
		{"at the limit", byGitmem, one(0.5), one(9), "limit"},
		{"nothing", byGitmem, nil, one(9), "not measured"},
	} {
		r := Row{By: tt.by, Gitmem: tt.gitmem, FTS5: tt.fts5, Limit: 0.5, Aim: 0.2}
		if r.judge(); r.Verdict != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, r.Verdict, tt.want)
		}
	}
}

// A child sees neither the user's memory nor the client's.
func TestChildrenSeeNothingOfTheUser(t *testing.T) {
	t.Parallel()
	h := home{dir: filepath.Join("x", "large"), env: []string{
		"PATH=/bin", "HOME=/home/me", "GITMEM_HOME=/home/me/m", "CLAUDE_CONFIG_DIR=/home/me/.claude", "CLAUDE_CODE_SESSION_ID=1", "XDG_CACHE_HOME=/home/me/.cache",
		"GIT_DIR=/home/me/.git", "UserProfile=C:\\me", "GOGC=100",
	}}
	env := h.environ()
	for _, e := range env {
		if strings.Contains(e, "/me/") || strings.HasSuffix(e, "\\me") || e == "HOME=/home/me" || strings.HasPrefix(e, "CLAUDE_CODE") {
			t.Errorf("a child sees %s", e)
		}
	}
	for _, want := range []string{"PATH=/bin", "GOGC=100", "CLAUDE_CONFIG_DIR=" + filepath.Join("x", "large", "client")} {
		if !slices.Contains(env, want) {
			t.Errorf("a child does not see %s: %q", want, env)
		}
	}
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	got := parseTemplate("{n}: if {x} { {id} }")
	if !slices.Equal(got.parts, []string{"", ": if {x} { ", " }"}) || !slices.Equal(got.slots, []slot{slotNoun, slotIdentifier}) {
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
		"stop": {"stop", "stops", "stopped", "stopping"}, "cache": {"cache", "caches", "cached", "caching"}, "run:ran": {"run", "runs", "ran", "running"},
		"index": {"index", "indexes", "indexed", "indexing"}, "read:read": {"read", "reads", "read", "reading"}, "commit": {"commit", "commits", "committed", "committing"},
		"show:showed": {"show", "shows", "showed", "showing"}, "agree": {"agree", "agrees", "agreed", "agreeing"}, "fix": {"fix", "fixes", "fixed", "fixing"},
	} {
		if got := conjugate(entry); got != want {
			t.Errorf("%s: %+v, want %+v", entry, got, want)
		}
	}
}
