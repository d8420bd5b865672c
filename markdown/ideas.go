package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addIdeas reads the list items: ideas, their relations, and what only looks
// like either.
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

// itemLines covers the lines of an item's own text, from its bullet on.
func (d *Doc) itemLines(it item) Span {
	lines := wholeLines(d.Source, Span{it.marker, it.text.End})
	lines.Start = max(lines.Start, d.Body.Start) // behind a byte order mark
	return lines
}

// parseIdea reads an item's text. Without checkbox and category it is no idea:
// nil and no reason.
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

// halfBox is the checkbox of a task that somebody works on.
const halfBox = "[/]"

// cutCheckbox takes "[ ]", "[x]" or "[/]" off the front.
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

// cutCategory takes "[word]" off the front. A bracket that goes on as a link
// or a footnote is no category; then ok is false and category is the word.
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
			category = "" // [decision](notes.md) is a link on purpose
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

// The words that mark an idea, as in "- [decision] …".
const (
	IntentDecision   = "decision"
	IntentConclusion = "conclusion"
	IntentQuestion   = "question"
	IntentProblem    = "problem"
	IntentSolution   = "solution"
	IntentTodo       = "todo"
	IntentContext    = "context"
	IntentWork       = "work" // what was asked for, in a session of the archive
	IntentBug        = "bug"
	IntentFailed     = "failed"
	IntentLesson     = "lesson"
	IntentNote       = "note"
)

// intents are the words that mark an idea, and the type of source that it is.
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

// Intents lists the words that mark an idea.
func Intents() []string {
	words := make([]string, len(intents))
	for i, row := range intents {
		words[i] = row.intent
	}
	return words
}

// TypeOf is the type of the source that an idea with a mark is: any other word is its own.
func TypeOf(intent string) string {
	for _, row := range intents {
		if row.intent == intent {
			return row.sourceType
		}
	}
	return cmp.Or(intent, "idea")
}

// addRelations reads a bullet "kind [[target]]" below an idea.
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
		return // a plain bullet that links somewhere
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

// The relations after which the idea at their target does not wait or hold any more.
const (
	RelationSupersedes = "supersedes"
	RelationAnswers    = "answers"
	// RelationWithdraws is to what was said on a branch of the conversation that was taken back.
	RelationWithdraws = "withdraws"
)

// RelationKinds are what one idea can have to do with another.
func RelationKinds() []string {
	return []string{RelationSupersedes, "builds_on", "contradicts", RelationAnswers, "relates_to", RelationWithdraws}
}

func knownRelation(kind string) bool { return slices.Contains(RelationKinds(), kind) }

// linkTargets lists the targets of the [[links]] in text, without labels.
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

// ID is the block id that the target names, without "^": "i-77aa01m3xz" for
// "2026-10-02#^i-77aa01m3xz", "#^i-77aa01m3xz" and a bare "i-77aa01m3xz". It
// is empty for a link to a file or heading.
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
