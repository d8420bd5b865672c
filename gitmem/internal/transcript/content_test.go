package transcript_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// A private block that begins in one block of a record hides everything up to its end in another one.
func TestPrivateBlockOverBlocks(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	result := func(s string) string { return `{"type":"tool_result","tool_use_id":"t","content":"` + s + `"}` }
	call := func(s string) string {
		return `{"type":"tool_use","id":"t","name":"Bash","input":{"command":"` + s + `"}}`
	}
	thought := func(s string) string { return `{"type":"thinking","thinking":"` + s + `"}` }
	for name, tt := range map[string]struct {
		role   string
		blocks []string
		want   string // remaining words
	}{
		"closed in the next text": {"user", []string{text("a <private> b"), text("c </private> d")}, "a d"},
		"a result between": {"user", []string{text("a <private> b"), result("c"), text("d </private> e"), result("f")},
			"a e f"},
		"an end in a result between": {"user", []string{text("a <private> b"), result("c </private> d"),
			text("e </private> f")}, "a f"},
		"never closed": {"user", []string{text("a <private> b"), result("c"), text("d")}, "a"},
		"nested": {"user", []string{text("a <private> b <private> c </private>"), result("d"),
			text("</private> e"), result("f")}, "a e f"},
		"a call and a thought": {"assistant", []string{text("a <PRIVATE> b"), call("c"), thought("d"),
			text("e</private> f"), call("g")}, "a f g"},
		"talked about": {"user", []string{text("a `<private>` b"), result("c")}, "a `<private>` b c"},
		"in a reminder": {"user", []string{text("<system-reminder>use <private> b</system-reminder>"), text("a"),
			result("c")}, "a c"},
		"quoted by a tool": {"user", []string{result("a <private> b"), result("c")}, "a c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := `{"type":"` + tt.role + `","uuid":"u","sessionId":"s","message":{"role":"` + tt.role + `","content":[` +
				strings.Join(tt.blocks, ",") + "]}}\n"
			r := redact.New()
			var left []string
			for m, err := range transcript.NewReader(strings.NewReader(line), transcript.Position{}).All() {
				if err != nil {
					t.Fatal(err)
				}
				parts := []string{m.Text}
				for _, b := range m.Blocks() {
					parts = append(parts, b.Text)
				}
				for _, p := range parts {
					shown, _ := r.Text(p)
					left = append(left, strings.Fields(strings.ReplaceAll(shown, "[redacted:private]", ""))...)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(left, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
