package gitmem_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// newYard returns a lab whose transcripts contain text without index terms.
func newYard(t *testing.T) (*lab, string) {
	t.Helper()
	l := newLab(t)
	r := l.repo("yard")
	r.commit("2024-01-05", "Ann Lee", "crane.c", "feat: authenticate the crane operator")
	l.transcriptFile(r.dir, sessionA,
		turn{role: "user", at: "2025-03-08T14:02:00Z", text: "Grease the hyperfrobnicatorium, then compare a === b there"},
		turn{role: "assistant", at: "2025-03-08T14:03:00Z",
			text: "The hyperfrobnicatorium is greased. The token is ghp_0123456789abcdefghijABCDEFGHIJ012345."},
	)
	l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-09T14:02:00Z",
		text: "Paint the hyperfrobnicatorium"})
	return l, r.dir
}

func hitIDs(r gitmem.Results) []string {
	out := []string{}
	for _, h := range r.Hits {
		out = append(out, h.ID)
	}
	return out
}

func TestGrepFindsWhatTheIndexCannot(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	a1, a2, b1 := "transcript:"+sessionA+":1", "transcript:"+sessionA+":2", "transcript:"+sessionB+":1"
	tests := []struct {
		query string
		f     gitmem.Filter
		want  []string
	}{
		{"robnicat", gitmem.Filter{}, []string{b1, a2, a1}},
		{"robnicat -paint", gitmem.Filter{}, []string{a2, a1}},
		{"ROBNICAT greas", gitmem.Filter{}, []string{a2, a1}},
		{"robnicat", gitmem.Filter{Limit: 1}, []string{b1}},
		{"robnicat", gitmem.Filter{Since: "2025-03-09"}, []string{b1}},
		{"robnicat role:assistant", gitmem.Filter{}, []string{a2}},
		{"robnicat session:" + sessionA[:8], gitmem.Filter{}, []string{a2, a1}},
		{"robnicat", gitmem.Filter{Layer: "team"}, []string{}},
		{"robnicat", gitmem.Filter{Project: "elsewhere"}, []string{}},
		{"robnicat", gitmem.Filter{AsOf: "2025-03-08"}, []string{a2, a1}},
		{"===", gitmem.Filter{}, []string{a1}},
		{"56789abcdefghij", gitmem.Filter{}, []string{}},
	}
	m := l.open(dir)
	for _, tt := range tests {
		r := l.search(dir, tt.query, tt.f)
		equal(t, tt.query, tt.want, hitIDs(r))
		if told := strings.Contains(strings.Join(r.Fallbacks, "\n"), "raw transcripts:"); tt.query != "===" &&
			len(tt.want) > 0 && !told {
			t.Errorf("%s: the fallback is not told: %q", tt.query, r.Fallbacks)
		}
		for _, h := range r.Hits {
			src, err := m.Shown(t.Context(), h.ID, gitmem.ShowOptions{})
			if err != nil || !strings.Contains(src.Text, h.Excerpt) || h.Excerpt == "" {
				t.Errorf("%s: %s shows %q, %v; the excerpt is %q", tt.query, h.ID, src.Text, err, h.Excerpt)
			}
		}
	}
	if text := asJSON(t, l.search(dir, "robnicat", gitmem.Filter{})); strings.Contains(text, "ghp_") {
		t.Errorf("a secret is shown: %s", text)
	}
}

