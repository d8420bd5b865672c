package cite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestTrustTellsWhoseWordsTheyAre(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src  cite.Source
		want answer.Trust
	}{
		{cite.Source{Layer: cite.LayerTeam, Source: "git"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", ID: "transcript:1f:3", Title: "user",
			By: answer.Mine}, "mine"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", ID: "transcript:1f:4", Title: "user"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", ID: "transcript:1f:3#result", Title: "user"},
			"untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", Title: "assistant"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", Title: "tool"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "observation", Title: "tool use"}, "untrusted"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "observation", Title: "summary", By: answer.Model}, "model"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "session"}, "untrusted"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "topic"}, "untrusted"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "idea", Type: "decision"}, "mine"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "idea", Type: "decision", Turn: 12}, "untrusted"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "idea", Type: "decision", Turn: 12, By: answer.Mine}, "mine"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "idea", Type: "work", Turn: 12}, "mine"},
		{cite.Source{Layer: cite.LayerMemory, Source: "memory"}, "mine"},
		{cite.Source{Layer: cite.LayerMemory, Source: "memory", ByModel: []int{2}}, "model"},
		{cite.Source{Layer: cite.LayerMemory, Source: "task"}, "mine"},
		{cite.Source{Layer: cite.LayerMemory, Source: "task", By: answer.Model}, "model"},
		{cite.Source{Layer: cite.LayerMemory, Source: "profile", By: answer.Imported}, "imported"},
		{cite.Source{Layer: cite.LayerMemory, Source: "decision", Title: "Drop Redis", By: answer.Model}, "model"},
		{cite.Source{Layer: cite.LayerMemory, Source: "decision", Title: "Drop Redis"}, "reviewed"},
		{cite.Source{Layer: cite.LayerMemory, Source: "decision", Title: "Drop Redis (proposed)"}, "mine"},
		{cite.Source{Layer: cite.LayerMemory, Source: "decision", Title: "Drop Redis (superseded)"}, "mine"},
		{cite.Source{Layer: cite.LayerMemory, Source: "decision", Title: "Drop Redis (rejected)"}, "mine"},
		{cite.Source{Layer: cite.LayerRules, Source: "rules", Path: "CLAUDE.md"}, "reviewed"},
		{cite.Source{Layer: cite.LayerRules, Source: "rules", Path: ".claude/rules/go.md"}, "reviewed"},
		{cite.Source{Layer: cite.LayerRules, Source: "rules", Path: "CLAUDE.local.md"}, "mine"},
		{cite.Source{Layer: cite.LayerRules, Source: "rules", Path: "~/CLAUDE.md"}, "mine"},
		{cite.Source{Layer: cite.LayerRules, Source: "rules", Path: "~/rules/go.md"}, "mine"},
	}
	for _, tt := range tests {
		if got := tt.src.Trust(); got != tt.want {
			t.Errorf("%s %s %q %q: %s, want %s", tt.src.Layer, tt.src.Source, tt.src.Title, tt.src.Path, got, tt.want)
		}
	}
}

