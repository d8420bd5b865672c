package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// unit returns an idea of a day, with a relation to another idea, or "".
func unit(id, intent string, day int, kind, to string) cite.Unit {
	u := cite.Unit{ID: "idea:" + id, Source: string(cite.KindIdea), Intent: intent, Text: intent + " " + id,
		Time: time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC)}
	if to != "" {
		u.Relations = []markdown.Relation{{Kind: kind, Target: "#^" + to}}
	}
	return u
}

// TestState: later ideas of the same project determine the state of an idea, and an idea that is raised again in the
// same words is open again.
func TestState(t *testing.T) {
	t.Parallel()
	g := graph.New()
	g.Add(cite.File{Project: "a"}, []cite.Unit{
		unit("i-todo", "todo", 1, "", ""), unit("i-old", "decision", 1, "", ""),
		unit("i-done", "solution", 2, "answers", "i-todo"),
		unit("i-new", "decision", 3, "supersedes", "i-old"), unit("i-todo", "todo", 4, "", ""),
		unit("i-asked", "question", 4, "", ""),
	})
	g.Add(cite.File{Project: "b"}, []cite.Unit{unit("i-other", "conclusion", 5, "answers", "i-asked")})
	want := []string{"done", "superseded", "", "", "open", "open", ""}
	for n, i := range g.Ideas {
		if state, _ := g.State(i); state != want[n] {
			t.Errorf("%s of %v: %q, want %q", i.ID, i.Time, state, want[n])
		}
	}
}

// TestAsOf: an idea that was replaced later is in force on an earlier day, on which later ideas and the task list do
// not exist.
func TestAsOf(t *testing.T) {
	t.Parallel()
	g := graph.New()
	g.Add(cite.File{Project: "a"}, []cite.Unit{
		unit("i-old", "decision", 1, "", ""), unit("i-asked", "question", 2, "", ""),
		unit("i-new", "decision", 3, "supersedes", "i-old"),
		unit("i-done", "conclusion", 4, "answers", "i-asked"), {ID: "task:relay", Source: string(cite.KindTask),
			Text: "Order the relay"},
	})
	for day, want := range map[int]string{0: "", 2: " open", 3: "superseded open ", 4: "superseded answered  "} {
		var states []string
		past := g.AsOf(time.Date(2026, 11, day, 23, 0, 0, 0, time.UTC))
		for _, i := range past.Ideas {
			state, _ := past.State(i)
			states = append(states, state)
		}
		if got := strings.Join(states, " "); got != want {
			t.Errorf("on day %d: %q, want %q", day, got, want)
		}
	}
}

// TestReplaced: a decision replaces an older one about the thing that it drops, and no later one, in whatever order
// they are archived.
func TestReplaced(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 11, n, 9, 0, 0, 0, time.UTC) }
	k := graph.NewKnown()
	k.Add(graph.Node{ID: "i-slog", Intent: "decision", Text: "We use slog for logging", Session: "s1", Time: day(2)})
	k.Add(graph.Node{ID: "i-tabs", Intent: "decision", Text: "Tabs in the configuration", Session: "s1", Time: day(2)})
	for _, tt := range []struct {
		text string
		day  int
		want int
	}{
		{"We switched from slog to zerolog", 3, 1},
		{"We switched from slog to zerolog", 1, 0},
		{"slog gets a handler for zerolog", 3, 0},
		{"Out with slog", 3, 1},
		{"zerolog instead of slog, since it allocates less", 3, 1},
		{"zerolog instead of slog handlers that allocate", 3, 0},
		{"slog goes", 3, 1},
		{"slog goes into every package", 3, 0},
		{"We don't use slog any more", 3, 1},
		{"We must drop slog", 3, 1},
		{"We do not drop slog", 3, 0},
		{"slog is not gone", 3, 0},
		{"We could drop slog for zerolog", 3, 0},
		{"We drop slog if zerolog is faster", 3, 0},
		{"The README says: out with slog", 3, 0},
		{"The docs claim zerolog replaces slog", 3, 0},
		{"Wir ersetzen slog nicht", 3, 0},
		{"Wir ersetzen slog, es hat nicht gereicht", 3, 1},
	} {
		if old := k.Replaced(graph.Node{ID: "i-x", Intent: "decision", Text: tt.text, Session: "s2",
			Time: day(tt.day)}); len(old) != tt.want {
			t.Errorf("%q on day %d replaces %d decisions, want %d", tt.text, tt.day, len(old), tt.want)
		}
	}
}

