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

// IdeaFilter says which ideas [Reader.Ideas] lists.
type IdeaFilter struct {
	Project string // name or id; "" for the current one, "all" for every one
	Session string // session id or its beginning
	Intent  string // decision, conclusion, question, problem, solution, todo or context; several with commas
	Words   string // that an idea or its topic must hold, in any order
	Open    bool   // those that wait for an answer or for being done
	Entity  string // that an idea must name, by any of its names; "" for any and none
	Type    string // of that entity, "" for any
	Limit   int    // the newest; 0 is for all
	// Decisions adds those that the project wrote down, which no session need have said.
	Decisions bool
	AsOf      string // what was said by a date, as it stood then, in the forms of [Filter].Since; "" for now
}

// Idea is an idea of the session archive. The JSON form is a public contract.
type Idea struct {
	ID         string           `json:"id"`
	Intent     string           `json:"intent"`
	Text       string           `json:"text"`
	State      string           `json:"state"` // open, done, answered or superseded, "" for none of these
	By         []string         `json:"by"`    // the ideas that made it so
	Topic      string           `json:"topic"`
	Session    string           `json:"session"`
	Project    string           `json:"project"`
	Time       time.Time        `json:"time"`
	Confidence float64          `json:"confidence"`
	Relations  []graph.Relation `json:"relations"`  // to other ideas
	Entities   []graph.Entity   `json:"entities"`   // that it names
	BrowseURL  string           `json:"browse_url"` // path of its page
}

// Ideas lists the ideas of the session archive, oldest first, and behind them the tasks of the
// projects' lists, which have no date and are todos as well.
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

// ByTime puts the older of two ideas first, and one without a date, as of a task, last.
func ByTime(a, b time.Time) int {
	if a.IsZero() != b.IsZero() {
		return b.Compare(a)
	}
	return a.Compare(b)
}

// graphAsOf is the graph of a project as it was at the moment of a filter.
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

// isIdea reports whether a mark of the archive is that of an idea: prompts and what the client
// noted are none.
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

// SessionTopics is a session with what it was about. The JSON form is a public contract.
type SessionTopics struct {
	Session string    `json:"session"`
	Title   string    `json:"title"`
	Time    time.Time `json:"time"`
	ID      string    `json:"id"` // citation of its section
	Topics  []Topic   `json:"topics"`
}

// Topic is a part of a session about one subject, or the whole of one that had one subject. The
// JSON form is a public contract.
type Topic struct {
	ID     string         `json:"id"`
	Parent string         `json:"parent"` // the topic that it is a part of, "" for none
	Title  string         `json:"title"`
	Ideas  map[string]int `json:"ideas"` // by intent: how many
	Open   int            `json:"open"`  // of these, what waits
	Lines  []Idea         `json:"lines"` // they themselves, where one session was asked for
}

// Topics lists the sessions of a project with their topics, oldest first; session is the
// beginning of one's id, "" for all.
func (rd *Reader) Topics(ctx context.Context, project, session string) ([]SessionTopics, error) {
	g, err := rd.Graph(ctx, project)
	if err != nil {
		return nil, err
	}
	return rd.topicsIn(g, session), nil
}

// GraphCounts are how many ideas, by intent, topics and entities, by type, the session archives
// of a project hold, and how many of the ideas are open.
type GraphCounts struct {
	Ideas, Entities map[string]int
	Open, Topics    int
}

// GraphCounts counts what [Reader.Ideas] and [Reader.Topics] list of a project.
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

// Graph is the graph of the session archives of a project, "" for the current one.
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
		// behind that day's
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

// recentDays is for how long the log of an archived session may hold ideas of what it went on with.
const recentDays = 7

// logFormat is how the path of a log tells its day.
const logFormat = "2006-01/02"

// inScope is the graph of the projects in scope, read once.
func (v *View) inScope() *graph.Graph {
	if v.graph == nil {
		v.graph = v.Reader.graphOf(v.Cache, v.InScope)
	}
	return v.graph
}

// IdeaSelection says which ideas are listed.
type IdeaSelection struct {
	Intent string // "" for those of all that sessions left open
	Range  search.Range
	Open   bool   // those that wait for an answer or for being done, tasks too
	Logged bool   // those that no index has: sessions said them that go on
	Except string // sessions that are no source, with commas
	Wanted func(text string) bool
}

// SelectIdeas are the citations of ideas in scope, newest first.
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
	seen := map[string]bool{} // what was said in the same words twice
	for _, i := range list {
		if !seen[i.ID] {
			seen[i.ID], ids = true, append(ids, i.ID)
		}
	}
	return ids
}

// settled are the ideas that replace or answer one, wherever that is said.
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
