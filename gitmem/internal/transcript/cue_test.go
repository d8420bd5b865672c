package transcript_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"One two. Three four! Five?", []string{"One two.", "Three four!", "Five?"}},
		{"A line\nthat goes on. Next", []string{"A line that goes on.", "Next"}},
		{"See e.g. Redis or v1.2.3 of it. 10 A relays.", []string{"See e.g. Redis or v1.2.3 of it.", "10 A relays."}},
		{"Call `a. B` now. Then", []string{"Call `a. B` now.", "Then"}},
		{"An `odd tick. Then", []string{"An `odd tick.", "Then"}},
		{"# Title here\nText.\n- one. Two\n- [x] three\n  goes on\n1. four", []string{"Title here", "Text.", "one.", "Two", "three goes on", "four"}},
		{"a\n```go\nx := 1. Y\n```\nb\n~~~\n```\n~~~\nc", []string{"a", "b", "c"}},
		{"a\n```\nnever closed. B", []string{"a"}},
		{"text\n\n    code. Here\n\n| a | b |\n> quoted. Words\nend", []string{"text", "end"}},
		{"継電器を選んだ。理由は？電流。", []string{"継電器を選んだ。", "理由は？", "電流。"}},
		{"It is (see above.) fine.", []string{"It is (see above.) fine."}},
		{"", nil},
	} {
		if diff := cmp.Diff(c.want, transcript.Sentences(c.in)); diff != "" {
			t.Errorf("%q: %s", c.in, diff)
		}
	}
}

// TestCues names for each sentence the list that it belongs to, as the
// assistant's words and as the user's.
func TestCues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sentence, assistant, user string }{
		{"We decided to drop Redis.", "decisions", ""},
		{"I chose SQLite because Redis was too slow.", "decisions", ""},
		{"We're going with 10 A relays.", "decisions", ""},
		{"The first approach didn't work on Windows.", "failed", ""},
		{"I reverted the change to the scheduler.", "failed", ""},
		{"It turns out the clock drifts.", "lessons", ""},
		{"Found the bug: the buffer is too short.", "bugs", "bugs"},
		{"The crash is caused by a race condition.", "bugs", "bugs"},
		{"There is no bug in the parser.", "", ""},
		{"The range test is still open.", "todos", "todos"},
		{"TODO: repeat it outdoors.", "todos", "todos"},
		{"Why did we drop Redis?", "questions", "questions"},
		{"Should the pump start at night?", "questions", "questions"},
		{"Which one was chosen?", "questions", "questions"},
		{"Can you fix the tests?", "", ""},
		{"Would you like me to go on?", "", ""},
		{"Really?", "", ""},
		{"If we decided to use Redis, it would cost more.", "", ""},
		{"Let me check what was decided.", "", ""},
		{"The `decided` flag is set here.", "", ""},
		{"The undecided cases remain as they are.", "", ""},
		{"Why " + strings.Repeat("so ", 300) + "long?", "", ""},
	} {
		for user, want := range map[bool]string{false: c.assistant, true: c.user} {
			m := transcript.Message{Role: transcript.RoleAssistant, Text: c.sentence}
			if user {
				m = transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: c.sentence}
			}
			d, _ := transcript.Summarise(messages(m, m))
			if got := lists(d); got != want {
				t.Errorf("%q (user %v): %q, want %q", c.sentence, user, got, want)
			}
		}
	}
}

// lists names the lists of a digest that hold one sentence, each once.
func lists(d transcript.Digest) string {
	var names []string
	for _, l := range []struct {
		name string
		list []transcript.Quote
	}{{"decisions", d.Quotes["decision"]}, {"failed", d.Quotes["failed"]}, {"lessons", d.Quotes["lesson"]}, {"bugs", d.Quotes["bug"]}, {"todos", d.Quotes["todo"]}, {"questions", d.Quotes["question"]}} {
		for range l.list {
			names = append(names, l.name)
		}
	}
	return strings.Join(names, " ")
}

func TestHostileTextIsSplitInLinearTime(t *testing.T) {
	t.Parallel()
	size, limit := 20_000, time.Hour
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		size, limit = 200_000, time.Minute // a quadratic search takes longer, linear work on a busy machine does not
	}
	for _, unit := range []string{". ", "A. ", "`", "` ", ".) ", "- a\n", "```\n", "1. ", "no bug ", "? ", "a.b.", "\n\n", "。"} {
		text := "`" + strings.Repeat(unit, size/len(unit)) + "`"
		start := time.Now()
		_, err := transcript.Summarise(messages(transcript.Message{Role: transcript.RoleAssistant, Text: text}))
		if took := time.Since(start); err != nil || took > limit {
			t.Errorf("%d bytes of %q took %v (%v)", size, unit, took, err)
		}
	}
}

func FuzzSummarise(f *testing.F) {
	f.Add("We decided it. Why so?\n```\ncode\n```\n- item. Next", true)
	f.Add("`a. b`. 1. x\n    y\n> z\n\n# h", false)
	f.Add("。？！\xff…", false)
	f.Fuzz(func(t *testing.T, text string, user bool) {
		m := transcript.Message{Role: transcript.RoleAssistant, Text: text, Prompt: user}
		d, err := transcript.Summarise(messages(m))
		if err != nil {
			t.Fatal(err)
		}
		whole := strings.Join(strings.Fields(text), " ")
		for intent, list := range d.Quotes {
			for _, q := range list {
				if intent == "work" {
					continue // cut, and without broken characters
				}
				if q.Text == "" || !strings.Contains(whole, q.Text) {
					t.Fatalf("%q is not in %q", q.Text, whole)
				}
			}
		}
	})
}
