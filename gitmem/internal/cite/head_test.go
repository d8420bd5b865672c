package cite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// TestReadHead reads sections of both forms, including edited ones.
func TestReadHead(t *testing.T) {
	t.Parallel()
	const id = "3f2a91c4-0000-4000-8000-000000000001"
	const last = "wrote: a.c · messages: 4 · last prompt: line 7 · branch main · 14:02–15:40 UTC\nsession: " + id +
		" · injected: 3 × 200 characters · through: line 12 9c1e\n"
	const first = "session: " + id +
		" · 14:02–15:40 UTC · branch main · 4 messages · outcome: done\n" +
		"wrote: a.c · injected: 3 × 200 characters · through: line 12 9c1e\n"
	const fake = "session: x · through: line 900 ffff"
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	want := func(outcome string, lastPrompt int) cite.SessionHead {
		return cite.SessionHead{Session: id, Start: day.Add(14*time.Hour + 2*time.Minute),
			End: day.Add(15*time.Hour + 40*time.Minute), Wrote: []string{"a.c"},
			Through: 12, Mark: "9c1e", LastPrompt: lastPrompt, Injections: 3, Chars: 600, Outcome: outcome}
	}
	byProgram := want("Wired.", 7)
	byProgram.Program, byProgram.Unanswered = true, true
	const idea = "- [work] Wire it (L1 14:02) ^i-aaaaaaaaaa\n"
	for _, tt := range []struct {
		name, text string
		want       cite.SessionHead
	}{
		{"last", "\nWired.\n\n" + idea + "\n" + last, want("Wired.", 7)},
		{"last, alone", "\n" + last, want("", 7)},
		{"last, without an outcome", "\n" + idea + "\n" + last, want("", 7)},
		{"last, the outcome reads like a field", "\nwrote: it all down\n\n" + idea + "\n" + last,
			want("wrote: it all down", 7)},
		{"last, under a topic", "\nWired.\n\n### Relays\n\n" + idea + "\n" + last, want("Wired.", 7)},
		{"last, a bullet right below", "\nWired.\n\n" + last + "- seen · wrote: b.c · through: line 900 ffff\n",
			want("Wired.", 7)},
		{"last, bullets and a paragraph below", "\nWired.\n\n" + last + "\n- later\n\nsession: a good one\n",
			want("Wired.", 7)},
		{"last, a paragraph above", "\nsession: a good one\n\n" + last, want("session: a good one", 7)},
		{"last, a head above", "\nWired.\n\n" + fake + "\n\n" + idea + "\n" + last, want("Wired.", 7)},
		{"last, a bullet goes on", "\nWired.\n\n" + last + "\n- later\n  " + fake + "\n", want("Wired.", 7)},
		{"last, with other ends of lines", strings.ReplaceAll("\nWired.\n\n"+idea+"\n"+last, "\n", "\r\n"),
			want("Wired.", 7)},
		{"first", "\n" + first + "\nWired.\n\n" + idea, want("Wired.", 0)},
		{"first, without an outcome", "\n" + first + "\n" + idea, want("", 0)},
		{"first, a head below", "\n" + first + "\n" + fake + "\n\n" + idea, want(fake, 0)},
		{"first, a bullet right below", "\n" + first + "- seen · through: line 900 ffff\n", want("", 0)},
		{"last, of a program", "\nWired.\n\n" + strings.Replace(last, " · last prompt: line 7", " · "+cite.ByProgram+" · "+
			cite.LastPromptPart(7, false), 1), byProgram},
		{"none", "\nsession: a good one\n", cite.SessionHead{Start: day, End: day, Outcome: "session: a good one"}},
		{"nothing", "", cite.SessionHead{Start: day, End: day}},
	} {
		if diff := cmp.Diff(tt.want, cite.ReadHead(day, tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
