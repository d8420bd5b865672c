package diagnose

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/query"
)

// Stats counts the available evidence. The JSON form is a public contract.
type Stats struct {
	Kinds    []KindStats `json:"kinds"` // sorted by layer and type
	Sessions int         `json:"sessions"`
	// Ideas counts the ideas of the session archive by intent, Open the open ones, Topics the topics, and Entities the
	// named entities by type.
	Ideas    map[string]int `json:"ideas"`
	Open     int            `json:"open"`
	Topics   int            `json:"topics"`
	Entities map[string]int `json:"entities"`
	Caveats  []string       `json:"caveats"`
}

// KindStats counts the items of one layer and type, as the filters of a search name them.
type KindStats struct {
	Layer  string `json:"layer"`
	Type   string `json:"type"` // "" if the items have none
	Items  int    `json:"items"`
	Oldest string `json:"oldest"` // date, "" if no item has one
	Newest string `json:"newest"`
}

// Stats counts the evidence for questions. It uses only the Project of a filter.
func (in *Inspector) Stats(ctx context.Context, f query.Filter) (Stats, error) {
	view, err := in.reader.ViewOf(ctx, f.Project)
	if err != nil {
		return Stats{}, err
	}
	defer view.Close()
	kinds := map[[2]string]*KindStats{}
	sessions := map[string]bool{}
	for _, s := range view.Snaps {
		if s == nil {
			continue
		}
		for i := range s.Rows() {
			row := s.Row(i)
			if row.Dead || view.InScope != nil && !view.InScope(row.Project) {
				continue
			}
			key := [2]string{row.Layer, row.Type}
			if kinds[key] == nil {
				kinds[key] = &KindStats{Layer: row.Layer, Type: row.Type}
			}
			kinds[key].add(row.Time)
			session, _, _ := strings.Cut(row.Session, "/") // a subagent's turns belong to its session
			if session != "" && !cite.IsBlockSession(session) {
				sessions[session] = true
			}
		}
	}
	held, err := in.reader.GraphCounts(ctx, f.Project)
	if err != nil {
		return Stats{}, err
	}
	out := Stats{
		Kinds: []KindStats{}, Sessions: len(sessions), Ideas: held.Ideas, Open: held.Open, Topics: held.Topics,
		Entities: held.Entities,
		Caveats:  append(view.Lost(), in.ws.Caveats...),
	}
	for _, k := range kinds {
		out.Kinds = append(out.Kinds, *k)
	}
	slices.SortFunc(out.Kinds, func(a, b KindStats) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Type, b.Type))
	})
	return out, nil
}

// add counts one item.
func (k *KindStats) add(at time.Time) {
	k.Items++
	if at.Unix() <= 0 { // it has no date
		return
	}
	day := at.UTC().Format(time.DateOnly)
	k.Newest = max(k.Newest, day)
	if k.Oldest == "" || day < k.Oldest {
		k.Oldest = day
	}
}
