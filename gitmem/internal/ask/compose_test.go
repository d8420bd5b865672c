package ask_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

func TestNotRecordedSaysWhatCouldNotBeSearched(t *testing.T) {
	t.Parallel()
	commits := []answer.Searched{{Layer: cite.LayerTeam, Source: "commits", Items: 3, Newest: "2024-05-01"}}
	for _, tt := range []struct {
		name       string
		layers     []string
		searched   []answer.Searched
		unsearched []string
		want       string
	}{
		{"nothing", nil, nil, nil,
			"Not recorded. There was nothing to search: no history, no rules, no notes and no transcripts here."},
		{"all", nil, commits, nil, "Not recorded. Nothing here mentions Kafka. Searched team: 3 commits, newest 2024-05-01."},
		{"some", nil, commits, []string{"transcripts", "notes"},
			"Not recorded. Nothing here mentions Kafka. Searched team: 3 commits, newest 2024-05-01. Transcripts, notes could " +
				"not be searched."},
		{"none of it", nil, nil, []string{"commits"}, "Not known: nothing that exists here could be searched (commits)."},
		{"one of each", nil, []answer.Searched{{Layer: cite.LayerRules, Source: "sections", Items: 1}, {Layer: cite.LayerTeam,
			Source: "reviews and comments", Items: 1}}, nil,
			"Not recorded. Nothing here mentions Kafka. Searched rules: 1 section; team: 1 review or comment."},
		{"a layer", []string{cite.LayerTeam, cite.LayerMemory}, commits, nil,
			"Not recorded. Nothing here mentions Kafka. Searched team: 3 commits, newest 2024-05-01."},
		{"an empty layer", []string{cite.LayerMemory}, commits, nil, "Not recorded. There was nothing to search in memory."},
	} {
		e := (&world{searched: &tt.searched, unsearched: tt.unsearched}).engine()
		a, err := e.Ask(t.Context(), "why did we drop Kafka?", ask.Options{Query: layers(tt.layers...)})
		if err != nil {
			t.Fatal(err)
		}
		if a.Answer != tt.want || a.Confidence != answer.None {
			t.Errorf("%s: %s\n%s, want\n%s", tt.name, a.Confidence, a.Answer, tt.want)
		}
	}
}