// The index contains both ends of a long result; the middle is searched literally. gitmem's own answers are not
// searched.
func TestGrepReadsResults(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	file := l.transcriptFile(dir, sessionA, turn{role: "user", at: "2025-03-08T14:02:00Z", text: "Run it"})
	for i, command := range []string{"make crane", "gitmem search crane"} {
		id := fmt.Sprintf("toolu_%d", i)
		call := map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": command}}
		result := map[string]any{"type": "tool_result", "tool_use_id": id, "content": strings.Repeat("all is well\n", 500) +
			fmt.Sprintf("winch.overrun==%d\n", 70+i) + strings.Repeat("all is well\n", 500)}
		for _, role := range []string{"assistant", "user"} {
			content := map[string]any{"assistant": call, "user": result}[role]
			rec := map[string]any{"type": role, "uuid": id + role, "sessionId": sessionA, "timestamp": "2025-03-08T14:05:00Z",
				"cwd": dir, "message": map[string]any{"role": role, "content": []any{content}}}
			l.appendTo(file, asJSON(t, rec)+"\n")
		}
	}
	r := l.search(dir, "inch.overrun==7", gitmem.Filter{})
	if len(r.Hits) != 1 || !strings.Contains(r.Hits[0].Excerpt, "winch.overrun==70") || r.Hits[0].Type != "result" {
		t.Fatalf("%s", asJSON(t, r))
	}
	if src, err := l.open(dir).Shown(t.Context(), r.Hits[0].ID, gitmem.ShowOptions{}); err != nil ||
		!strings.Contains(src.Text, r.Hits[0].Excerpt) {
		t.Errorf("%s shows %.80q, %v", r.Hits[0].ID, src.Text, err)
	}
}

func TestGrepLeavesOutWhatFeedsDo(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	l.with(dir, func(m *gitmem.Memory) error {
		_, err := m.Init(t.Context())
		return err
	})
	l.forget(dir, false, "transcript:"+sessionA+":1")
	equal(t, "without a forgotten line", []string{"transcript:" + sessionB + ":1", "transcript:" + sessionA + ":2"},
		hitIDs(l.search(dir, "robnicat", gitmem.Filter{})))
	l.configure("exclude: ['" + dir + "']\n")
	equal(t, "from an excluded folder", []string{}, hitIDs(l.search(dir, "robnicat", gitmem.Filter{Project: "all"})))
}

func TestNearestWords(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	for query, want := range map[string]string{
		"authentcate operator": "Did you mean authenticate?", // a typing error
		"authneticate":         "Did you mean authenticate?", // two letters swapped
		"hyperfrob":            "",                           // found literally, often enough
		"authe":                "Did you mean authenticate?", // a prefix
		"zyzzyva":              "",
	} {
		r := l.search(dir, query, gitmem.Filter{})
		if got := strings.Join(r.Suggestions, "\n"); want != "" && !strings.Contains(got, want) || want == "" &&
			strings.Contains(got, "Did you mean") {
			t.Errorf("%s: suggestions %q, want %q", query, r.Suggestions, want)
		}
		if want != "" && (len(r.Hits) == 0 || !strings.Contains(r.Hits[len(r.Hits)-1].Title, "authenticate")) {
			t.Errorf("%s: hits %v", query, hitIDs(r))
		}
	}
	if r := l.search(dir, "crane", gitmem.Filter{}); len(r.Hits) != 1 || len(r.Fallbacks)+len(r.Suggestions) != 0 {
		t.Errorf("a word that is held has fallbacks %q, %q", r.Fallbacks, r.Suggestions)
	}
}

func TestClarification(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	tests := []struct {
		query string
		f     gitmem.Filter
		want  string
	}{
		{"crane", gitmem.Filter{Since: "2025-01-01"}, "1 hit without --since 2025-01-01"},
		{"crane since:2025-01-01", gitmem.Filter{}, "1 hit without since:2025-01-01"},
		{"crane since 2025", gitmem.Filter{}, "1 hit without since 2025"},
		{"crane author:bob", gitmem.Filter{}, "1 hit without author:bob"},
		{"crane -operator", gitmem.Filter{}, "1 hit without -operator"},
		{"crane +zorvax", gitmem.Filter{}, "1 hit without +zorvax"},
		{`"operator crane"`, gitmem.Filter{}, `1 hit without the quotes of "operator crane"`},
		{"paint layer:team", gitmem.Filter{}, "1 hit without layer:team"},
		{"zorvax since:2025-03-09", gitmem.Filter{}, "Session of 2025-03-09: Paint the hyperfrobnicatorium (transcript:" +
			sessionB + ":1)"},
		{"zorvax", gitmem.Filter{}, "Try fewer or other words"},
	}
	for _, tt := range tests {
		r := l.search(dir, tt.query, tt.f)
		if len(r.Hits) > 0 || !slices.Contains(r.Suggestions, tt.want) &&
			!strings.HasPrefix(strings.Join(r.Suggestions, "\n"), tt.want) {
			t.Errorf("%s %+v: %d hits, suggestions %q, want %q", tt.query, tt.f, len(r.Hits), r.Suggestions, tt.want)
		}
	}
}

