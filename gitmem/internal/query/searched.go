package query

import (
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Searched counts the items in the view's shards within its scope, by layer.
func (v *View) Searched() []answer.Searched { return searched(v.Snaps, v.InScope) }

// searched counts the items in shards within the scope, by layer.
func searched(snaps []*index.Snapshot, inScope func(string) bool) []answer.Searched {
	layers := map[layerName]*layerCount{}
	for _, s := range snaps {
		if s != nil {
			countLayers(s, inScope, layers)
		}
	}
	var out []answer.Searched
	for _, l := range layerNames() {
		key := layerName{layer: l.layer}
		if l.layer == cite.LayerTeam {
			key = l
		}
		if t := layers[key]; t != nil && t.items > 0 {
			s := answer.Searched{Layer: l.layer, Source: l.items, Items: t.items}
			if t.newest > 0 {
				s.Newest = time.Unix(t.newest, 0).UTC().Format(time.DateOnly)
				s.Oldest = time.Unix(t.oldest, 0).UTC().Format(time.DateOnly)
			}
			out = append(out, s)
		}
	}
	return out
}

// layerCount contains the statistics of a layer.
type layerCount struct {
	items  int
	newest int64 // in seconds, 0 if no item has a time
	oldest int64
}

// countLayers adds the live rows of a snapshot. Adjacent rows mostly have the same layer and project, so these are
// looked up only if they change.
func countLayers(s *index.Snapshot, inScope func(string) bool, layers map[layerName]*layerCount) {
	none := &layerCount{}
	found := map[[3]uint32]*layerCount{}
	var last [3]uint32
	var t *layerCount
	team, _ := s.StringRef(cite.LayerTeam)
	for i := range s.Rows() {
		if s.Dead(i) {
			continue
		}
		key := [3]uint32{s.LayerOf(i), s.ProjectOf(i)}
		if key[0] == team { // the team layer has several kinds of items
			key[2] = s.RoleOf(i)
		}
		if t == nil || key != last {
			last = key
			if t = found[key]; t == nil {
				row := s.Row(i)
				if t = none; inScope == nil || inScope(row.Project) {
					name := layerName{row.Layer, ""}
					if row.Layer == cite.LayerTeam {
						name.items = teamItems(row.Role)
					}
					if t = layers[name]; t == nil {
						t = &layerCount{}
						layers[name] = t
					}
				}
				found[key] = t
			}
		}
		t.items++
		if at := s.Unix(i); at > 0 {
			t.newest = max(t.newest, at)
			if t.oldest == 0 || at < t.oldest {
				t.oldest = at
			}
		}
	}
}

type layerName struct{ layer, items string }

// layerNames lists the layers in the order in which they are reported, with the names of their items.
func layerNames() []layerName {
	return []layerName{
		{cite.LayerRules, "sections"}, {cite.LayerMemory, "notes"}, {cite.LayerSummaries, "session records"},
		{cite.LayerTranscripts, "messages"}, {cite.LayerTeam, teamItems("commit")}, {cite.LayerTeam, teamItems("pr")},
		{cite.LayerTeam, teamItems("mr")},
		{cite.LayerTeam, teamItems("issue")}, {cite.LayerTeam, teamItems("review")}, {cite.LayerTeam, teamItems("doc")},
	}
}

// teamItems returns the display name of items with a role in the team's layer.
func teamItems(role string) string {
	switch role {
	case "pr":
		return "pull requests"
	case "mr":
		return "merge requests"
	case "issue", "ticket":
		return "issues"
	case "review", "comment", "note":
		return "reviews and comments"
	case "doc", "adr", "page":
		return "documents"
	}
	return "commits"
}
