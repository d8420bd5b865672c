package main

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPercentileAndMedian(t *testing.T) {
	t.Parallel()
	ten := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	if got := []float64{percentile(ten, 50), percentile(ten, 95), percentile(ten, 100), percentile(nil, 50), median(ten),
		median(ten[:3])}; !slices.Equal(got, []float64{5, 10, 10, 0, 5.5, 9}) {
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
		r := row{By: tt.by, Gitmem: tt.gitmem, FTS5: tt.fts5, Limit: 0.5, Aim: 0.2}
		if r.judge(); r.Verdict != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, r.Verdict, tt.want)
		}
	}
}

// A child process sees neither the user's memory nor the client's.
func TestChildrenSeeNothingOfTheUser(t *testing.T) {
	t.Parallel()
	h := home{dir: filepath.Join("x", "large"), env: []string{
		"PATH=/bin", "HOME=/home/me", "GITMEM_HOME=/home/me/m", "CLAUDE_CONFIG_DIR=/home/me/.claude",
		"CLAUDE_CODE_SESSION_ID=1", "XDG_CACHE_HOME=/home/me/.cache",
		"GIT_DIR=/home/me/.git", "UserProfile=C:\\me", "GOGC=100",
	}}
	env := h.environ()
	for _, e := range env {
		if strings.Contains(e, "/me/") || strings.HasSuffix(e, "\\me") || e == "HOME=/home/me" ||
			strings.HasPrefix(e, "CLAUDE_CODE") {
			t.Errorf("a child sees %s", e)
		}
	}
	for _, want := range []string{"PATH=/bin", "GOGC=100", "CLAUDE_CONFIG_DIR=" + filepath.Join("x", "large", "client")} {
		if !slices.Contains(env, want) {
			t.Errorf("a child does not see %s: %q", want, env)
		}
	}
}
