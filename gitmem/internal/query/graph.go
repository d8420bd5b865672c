package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers"
)

// IdeaFilter selects the ideas that [Reader.Ideas] lists.
type IdeaFilter struct {
	Project string // name or id; "" for the current one, "all" for every one
	Session string // session id or a prefix of it
	Intent  string // decision, conclusion, question, problem, solution, todo or context; several with commas
	Words   string // that an idea or its topic must contain, in any order
	Open    bool   // only open ideas: unanswered or not done
	Entity  string // that an idea must name, by any of its names; "" for any and none
	Type    string // of that entity, "" for any
	Limit   int    // the newest ones; 0 means all
	// Decisions adds the decisions of decision records, which need not be from a session.
	Decisions bool
	AsOf      string // ideas up to a date, with their state then, in the forms of [Filter].Since; "" for now
}

// Idea is an idea of the session archive. The JSON form is a public contract.
type Idea struct {
	ID         string           `json:"id"`
	Intent     string           `json:"intent"`
	Text       string           `json:"text"`
	State      string           `json:"state"` // open, done, answered or superseded; "" if none applies
	By         []string         `json:"by"`    // the ideas that caused the state
	Topic      string           `json:"topic"`
	Session    string           `json:"session"`
	Project    string           `json:"project"`
	Time       time.Time        `json:"time"`
	Confidence float64          `json:"confidence"`
	Relations  []graph.Relation `json:"relations"`  // to other ideas
	Entities   []graph.Entity   `json:"entities"`   // named in it
	BrowseURL  string           `json:"browse_url"` // path of its page
}

// Ideas lists the ideas of the session archive, oldest first, followed by the tasks of the projects' lists, which have
// no date and count as todos.
func (rd *Reader) Ideas(ctx context.Context, f IdeaFilter) ([]Idea, error) {
	intents := strings.FieldsFunc(f.Intent, func(r rune) bool { return r == ',' || r == ' ' })
	for _, intent := range intents {
		if !slices.Contains(markdown.Intents(), intent) {
			return nil, fmt.Errorf("%w: no intent %q: it is one of %s", messages.ErrUsage, intent,
				strings.Join(markdown.Intents(), ", "))
		}
	}
	if err := completeType(&f.Type); err != nil {
		return nil, err
	}
	g, err := rd.graphAsOf(ctx, f)
	if err != nil {
		return nil, err
	}
	wanted, named := strings.Fields(strings.ToLower(f.Words)), func(graph.Idea) bool { return true }
	if f.Entity != "" {
		named = rd.naming(f.Entity, f.Type)
	}
	found := slices.DeleteFunc(slices.Clone(g.Ideas), func(i graph.Idea) bool {
		text := strings.ToLower(i.Text + " " + i.Topic)
		if len(intents) > 0 && !slices.Contains(intents, i.Intent) || len(intents) == 0 && !isIdea(i.Intent) ||
			!strings.HasPrefix(i.Session, f.Session) ||
			slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(text, w) }) {
			return true
		}
		state, _ := g.State(i)
		return f.Open && state != "open" || !named(i)
	})
	slices.SortStableFunc(found, func(a, b graph.Idea) int { return ByTime(a.Time, b.Time) })
	if f.Limit > 0 {
		found = found[max(0, len(found)-f.Limit):]
	}
	list := make([]Idea, len(found))
	for n, i := range found {
		state, by := g.State(i)
		list[n] = rd.shownIdea(i, state, by)
	}
	return list, nil
}

// ByTime orders ideas by time, oldest first; ideas without a time, such as tasks, come last.
func ByTime(a, b time.Time) int {
	if a.IsZero() != b.IsZero() {
		return b.Compare(a)
	}
	return a.Compare(b)
}

// graphAsOf returns the graph of a project at the moment of a filter.
func (rd *Reader) graphAsOf(ctx context.Context, f IdeaFilter) (*graph.Graph, error) {
	at, ok := pointInTime(f.AsOf, rd.ws.Options.Now())
	if f.AsOf != "" && !ok {
		return nil, fmt.Errorf("%w: %q is no date: write 2024-03-15, yesterday or 3d", messages.ErrUsage, f.AsOf)
	}
	g, err := rd.Graph(ctx, f.Project)
	if err != nil || f.AsOf == "" {
		return g, err
	}
	return g.AsOf(at), nil
}

// isIdea reports whether a mark of the archive is that of an idea, unlike prompts and notes of the client.
func isIdea(intent string) bool {
	return intent != markdown.IntentWork && intent != markdown.IntentNote
}