// TestReplacedNames: words that sessions of one language often name are not treated as insignificant.
func TestReplacedNames(t *testing.T) {
	t.Parallel()
	for old, now := range map[string]string{
		"We use 5 A relays on the pump board.": "We switched from 5 A relays to 10 A relays.",
		"Results are stored in SQLite.":        "We changed from SQLite to DuckDB.",
		"Sessions are cached in Redis.":        "memcached instead of Redis",
	} {
		k := graph.NewKnown()
		for _, text := range []string{"Tabs in the configuration", "Buckets go to Postgres",
			"Green paint for the board", old} {
			k.Add(graph.Node{ID: text, Intent: "decision", Text: text, Session: "s1"})
		}
		if list := k.Replaced(graph.Node{ID: "i-x", Intent: "decision", Text: now, Session: "s2"}); len(list) != 1 ||
			list[0].ID != old {
			t.Errorf("%q replaces %d decisions, not %q alone", now, len(list), old)
		}
	}
}

// TestReplacedUnclear: a word of more than two decisions, or of decisions of two sessions, identifies none.
func TestReplacedUnclear(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sessions []string // of decisions that name the dropped thing
		want     int
	}{
		{[]string{"s1", "s1"}, 2},
		{[]string{"s1", "s1", "s1"}, 0},
		{[]string{"s1", "s2"}, 0},
	} {
		k := graph.NewKnown()
		for _, text := range []string{"Tabs in the configuration", "The pump gets ten ampere relays",
			"Buckets go to Postgres", "Green paint for the board"} {
			k.Add(graph.Node{ID: text, Intent: "decision", Text: text, Session: "s0"})
		}
		for i, s := range tt.sessions {
			text := []string{"We use slog for logging", "slog in the tests", "slog writes JSON"}[i]
			k.Add(graph.Node{ID: text, Intent: "decision", Text: text, Session: s})
		}
		if got := k.Replaced(graph.Node{ID: "i-x", Intent: "decision", Text: "Out with slog",
			Session: "s3"}); len(got) != tt.want {
			t.Errorf("of decisions of %v %d are replaced, want %d", tt.sessions, len(got), tt.want)
		}
	}
}

// TestFollow: adding ideas day by day and all at once has the same result, and a trial run leaves no trace.
func TestFollow(t *testing.T) {
	t.Parallel()
	units := []cite.Unit{
		unit("i-todo", "todo", 1, "", ""), unit("i-old", "decision", 1, "", ""), unit("i-kept", "problem", 1, "", ""),
		unit("i-done", "solution", 2, "answers", "i-todo"),
		unit("i-new", "decision", 3, "supersedes", "i-old"), unit("i-todo", "todo", 4, "", ""),
		unit("i-asked", "question", 5, "relates_to", "i-kept"),
	}
	standing := func(k *graph.Known) (ids string) {
		for _, n := range k.Standing() {
			ids += n.ID + " "
		}
		return ids
	}
	whole, days := graph.New(), graph.NewKnown()
	whole.Add(cite.File{Project: "a"}, units)
	for _, u := range units {
		reset := days.Mark()
		for _, other := range units {
			tried := graph.New()
			tried.Add(cite.File{Project: "a"}, []cite.Unit{other, unit("i-tried", "todo", 9, "supersedes", "i-kept")})
			days.Follow(tried)
		}
		reset()
		day := graph.New()
		day.Add(cite.File{Project: "a"}, []cite.Unit{u})
		days.Follow(day)
	}
	if got, want := standing(days), standing(whole.Known("a")); got != want || want != "i-kept i-new i-todo i-asked " {
		t.Errorf("day by day %q stand, at once %q", got, want)
	}
}

