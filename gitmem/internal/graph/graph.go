// Package graph relates the ideas of sessions: which idea superseded or answered another, which task was done, and what
// is open. Its input is the sections of the archive, logs and task lists in the units of package cite, and the user's
// list of names. It writes nothing: the Markdown files are the only data, so a person's edit changes the graph. It must
// not know where files are, who may read them, or what was asked.
package graph

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/markdown"
)

// Idea is a line of the archive, or a task of a project's list, with its metadata.
type Idea struct {
	ID         string // citation id
	Intent     string
	Text       string
	Tags       []string // after the text, without #
	Topic      string   // the heading above it
	Session    string
	Project    string
	Time       time.Time
	Confidence float64
	File       string
	Turn       int  // line of the transcript, 0 if unknown
	Done       bool // ticked off by hand
	Relations  []Relation
}

// Relation is a relation of an idea to another one.
type Relation struct {
	Kind string `json:"kind"` // supersedes, answers, builds_on, contradicts, relates_to or withdraws
	ID   string `json:"id"`   // citation id of the other idea
}

// Topic is a heading with the ideas directly below it: the heading of a session, or of a part of a session about one
// subject, which follows its session.
type Topic struct {
	ID      string // citation id
	Title   string
	Whole   bool   // the heading of a session
	Parent  string // citation id of the topic that contains it, or ""
	Session string
	Time    time.Time
	Ideas   []int // indexes in the graph
}

// Graph contains the ideas and topics of archives in the order of their files, with the relations between ideas.
type Graph struct {
	Ideas  []Idea
	Topics []Topic
	// Until maps a session to the minute of the last message that its archive sections cover.
	Until map[string]time.Time
	later map[string][]int // by citation id: the ideas with a relation to it
	known map[string]*Known
}

// New returns an empty graph.
func New() *Graph {
	return &Graph{Until: map[string]time.Time{}, later: map[string][]int{}, known: map[string]*Known{}}
}

// Add adds the ideas and topics of an archive file. A repeated idea has the same id and is added twice.
func (g *Graph) Add(f cite.File, units []cite.Unit) {
	headings := map[string]int{} // by id
	for _, u := range units {
		if whole := u.Source == string(cite.KindSession); whole || u.Source == cite.SourceTopic {
			headings[u.ID] = len(g.Topics)
			if n, ok := headings[u.Heading]; !ok || g.Topics[n].Whole {
				u.Heading = ""
			}
			if whole && g.Until[u.Session].Before(u.Until) {
				g.Until[u.Session] = u.Until
			}
			g.Topics = append(g.Topics, Topic{ID: u.ID, Title: u.Title, Whole: whole, Parent: u.Heading, Session: u.Session,
				Time: u.Time})
			continue
		}
		if u.Source != string(cite.KindIdea) && u.Source != string(cite.KindTask) {
			continue
		}
		i := Idea{
			ID: u.ID, Intent: u.Intent, Text: u.Text, Tags: u.Tags, Topic: u.Title, Session: u.Session,
			Project: f.Project, Time: u.Time,
			Confidence: u.Confidence, File: f.Path, Turn: u.Turn, Done: u.Done != nil && *u.Done,
		}
		if IsTask(u.ID) {
			i.Intent, i.Topic, i.Confidence = markdown.IntentTodo, "", 1
		}
		for _, r := range u.Relations {
			if id := r.ID(); id != "" {
				to := cite.IdeaID(id)
				i.Relations = append(i.Relations, Relation{r.Kind, to})
				g.told(len(g.Ideas), to)
			}
		}
		if n, ok := headings[u.Heading]; ok {
			g.Topics[n].Ideas = append(g.Topics[n].Ideas, len(g.Ideas))
		}
		if len(g.Ideas) == cap(g.Ideas) { // append alone would copy the ideas of a large archive often
			g.Ideas = slices.Grow(g.Ideas, len(g.Ideas)+64)
		}
		g.Ideas = append(g.Ideas, i)
	}
}

// told records that the nth idea has a relation to another one.
func (g *Graph) told(n int, to string) {
	if !slices.Contains(g.later[to], n) {
		g.later[to] = append(g.later[to], n)
	}
}

// State returns the state of an idea: done, superseded, answered, open for a question or task without an answer, and ""
// for others. by lists the ideas that determine the state, with their relations; none of them is older than the idea.
func (g *Graph) State(i Idea) (state string, by []Relation) {
	for _, n := range g.later[i.ID] {
		if g.Ideas[n].Project != i.Project || g.Ideas[n].Time.Before(i.Time) {
			continue
		}
		for _, r := range g.Ideas[n].Relations {
			if as := closedBy(r.Kind); r.ID == i.ID && as != "" {
				state, by = as, append(by, Relation{r.Kind, g.Ideas[n].ID})
				break
			}
		}
	}
	switch {
	case state == "answered" && i.Intent == markdown.IntentTodo, state == "" && i.Done:
		state = "done"
	case state == "" && Waits(i.Intent):
		state = "open"
	}
	return state, by
}

// AsOf returns the graph of the ideas until a time, without later changes of their states. It excludes tasks of lists,
// which have no date. Ticks by hand have no date either, but are included.
func (g *Graph) AsOf(at time.Time) *Graph {
	past := New()
	for _, i := range g.Ideas {
		if i.Time.IsZero() || i.Time.After(at) {
			continue
		}
		for _, r := range i.Relations {
			past.told(len(past.Ideas), r.ID)
		}
		past.Ideas = append(past.Ideas, i)
	}
	return past
}

// IsTask reports whether a citation id names a task of a project's list, as opposed to a todo from a session.
func IsTask(id string) bool { return strings.HasPrefix(id, string(cite.KindTask)+":") }

// closedBy returns the status that a relation gives to its target, or "" if it changes nothing.
func closedBy(kind string) string {
	switch kind {
	case markdown.RelationSupersedes:
		return "superseded"
	case markdown.RelationAnswers:
		return "answered"
	case markdown.RelationWithdraws:
		return cite.StateTakenBack
	}
	return ""
}

// Waits reports whether ideas with an intent are open until another idea closes them.
func Waits(intent string) bool {
	return intent == markdown.IntentTodo || intent == markdown.IntentQuestion
}

// Known returns the ideas of a project for comparison with new ones. It contains the ideas that the graph had at the
// first call.
func (g *Graph) Known(project string) *Known {
	k := g.known[project]
	if k == nil {
		k = NewKnown()
		for _, i := range g.Ideas {
			if i.Project == project && !IsTask(i.ID) {
				k.Add(g.node(i))
			}
		}
		g.known[project] = k
	}
	return k
}

// node converts an idea to a node for comparison.
func (g *Graph) node(i Idea) Node {
	state, _ := g.State(i)
	return Node{
		ID: strings.TrimPrefix(i.ID, cite.IdeaID("")), Day: strings.TrimSuffix(path.Base(i.File), ".md"), Intent: i.Intent,
		Text: i.Text, Session: i.Session, Time: i.Time,
		Line: i.Turn, Closed: state != "" && state != "open",
	}
}

// Follow adds the ideas of a graph, none older than the known ones, and closes the ideas that they close.
func (k *Known) Follow(g *Graph) {
	for _, i := range g.Ideas {
		k.Add(g.node(i))
	}
	for to, by := range g.later {
		id, _ := cite.Parse(to)
		if old := k.ids[id.Name]; old != nil {
			_, closing := g.State(Idea{ID: to, Project: g.Ideas[by[0]].Project, Time: old.Time})
			old.Closed = old.Closed || len(closing) > 0
		}
	}
}