func (rd *Reader) shownIdea(i graph.Idea, state string, by []graph.Relation) Idea {
	out := Idea{
		ID: i.ID, Intent: i.Intent, Text: rd.ws.Clean(i.Text), State: state, By: []string{}, Topic: rd.ws.Clean(i.Topic),
		Session: rd.ws.Clean(i.Session),
		Project: rd.ws.Clean(i.Project), Time: i.Time, Confidence: i.Confidence,
		Relations: append([]graph.Relation{}, i.Relations...),
		Entities:  []graph.Entity{}, BrowseURL: cite.Source{ID: i.ID, Session: i.Session}.Page(),
	}
	for _, m := range rd.mentions(i) {
		out.Entities = append(out.Entities, graph.Entity{Type: m.Type, Name: rd.ws.Clean(m.Name)})
	}
	for _, other := range by {
		out.By = append(out.By, other.ID)
	}
	return out
}

// SessionTopics is a session with its topics. The JSON form is a public contract.
type SessionTopics struct {
	Session string    `json:"session"`
	Title   string    `json:"title"`
	Time    time.Time `json:"time"`
	ID      string    `json:"id"` // citation id of its section
	Topics  []Topic   `json:"topics"`
}

// Topic is a part of a session about one subject, or the whole of a session with one subject. The JSON form is a public
// contract.
type Topic struct {
	ID     string         `json:"id"`
	Parent string         `json:"parent"` // the enclosing topic, "" for none
	Title  string         `json:"title"`
	Ideas  map[string]int `json:"ideas"` // count by intent
	Open   int            `json:"open"`  // how many of these are open
	Lines  []Idea         `json:"lines"` // the ideas themselves, if one session was requested
}

// Topics lists the sessions of a project with their topics, oldest first; session is an id prefix, "" for all.
func (rd *Reader) Topics(ctx context.Context, project, session string) ([]SessionTopics, error) {
	g, err := rd.Graph(ctx, project)
	if err != nil {
		return nil, err
	}
	return rd.topicsIn(g, session), nil
}

// GraphCounts contains the numbers of ideas, by intent, topics and entities, by type, in the session archives of a
// project, and of open ideas.
type GraphCounts struct {
	Ideas, Entities map[string]int
	Open, Topics    int
}

// GraphCounts counts the results of [Reader.Ideas] and [Reader.Topics] for a project.
func (rd *Reader) GraphCounts(ctx context.Context, project string) (GraphCounts, error) {
	out := GraphCounts{Ideas: map[string]int{}, Entities: map[string]int{}}
	g, err := rd.Graph(ctx, project)
	if err != nil {
		return out, err
	}
	for _, i := range g.Ideas {
		if !isIdea(i.Intent) || graph.IsTask(i.ID) {
			continue
		}
		out.Ideas[i.Intent]++
		if state, _ := g.State(i); state == "open" {
			out.Open++
		}
	}
	for _, s := range rd.topicsIn(g, "") {
		out.Topics += len(s.Topics)
	}
	for e := range rd.entitiesIn(g) {
		out.Entities[e.Type]++
	}
	return out, nil
}

func (rd *Reader) topicsIn(g *graph.Graph, session string) []SessionTopics {
	list := []SessionTopics{}
	for _, s := range g.Topics {
		if !strings.HasPrefix(s.Session, session) {
			continue
		}
		t := Topic{ID: s.ID, Parent: s.Parent, Title: rd.ws.Clean(s.Title), Ideas: map[string]int{}, Lines: []Idea{}}
		for _, n := range s.Ideas {
			i := g.Ideas[n]
			if !isIdea(i.Intent) {
				continue
			}
			t.Ideas[i.Intent]++
			state, by := g.State(i)
			if state == "open" {
				t.Open++
			}
			if session != "" {
				t.Lines = append(t.Lines, rd.shownIdea(i, state, by))
			}
		}
		if s.Whole {
			list = append(list, SessionTopics{Session: rd.ws.Clean(s.Session), Title: t.Title, Time: s.Time, ID: s.ID,
				Topics: []Topic{}})
		}
		if last := len(list) - 1; last >= 0 && (!s.Whole || len(s.Ideas) > 0) {
			list[last].Topics = append(list[last].Topics, t)
		}
	}
	slices.SortStableFunc(list, func(a, b SessionTopics) int { return a.Time.Compare(b.Time) })
	return list
}

