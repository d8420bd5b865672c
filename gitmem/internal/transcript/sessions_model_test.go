package transcript_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// marked contains a model's claims about a session, see the instruction of package agent for ideas. It named the ideas
// of earlier sessions by their session and line.
type marked struct {
	Project, Session string
	Claims           []struct {
		Text      string
		Citations []cited
	}
}

type cited struct{ Source, Excerpt string }

// quote returns the quotation of a citation, and its session.
func (c cited) quote(session string) (of string, q transcript.Quote) {
	if before, line, ok := strings.Cut(c.Source, "/"); ok {
		session, c.Source = before, line
	}
	line, _ := strconv.Atoi(strings.TrimPrefix(c.Source, "L"))
	return session, transcript.Quote{Line: line, Text: c.Excerpt}
}

// labelsOf returns the ids of the labelled ideas that a quote is part of or contains.
func (p labelled) labelsOf(session string, q transcript.Quote) (ids []string) {
	for _, s := range p.Sessions {
		for _, i := range s.Ideas {
			if s.ID == session && i.Turn+1 == q.Line && says(q.Text, i.Text) {
				ids = append(ids, s.ID+"/"+i.ID)
			}
		}
	}
	return ids
}

// related is a relation that was found, between the labelled ideas that match its ends.
type related struct {
	kind     string
	from, to []string
}

// in reports whether a relation is labelled.
func (r related) in(p labelled) bool {
	return slices.ContainsFunc(p.Relations, func(l struct{ Type, From, To string }) bool {
		return l.Type == r.kind && slices.Contains(r.from, l.From) && slices.Contains(r.to, l.To)
	})
}

// digest returns the digest of a session from the claims, and the relations that they name.
func (m marked) digest(p labelled) (d transcript.Digest, relations []related) {
	d.Quotes = map[string][]transcript.Quote{}
	seen := map[cited]bool{}
	for _, c := range m.Claims {
		words := strings.Fields(c.Text)
		_, q := c.Citations[0].quote(m.Session)
		switch {
		case words[0] == "topic":
			d.Topics = append(d.Topics, transcript.Topic{Line: q.Line, Title: q.Text})
			continue
		case !seen[c.Citations[0]]:
			d.Quotes[words[0]] = append(d.Quotes[words[0]], q)
		}
		seen[c.Citations[0]] = true
		if len(c.Citations) > 1 {
			relations = append(relations, related{words[len(words)-1], p.labelsOf(m.Session, q),
				p.labelsOf(c.Citations[1].quote(m.Session))})
		}
	}
	return d, relations
}

// TestLabelledByModel measures the results of a model that was given the sealed sessions with the instruction of
// package agent, one session at a time, and nothing else.
func TestLabelledByModel(t *testing.T) {
	t.Parallel()
	answers := map[string]marked{}
	for line := range strings.Lines(testdata(t, "sessions-sealed-model.jsonl")) {
		var m marked
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		answers[m.Session] = m
	}
	var f fared
	var replaced, closed score
	for _, p := range labelledIn(t, "sessions-sealed.jsonl") {
		done := map[string]bool{}
		found := 0
		for _, session := range p.Sessions {
			d, relations := answers[session.ID].digest(p)
			f.ideas(session, d)
			f.topics(session, d)
			for _, r := range relations {
				switch {
				case r.kind == "supersedes" && r.in(p):
					replaced.right, found = replaced.right+1, found+1
				case r.kind == "supersedes":
					replaced.wrong++
				case r.kind == "answers":
					for _, id := range r.to {
						done[id] = slices.Contains(append(slices.Clone(p.Closed), p.Open...), id)
					}
				}
			}
		}
		for id, waits := range done {
			switch {
			case slices.Contains(p.Closed, id):
				closed.right++
			case waits:
				closed.wrong++
			}
		}
		for _, id := range p.Closed {
			if !done[id] {
				closed.missing++
			}
		}
		for _, r := range p.Relations {
			if r.Type == "supersedes" {
				replaced.missing++
			}
		}
		replaced.missing -= found
	}
	t.Logf("ideas: %v; %d only look like one; intents %s; topics: %v; supersedes: %v; closed: %v", f.idea, f.lookalikes,
		ratio(f.intents, f.idea.right), f.topic, replaced, closed)
	for _, intent := range transcript.IdeaIntents() {
		t.Logf("labelled %-10s found as %v", intent, f.confused[intent])
	}
	if f.idea.precision() < 0.85 || f.idea.recall() < 0.9 || f.intents*100 < 85*f.idea.right || f.topic.f1() < 0.8 ||
		replaced.precision() < 0.9 || replaced.recall() < 0.8 || closed.wrong > 0 || closed.recall() < 0.7 {
		t.Error("worse than was found")
	}
}
