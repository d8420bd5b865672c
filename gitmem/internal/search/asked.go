package search

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// askingWords are words of questions that a source need not contain, and workWords those that describe work in general
// as done or to do. Verbs of change (remove, rename, migrate …) are not included, since only they distinguish an event
// that happened from one that did not.
const (
	askingWords = ` decide decided decision choose chose chosen reason rationale happen happened thing things stuff
		repo repository project codebase team us tell explain know knows please remember recall remind anything something
		whats wheres come get got go went going let want wanted made make ever actually exactly again anymore still
		today now `
	workWords = ` work worked working did done do ship shipped change changed changes session sessions recent recently
		last left leave pick off open next task tasks todo todos step steps remaining pending resume continue carry
		stop stopped summarize summarise new add added came feature features commit commits land landed merged
		release released version here area areas active many revert reverted reverts `
)

// IsAsking reports whether a lower-case word only asks, so that a source need not contain it.
func IsAsking(word string) bool { return slices.Contains(strings.Fields(askingWords), word) }

// IsOfWork reports whether a lower-case word describes work in general.
func IsOfWork(word string) bool { return slices.Contains(strings.Fields(workWords), word) }

// AsksOfWork reports whether a text asks about past or future work without naming a subject, as "what was I working
// on": it consists of function words, question words and words of work.
func AsksOfWork(text string) bool {
	asks := false
	for _, w := range strings.Fields(strings.ToLower(text)) {
		mark := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
		w = strings.TrimSuffix(strings.TrimFunc(w, mark), "'s")
		if w == "" {
			continue
		}
		stop := index.IsStopword(w) || IsAsking(w)
		if asks = asks || stop; !stop && !IsOfWork(w) {
			return false
		}
	}
	return asks
}

// Words returns the ranking words: plain ones, required ones and those of phrases, in order.
func (p Parsed) Words() string {
	return p.join(func(it Item) bool { return it.Sign != Excluded && it.Field == "" })
}

func (p Parsed) join(want func(Item) bool) string {
	var out []string
	for _, it := range p.Items {
		if want(it) {
			out = append(out, it.Text)
		}
	}
	return strings.Join(out, " ")
}

// Times finds the time words of a query outside quotes, and returns their range with the remaining ranking words.
func (p Parsed) Times(now time.Time) (Range, string) {
	plain := p.join(func(it Item) bool { return it.Sign == Plain && !it.Phrase && it.Field == "" })
	r, rest, within := FindNamed(plain, p.Named)
	switch {
	case within && !p.asksWhatChanged():
		return Range{}, p.Words()
	case r.IsZero():
		r, rest = FindRange(plain, now)
	}
	if r.IsZero() {
		return r, p.Words()
	}
	others := p.join(func(it Item) bool {
		return it.Sign != Excluded && it.Field == "" && (it.Phrase || it.Sign == Required)
	})
	return r, strings.TrimSpace(rest + " " + others)
}

// Release finds a release that a query names, outside quotes, without "before" or "after", and returns its range with
// the remaining words.
func (p Parsed) Release() (Range, string) {
	return FindRelease(p.join(func(it Item) bool { return it.Sign != Excluded && it.Field == "" }), p.Named)
}

// asksWhatChanged reports whether a query is about changes: "what changed in v1.2" is about a time, and "why does it
// crash in v1.2" about a thing.
func (p Parsed) asksWhatChanged() bool {
	words := strings.ToLower(p.Words()) + " "
	beginnings := []string{"what changed", "what's new", "whats new", "what is new", "what was new", "what came",
		"what was added", "what features", "which features", "what landed", "what did we", "what did i", "what was done",
		"what happened", "what has changed", "changes", "features", "fixes"}
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(words, b+" ") })
}

// Fields returns the items that name a field.
func (p Parsed) Fields() []Item {
	return slices.DeleteFunc(slices.Clone(p.Items), func(it Item) bool { return it.Field == "" })
}

// Apply adds the signs and quotes of a query to a search. A signed word of several parts,
// such as long-term, is a phrase.
func (p Parsed) Apply(q Query) Query {
	for _, it := range p.Items {
		if it.Field != "" || (it.Sign == Plain && !it.Phrase) {
			continue
		}
		if term, ok := whole(it.Text); ok && !it.Phrase {
			w := Words{Text: it.Text, Terms: []string{term}}
			if it.Sign == Excluded {
				q.Excluded = append(slices.Clip(q.Excluded), w)
			} else {
				q.Required = append(slices.Clip(q.Required), w)
			}
			continue
		}
		phrase := NewPhrase(strings.Trim(it.Text, sentenceMarks+" "), it.Sign == Excluded)
		if phrase.Text == "" {
			phrase.Text = it.Text
		}
		q.Phrases = append(slices.Clip(q.Phrases), phrase)
	}
	return q
}

// whole returns the one term of a word that covers all others, such as that of an identifier.
func whole(text string) (term string, ok bool) {
	tokens := index.Words(text)
	for _, t := range tokens {
		if t.End > tokens[0].End {
			return "", false
		}
	}
	if len(tokens) == 0 {
		return "", false
	}
	return tokens[0].Term, true
}