// Graph returns the graph of the session archives of a project, "" for the current one.
func (rd *Reader) Graph(ctx context.Context, project string) (*graph.Graph, error) {
	inScope, err := rd.ws.ScopeOf(ctx, project)
	if err != nil {
		return nil, err
	}
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	r, err := rd.src.Resolver(p, true)
	if err != nil {
		return nil, err
	}
	return rd.graphOf(r, inScope), ctx.Err()
}

func (rd *Reader) graphOf(r *cite.Resolver, inScope func(string) bool) *graph.Graph {
	g := graph.New()
	wanted := func(f *cite.File, areas ...cite.Area) bool {
		return slices.Contains(areas, f.Area) && (inScope == nil || inScope(f.Project)) &&
			rd.ws.ExcludedMemory(f.Path, f.Project) == ""
	}
	for f, units := range r.UnitsIn(func(f *cite.File) bool { return wanted(f, cite.AreaArchive, cite.AreaTasks) }) {
		g.Add(f, rd.src.RememberedUnits(units))
	}
	recent := rd.ws.Options.Now().UTC().AddDate(0, 0, -recentDays).Format(logFormat)
	for f, units := range r.UnitsIn(func(f *cite.File) bool {
		until, archived := g.Until[ingest.LogSession(f.Path)]
		// sorts after all paths of that day
		return wanted(f, cite.AreaObservations) && (!archived || ingest.DayOf(f.Path) >= recent ||
			ingest.DayOf(f.Path) > until.Format(logFormat)+"~")
	}) {
		if units = rd.src.RememberedUnits(units); len(units) > 0 && !rd.src.Hides(cite.ID{Kind: cite.KindTranscript,
			Name: units[0].Session}.String()) &&
			!rd.src.SessionForgotten(&workspace.Place{Project: store.Project{ID: f.Project}}, units[0].Session,
				units[0].Time.Format(time.DateOnly)) {
			g.AddLog(f, units)
		}
	}
	return g
}

// recentDays is the number of days during which the log of an archived session may still contain ideas from its
// continuation.
const recentDays = 7

// logFormat is the time layout of the day in the path of a log.
const logFormat = "2006-01/02"

// inScope returns the graph of the projects in scope, read once.
func (v *View) inScope() *graph.Graph {
	if v.graph == nil {
		v.graph = v.Reader.graphOf(v.Cache, v.InScope)
	}
	return v.graph
}

// IdeaSelection selects ideas.
type IdeaSelection struct {
	Intent string // "" for all intents that sessions can leave open
	Range  search.Range
	Open   bool   // only open ideas, including tasks
	Logged bool   // only ideas that no index has: those of running sessions
	Except string // excluded sessions, comma-separated
	Wanted func(text string) bool
}

// SelectIdeas returns the citation ids of ideas in scope, newest first.
func (v *View) SelectIdeas(f IdeaSelection) (ids []string) {
	g, except := v.inScope(), strings.Split(f.Except, ",")
	list := slices.DeleteFunc(slices.Clone(g.Ideas), func(i graph.Idea) bool {
		if i.Session != "" && slices.Contains(except, i.Session) {
			return true
		}
		state, _ := g.State(i)
		of := f.Intent == "" && !graph.IsTask(i.ID) || i.Intent == f.Intent && f.Wanted(i.Text)
		return !of || state == "superseded" || state == cite.StateTakenBack || f.Open && state != "open" || f.Logged &&
			cite.AreaOf(i.File) != cite.AreaObservations || !f.Range.Contains(i.Time)
	})
	slices.SortStableFunc(list, func(a, b graph.Idea) int { return cmp.Or(b.Time.Compare(a.Time), b.Turn-a.Turn) })
	seen := map[string]bool{} // to omit repeated texts
	for _, i := range list {
		if !seen[i.ID] {
			seen[i.ID], ids = true, append(ids, i.ID)
		}
	}
	return ids
}

// settled returns links to the ideas that replace or answer one, whichever of the two states it.
func (v *View) settled(id string) (links []providers.Link) {
	rels := map[string]providers.Rel{markdown.RelationSupersedes: providers.SupersededBy,
		markdown.RelationAnswers: providers.AnsweredBy}
	g := v.inScope()
	for _, i := range g.Ideas {
		if i.ID != id {
			continue
		}
		_, by := g.State(i)
		for _, later := range by {
			if l := (providers.Link{Rel: rels[later.Kind], ID: later.ID}); !slices.Contains(links, l) {
				links = append(links, l)
			}
		}
	}
	return links
}
