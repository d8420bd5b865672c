package archive

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// Idea is a line of a section: a quote with its intent.
type Idea struct {
	Intent string
	transcript.Quote
	Relations []Relation // to existing ideas
	Again     bool       // the file already has a line with this id, which represents both
}

// Relation is a relation of an idea to another one.
type Relation struct {
	Kind string // supersedes or answers
	ID   string // block id of the other idea
	Day  string // of the archive file that contains it
}

// Found contains what a model found in a session. It replaces the corresponding parts of the digest.
type Found struct {
	Quotes    map[string][]transcript.Quote // by intent
	Topics    []transcript.Topic
	Relations map[string][]Relation // by the id of the idea that has the relation
	Mark      string                // for the section's head
	Through   int                   // last transcript line that the model read
}

// Into replaces the ideas and topics of a digest, up to the last line that the model read.
func (f *Found) Into(d *transcript.Digest) {
	quotes, topics := map[string][]transcript.Quote{}, slices.Clone(f.Topics)
	for intent, list := range f.Quotes {
		quotes[intent] = slices.Clone(list)
	}
	for intent, list := range d.Quotes {
		for _, q := range list {
			if intent == markdown.IntentWork || intent == markdown.IntentNote || q.Line > f.Through {
				quotes[intent] = append(quotes[intent], q)
			}
		}
	}
	for _, t := range d.Topics {
		if t.Line > f.Through {
			topics = append(topics, t)
		}
	}
	d.Quotes, d.Topics, d.Marked = quotes, topics, true
}

// Relate adds the found relations to the ideas, except relations to ideas of the session that are not in the list.
func (f *Found) Relate(ideas []Idea) {
	there := slice.Set(slice.Map(ideas, Idea.ID))
	for i := range ideas {
		for _, r := range f.Relations[ideas[i].ID()] {
			if r.Day != "" || there[r.ID] {
				ideas[i].Relations = append(ideas[i].Relations, r)
			}
		}
	}
}

// ID returns the block id. It is derived from the content, so that ideas keep their ids when a section is derived
// again.
func (i Idea) ID() string {
	return "i-" + markdown.ContentID(i.Intent+" "+messages.Paragraph(i.Text))
}

// MarkAgain marks ideas whose id occurs in the day's file or earlier in the list.
func MarkAgain(ideas []Idea, file []byte) {
	seen := map[string]bool{}
	for i := range ideas {
		id := ideas[i].ID()
		ideas[i].Again = seen[id] || holdsID(file, id)
		seen[id] = true
	}
}

// holdsID reports whether a line of a file ends in a block id.
func holdsID(file []byte, id string) bool {
	for {
		_, rest, found := bytes.Cut(file, []byte(" ^"+id))
		if !found || len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r' {
			return found
		}
		file = rest
	}
}

// mostIdeas returns the maximum number of lines per intent in a section; the most certain ones are kept, the first ones
// among equals. It keeps one session from dominating a day. Ideas marked by a model are more reliable and get a higher
// limit.
func mostIdeas(d transcript.Digest) int {
	if d.Marked {
		return 60
	}
	return 12
}

