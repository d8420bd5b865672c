package curate

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/markdown"
)

// Ideas lists ideas like [query.Reader.Ideas]. With f.Decisions it also lists the project's decisions, so that
// superseded decisions and ideas are shown together.
func (ed *Editor) Ideas(ctx context.Context, f query.IdeaFilter) ([]query.Idea, error) {
	list, err := ed.reader.Ideas(ctx, f)
	ofIntent := f.Intent == "" || slices.Contains(strings.Split(f.Intent, ","), markdown.IntentDecision)
	if err != nil || !f.Decisions || !ofIntent || f.Project != "" || f.Session != "" || f.Entity != "" || f.Open {
		return list, err
	}
	decisions, err := ed.Decisions(ctx, f.AsOf)
	for _, d := range decisions {
		if text := strings.ToLower(d.Title); !slices.ContainsFunc(strings.Fields(strings.ToLower(f.Words)),
			func(w string) bool { return !strings.Contains(text, w) }) {
			list = append(list, d.idea())
		}
	}
	slices.SortStableFunc(list, func(a, b query.Idea) int { return query.ByTime(a.Time, b.Time) })
	return list, err
}

// idea converts a decision to an idea.
func (d KnownDecision) idea() query.Idea {
	i := query.Idea{
		ID: d.ID, Intent: markdown.IntentDecision, Text: d.Title, By: d.SupersededBy, Confidence: 1,
		BrowseURL: cite.Source{ID: d.ID}.Page(),
		Relations: []graph.Relation{}, Entities: []graph.Entity{},
	}
	if d.Status != accepted {
		i.State = d.Status
	}
	i.Time, _ = time.Parse(time.DateOnly, d.Day) // zero if the decision has no date
	for _, id := range d.Supersedes {
		i.Relations = append(i.Relations, graph.Relation{Kind: markdown.RelationSupersedes, ID: id})
	}
	return i
}
