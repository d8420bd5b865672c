package browse

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
)

// SearchArgs is a query with its filters; empty filters match everything. Limit is the maximum number of
// hits, 0 for 20, and Why requests the reasons for each. Typing completes words if there are few hits, and
// does not read transcripts for them, which is slow.
type SearchArgs struct {
	Query, Layer, Agent, Since, Project, Type string
	Limit                                     int32
	Why, Typing                               bool
}

// SearchView is the result of a search.
type SearchView struct {
	Query       string
	Hits        []AskCitation
	More        bool // there may be more hits
	Complete    bool
	Missing     []string // words that occur nowhere
	Caveats     []string
	Fallbacks   []string
	Suggestions []AskSuggestion
}

// usualHits is the default number of hits, and mostHits the maximum.
const usualHits, mostHits = 20, 200

// search searches memory.
func (s *site) search(ctx context.Context, a SearchArgs) (SearchView, error) {
	limit := min(cmp.Or(max(int(a.Limit), 0), usualHits), mostHits)
	res, err := s.m.Search(ctx, a.Query, gitmem.Filter{
		Layer: a.Layer, Agent: a.Agent, Since: a.Since, Project: a.Project, Type: a.Type,
		Explain: a.Why, Limit: limit + 1, Typing: a.Typing,
	})
	v := SearchView{
		Query: a.Query, Complete: res.Complete, Missing: res.Missing, Caveats: res.Caveats, Fallbacks: res.Fallbacks,
		More:        len(res.Hits) > limit,
		Suggestions: slice.Map(res.Suggestions, func(text string) AskSuggestion { return suggestion(a.Query, text) }),
	}
	for _, h := range res.Hits[:min(len(res.Hits), limit)] {
		c := citationView(h.Citation)
		c.Why = h.Why
		v.Hits = append(v.Hits, c)
	}
	return v, err
}

// searchForm is the page of a search.
type searchForm struct {
	SearchArgs
	View                  SearchView
	Layers, Agents, Types []string
	Next, Reasons         string // addresses: with more hits, and with the reasons
}

func (s *site) searchPage(ctx context.Context, r *http.Request, q url.Values) (page, error) {
	a := SearchArgs{
		Query: q.Get("q"), Layer: q.Get("layer"), Agent: q.Get("agent"), Since: q.Get("since"), Project: q.Get("project"),
		Type: q.Get("type"), Why: q.Has("why"), Typing: r.Header.Get("X-Gitmem-Typing") != "",
		Limit: number(q, "limit"),
	}
	if q.Has("all") {
		a.Limit = mostHits
	}
	form := searchForm{SearchArgs: a, Layers: gitmem.LayerNames(), Agents: gitmem.Agents(), Types: gitmem.Types()}
	title := cmp.Or(a.Query, "Search")
	if a.Query == "" {
		return page{title, "search", form}, nil
	}
	var err error
	form.View, err = s.search(ctx, a)
	with := func(key, value string) string {
		q := maps.Clone(q)
		q.Set(key, value)
		return "/search?" + q.Encode()
	}
	if n := len(form.View.Hits); form.View.More && n < mostHits {
		form.Next = with("limit", strconv.Itoa(n+usualHits))
	}
	if !a.Why && len(form.View.Hits) > 0 {
		form.Reasons = with("why", "1")
	}
	return page{title, "search", form}, err
}
