package browse

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/internal/svg"
)

// Limits of what is drawn and listed of a graph.
const (
	mostLanes  = 30
	mostEvents = 60  // ideas per lane
	mostDrawn  = 100 // ideas in the network
	mostNamed  = 50  // entities in the network
	mostListed = 200
)

// GraphArgs select the ideas.
type GraphArgs struct {
	Words, Entity, Intent, Project string // see [gitmem.IdeaFilter]
	AsOf                           string // a day, "" for today
	Open                           bool   // only open ones
}

// GraphView contains ideas with their relations.
type GraphView struct {
	Args    GraphArgs
	Slider  *SliderView // nil if there is at most one day
	Ideas   []IdeaView  // oldest first
	Named   []EntityView
	Intents []string
}

// IdeaView is a decision, conclusion, question, task or other idea of a session.
type IdeaView struct {
	ID, Intent, Text, State, Day, Topic, Session, Project, Page string
	Confidence                                                  float64
	Relations                                                   []RelationView
	Entities                                                    []EntityView
	at                                                          time.Time
}

// RelationView is a relation to another idea.
type RelationView struct{ Kind, ID string }

// EntityView is an entity that ideas mention.
type EntityView struct {
	Type, Name string
	Ideas      int32 // number of ideas that mention it
}

// graph returns ideas in their current state, or in that of an earlier day.
func (s *site) graph(ctx context.Context, a GraphArgs) (GraphView, error) {
	v := GraphView{Args: a}
	v.Intents = []string{"decision", "conclusion", "question", "problem", "solution", "todo", "context"}
	f := gitmem.IdeaFilter{
		Words: a.Words, Entity: a.Entity, Intent: a.Intent, Project: a.Project, Open: a.Open, Decisions: true,
	}
	list, err := s.m.Data().Ideas(ctx, f)
	if err != nil {
		return v, err
	}
	if len(list) > 0 {
		v.Slider = s.sliderOf(list[0].Time, a.AsOf)
	}
	if f.AsOf = a.AsOf; f.AsOf != "" {
		if list, err = s.m.Data().Ideas(ctx, f); err != nil {
			return v, err
		}
	}
	v.fill(list)
	return v, nil
}

// fill adds ideas; if an idea occurs more than once, the last one counts.
func (v *GraphView) fill(list []gitmem.Idea) {
	last, uses := map[string]int{}, map[EntityView]int32{}
	for n, i := range list {
		last[i.ID] = n
	}
	for n, i := range list {
		if last[i.ID] != n {
			continue
		}
		idea := IdeaView{
			ID: i.ID, Intent: i.Intent, Text: i.Text, State: i.State, Day: day(i.Time), Topic: i.Topic,
			Session: i.Session, Project: i.Project, Page: i.BrowseURL, Confidence: i.Confidence, at: i.Time,
		}
		for _, r := range i.Relations {
			idea.Relations = append(idea.Relations, RelationView(r))
		}
		for _, e := range i.Entities {
			named := EntityView{Type: e.Type, Name: e.Name}
			idea.Entities = append(idea.Entities, named)
			uses[named]++
		}
		v.Ideas = append(v.Ideas, idea)
	}
	for e, n := range uses {
		e.Ideas = n
		v.Named = append(v.Named, e)
	}
	slices.SortFunc(v.Named, func(a, b EntityView) int {
		return cmp.Or(cmp.Compare(b.Ideas, a.Ideas), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type))
	})
}

// gone reports whether an idea no longer holds.
func (i IdeaView) gone() bool {
	return slices.Contains([]string{"superseded", "taken back", "done", "answered"}, i.State)
}

// became returns the label of a relation in the direction from the older to the newer idea.
func became(kind string) string {
	words := map[string]string{
		"supersedes": "replaced by", "answers": "answered by", "builds_on": "led to", "contradicts": "contradicted by",
		"withdraws": "withdrawn by",
	}
	return cmp.Or(words[kind], "related to")
}

// head returns the date, kind and state of an idea, for a picture.
func (i IdeaView) head() string {
	return strings.TrimSuffix(strings.TrimSpace(i.Day+" "+i.Intent)+", "+i.State, ", ")
}

// lanes returns the chains of related ideas, those with the newest ideas first, how many chains are left out,
// and how many older ideas of the others.
func (v GraphView) lanes() (drawn []svg.Lane, more, older int) {
	at, chain := map[string]int{}, make([]int, len(v.Ideas)) // chain has the first idea of the chain of each idea
	for n, i := range v.Ideas {
		if chain[n] = n; !i.at.IsZero() {
			at[i.ID] = n
		}
	}
	for n, i := range v.Ideas {
		for _, r := range i.Relations {
			if other, ok := at[r.ID]; ok && !i.at.IsZero() {
				from, to := max(chain[n], chain[other]), min(chain[n], chain[other])
				for k := range chain {
					if chain[k] == from {
						chain[k] = to
					}
				}
			}
		}
	}
	lanes, place := make([]svg.Lane, len(v.Ideas)), make([]int, len(v.Ideas))
	for n, i := range v.Ideas {
		l := &lanes[chain[n]]
		place[n] = len(l.Events)
		l.Events = append(l.Events, svg.Event{At: i.at, Head: i.head(), Text: i.Text, Class: "i-" + i.Intent,
			Gone: i.gone(), Href: i.Page})
	}
	for n, i := range v.Ideas {
		for _, r := range i.Relations {
			if other, ok := at[r.ID]; ok && chain[other] == chain[n] && other != n {
				l := &lanes[chain[n]]
				l.Arrows = append(l.Arrows, svg.Arrow{From: place[other], To: place[n], Label: became(r.Kind)})
			}
		}
	}
	lanes = slices.DeleteFunc(lanes, func(l svg.Lane) bool { return len(l.Events) < 2 })
	newest := func(l svg.Lane) time.Time { return l.Events[len(l.Events)-1].At }
	slices.SortStableFunc(lanes, func(a, b svg.Lane) int { return newest(b).Compare(newest(a)) })
	for _, l := range lanes[:min(len(lanes), mostLanes)] {
		older += max(0, len(l.Events)-mostEvents)
		drawn = append(drawn, newestOf(l))
	}
	return drawn, len(lanes) - len(drawn), older
}