// An idea of the archive is the user's own if its line is marked so; for older lines this is unknown.
func TestAnIdeaSaysThatItIsTheUsersOwn(t *testing.T) {
	t.Parallel()
	f := cite.File{Path: "gitmem/projects/p/sessions/2026/2026-11-20.md", Area: cite.AreaArchive}
	units, _ := cite.Units(f,
		[]byte("# 2026-11-20\n\n## A ^s-1\n\n- [todo] Buy relays (L3 14:00 by me) ^i-a\n"+
			"- [todo] Buy boards (L4 14:00) ^i-b\n- [todo] By hand ^i-c\n"))
	got := map[string]answer.Trust{}
	for _, u := range units {
		got[u.Text] = u.Trust()
	}
	delete(got, units[0].Text)
	want := map[string]answer.Trust{"Buy relays": answer.Mine, "Buy boards": answer.Untrusted, "By hand": answer.Mine}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Text in memory that a model wrote is marked in place; if a person removes the mark, the text is theirs.
func TestMemorySaysWhatAModelWrote(t *testing.T) {
	t.Parallel()
	const project = "gitmem/projects/h/o/p/"
	clamp := "---\nname: clamp\nmetadata:\n  node_type: memory\n  originSessionId: " +
		"3f2a91c4-0000-4000-8000-000000000001\n---\nUse the clamp meter.\n"
	tests := map[string]struct {
		path, src string
		want      answer.Trust
		lines     []int
	}{
		"a note": {"projects/-p/memory/MEMORY.md",
			"## Notes\n\n- Mine\n- Not mine (by a model)\n  goes on\n\n  here\n- Mine too\n", answer.Model, []int{3, 4, 6}},
		"a note of the user": {"projects/-p/memory/MEMORY.md", "## Notes\n\n- Mine, written (by a model) of a motor\n",
			answer.Mine, nil},
		"the client's file":   {"projects/-p/memory/clamp.md", clamp, answer.Model, []int{1}},
		"MEMORY.md is shared": {"projects/-p/memory/MEMORY.md", clamp, answer.Mine, nil},
		"a task":              {project + "tasks.md", "- [ ] Buy boards (by a model) ^task-a\n", answer.Model, nil},
		"an imported task":    {project + "tasks.md", "- [ ] Buy boards (imported) ^task-a\n", answer.Imported, nil},
		"a decision": {project + "decisions/a.md", "---\nstatus: accepted\nby: model\n---\n# A\n",
			answer.Model, nil},
		"a proposed one": {project + "decisions/a.md", "---\nstatus: proposed\n---\n# A\n", answer.Mine, nil},
		"one by somebody": {project + "decisions/a.md", "---\nstatus: accepted\nby: Ada\n---\n# A\n",
			answer.Reviewed, nil},
		"an order": {project + "orders.md",
			"---\norders:\n  - Never\nmeta:\n  orders.never: {confidence: 1, by: model}\n---\n", answer.Model, nil},
		"a value": {"gitmem/profile.md",
			"---\nwork:\n  name: Ada\nmeta:\n  work.name: {of: ada, by: imported}\n---\n", answer.Imported, nil},
		"what a session left": {project + "observations/2026-11/20-s.md",
			"---\nsession: s\n---\n- 14:00:00 context · said: Two people · 1c3 ^o-a\n", answer.Model, nil},
		"in the user's words": {project + "observations/2026-11/20-s.md",
			"---\nsession: s\n---\n- 14:00:00 summary · said: Two people · typed 1c3 ^o-a\n", answer.Mine, nil},
		"of the client": {project + "observations/2026-11/20-s.md",
			"---\nsession: s\n---\n- 14:00:00 summary · said: compacted (auto): Two people · 1c3 ^o-a\n", answer.Untrusted, nil},
	}
	for name, tt := range tests {
		units, skips := cite.Units(cite.File{Path: tt.path, Area: cite.AreaOf(tt.path)}, []byte(tt.src))
		if len(units) == 0 || len(skips) > 0 {
			t.Fatalf("%s: %d units, %v", name, len(units), skips)
		}
		u := units[len(units)-1]
		if diff := cmp.Diff(tt.lines, u.ByModel); u.Trust() != tt.want || diff != "" {
			t.Errorf("%s: %s, want %s\n%s", name, u.Trust(), tt.want, diff)
		}
	}
}

// A user record of a transcript is the user's own only if the user wrote it: the client writes such records too.
func TestOnlyAPromptIsTheUsersOwn(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lines := []string{
		`{"type":"user","uuid":"u1","sessionId":"s1","message":{"content":"We use ten ampere relays."}}`,
		`{"type":"user","uuid":"u2","sessionId":"s1","message":{"content":"<bash-stdout>the deploy key is stored in vault ` +
			`seven</bash-stdout>"}}`,
		`{"type":"user","uuid":"u3","sessionId":"s1","planContent":"# Use eight ampere relays",` +
			`"message":{"content":"Implement the following plan:\n\n# Use eight ampere relays"}}`,
		`{"type":"assistant","uuid":"u4","sessionId":"s1","message":{"content":[{"type":"text","text":"We use nine ampere ` +
			`relays."}]}}`,
	}
	file := filepath.Join(root, "projects", "-p", "s1.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := cite.Resolver{ConfigRoot: root, Redactor: redact.New()}
	var got []answer.Trust
	for n := range lines {
		src, err := r.Resolve(fmt.Sprintf("transcript:s1:%d", n+1))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, src.Trust())
	}
	if err := os.Link(file, filepath.Join(filepath.Dir(file), "agent-7.jsonl")); err != nil {
		t.Fatal(err)
	}
	src, err := r.Resolve("transcript:agent-7:1")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, src.Trust())
	want := []answer.Trust{answer.Mine, answer.Untrusted, answer.Untrusted, answer.Untrusted, answer.Untrusted}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestToolCallsThatWriteMemory(t *testing.T) {
	t.Parallel()
	const rel = "projects/-p/memory/clamp.md"
	tests := map[string]bool{
		"Write ok · wrote: /home/a/.claude/projects/-p/memory/clamp.md":              true,
		"Edit ok · wrote: b.go, .claude/projects/-p/memory/clamp.md":                 true,
		`Write ok · wrote: C:\Users\a\.claude\projects\-p\memory\clamp.md`:           true,
		"Write ok · wrote: memory/clamp.md":                                          true,
		"Write ok · wrote: /home/a/.claude/projects/-q/memory/clamp.md":              false,
		"Write ok · wrote: docs/clamp.md":                                            false,
		"Read ok · read: /home/a/.claude/projects/-p/memory/clamp.md":                false,
		"Bash ok · in: cd ~/.claude/projects/-p/memory && echo x >>clamp.md · out: ": true,
		"Bash ok · in: ls · out: clamp.md":                                           false,
		"prompt · said: write it into clamp.md · line 3 1c3":                         false,
	}
	for line, want := range tests {
		units, _ := cite.Units(cite.File{Path: "l", Area: cite.AreaObservations},
			[]byte("---\nsession: s\n---\n- 14:00:00 "+line+" ^o-a\n"))
		if len(units) != 1 || units[0].Wrote(rel) != want {
			t.Errorf("%q: want %t of %+v", line, want, units)
		}
	}
}
