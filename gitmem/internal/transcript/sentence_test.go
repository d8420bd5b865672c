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
		{"# Title here\nText.\n- one. Two\n- [x] three\n  goes on\n1. four", []string{"Title here", "Text.", "one.", "Two",
			"three goes on", "four"}},
		{"a\n```go\nx := 1. Y\n```\nb\n~~~\n```\n~~~\nc", []string{"a", "b", "c"}},
		{"a\n```\nnever closed. B", []string{"a"}},
		{"text\n\n    code. Here\n\n| a | b |\n> quoted. Words\nend", []string{"text", "end"}},
		{"継電器を選んだ。理由は？電流。", []string{"継電器を選んだ。", "理由は？", "電流。"}},
		{"It is (see above.) fine.", []string{"It is (see above.) fine."}},
		{"", nil},
	} {
		if diff := cmp.Diff(c.want, transcript.SentencesOf(c.in)); diff != "" {
			t.Errorf("%q: %s", c.in, diff)
		}
	}
}

func TestHostileTextIsSplitInLinearTime(t *testing.T) {
	t.Parallel()
	size, limit := 20_000, time.Hour
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		size, limit = 200_000, time.Minute // a quadratic search takes longer, linear work on a busy machine does not
	}
	for _, unit := range []string{". ", "A. ", "`", "` ", ".) ", "- a\n", "```\n", "1. ", "no bug ", "? ", "a.b.",
		"\n\n", "。"} {
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
					continue // truncated, and without broken characters
				}
				if q.Text == "" || !strings.Contains(whole, q.Text) {
					t.Fatalf("%q is not in %q", q.Text, whole)
				}
			}
		}
	})
}
