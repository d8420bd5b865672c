package archiving

import (
	"cmp"
	"path"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
)

// knownOf returns the ideas in the archive of a workspace's project, including those that the current run added.
func (a *archiver) knownOf(p *workspace.Place) *graph.Known {
	if k := a.known[p.Project.ID]; k != nil {
		return k
	}
	k := a.archives.graphOf(p).Known(p.Project.ID)
	a.known[p.Project.ID] = k
	return k
}

// graphOf reads the ideas of a project's archive, oldest first. It reports read errors as caveats.
func (s *Archives) graphOf(p *workspace.Place) *graph.Graph {
	g := graph.New()
	if s.ws.Store == nil { // in a dry run
		return g
	}
	days, err := s.sessions.ArchiveDays(p)
	if err != nil {
		s.ws.Caveat("The archive could not be listed: %v", err)
	}
	slices.SortFunc(days, func(a, b string) int {
		return cmp.Or(cmp.Compare(path.Base(a), path.Base(b)), cmp.Compare(a, b))
	})
	tree := s.src.MemoryTree()
	for _, rel := range days {
		f := cite.File{Path: rel, Area: cite.AreaArchive, Project: p.Project.ID}
		b, err := tree.Read(f)
		if err != nil {
			s.ws.Caveat("%s could not be read, and what it says is not compared: %v", rel, err)
			continue
		}
		units, _ := cite.Units(f, b)
		g.Add(f, units)
	}
	return g
}

// related returns the ideas of a session with their relations to known ideas, plus sentences that close a known idea.
func (w *sectionWriter) related(d transcript.Digest, ideas []archive.Idea) []archive.Idea {
	if w.found != nil {
		w.found.Relate(ideas)
		delete(w.known, w.p.Project.ID) // reload it with the ideas that this session closes
		return ideas
	}
	k := w.knownOf(w.p)
	defer k.Hear(d.Said)()
	for i := range ideas {
		idea := &ideas[i]
		n := w.node(d, *idea)
		for _, old := range k.Replaced(n) {
			idea.Relations = append(idea.Relations, archive.Relation{Kind: markdown.RelationSupersedes, ID: old.ID,
				Day: old.Day})
			old.Closed = true
		}
		k.Add(n)
	}
	for _, a := range k.Answers(w.session, d.Said, func(q transcript.Quote) float64 { return q.Sure }) {
		at := slices.IndexFunc(ideas, func(i archive.Idea) bool {
			return i.Line == a.Quote.Line && i.Text == a.Quote.Text && i.Intent != markdown.IntentWork
		})
		said := archive.Idea{Intent: a.Intent(), Quote: a.Quote}
		if at < 0 { // it may exist from another line
			at = slices.IndexFunc(ideas, func(i archive.Idea) bool { return i.ID() == said.ID() })
		}
		if at < 0 {
			at = slices.IndexFunc(ideas, func(i archive.Idea) bool { return i.Line > a.Quote.Line })
			if at < 0 {
				at = len(ideas)
			}
			if w.archives.src.Forgotten().HasUnit(cite.IdeaID(said.ID()), w.p.Project.ID) {
				continue
			}
			ideas = slices.Insert(ideas, at, said)
			k.Add(w.node(d, said))
		}
		if ideas[at].ID() == a.Open.ID { // it is repeated
			continue
		}
		ideas[at].Relations = append(ideas[at].Relations, archive.Relation{Kind: markdown.RelationAnswers, ID: a.Open.ID,
			Day: a.Open.Day})
		a.Open.Closed = true
	}
	return ideas
}

// node returns an idea of the session as a graph node for comparison.
func (w *sectionWriter) node(d transcript.Digest, i archive.Idea) graph.Node {
	return graph.Node{ID: i.ID(), Day: w.date, Intent: i.Intent, Text: i.Text, Session: w.session,
		Time: d.Start, Line: i.Line}
}