// The findings of fallbacks are shown to the caller, but are not an answer.
func TestFallbacksOfAsk(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	for q, want := range map[string]string{
		"what about robnicat?": "Not verified, found letter by letter only: Paint the " +
			"hyperfrobnicatorium (transcript:" + sessionB + ":1)",
		"who may authentcate?":                        "Did you mean authenticate?",
		"why does the crane lift author:bob":          "1 hit without author:bob",
		"what did we do with the zorvax last week?":   "Session of 2025-03-09: Paint the hyperfrobnicatorium",
		"why did we paint the crane of the zorvaxen?": "Nothing holds \"zorvaxen\"",
	} {
		a := l.ask(dir, q, gitmem.Filter{})
		isEvidence := func(c gitmem.Citation) bool { return c.Role != "lead" }
		if a.Confidence != gitmem.None || slices.ContainsFunc(a.Citations, isEvidence) ||
			!strings.HasPrefix(a.Answer, "Not recorded") {
			t.Errorf("%s is answered: %s", q, describe(a))
		}
		if got := strings.Join(a.Suggestions, "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: suggestions %q, want %q", q, a.Suggestions, want)
		}
		if len(a.Fallbacks) == 0 {
			t.Errorf("%s: no fallback is told", q)
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	r := l.search(dir, `the crane +operator -boat "crane operator" author:ann since 2020`,
		gitmem.Filter{Layer: "team", Explain: true})
	if r.Explain == nil || len(r.Hits) != 1 {
		t.Fatalf("%s", asJSON(t, r))
	}
	e := *r.Explain
	equal(t, "phrases", []string{"crane operator"}, e.Phrases)
	equal(t, "required", []string{"operator"}, e.Required)
	equal(t, "excluded", []string{"boat"}, e.Excluded)
	equal(t, "filters", []string{"author:ann", "--layer team"}, e.Filters)
	equal(t, "stop words", []string{"the"}, e.StopWords)
	equal(t, "time", "only since 2020-01-01", e.Time)
	if len(e.Terms) != 2 || e.Terms[0].Term != "crane" || e.Terms[0].Docs != 1 {
		t.Errorf("terms %v", e.Terms)
	}
	why := strings.Join(r.Hits[0].Why, "\n")
	for _, want := range []string{"holds crane, oper", "its title: crane, oper", "its paths: crane",
		"place by strategy: direct 1", "phrases were checked"} {
		if !strings.Contains(why, want) {
			t.Errorf("%q lacks %q", why, want)
		}
	}
	a := l.ask(dir, "who greased the hyperfrobnicatorium?", gitmem.Filter{Explain: true})
	if a.Explain == nil || len(a.Explain.Terms) == 0 {
		t.Errorf("no explanation of an answer: %s", asJSON(t, a))
	}
	if r, a := l.search(dir, "crane", gitmem.Filter{}), l.ask(dir, "crane", gitmem.Filter{}); r.Explain != nil ||
		r.Hits[0].Why != nil || a.Explain != nil {
		t.Error("explained without being asked")
	}
}

// An unknown word is reported beside the hits of the others, and a filter that nothing passes is not tried on every
// line.
func TestUnheldWords(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	r := l.search(dir, "crane zyzzyva", gitmem.Filter{})
	want := `Nothing holds "zyzzyva"; leave it out, or say it in other words. Recorded are "crane".`
	if len(r.Hits) == 0 || !slices.Contains(r.Suggestions, want) {
		t.Errorf("%s", asJSON(t, r))
	}
	for _, q := range []string{"paint author:bob", "robnicat author:bob"} {
		if r := l.search(dir, q, gitmem.Filter{}); strings.Contains(strings.Join(r.Fallbacks, "\n"), "raw transcripts") {
			t.Errorf("%s: fallbacks %q", q, r.Fallbacks)
		}
	}
	for _, role := range []string{"error", "thinking", "plan", "todo", "title", "prompt", "result"} {
		if r := l.search(dir, "paint role:"+role, gitmem.Filter{}); len(r.Hits) > 0 {
			t.Errorf("role:%s has %v", role, hitIDs(r))
		}
	}
}
