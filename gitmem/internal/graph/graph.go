// Package graph relates the ideas of sessions. It tells which idea replaced or answered another,
// which task was done, and what is open. It reads the sections of the archive, logs and task lists
// in the units of package cite, and the user's list of names. It writes nothing: the Markdown
// files are the only data, so a person's edit changes the graph. It must not know where files are,
// who may read them, or what was asked.
package graph

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/markdown"
)

// Idea is a line of the archive, or a task of a project's list, with what stands there of it.
type Idea struct {
	ID         string // citation
	Intent     string
	Text       string
	Tags       []string // behind the text, without #
	Topic      string   // the heading above it
	Session    string
	Project    string
	Time       time.Time
	Confidence float64
	File       string
	Turn       int  // line of the transcript, 0 where it does not say
	Done       bool // ticked off by hand
	Relations  []Relation
}

// Relation is what an idea says of another one.
type Relation struct {
	Kind string `json:"kind"` // supersedes, answers, builds_on, contradicts, relates_to or withdraws
	ID   string `json:"id"`   // citation of the other one
}

// Topic is a heading with the ideas right below it: a session's own, or that of a part about one
// subject, which follows its session's.
type Topic struct {
	ID      string // citation
	Title   string
	Whole   bool   // a session's own
	Parent  string // citation of the topic that it is a part of, "" for none
	Session string
	Time    time.Time
	Ideas   []int // in the graph
}

// Graph are the ideas and topics of archives in the order of their files, with what ideas say of
// each other.
type Graph struct {
	Ideas  []Idea
	Topics []Topic
	// Until are by session the minutes of the last messages that sections of the archive cover.
	Until map[string]time.Time
	later map[string][]int // by citation: the ideas that say something of it
	known map[string]*Known
}

// New is an empty graph.
func New() *Graph {
	return &Graph{Until: map[string]time.Time{}, later: map[string][]int{}, known: map[string]*Known{}}
}

// Add takes the ideas and topics of a file of the archive. What was said twice in the same words
// has one id and is there twice.
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
		if len(g.Ideas) == cap(g.Ideas) { // append alone would copy a large archive's ideas often
			g.Ideas = slices.Grow(g.Ideas, len(g.Ideas)+64)
		}
		g.Ideas = append(g.Ideas, i)
	}
}

// told notes that the nth idea says something of another one.
func (g *Graph) told(n int, to string) {
	if !slices.Contains(g.later[to], n) {
		g.later[to] = append(g.later[to], n)
	}
}

// State tells what became of an idea: done, superseded, answered, open for a question or a task
// that waits, and "" for the rest. by are the ideas that say so, with what each says; none is older.
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

// AsOf is the graph of what was said until a moment: what became of an idea later is not known
// in it. Tasks of lists have no date, and are not in it. A tick by hand has none either, and counts.
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

// IsTask reports whether a citation is that of a task of a project's list, which is a todo that
// no session said.
func IsTask(id string) bool { return strings.HasPrefix(id, string(cite.KindTask)+":") }

// closedBy is what an idea is of which another one says something of a kind, "" where that
// leaves it as it is.
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

// Waits reports whether an idea is open until something is said of it.
func Waits(intent string) bool {
	return intent == markdown.IntentTodo || intent == markdown.IntentQuestion
}

// Known are the ideas of a project as what new ones may have to do with, of those that the graph
// had when it was first asked.
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

// node is an idea as what others are compared with.
func (g *Graph) node(i Idea) Node {
	state, _ := g.State(i)
	return Node{
		ID: strings.TrimPrefix(i.ID, cite.IdeaID("")), Day: strings.TrimSuffix(path.Base(i.File), ".md"), Intent: i.Intent,
		Text: i.Text, Session: i.Session, Time: i.Time,
		Line: i.Turn, Closed: state != "" && state != "open",
	}
}

// Follow takes in the ideas of a graph, none older than those that are known, and closes what they
// close.
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
