package graph

import (
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// AddLog takes the ideas of a session that goes on from its log, as far as no section of the
// archive covers them, and what was said there that closes others: the section at the session's
// end will say so, and nobody shall be told meanwhile that it is open. The archives are there.
func (g *Graph) AddLog(f cite.File, units []cite.Unit) {
	units = slices.DeleteFunc(units, func(u cite.Unit) bool { return u.Turn <= g.Through[u.Session] })
	if len(units) == 0 {
		return
	}
	k, from := NewKnown(), len(g.Ideas)
	for _, i := range g.Ideas {
		if i.Project == f.Project && !IsTask(i.ID) {
			k.Add(g.node(i))
		}
	}
	g.Add(f, units)
	for n, i := range g.Ideas[from:] {
		node := g.node(i)
		for _, old := range k.Replaced(node) {
			g.relate(from+n, markdown.RelationSupersedes, old)
		}
		k.Add(node)
	}
	said, entries := saidIn(units)
	k.Hear(said)
	for _, a := range k.Answers(units[0].Session, said) {
		n := slices.IndexFunc(g.Ideas, func(i Idea) bool {
			return i.Session == units[0].Session && i.Text == a.Quote.Text && i.Turn == a.Quote.Line
		})
		if n < 0 { // it is known by the entry that holds it
			n = len(g.Ideas)
			u := entries[a.Quote.Line]
			g.Ideas = append(g.Ideas, Idea{
				ID: u.ID, Intent: a.Intent(), Text: a.Quote.Text, Session: u.Session, Project: f.Project, Time: u.Time, Confidence: markdown.Firm, File: f.Path, Turn: u.Turn,
			})
		}
		g.relate(n, markdown.RelationAnswers, a.Open)
	}
}

// saidIn are the sentences of the prompts and answers of a log, and these entries by their lines of
// the transcript.
func saidIn(units []cite.Unit) (said []transcript.Quote, entries map[int]cite.Unit) {
	entries = map[int]cite.Unit{}
	for _, u := range units {
		if u.Title == cite.EntryPrompt || u.Title == cite.EntryAnswer {
			entries[u.Turn] = u
			for _, s := range transcript.Statements(u.Said()) {
				if len(s.Text) <= transcript.MaxSentence { // a log has no paragraphs
					said = append(said, transcript.Quote{Line: u.Turn, Time: u.Time, Text: s.Text})
				}
			}
		}
	}
	return said, entries
}

// relate lets the nth idea say something of another one.
func (g *Graph) relate(n int, kind string, of *Node) {
	of.Closed = true
	to := cite.IdeaID(of.ID)
	if to != g.Ideas[n].ID {
		g.Ideas[n].Relations = append(g.Ideas[n].Relations, Relation{kind, to})
		g.later[to] = append(g.later[to], n)
	}
}
