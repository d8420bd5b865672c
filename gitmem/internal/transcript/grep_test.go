package transcript_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func said(role, content string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":"u","sessionId":"s","message":{"role":%q,"content":%s}}`, role, role, content) +
		"\n"
}

func grepped(t *testing.T, file string, texts ...string) []string {
	t.Helper()
	out := []string{}
	err := transcript.Grep(t.Context(), strings.NewReader(file), texts, func(m transcript.Message) bool {
		out = append(out, fmt.Sprintf("%d %s", m.Line, m.Text))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGrep(t *testing.T) {
	t.Parallel()
	file := said("user", `"Grease the Crane"`) + "\n{broken crane\n" +
		said("assistant", `[{"type":"text","text":"a \u0026\u0026 b, \"crane\""}]`) +
		said("user", `"ÜBER the crane"`) + strings.TrimSuffix(said("user", `"the last crane"`), "\n")
	tests := []struct {
		texts []string
		want  []string
	}{
		{[]string{"CRANE"}, []string{"1 Grease the Crane", `4 a && b, "crane"`, "5 ÜBER the crane", "6 the last crane"}},
		{[]string{"crane", "grease"}, []string{"1 Grease the Crane"}},
		{[]string{"&&"}, []string{"1 Grease the Crane", `4 a && b, "crane"`, "5 ÜBER the crane", "6 the last crane"}},
		{[]string{"über the"}, []string{"5 ÜBER the crane"}},
		{[]string{`"crane`}, []string{"1 Grease the Crane", `4 a && b, "crane"`, "5 ÜBER the crane", "6 the last crane"}},
		{[]string{"zorvax"}, []string{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, grepped(t, file, tt.texts...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.texts, diff)
		}
	}
	n := 0
	err := transcript.Grep(t.Context(), strings.NewReader(file), []string{"crane"}, func(transcript.Message) bool {
		n++
		return false
	})
	if err != nil || n != 1 {
		t.Errorf("%d messages after the first was enough, %v", n, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := transcript.Grep(ended, strings.NewReader(file), nil, func(transcript.Message) bool {
		return true
	}); err == nil {
		t.Error("no error when the time is over")
	}
}

// The messages that Grep visits are those that a Reader delivers from these lines, and are found again at their
// positions.
func FuzzGrep(f *testing.F) {
	f.Add([]byte(said("user", `"a crane"`)+"\r\n  "+said("assistant", `"crane b"`)), "crane")
	f.Add([]byte("\x00\x00"+said("user", `"a"`)+"{}\n"), "")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		lines := map[string]bool{}
		for m, err := range transcript.NewReader(bytes.NewReader(file), transcript.Position{}).All() {
			if err != nil {
				return
			}
			lines[fmt.Sprint(m.Line, m.Text)] = true
		}
		err := transcript.Grep(t.Context(), bytes.NewReader(file), []string{text}, func(m transcript.Message) bool {
			if !lines[fmt.Sprint(m.Line, m.Text)] {
				t.Errorf("line %d, %q, is none that is read", m.Line, m.Text)
			}
			at, err := transcript.At(bytes.NewReader(file), m.Offset, m.Length)
			if err != nil || at.Text != m.Text {
				t.Errorf("at %d+%d: %q, %v; want %q", m.Offset, m.Length, at.Text, err, m.Text)
			}
			return true
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// Any of several texts finds a line, and the texts that it may contain are reported, in any case.
func TestGrepAny(t *testing.T) {
	t.Parallel()
	file := said("user", `"Grease the CRANE"`) + said("assistant", `"[@`+"`{ÀÁ"+`ZAza"`) + said("user", `"nothing"`) +
		said("user", `"the crane of zaza"`) +
		said("user", `"Насос, 缓存"`)
	var got []string
	err := transcript.GrepAny(t.Context(), strings.NewReader(file), []string{"crane", "ZAZA", "grease", "насос", "缓存",
		"é"}, func(l transcript.RawLine) {
		m, err := transcript.At(strings.NewReader(file), l.Offset, l.Length)
		if err != nil {
			t.Error(err)
		}
		got = append(got, fmt.Sprintf("%d %05b %s", l.Number, l.Held, m.Text))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1 00101 Grease the CRANE", "2 00010 [@`{ÀÁZAza", "4 00011 the crane of zaza", "5 11000 Насос, 缓存"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
