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

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// mostPart is the number of characters of a session that the model reads at once. It contains about as many ideas as
// fit into an answer.
const mostPart = 8000

// topicLabel is the text of a claim that marks the start of a topic.
const topicLabel = "topic"

// Ideas has the model mark the ideas in a session of a project, their relations to each other and to the known ideas,
// and the starts of the topics, if ideas is on. It returns nil if the model did not answer. If the model fails partway,
// the result contains the parts before the failure.
func (a *Agent) Ideas(ctx context.Context, project, session string, known []graph.Node,
	msgs iter.Seq2[transcript.Message, error]) (*archive.Found, error) {
	if !a.ws.Policy().Config.Agent.Ideas || !a.Configured() {
		return nil, nil
	}
	m := &marker{found: archive.Found{Quotes: map[string][]transcript.Quote{}, Relations: map[string][]archive.Relation{}},
		known: known}
	var failed error
	for part, err := range a.parts(msgs) {
		var out Result
		if err == nil {
			out, err = a.complete(ctx, true, "the ideas of session "+transcript.ShortID(session), project, m.task(part))
		}
		if err != nil && !errors.Is(err, errNothing) && !errors.Is(err, errUnheld) {
			failed = err
			break
		}
		m.cut += len(out.Cut)
		if err == nil {
			m.take(part, out.claims)
		}
		m.found.Through = part[len(part)-1].Line
	}
	switch {
	case m.found.Through == 0:
		return nil, failed
	case len(m.found.Quotes) == 0 && m.cut > 0:
		return nil, errors.Join(failed, errUnheld)
	}
	slices.SortStableFunc(m.found.Topics, func(a, b transcript.Topic) int { return cmp.Compare(a.Line, b.Line) })
	m.found.Topics = slices.CompactFunc(m.found.Topics, func(a, b transcript.Topic) bool { return a.Line == b.Line })
	m.found.Mark = fmt.Sprintf("ideas: model %s, %s cut", a.ws.Policy().Config.Agent.Model,
		messages.Plural(m.cut, "claim"))
	return &m.found, failed
}

// parts yields the messages of a session in parts of at most mostPart characters. A longer message is split across
// parts.
func (a *Agent) parts(msgs iter.Seq2[transcript.Message, error]) iter.Seq2[[]transcript.Message, error] {
	return func(yield func([]transcript.Message, error) bool) {
		var part []transcript.Message
		size := 0
		for m, err := range msgs {
			if err != nil {
				yield(nil, err)
				return
			}
			if m.Sidechain || m.TakenBack || m.Synthetic() || !m.Prompt && m.Role != transcript.RoleAssistant {
				continue
			}
			for rest := a.src.Forgotten().Sentences(m.Text); rest != ""; {
				if m.Text, rest = cutAt(rest, mostPart); size+len(m.Text) > mostPart && len(part) > 0 {
					if !yield(part, nil) {
						return
					}
					part, size = nil, 0
				}
				part, size = append(part, m), size+len(m.Text)
			}
		}
		if len(part) > 0 {
			yield(part, nil)
		}
	}
}

// cutAt splits a text after at most most bytes, at white space if possible.
func cutAt(text string, most int) (head, rest string) {
	if len(text) <= most {
		return text, ""
	}
	if at := strings.LastIndexAny(text[:most], " \n"); at > 0 {
		most = at + 1
	}
	return strings.ToValidUTF8(text[:most], ""), text[most:]
}

// marker collects the ideas of a session, part by part.
type marker struct {
	found archive.Found
	known []graph.Node // includes ideas of earlier parts, whose Day is ""
	cut   int          // unusable claims
}

// task returns the model's task for a part.
func (m *marker) task(part []transcript.Message) task {
	t := task{system: templates.Agent("ideas"), given: map[string]query.Shown{}, most: mostClaims,
		room: mostClaims * mostClaim, labels: true}
	add := func(id, about, text string) {
		t.given[id] = query.Shown{Citation: answer.Citation{ID: id}, Text: text}
		t.input += fmt.Sprintf("[%s] %s: %s\n\n", id, about, text)
	}
	for _, n := range m.known {
		add(n.ID, cmp.Or(n.Day, "this session,")+" "+n.Intent, n.Text)
	}
	for _, msg := range part {
		add(lineID(msg.Line), string(msg.Role), msg.Text)
	}
	return t
}

