package graph

import (
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// AddLog adds the ideas in the log of a running session that no archive section covers, and statements there that close
// other ideas: these would otherwise be shown as open until the section at the session's end. The archives must have
// been added before.
func (g *Graph) AddLog(f cite.File, units []cite.Unit) {
	units = slices.DeleteFunc(units, func(u cite.Unit) bool {
		return u.State == cite.StateTakenBack || Covered(u, g.Until)
	})
	if !slices.ContainsFunc(units, weighty) {
		return
	}
	k, from := g.Known(f.Project), len(g.Ideas)
	g.Add(f, slices.DeleteFunc(slices.Clone(units), func(u cite.Unit) bool {
		// a fork's log repeats its beginning
		return slices.ContainsFunc(g.Ideas, func(i Idea) bool { return i.ID == u.ID && i.Turn == u.Turn })
	}))
	for n := range g.Ideas[from:] {
		i := &g.Ideas[from+n]
		i.Topic = ""
		node := g.node(*i)
		for _, old := range k.Replaced(node) {
			g.relate(from+n, markdown.RelationSupersedes, old)
		}
		k.Add(node)
	}
	said, entries := SaidIn(units)
	defer k.Hear(said)()
	for _, a := range k.Answers(units[0].Session, said, func(q transcript.Quote) float64 {
		return SureOf(q, entries[slices.Index(said, q)])
	}) {
		n := slices.IndexFunc(g.Ideas, func(i Idea) bool {
			return i.Session == units[0].Session && i.Text == a.Quote.Text && i.Turn == a.Quote.Line
		})
		if n < 0 { // it is known by the entry that contains it
			n = len(g.Ideas)
			u := entries[slices.Index(said, a.Quote)]
			g.Ideas = append(g.Ideas, Idea{
				ID: u.ID, Intent: a.Intent(), Text: a.Quote.Text, Session: u.Session, Project: f.Project, Time: u.Time,
				Confidence: markdown.Firm, File: f.Path, Turn: u.Turn,
			})
		}
		g.relate(n, markdown.RelationAnswers, a.Open)
	}
}

// Covered reports whether a section covers an entry of a session's log.
func Covered(u cite.Unit, until map[string]time.Time) bool {
	return !u.Time.Truncate(time.Minute).After(until[u.Session])
}

// weighty reports whether a log entry qualifies its session for a section. A session with only talk and questions gets
// none, see [transcript.Digest.Trivial].
func weighty(u cite.Unit) bool {
	return u.Title == cite.EntryTool || u.Intent != "" && u.Intent != markdown.IntentQuestion
}

// SaidIn returns the sentences in the prompts and answers of a log, each with its entry.
func SaidIn(units []cite.Unit) (said []transcript.Quote, entries []cite.Unit) {
	for _, u := range units {
		if u.Title != cite.EntryPrompt && u.Title != cite.EntryAnswer {
			continue
		}
		for _, s := range transcript.Statements(u.Said()) {
			if len(s.Text) <= transcript.MaxSentence { // a log has no paragraphs
				said, entries = append(said, transcript.Quote{Line: u.Turn, Time: u.Time, Text: s.Text}), append(entries, u)
			}
		}
	}
	return said, entries
}

// SureOf returns the probability that a sentence of an entry is an idea, without context.
func SureOf(q transcript.Quote, of cite.Unit) float64 {
	d, _ := transcript.Summarise(func(yield func(transcript.Message, error) bool) { // only reading could fail
		yield(transcript.Message{Role: transcript.RoleAssistant, Prompt: of.Title == cite.EntryPrompt, Text: of.Said()}, nil)
	})
	for _, s := range d.Said {
		if s.Text == q.Text {
			return s.Sure
		}
	}
	return 0
}

// relate adds a relation of the nth idea to another one.
func (g *Graph) relate(n int, kind string, of *Node) {
	of.Closed = true
	to := cite.IdeaID(of.ID)
	if to != g.Ideas[n].ID {
		g.Ideas[n].Relations = append(g.Ideas[n].Relations, Relation{kind, to})
		g.told(n, to)
	}
}