// Ideas returns the ideas of a digest for a section, in the order of the session.
func Ideas(d transcript.Digest) (list []Idea) {
	for intent, quotes := range d.Quoted() {
		quotes = slices.SortedStableFunc(slices.Values(quotes), func(a, b transcript.Quote) int {
			return cmp.Compare(b.Sure, a.Sure)
		})
		for _, q := range quotes[:min(len(quotes), mostIdeas(d))] {
			if messages.Paragraph(q.Text) != "" {
				list = append(list, Idea{Intent: intent, Quote: q})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Idea) int { return cmp.Compare(a.Line, b.Line) })
	return list
}

// moreLines ends the line that counts omitted lines.
const moreLines = " are in the transcript"

// writeTopics writes the ideas below their topics. A session with a single topic gets no headings.
func writeTopics(b *strings.Builder, d transcript.Digest, ideas []Idea, section, day string) {
	start := b.Len()
	topics := d.Topics
	if len(topics) < 2 {
		topics = nil
	}
	next := 0
	begin := func() {
		next++
		if b.Len() > start {
			b.WriteString("\n")
		}
		writeTopic(b, d, next, section)
	}
	for _, i := range ideas {
		for next < len(topics) && topics[next].Line <= i.Line {
			begin()
		}
		writeIdea(b, i, day)
	}
	for next < len(topics) {
		begin()
	}
	for intent, quotes := range d.Quoted() {
		if more := len(quotes) - mostIdeas(d); more > 0 {
			fmt.Fprintf(b, "- [%s] %d more lines of kind %s%s\n", markdown.IntentNote, more, intent, moreLines)
		}
	}
	if b.Len() > start {
		b.WriteString("\n")
	}
}

// writeTopic writes the heading of a digest's nth topic, counted from 1, with the transcript lines that it covers.
func writeTopic(b *strings.Builder, d transcript.Digest, n int, section string) {
	t, last, level := d.Topics[n-1], d.LastLine, "###"
	if t.Part {
		level += "#"
	}
	for _, next := range d.Topics[n:] {
		if t.Part || !next.Part {
			last = next.Line - 1
			break
		}
	}
	fmt.Fprintf(b, "%s %s (L%d–L%d) ^t%s-%d\n\n", level, headline(t.Title), t.Line, last,
		strings.TrimPrefix(section, "s"), n)
}

// IdeaLine returns an idea as a list item, with its block id unless another line has it.
func IdeaLine(i Idea) string {
	sure, by, id := "", "", " ^"+i.ID()
	if i.Tentative {
		sure = "0.6 "
	}
	switch i.By {
	case transcript.Person:
		by = " by me"
	case transcript.Agent:
		by = " by an agent"
	case transcript.Program, transcript.Model:
		by = " by a " + string(i.By)
	}
	if i.Again {
		id = ""
	}
	return fmt.Sprintf("[%s] %s (%sL%d %s%s)%s", i.Intent, messages.Paragraph(i.Text), sure, i.Line,
		i.Time.UTC().Format("15:04"), by, id)
}

// writeIdea writes an idea as a list item, with its relations nested below it.
func writeIdea(b *strings.Builder, i Idea, day string) {
	fmt.Fprintf(b, "- %s\n", IdeaLine(i))
	for _, r := range i.Relations {
		if r.Day == day {
			r.Day = ""
		}
		fmt.Fprintf(b, "  - %s [[%s#^%s]]\n", r.Kind, r.Day, r.ID)
	}
}

// Withdraw inserts a line before a session's ideas that withdraws the entries with the given block ids. These entries
// are in earlier sections of the session and were taken back since. It skips entries that are among the ideas again.
func Withdraw(ideas []Idea, d transcript.Digest, ids []string) []Idea {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(ideas, func(i Idea) bool { return i.ID() == id })
	})
	if len(ids) == 0 {
		return ideas
	}
	line := Idea{Intent: markdown.IntentNote, Quote: transcript.Quote{
		Line: d.LastPrompt, Time: d.End, Text: "The conversation went back: what was said in between does not hold",
	}}
	for _, id := range ids {
		line.Relations = append(line.Relations, Relation{Kind: markdown.RelationWithdraws, ID: id})
	}
	return slices.Insert(ideas, 0, line)
}

// TakenBack lists the block ids of the entries in a session's sections that come from lines of the transcript that were
// taken back. It skips entries that are already withdrawn, and entries that the day's file repeats from a line that was
// not taken back.
func TakenBack(day []byte, session string, takenBack func(line int) bool) (ids []string) {
	units, _ := cite.Units(cite.File{Area: cite.AreaArchive}, day)
	for _, u := range units {
		line := u.Turn
		if u.Source == string(cite.KindSession) {
			line = cite.ReadHead(u.Time, u.Text).LastPrompt
		}
		if u.Session == session && u.State == "" && line > 0 && takenBack(line) && !saidElsewhere(day, u, takenBack) {
			ids = append(ids, u.BlockID())
		}
	}
	return ids
}

// saidElsewhere reports whether the day's file repeats an entry without an id from a transcript line that was not taken
// back.
func saidElsewhere(day []byte, u cite.Unit, takenBack func(line int) bool) bool {
	return slices.ContainsFunc(markdown.Parse(day).Ideas, func(i markdown.Idea) bool {
		return i.ID == "" && i.Intent == u.Intent && i.Text == u.Text && !takenBack(i.Refs.Line)
	})
}
