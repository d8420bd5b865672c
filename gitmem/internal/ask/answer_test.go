package ask_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

func TestTrustTellsWhoseWordsTheyAre(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src  cite.Source
		want string
	}{
		{cite.Source{Layer: cite.LayerTeam, Source: "git"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", ID: "transcript:1f:3", Title: "user"}, "mine"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", ID: "transcript:agent-7:1", Title: "user"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", Title: "assistant"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "transcript", Title: "tool"}, "untrusted"},
		{cite.Source{Layer: cite.LayerTranscripts, Source: "observation", Title: "tool use"}, "untrusted"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "session"}, "untrusted"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "idea", Type: "decision"}, "mine"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "idea", Type: "decision", Turn: 12}, "untrusted"},
		{cite.Source{Layer: cite.LayerSummaries, Source: "idea", Type: "work", Turn: 12}, "mine"},
		{cite.Source{Layer: cite.LayerMemory, Source: "memory"}, "mine"},
		{cite.Source{Layer: cite.LayerMemory, Source: "task"}, "mine"},
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
		if got := ask.NewCitation(tt.src, 1).Trust; got != tt.want {
			t.Errorf("%s %s %q %q: %s, want %s", tt.src.Layer, tt.src.Source, tt.src.Title, tt.src.Path, got, tt.want)
		}
	}
}
