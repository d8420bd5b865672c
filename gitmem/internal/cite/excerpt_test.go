package cite_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

func TestQuotes(t *testing.T) {
	t.Parallel()
	text := `# Heading

The relay is wired to pin 4. It clicks
twice, e.g. at boot, because of v1.2 of the driver. See below.

- measure the inrush
- - -

` + "```\ncode is never quoted.\n```\n" + `
---
Last words`
	var got []string
	var lines []int
	for _, q := range cite.Quotes(text, 10, 200, func(string) float64 { return 1 }) {
		got, lines = append(got, q.Text), append(lines, q.Line)
	}
	want := []string{"The relay is wired to pin 4.", "It clicks twice, e.g. at boot, because of v1.2 of the driver.",
		"See below.", "measure the inrush", "Last words"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("passages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{3, 3, 4, 6, 14}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestQuotesOrderByWeight(t *testing.T) {
	t.Parallel()
	got := cite.Quotes("One. Two two. Three two two two.", 2, 100, func(p string) float64 {
		return float64(strings.Count(p, "wo"))
	})
	if len(got) != 2 || got[0].Text != "Three two two two." || got[1].Text != "Two two." {
		t.Errorf("got %v", got)
	}
}

// A text without any sentence end is quoted from near the match.
func TestQuotesOfAnEndlessSentence(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("so on and ", 10_000) + "the relay clicks " + strings.Repeat("and so on ", 10_000)
	heaviest := 0
	got := cite.Quotes(text, 1, len(text), func(p string) float64 {
		heaviest = max(heaviest, len(p))
		return float64(strings.Count(p, "relay"))
	})
	if len(got) != 1 || heaviest > 17<<10 || !strings.Contains(got[0].Text, "the relay clicks") {
		t.Errorf("%d quotes of passages of up to %d bytes", len(got), heaviest)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, excerpt string
		line                int
		status              answer.Status
		now                 int
	}{
		{"where it was", "a\nthe relay clicks\nb", "the relay clicks", 2, answer.StatusHolds, 2},
		{"wrapped", "a\nthe relay\n  clicks twice\nb", "relay clicks", 2, answer.StatusHolds, 2},
		{"moved", "new\nnew\nthe relay clicks\n", "the relay clicks", 1, answer.StatusMoved, 3},
		{"behind blank lines", "a\n\n\nthe relay clicks\n", "the relay clicks", 4, answer.StatusHolds, 4},
		{"gone", "nothing here", "the relay clicks", 1, answer.StatusGone, 1},
		{"nothing quoted", "text", " ", 1, answer.StatusGone, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, line := cite.Check(tt.text, tt.excerpt, tt.line)
			if status != tt.status || line != tt.now {
				t.Errorf("Check = %s, %d; want %s, %d", status, line, tt.status, tt.now)
			}
		})
	}
}

// FuzzQuotes checks that excerpts are verbatim: every quote occurs in its text.
func FuzzQuotes(f *testing.F) {
	f.Add("One. Two.\n- three\n\n```\nx\n```\nvier fünf。六", 20)
	f.Add("a\x00b. \xff\xfe C", 3)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		for _, q := range cite.Quotes(text, 5, limit, func(string) float64 { return 1 }) {
			if strings.TrimSpace(q.Text) == "" {
				continue
			}
			if status, line := cite.Check(text, q.Text, q.Line); status == answer.StatusGone {
				t.Errorf("%q, quoted from line %d, is not found again (line %d)", q.Text, q.Line, line)
			}
		}
	})
}

// TestCutQuote: a quote shows whether its passage continues.
func TestCutQuote(t *testing.T) {
	t.Parallel()
	text := "Carry ten ampere.\n\nThe pump draws seven ampere when it starts to move water.\n"
	for _, q := range []cite.Quote{cite.Lead(text, 12), cite.Paragraph(text, 30, func(string) bool {
		return true
	}), cite.Quotes(text, 1, 30, func(p string) float64 { return float64(len(p)) })[0]} {
		if status, _ := cite.Check(text, q.Text, q.Line); !q.Cut || status != answer.StatusHolds {
			t.Errorf("%+v: %s", q, status)
		}
		if c := (answer.Citation{Excerpt: q.Text, Cut: q.Cut}); c.Quoted() != q.Text+" …" {
			t.Errorf("%q", c.Quoted())
		}
	}
	if q := cite.Lead(text, 200); q.Cut {
		t.Errorf("%+v", q)
	}
}
