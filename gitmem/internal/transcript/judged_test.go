package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// judgement is a session and what a person would keep of it, by category.
type judgement struct {
	name string
	msgs []transcript.Message
	want map[string][]string
}

// judged reads the sessions of testdata/judged.txt.
func judged(t testing.TB) []judgement {
	t.Helper()
	var all []judgement
	for line := range strings.Lines(testdata(t, "judged.txt")) {
		key, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		switch {
		case key == "" || key == "#":
		case key == "==":
			all = append(all, judgement{name: text, want: map[string][]string{}})
		case key == "user:":
			j := &all[len(all)-1]
			j.msgs = append(j.msgs, transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: text, Line: len(j.msgs) + 1})
		case key == "agent:":
			j := &all[len(all)-1]
			j.msgs = append(j.msgs, transcript.Message{Role: transcript.RoleAssistant, Text: text, Line: len(j.msgs) + 1})
		default:
			j := &all[len(all)-1]
			j.want[strings.TrimSuffix(key, ":")] = append(j.want[strings.TrimSuffix(key, ":")], text)
		}
	}
	return all
}

// score counts what was found of a category, what was wrong and what is missing.
type score struct{ right, wrong, missing int }

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(1, s.right+s.missing)) }

// TestJudgedSessions holds the digests of realistic sessions against a person's
// judgement. A false decision stands in the archive for good: there must be few.
func TestJudgedSessions(t *testing.T) {
	t.Parallel()
	scores := map[string]*score{"decision": {}, "failed": {}, "bug": {}, "lesson": {}, "todo": {}}
	var all score
	for _, j := range judged(t) {
		d, err := transcript.Summarise(messages(j.msgs...))
		if err != nil {
			t.Fatal(err)
		}
		for category, s := range scores {
			got := d.Quotes[category]
			left := append([]string{}, j.want[category]...)
			for _, q := range got {
				if i := begins(left, q.Text); i >= 0 {
					left[i] = "\x00"
					s.right++
					continue
				}
				s.wrong++
				t.Logf("%s: wrong %s: %q", j.name, category, q.Text)
			}
			for _, text := range left {
				if text != "\x00" {
					s.missing++
					t.Logf("%s: missing %s: %q", j.name, category, text)
				}
			}
		}
	}
	for category, s := range scores {
		all = score{all.right + s.right, all.wrong + s.wrong, all.missing + s.missing}
		t.Logf("%-8s %2d right, %d wrong, %d missing: precision %.2f, recall %.2f", category, s.right, s.wrong, s.missing, s.precision(), s.recall())
	}
	figures := fmt.Sprintf("all: precision %.2f, recall %.2f", all.precision(), all.recall())
	t.Log(figures)
	if scores["decision"].precision() < 0.9 || all.precision() < 0.9 || all.recall() < 0.8 {
		t.Errorf("decisions: precision %.2f; %s", scores["decision"].precision(), figures)
	}
}

func begins(list []string, text string) int {
	for i, want := range list {
		if strings.HasPrefix(text, want) {
			return i
		}
	}
	return -1
}
