package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// mostPart is how many characters of a session the model reads at once: about what has as many
// ideas as an answer has room for.
const mostPart = 8000

// topicLabel is the text of a claim that begins a topic.
const topicLabel = "topic"

// Ideas has the model say which sentences of a session of a project are ideas, what they have to
// do with each other and with those that are known, and where its topics begin, for ideas: on.
// It is nil where the model did not say.
func (a *Agent) Ideas(ctx context.Context, project, session string, known []graph.Node, msgs iter.Seq2[transcript.Message, error]) (*archive.Found, error) {
	if !a.ws.Policy().Config.Agent.Ideas || !a.Configured() {
		return nil, nil
	}
	m := &marker{found: archive.Found{Quotes: map[string][]transcript.Quote{}, Relations: map[string][]archive.Relation{}}, known: known, ids: map[string]bool{}}
	cut := 0
	for part, err := range a.parts(msgs) {
		if err != nil {
			return nil, err
		}
		out, err := a.complete(ctx, true, "the ideas of session "+transcript.ShortID(session), project, m.task(part))
		if err != nil && !errors.Is(err, errNothing) {
			return nil, err
		}
		m.take(part, out.claims)
		cut += len(out.Cut)
	}
	slices.SortStableFunc(m.found.Topics, func(a, b transcript.Topic) int { return cmp.Compare(a.Line, b.Line) })
	m.found.Mark = fmt.Sprintf("ideas: model %s, %s cut", a.ws.Policy().Config.Agent.Model, messages.Plural(cut, "claim"))
	return &m.found, nil
}

// parts yields what was said in a session, so much at once as a model reads of it.
func (a *Agent) parts(msgs iter.Seq2[transcript.Message, error]) iter.Seq2[[]transcript.Message, error] {
	return func(yield func([]transcript.Message, error) bool) {
		var part []transcript.Message
		size := 0
		for m, err := range msgs {
			if err != nil {
				yield(nil, err)
				return
			}
			if m.Text = messages.Clip(a.src.Forgotten().Sentences(m.Text), mostPart); m.Text == "" || m.Sidechain || !m.Prompt && m.Role != transcript.RoleAssistant {
				continue
			}
			if size += len(m.Text); size > mostPart && len(part) > 0 {
				if !yield(part, nil) {
					return
				}
				part, size = nil, len(m.Text)
			}
			part = append(part, m)
		}
		if len(part) > 0 {
			yield(part, nil)
		}
	}
}

// thisSession stands for the day of an idea of a part before.
const thisSession = "this session,"

// marker gathers the ideas of a session, part by part.
type marker struct {
	found archive.Found
	known []graph.Node // those of the parts before too
	ids   map[string]bool
}

// task is what the model is asked about a part.
func (m *marker) task(part []transcript.Message) task {
	t := task{system: templates.Agent("ideas"), given: map[string]query.Shown{}, most: mostClaims, room: mostClaims * mostClaim, labels: true}
	add := func(id, about, text string) {
		t.given[id] = query.Shown{Citation: ask.Citation{ID: id}, Text: text}
		t.input += fmt.Sprintf("[%s] %s: %s\n\n", id, about, text)
	}
	for _, n := range m.known {
		add(n.ID, n.Day+" "+n.Intent, n.Text)
	}
	for _, msg := range part {
		add(lineID(msg.Line), string(msg.Role), msg.Text)
	}
	return t
}

func lineID(line int) string { return "L" + strconv.Itoa(line) }

// take takes in what the model claims of a part: first the ideas, so that a relation finds either
// of its ends whatever stands first.
func (m *marker) take(part []transcript.Message, claims []claim) {
	type said struct {
		id, kind string
		of       quote
	}
	var relations []said
	for _, c := range claims {
		words, q := strings.Fields(c.Text), quoteOf(part, c.Citations[0])
		switch {
		case len(words) == 0 || q.Text == "":
			continue
		case words[0] == topicLabel:
			m.found.Topics = append(m.found.Topics, transcript.Topic{Line: q.Line, Title: q.Text})
			continue
		}
		q.Tentative = slices.Contains(words, "tentative")
		id := m.add(words[0], q)
		if kind := words[len(words)-1]; id != "" && len(c.Citations) > 1 && slices.Contains(markdown.RelationKinds(), kind) {
			relations = append(relations, said{id, kind, c.Citations[1]})
		}
	}
	for _, r := range relations {
		if n := m.other(r.of); n.ID != "" && n.ID != r.id {
			day := n.Day
			if day == thisSession {
				day = ""
			}
			m.found.Relations[r.id] = append(m.found.Relations[r.id], archive.Relation{Kind: r.kind, ID: n.ID, Day: day})
		}
	}
}

// add takes an idea in, and is its id; "" is what no intent is.
func (m *marker) add(intent string, q transcript.Quote) string {
	if !slices.Contains(transcript.IdeaIntents(), intent) {
		return ""
	}
	idea := archive.Idea{Intent: intent, Quote: q}
	if id := idea.ID(); !m.ids[id] {
		m.ids[id] = true
		m.found.Quotes[intent] = append(m.found.Quotes[intent], q)
		m.known = append(m.known, graph.Node{ID: id, Day: thisSession, Intent: intent, Text: q.Text, Line: q.Line})
	}
	return idea.ID()
}

// quoteOf is what a citation of a part quotes, the zero one where it is none of the part.
func quoteOf(part []transcript.Message, cited quote) transcript.Quote {
	for _, msg := range part {
		if lineID(msg.Line) == cited.Source {
			return transcript.Quote{Line: msg.Line, Time: msg.Time, Text: cited.Excerpt}
		}
	}
	return transcript.Quote{}
}

// other is the idea that a citation names: by its id, or by its words; the zero one is for none.
func (m *marker) other(cited quote) (n graph.Node) {
	for _, k := range m.known {
		if k.ID == cited.Source || lineID(k.Line) == cited.Source && k.Text == cited.Excerpt {
			n = k
		}
	}
	return n
}
