package archiving_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

// TestHostileWordsKeepTheArchivesForm: all quoted words, branches and file names contain markup.
func TestHostileWordsKeepTheArchivesForm(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for name, tt := range map[string]struct{ text, branch, file string }{
		"heading":     {text: "## Evil heading ^s-evil is what we decided."},
		"frontmatter": {text: "---\nformat: 9\n---\nWe decided to wait."},
		"rule":        {text: "--- we decided to wait."},
		"fence":       {text: "``` we decided to wait. Then we slept."},
		"tildes":      {text: "~~~ we decided to wait. Then we slept."},
		"id":          {text: "We decided to wait ^i-aaaaaaaaaa today ^s-3f2a91c4-7"},
		"task":        {text: "- [ ] we decided to wait here."},
		"setext":      {text: "We decided to wait\n=====\nand we decided to sleep\n-----"},
		"quote":       {text: "> we decided to wait here."},
		"reference":   {text: "[x]: http://example.org we decided to wait."},
		"controls":    {text: "We decided\x00 to\u2028 wait\u0085 here\u202e now."},
		"number":      {text: "1. we decided to wait here."},
		"comment":     {text: "<!-- we decided to wait. Then we slept."},
		"script":      {text: "<script> we decided to wait. Then we slept."},
		"branch":      {text: "We decided to wait.", branch: "main\n\n## Evil ^s-deadbeef\n\nsession: x"},
		"file":        {text: "We decided to wait.", file: "a\n\n## Evil ^s-deadbeef\n\n.c"},
	} {
		m.dir = m.Repository(name, "")
		m.hostile(name, tt.text, tt.branch, tt.file)
	}
}

// hostile archives a session with hostile words and a plain one after it in the same file, and expects exactly those
// two sections with their ideas.
func (m *memory) hostile(name, text, branch, file string) {
	m.t.Helper()
	edit := map[string]any{"type": "tool_use", "id": "t1", "name": "Edit",
		"input": map[string]any{"file_path": filepath.Join(m.dir, "x") + file}}
	said := func(text string) map[string]any { return map[string]any{"type": "text", "text": text} }
	var records strings.Builder
	for i, content := range []any{text + " Please wire it.", []any{said(text), edit},
		[]any{said("It turned out that the zebra cable was loose.")}, []any{said(text)}} {
		role, source := "assistant", ""
		if i == 0 {
			role, source = "user", "typed"
		}
		b, err := json.Marshal(map[string]any{
			"type": role, "uuid": "u" + string(rune('0'+i)), "sessionId": sessionA, "promptSource": source,
			"timestamp": "2025-03-09T10:0" + string(rune('0'+i)) + ":00Z",
			"cwd":       m.dir, "gitBranch": "main" + branch, "version": "2.1.329",
			"message": map[string]any{"role": role, "content": content},
		})
		if err != nil {
			m.t.Fatal(err)
		}
		records.Write(append(b, '\n'))
	}
	transcript := m.transcript(m.dir, sessionA)
	m.Write(transcript, records.String())
	m.end(m.dir, sessionA, transcript)
	archive := m.Read(m.InRoot(m.end(m.dir, sessionB, m.transcript(m.dir, sessionB, relayTurns()...)).File))
	var sections []string
	for line := range strings.Lines(archive) {
		if strings.HasPrefix(line, "## ") {
			_, id, _ := strings.Cut(strings.TrimSpace(line), " ^")
			sections = append(sections, id)
		}
	}
	equal(m.t, name, []string{"s-3f2a91c4", "s-7b1d02e9"}, sections)
	m.in(m.dir, func(c call) {
		s, err := c.reader.LookUp(m.t.Context(), "session:2025-03-09#s-3f2a91c4", "")
		if err != nil || !strings.Contains(s.Text, "zebra cable") || s.Session != sessionA {
			m.t.Errorf("%s: the section is %+v, %v", name, s, err)
		}
	})
	ideas := markdown.Parse([]byte(archive)).Ideas
	for _, want := range []string{"zebra cable was loose", "optocoupler was too slow"} {
		if !slices.ContainsFunc(ideas, func(i markdown.Idea) bool { return strings.Contains(i.Text, want) && i.ID != "" }) {
			m.t.Errorf("%s: no idea of %q in\n%s", name, want, archive)
		}
	}
}
