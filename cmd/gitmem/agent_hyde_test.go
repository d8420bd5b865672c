package main

import "testing"

// TestAgentHyDE: what a vague question does not find by its words is found by those that the
// model guesses; these are shown nowhere.
func TestAgentHyDE(t *testing.T) {
	t.Parallel()
	const guess, on = "The parser loses the last line of a file that flubbers no newline.", "  hyde: on\n"
	passage := []step{answering(map[string]any{"text": guess, "citations": []any{}})}
	for _, backend := range backends() {
		for _, tt := range []struct {
			name, conf string
			args       []string
			script     []step
			want       []string
			sent       int
		}{
			{name: "finds", conf: on, script: passage, sent: 1, want: []string{`"title": "fix: parser loses the last line"`,
				`"name": "hyde"`, "!flubbers"}},
			{name: "in words", conf: on, args: []string{"ask", "--explain", "where is the tail swallowed?"}, script: passage,
				sent: 1, want: []string{"fix: parser loses the last line", "!flubbers"}},
			{name: "clear question", conf: on, args: []string{"ask", "--json", "why did we drop Redis?"}, script: passage,
				want: []string{"they fit in memory", "!\"hyde\""}},
			{name: "no model", conf: on, args: []string{"ask", "--json", "--no-agent", "where is the tail swallowed?"},
				script: passage, want: []string{"!\"hyde\"", "!parser loses"}},
			{name: "off", script: passage, want: []string{"!\"hyde\"", "!parser loses"}},
			{name: "search", conf: on, args: []string{"search", "--json", "tail swallowed"}, script: passage,
				want: []string{"!\"hyde\""}},
			{name: "torn", conf: on, script: []step{{Torn: true}}, sent: 1,
				want: []string{"The model gave no passage to search by (hyde): ", "!\"hyde\"", "!parser loses"}},
			{name: "never", conf: on + "  time: 1s\n", script: []step{{Wait: true}}, sent: 1,
				want: []string{"The model gave no passage to search by (hyde): ", "!parser loses"}},
		} {
			t.Run(backend+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				m := d.withModel(t, backend, tt.conf, tt.script)
				if tt.name == "never" {
					d.env = append(d.env, "GITMEM_TEST_NOW=")
				}
				if len(tt.args) == 0 {
					tt.args = []string{"ask", "--json", "where is the tail swallowed?"}
				}
				r := d.run("", tt.args...)
				holds(t, "answer", r.out, tt.want...)
				if n := len(m.requests()); n < tt.sent || tt.sent == 0 && n > 0 {
					t.Errorf("%d requests", n)
				}
			})
		}
	}
}
