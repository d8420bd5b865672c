package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addIdeas parses the list items: ideas, their relations, and items that only look like either.
func (d *Doc) addIdeas(items []item) {
	ideaOf := make([]int, len(items)) // item index -> idea index, -1 for none
	section := -1
	for i, it := range items {
		ideaOf[i] = -1
		for section+1 < len(d.Sections) && d.Sections[section+1].Heading.Start <= it.marker {
			section++
		}
		own := it.text.Of(d.Source)
		if len(own) == 0 {
			continue
		}
		parent := -1
		if it.parent >= 0 {
			parent = ideaOf[it.parent]
		}
		if own[0] != '[' {
			d.addRelations(it, parent)
			continue
		}
		idea, reason := parseIdea(own)
		if reason == "" && idea != nil && it.quoted {
			reason = "idea inside a quote: not taken as one"
		}
		if reason != "" {
			d.Skipped = append(d.Skipped, Skip{Span: d.itemLines(it), Reason: reason})
			continue
		}
		if idea == nil {
			continue
		}
		idea.Span, idea.Content = d.itemLines(it), it.text
		idea.Section, idea.Parent = section, parent
		ideaOf[i] = len(d.Ideas)
		d.Ideas = append(d.Ideas, *idea)
	}
}

// itemLines returns the lines of an item's own text, including its bullet.
func (d *Doc) itemLines(it item) Span {
	lines := wholeLines(d.Source, Span{it.marker, it.text.End})
	lines.Start = max(lines.Start, d.Body.Start) // after a byte order mark
	return lines
}

// parseIdea parses an item's text. An item without checkbox and category is not an idea: the result is nil,
// without a reason.
func parseIdea(own []byte) (*Idea, string) {
	idea := &Idea{}
	rest := oneLine(own)
	idea.HalfDone = strings.HasPrefix(rest, halfBox)
	idea.Done, rest = cutCheckbox(rest)
	category, after, ok := cutCategory(rest)
	switch {
	case ok:
		idea.Intent, rest = strings.ToLower(category), after
	case slices.Contains(Intents(), strings.ToLower(category)):
		return nil, "category [" + category + "] without a blank behind it"
	case idea.Done == nil:
		return nil, ""
	}
	if !idea.parseMarks(rest) {
		return nil, "idea without text"
	}
	return idea, ""
}

// halfBox is the checkbox of a task in progress.
const halfBox = "[/]"

// cutCheckbox removes a leading "[ ]", "[x]" or "[/]".
func cutCheckbox(s string) (*bool, string) {
	if len(s) < 3 || s[0] != '[' || s[2] != ']' || len(s) > 3 && !isBlankByte(s[3]) {
		return nil, s
	}
	switch s[1] {
	case ' ', '/', 'x', 'X':
		done := s[1] == 'x' || s[1] == 'X'
		return &done, strings.TrimLeft(s[3:], " \t")
	}
	return nil, s
}

// cutCategory removes a leading "[word]". A bracket that continues as a link or a footnote is not a category;
// then ok is false and category is the word.
func cutCategory(s string) (category, rest string, ok bool) {
	if !strings.HasPrefix(s, "[") {
		return "", s, false
	}
	end := strings.IndexByte(s, ']')
	if end < 2 || !isWord(s[1:end]) {
		return "", s, false
	}
	category, rest = s[1:end], s[end+1:]
	if rest != "" && !isBlankByte(rest[0]) {
		if strings.IndexByte("([:", rest[0]) >= 0 {
			category = "" // [decision](notes.md) is intended as a link
		}
		return category, s, false
	}
	return category, strings.TrimLeft(rest, " \t"), true
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' }

func isWord(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(first) && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.Nd, unicode.M) && r != '_' && r != '-'
	})
}

// The categories of ideas, as in "- [decision] …".
const (
	IntentDecision   = "decision"
	IntentConclusion = "conclusion"
	IntentQuestion   = "question"
	IntentProblem    = "problem"
	IntentSolution   = "solution"
	IntentTodo       = "todo"
	IntentContext    = "context"
	IntentWork       = "work" // a request, in an archived session
	IntentBug        = "bug"
	IntentFailed     = "failed"
	IntentLesson     = "lesson"
	IntentNote       = "note"
)