func lineID(line int) string { return "L" + strconv.Itoa(line) }

// take adds what the model claims about a part. It adds the ideas first, so that relations find both ends in any order.
func (m *marker) take(part []transcript.Message, claims []claim) {
	var relations []func()
	for _, c := range claims {
		words, q := strings.Fields(strings.ToLower(c.Text)), quoteOf(part, c.Citations[0])
		label := ""
		if len(words) > 0 {
			label = strings.Trim(words[0], ":[]")
		}
		switch {
		case q.Text == "" || label != topicLabel && !slices.Contains(transcript.IdeaIntents(), label):
			m.cut++
			continue
		case label == topicLabel:
			m.found.Topics = append(m.found.Topics, transcript.Topic{Line: q.Line, Title: q.Text})
			continue
		}
		q.Tentative = slices.Contains(words, "tentative")
		id := m.add(label, q)
		if kind := words[len(words)-1]; len(c.Citations) > 1 && slices.Contains(markdown.RelationKinds(), kind) {
			relations = append(relations, func() { m.relate(id, kind, q.Line, m.other(c.Citations[1])) })
		}
	}
	for _, relate := range relations {
		relate()
	}
}

// add adds an idea and returns its id.
func (m *marker) add(intent string, q transcript.Quote) string {
	id := archive.Idea{Intent: intent, Quote: q}.ID()
	if !slices.ContainsFunc(m.known, func(n graph.Node) bool { return n.Day == "" && n.ID == id }) {
		m.found.Quotes[intent] = append(m.found.Quotes[intent], q)
		m.known = append(m.known, graph.Node{ID: id, Intent: intent, Text: q.Text, Line: q.Line})
	}
	return id
}

// relate adds a relation between the idea of a line and another idea. An idea that closes another must follow it, and
// two ideas cannot close each other.
func (m *marker) relate(id, kind string, line int, other graph.Node) {
	closes := kind == markdown.RelationSupersedes || kind == markdown.RelationAnswers
	r, inverse := archive.Relation{Kind: kind, ID: other.ID, Day: other.Day}, archive.Relation{Kind: kind, ID: id}
	switch {
	case other.ID == "", other.ID == id, closes && other.Day == "" && other.Line > line,
		slices.Contains(m.found.Relations[id], r), slices.Contains(m.found.Relations[other.ID], inverse):
		return
	case closes && !m.sharesWord(id, other),
		kind == markdown.RelationSupersedes && other.Intent != markdown.IntentDecision,
		kind == markdown.RelationAnswers && !graph.Waits(other.Intent) && other.Intent != markdown.IntentProblem:
		r.Kind = "relates_to"
	}
	m.found.Relations[id] = append(m.found.Relations[id], r)
}

// sharesWord reports whether two ideas share a content word. An idea without one may only close a question or a
// decision of the same session: "Redis then".
func (m *marker) sharesWord(id string, other graph.Node) bool {
	if other.Day == "" && (other.Intent == markdown.IntentQuestion || other.Intent == markdown.IntentDecision) {
		return true
	}
	at := slices.IndexFunc(m.known, func(n graph.Node) bool { return n.ID == id })
	held := index.TermSet(other.Text)
	isShared := func(t string) bool { return held[t] && !index.IsStopword(t) }
	return at >= 0 && slices.ContainsFunc(index.QueryTerms(m.known[at].Text), isShared)
}

// quoteOf returns the quote for a citation of a part, or the zero value if the part does not contain it or it has gaps.
func quoteOf(part []transcript.Message, cited quote) transcript.Quote {
	for _, msg := range part {
		if lineID(msg.Line) == cited.Source && strings.Contains(strings.Join(strings.Fields(msg.Text), " "), cited.Excerpt) {
			return transcript.Quote{Line: msg.Line, Time: msg.Time, Text: cited.Excerpt, By: msg.SpeakerOf(cited.Excerpt)}
		}
	}
	return transcript.Quote{}
}

// other returns the idea that a citation names by its id or by words of its line, or the zero value.
func (m *marker) other(cited quote) (n graph.Node) {
	for _, k := range m.known {
		if k.ID == cited.Source || k.Day == "" && lineID(k.Line) == cited.Source &&
			(strings.Contains(k.Text, cited.Excerpt) || strings.Contains(cited.Excerpt, k.Text)) {
			n = k
		}
	}
	return n
}