// TestAnswers: a sentence that answers a question is worth keeping by itself, and a sentence of another session that
// only shares a word with the question does not answer it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const asked = "Open question: do we want JSON logs in production?"
	for _, tt := range []struct {
		said    string
		sure    float64
		session string
		want    int
	}{
		{"ops answered: json logs in production, text in dev", 0.6, "s1", 1},
		{"ops answered: json logs in production, text in dev", 0.6, "s2", 1},
		{"ops answered: json logs in production, text in dev", 0.1, "s1", 0},
		{"Answer: production gets text", 0.6, "s1", 1},
		{"Answer: production gets text", 0.6, "s2", 0},
	} {
		k := graph.NewKnown()
		k.Add(graph.Node{ID: "i-json", Intent: "question", Text: asked, Session: "s1", Line: 1})
		k.Hear([]transcript.Quote{{Text: "the limiter forgets its state on every deploy"},
			{Text: "put them in postgres, we have no redis"}, {Text: "the pump draws seven ampere"},
			{Text: "all logs go to the middleware"}})
		if got := k.Answers(tt.session, []transcript.Quote{{Line: 2, Text: tt.said, Sure: tt.sure}},
			sureOf); len(got) != tt.want {
			t.Errorf("%q in %s: %d answers, want %d", tt.said, tt.session, len(got), tt.want)
		}
	}
}

// TestAnswersAssertion: a task is closed only by a sentence that asserts it, in the same session and in a later one,
// whatever other sentences share its words.
func TestAnswersAssertion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said string
		want int
	}{
		{"I measured the inrush current: it is twelve ampere, so we need an NTC", 1},
		{"TODO done: measured the inrush current", 1},
		{"I measured the inrush current.", 1},
		{"We failed to measure the inrush current with the clamp meter", 0},
		{"As soon as the inrush current is measured with the clamp meter, we can order", 0},
		{"The inrush current was almost measured with the clamp meter", 0},
		{"I measured the inrush current, so that we must replace the fuse", 1},
		{"The inrush current must still be measured.", 0},
		{"The inrush current was not measured with the clamp meter.", 0},
		{"It turned out that we cannot measure the inrush current with the clamp meter", 0},
		{"We should measure the inrush current with the clamp meter", 0},
		{"I'll measure the inrush current with the clamp meter tomorrow", 0},
		{"If the inrush current is measured with the clamp meter, we can order", 0},
		{"The README says the inrush current was measured with a clamp meter", 0},
		{"According to the ticket the inrush current was measured with a clamp meter", 0},
		{`The ticket: "measured the inrush current with the clamp meter"`, 0},
	} {
		for _, session := range []string{"s1", "s2"} {
			k := graph.NewKnown()
			k.Add(graph.Node{ID: "i-inrush", Intent: "todo", Text: "TODO: measure the inrush current with the clamp meter.",
				Session: "s1", Line: 1})
			k.Hear([]transcript.Quote{{Text: "the limiter forgets its state on every deploy"},
				{Text: "put them in postgres, we have no redis"}, {Text: "the pump draws seven ampere"},
				{Text: "all logs go to the middleware"}})
			if got := k.Answers(session, []transcript.Quote{{Line: 2, Text: tt.said, Sure: 0.6}}, sureOf); len(got) != tt.want {
				t.Errorf("%q in %s: %d answers, want %d", tt.said, session, len(got), tt.want)
			}
		}
	}
}

func sureOf(q transcript.Quote) float64 { return q.Sure }