// intents maps the categories of ideas to types of sources.
var intents = [...]struct{ intent, sourceType string }{
	{IntentDecision, "decision"},
	{IntentConclusion, "decision"},
	{IntentQuestion, "question"},
	{IntentProblem, "fix"},
	{IntentSolution, "fix"},
	{IntentTodo, "todo"},
	{IntentContext, "context"},
	{IntentWork, "work"},
	{IntentBug, "fix"},
	{IntentFailed, "failed"},
	{IntentLesson, "lesson"},
	{IntentNote, "note"},
}

// Intents returns the categories of ideas.
func Intents() []string {
	words := make([]string, len(intents))
	for i, row := range intents {
		words[i] = row.intent
	}
	return words
}

// TypeOf returns the type of source for an idea with this category: an unknown category is its own type.
func TypeOf(intent string) string {
	for _, row := range intents {
		if row.intent == intent {
			return row.sourceType
		}
	}
	return cmp.Or(intent, "idea")
}

// addRelations parses a bullet "kind [[target]]" below an idea.
func (d *Doc) addRelations(it item, idea int) {
	own := it.text.Of(d.Source)
	end := bytes.IndexAny(own, " \t\r\n")
	if end < 0 || !bytes.HasPrefix(bytes.TrimLeft(own[end:], " \t\r\n"), []byte("[[")) {
		return
	}
	kind := string(own[:end])
	targets := linkTargets(own[end:])
	reason := ""
	switch {
	case !isWord(kind):
		return
	case it.quoted && knownRelation(kind):
		reason = "relation inside a quote: not taken as one"
	case !knownRelation(kind) && idea < 0, it.quoted:
		return // a plain bullet with a link
	case !knownRelation(kind):
		reason = "unknown relation " + kind
	case len(targets) == 0:
		reason = "relation without a closed [[link]]"
	case idea < 0:
		reason = "relation without an idea above it"
	}
	span := d.itemLines(it)
	if reason != "" {
		d.Skipped = append(d.Skipped, Skip{Span: span, Reason: reason})
		return
	}
	for _, t := range targets {
		d.Ideas[idea].Relations = append(d.Ideas[idea].Relations, Relation{Kind: kind, Target: t, Span: span})
	}
}

// Relations that close or replace the idea at their target.
const (
	RelationSupersedes = "supersedes"
	RelationAnswers    = "answers"
	// RelationWithdraws marks ideas from a branch of the conversation that was undone.
	RelationWithdraws = "withdraws"
)

// RelationKinds returns the kinds of relations between ideas.
func RelationKinds() []string {
	return []string{RelationSupersedes, "builds_on", "contradicts", RelationAnswers, "relates_to", RelationWithdraws}
}

func knownRelation(kind string) bool { return slices.Contains(RelationKinds(), kind) }

// linkTargets returns the targets of the [[links]] in text, without labels.
func linkTargets(text []byte) []string {
	var out []string
	for {
		_, rest, ok := bytes.Cut(text, []byte("[["))
		if !ok {
			return out
		}
		inside, after, ok := bytes.Cut(rest, []byte("]]"))
		if !ok {
			return out
		}
		target, _, _ := bytes.Cut(inside, []byte("|"))
		if t := oneLine(target); t != "" {
			out = append(out, t)
		}
		text = after
	}
}

// ID returns the block id in the target, without "^": "i-77aa01m3xz" for "2026-10-02#^i-77aa01m3xz",
// "#^i-77aa01m3xz" and a bare "i-77aa01m3xz". It is empty for a link to a file or heading.
func (r Relation) ID() string {
	if _, id, ok := strings.Cut(r.Target, "^"); ok {
		if isID(id) {
			return id
		}
		return ""
	}
	if strings.HasPrefix(r.Target, "i-") && isID(r.Target) {
		return r.Target
	}
	return ""
}