// newestOf limits a lane to its newest events.
func newestOf(l svg.Lane) svg.Lane {
	left := max(0, len(l.Events)-mostEvents)
	out := svg.Lane{Events: l.Events[left:]}
	for _, a := range l.Arrows {
		if a.From -= left; a.From >= 0 && a.To >= left {
			out.Arrows = append(out.Arrows, svg.Arrow{From: a.From, To: a.To - left, Label: a.Label})
		}
	}
	return out
}

// network returns the ideas with the most relations and the entities that they mention, and how many of both
// are left out.
func (v GraphView) network() (nodes []svg.Node, edges []svg.Edge, more int) {
	degree := map[string]int{}
	for _, i := range v.Ideas {
		degree[i.ID] += len(i.Entities)
		for _, r := range i.Relations {
			degree[i.ID], degree[r.ID] = degree[i.ID]+8, degree[r.ID]+8
		}
	}
	related := slice.Filter(v.Ideas, func(i IdeaView) bool { return degree[i.ID] > 0 })
	slices.Reverse(related) // the newest first
	slices.SortStableFunc(related, func(a, b IdeaView) int { return cmp.Compare(degree[b.ID], degree[a.ID]) })
	drawn, names := related[:min(len(related), mostDrawn)], v.Named[:min(len(v.Named), mostNamed)]
	at, named := map[string]int{}, map[EntityView]int{}
	for _, e := range names {
		named[EntityView{Type: e.Type, Name: e.Name}] = len(nodes)
		nodes = append(nodes, svg.Node{Label: e.Name, Tip: e.Type + " " + e.Name, Class: "entity",
			Href: "/graph?entity=" + url.QueryEscape(e.Name)})
	}
	for _, i := range drawn {
		at[i.ID] = len(nodes)
		nodes = append(nodes, svg.Node{Label: i.Text, Tip: i.head() + ": " + i.Text, Class: "i-" + i.Intent,
			Gone: i.gone(), Href: i.Page})
	}
	for _, i := range drawn {
		for _, r := range i.Relations {
			if to, ok := at[r.ID]; ok {
				tip := i.Text + " — " + r.Kind + " — " + nodes[to].Label
				edges = append(edges, svg.Edge{From: at[i.ID], To: to, Class: "r-" + r.Kind, Tip: tip})
			}
		}
		for _, e := range i.Entities {
			if to, ok := named[e]; ok {
				tip := i.Text + " — names — " + e.Name
				edges = append(edges, svg.Edge{From: at[i.ID], To: to, Class: "r-names", Tip: tip})
			}
		}
	}
	return nodes, edges, len(related) - len(drawn) + len(v.Named) - len(names)
}

// drawing is a picture, or "", and the number of omitted elements.
type drawing struct {
	Picture     template.HTML
	More, Older int // chains, or ideas and entities; older ideas of the chains that are drawn
}

// Chains draws replacements over time.
func (v GraphView) Chains() (d drawing) {
	lanes, more, older := v.lanes()
	if len(lanes) > 0 {
		d.Picture = template.HTML(svg.Chains(lanes).HTML("What became of what",
			"Each lane holds ideas that say something of each other, the oldest left. The table below has the same."))
	}
	d.More, d.Older = more, older
	return d
}

// Network draws ideas and the entities that they mention.
func (v GraphView) Network() (d drawing) {
	nodes, edges, more := v.network()
	if len(nodes) > 0 {
		d.Picture = template.HTML(svg.Network(nodes, edges).HTML("Ideas and what they name",
			"The table below has the same relations."))
	}
	d.More = more
	return d
}

// Listed returns the newest ideas, the newest first.
func (v GraphView) Listed() []IdeaView {
	list := slices.Clone(v.Ideas[max(0, len(v.Ideas)-mostListed):])
	slices.Reverse(list)
	return list
}

// MoreListed counts the ideas that are not listed.
func (v GraphView) MoreListed() int { return max(0, len(v.Ideas)-mostListed) }

func (s *site) graphPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	v, err := s.graph(ctx, GraphArgs{
		Words: q.Get("words"), Entity: q.Get("entity"), Intent: q.Get("intent"), Project: q.Get("project"),
		AsOf: q.Get("asof"), Open: q.Get("open") != "",
	})
	return page{"Graph", "graph", v}, err
}

// GraphSVG returns a file with the pictures of some ideas: their chains, and below them the network. more
// counts the chains, ideas and entities that are not drawn.
func GraphSVG(list []gitmem.Idea) (picture string, more int) {
	var v GraphView
	v.fill(list)
	for n := range v.Ideas {
		v.Ideas[n].Page = "" // a file has no links
	}
	lanes, moreLanes, older := v.lanes()
	nodes, edges, moreNodes := v.network()
	for n := range nodes {
		nodes[n].Href = ""
	}
	desc := fmt.Sprintf("%s, %s and %s between them", plural(len(v.Ideas), "idea"), plural(len(lanes), "chain"),
		plural(len(edges), "relation"))
	both := svg.Stack(svg.Chains(lanes), svg.Network(nodes, edges))
	return both.Document("Ideas of sessions", desc, styles("app.css", "pictures.css")), moreLanes + older + moreNodes
}
