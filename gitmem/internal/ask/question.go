package ask

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/git"
)

// Question is a parsed question: what it asks for and what evidence must cover.
type Question struct {
	Text  string // translated to English by [translator]
	Kind  answer.Kind
	Range search.Range // time named in the question
	// In is the release that the question is about, or the zero value.
	In search.Range
	// Package is the folder of the package whose releases the question asks for.
	Package string
	Terms   []string // analysed content words, without question words
	Words   []string // the same as typed, including stopwords
	Names   []name   // the words that identify one thing
	// Pasted is set if the question contains lines of a log or a stack trace.
	Pasted bool
	// Reports is set if the question asks whether somebody reported something.
	Reports bool
	// Intent is the intent of the requested ideas, such as decisions; Open is set if only open ones are requested.
	Intent string
	Open   bool

	script    script
	wordForms []search.QueryTerm // other forms of its terms
}

// asked is a question as typed.
type asked struct {
	text   string
	prose  string        // the part that a person wrote, on one line
	pasted []string      // errors in the pasted lines
	parsed search.Parsed // the parsed prose
}

// parse separates pasted lines from a question.
func parse(text string) asked {
	a := asked{text: strings.TrimSpace(text)}
	a.prose = a.text
	if strings.Contains(a.text, "\n") {
		prose, pasted := splitPasted(a.text)
		a.prose, a.pasted = strings.Join(strings.Fields(prose), " "), pasted
	}
	a.parsed = search.ParseQuestion(a.prose)
	return a
}

// Read parses a question. Quoted and required words are content words; excluded words and fields are not. now is the
// reference for relative times such as "last week", and named resolves named times such as releases; it may be nil.
func Read(text string, now time.Time, named search.ReferenceTimes) Question {
	return parse(text).read(now, named)
}

func (a asked) read(now time.Time, named search.ReferenceTimes) Question {
	q := a.readProse(now, named)
	if len(a.pasted) > 0 || a.prose != a.text && slices.ContainsFunc(strings.Split(a.text, "\n"), isOutput) {
		q.addPasted(a)
	}
	return q
}

// readProse parses the part of a question that a person wrote.
func (a asked) readProse(now time.Time, named search.ReferenceTimes) Question {
	in, english := translator(a.prose)
	text, parsed := english(a.prose), a.parsed
	if text != a.prose {
		parsed = search.ParseQuestion(text)
	}
	parsed.Named = named
	q := Question{Text: text, Kind: Classify(parsed.Words()), script: in}
	rest := ""
	q.Range, rest = parsed.Times(now)
	if r, about := parsed.Release(); !r.IsZero() {
		q.readRelease(r, about, &rest)
	}
	switch ofWork := search.AsksOfWork(rest) && q.Kind != answer.KindRecent; {
	case ofWork && asksOfHistory(rest):
		q.Kind = answer.KindRecent
	case ofWork && asksAhead(spaced(rest)):
		q.Kind = answer.KindContinue
	}
	if k := Classify(rest); in != none && k != answer.KindGeneral { // the time may split the question words
		q.Kind = k
	}
	if about := askingForReports().ReplaceAllString(rest, " "); about != rest && !allStop(about) {
		q.Reports, q.Kind, rest = true, answer.KindGeneral, about
	}
	if about := askingPermission().ReplaceAllString(rest, " $1 "); (q.Kind == answer.KindGeneral ||
		q.Kind == answer.KindHow) && about != rest && !allStop(about) {
		q.Kind, rest = answer.KindHow, about
	}
	if m := askingForIdeas().FindStringSubmatch(rest); m != nil && (m[1] != "" || m[3] != "" || m[2] == "") &&
		Classify(rest[len(m[0]):]) == answer.KindGeneral && !strings.Contains(rest, ":") {
		q.Intent, rest = cmp.Or(strings.ToLower(m[2]), markdown.IntentDecision), rest[len(m[0]):]
		waits := slices.ContainsFunc(strings.Fields(strings.ToLower(m[1]+m[4])), func(w string) bool {
			return isOneOf(" open unanswered unresolved ", w)
		})
		q.Open = waits && (q.Intent == markdown.IntentQuestion || q.Intent == markdown.IntentTodo)
	}
	if _, about := contentTerms(rest, answer.KindRecent); len(about) == 0 && !q.Range.IsZero() &&
		(q.Kind == answer.KindGeneral || q.Kind == answer.KindWhen) {
		q.Kind = answer.KindRecent // it names only a time
	}
	q.Words, q.Terms = contentTerms(rest, q.Kind)
	if q.Kind == answer.KindContinue && len(q.Terms) > 0 { // "pick up the old version" asks for something else
		q.Kind = answer.KindGeneral
		q.Words, q.Terms = contentTerms(rest, q.Kind)
	}
	typed := strings.Fields(text)
	q.Names = slices.DeleteFunc(namesIn(typed, in != latin && capitalsTell(typed)), func(n name) bool {
		return !slices.Contains(q.Terms, n.term)
	})
	return q
}

// auxiliaries are the verbs that begin a yes-or-no question.
const auxiliaries = " is are was were do does did has have had can could "

// readRelease interprets a release in a question: as the range of all its changes if the question names nothing else,
// or as the release to check if the question begins with an auxiliary verb.
func (q *Question) readRelease(r search.Range, about string, rest *string) {
	first, _, _ := strings.Cut(about, " ")
	_, terms := contentTerms(about, answer.KindRecent)
	terms = slices.DeleteFunc(terms, func(t string) bool {
		return claim.ChangeOf(t) != "" || isOneOf(" break broke publish ", t)
	})
	switch {
	case len(terms) == 0 && q.Kind == answer.KindWhen:
		q.In, *rest = r, ""
	case len(terms) == 0 && q.Kind != answer.KindWho && q.Kind != answer.KindWhy:
		q.Kind, q.Range, *rest = answer.KindRecent, r, ""
	case q.Kind == answer.KindGeneral && isOneOf(auxiliaries, strings.ToLower(first)):
		q.Kind, q.In, q.Range, *rest = answer.KindWhen, r, search.Range{}, about
	}
}

// setPackage records the package that a question or its release names and removes its name from the search words.
func (q *Question) setPackage(folder, called string) {
	q.Package = cmp.Or(folder, q.In.Package, q.Range.Package)
	q.Range.Package = q.Package
	isName := func(w string) bool {
		w = strings.ToLower(trimMarks(w))
		return w != "" && (w == strings.ToLower(called) || w == q.Package || strings.HasSuffix(q.Package, "-"+w))
	}
	words := slices.DeleteFunc(slices.Clone(q.Words), isName)
	if len(words) == len(q.Words) {
		return
	}
	q.Words = words
	q.Terms = index.QueryTerms(strings.Join(q.Words, " "))
	q.Names = slices.DeleteFunc(slices.Clone(q.Names), func(n name) bool { return !slices.Contains(q.Terms, n.term) })
	_, terms := contentTerms(strings.Join(q.Words, " "), answer.KindRecent)
	if len(terms) == 0 && (q.Range.From != "" || q.Range.To != "") {
		q.Kind, q.Words, q.Terms = answer.KindRecent, nil, nil
	}
}

// unknownRelease returns the version in a question about changes if it is not a known release and the question names
// nothing else, or "".
func (q Question) unknownRelease() string {
	isVersion := func(w string) bool {
		w = trimMarks(w)
		v, ok := git.ParseVersion(w)
		return ok && v.Line == "" && strings.ContainsAny(w, ".v")
	}
	words := slices.DeleteFunc(slices.Clone(q.Words), func(w string) bool {
		return allStop(w) || isOneOf(" since after before until between from ", strings.ToLower(w))
	})
	others := slices.ContainsFunc(words, func(w string) bool { return !isVersion(w) })
	if q.Kind != answer.KindRecent || !q.Range.IsZero() || len(words) == 0 || others {
		return ""
	}
	return trimMarks(words[0])
}

var pastedFile = lazy.Pattern(`[\w-]+\.[a-z]{1,4}\b`)

// addPasted adds pasted text to the question: the errors as terms, and file names. It skips times, numbers and
// identifiers, which differ each time.
func (q *Question) addPasted(a asked) {
	q.Text, q.Names, q.Pasted = a.text, nil, true
	for _, line := range append(a.pasted, pastedFile().FindAllString(a.text, mostPasted)...) {
		q.Words = append(q.Words, strings.Fields(line)...)
		for _, t := range promptTerms(line) {
			if (t[0] < '0' || t[0] > '9') && !slices.Contains(q.Terms, t) {
				q.Terms = append(q.Terms, t)
			}
		}
	}
}

// Words for a thread and for permission.
const (
	threadWord  = `(?:issue|bug|bug report|pull request|pr|merge request|mr|ticket|report)s?`
	fineWord    = `(?:ok(?:ay)?|fine|all ?right|acceptable)`
	allowedWord = `(?:allowed|permitted|forbidden|banned|prohibited)`
)

// askingForReports matches questions whether an issue about something exists.
var askingForReports = lazy.Pattern(`(?i)\b(?:(?:has|have|did|does) (?:any|some)(?:body|one)(?: else)?(?: ever` +
	`| already)* (?:report(?:ed)?|seen?|hit|had|have|r[au]n into|complain(?:ed)?|opened|filed|noticed?|raised?)|` +
	`(?:is|are|was) there (?:already )?(?:an?|any)(?: open| known| existing| closed)* ` + threadWord +
	`|(?:any|known|open)(?: open| known| existing)* ` + threadWord + `|which ` + threadWord + `)` +
	`(?: (?:an?|any|the))?(?: (?:problem|bug|issue|trouble)s?)?(?: (?:about|for|on|with|in|of|regarding|that|where` +
	`|when))?\b`)

// askingPermission matches questions whether something is allowed. Its group matches the subject if it is between these
// words.
var askingPermission = lazy.Pattern(`(?i)^(?:(?:so|hey|ok|and|but|please)\b\W*)*(?:(?:may|can|could|should|shall` +
	`|must) (?:i|we|you|one|anybody|anyone)|` +
	`(?:is|would) it\b[^,;]*?\b` + fineWord +
	`(?: (?:for|with) (?:me|us|you))? (?:to|if)|(?:is|are|am|was|were)\b(.*?)\b` + allowedWord + `(?: to)?)\b|` +
	`[,;.] *(?:is|would) (?:it|that|this)(?: be)? (?:` + fineWord + `|` + allowedWord + `)\W*$`)

// askingForIdeas matches questions for ideas of an intent, about a subject or in general. Its groups are the words
// before the intent, the intent, the plural, and the words after it. The question what was decided names no intent.
var askingForIdeas = lazy.Pattern(`(?i)^((?:(?:what|which|list|show|find|are|were|there|any|all|me|us|our|the|known` +
	`|past|recent|earlier|still|open|unanswered|unresolved) +)*)` +
	`(decision|problem|question|todo|conclusion|solution)(s?)((?: +(?:did|do|have|has|had|are|were|was|we|you|been|there` +
	`|still|open|unanswered|unresolved|made?|take|taken|exist))*)(?: +(?:about|on|regarding|with|around|concerning` +
	`|for) +| *[?.!]*$)|^what +(?:did|have) +(?:we|i|you) +decided? *[?.!]*$`)

// isOutput reports whether a line has so many marks that a program probably wrote it.
func isOutput(line string) bool {
	const share = 10
	signs := 0
	for _, r := range line {
		if unicode.IsPunct(r) && !strings.ContainsRune(".,?!'-", r) || unicode.IsSymbol(r) {
			signs++
		}
	}
	return share*signs > utf8.RuneCountInString(line)
}

// cue is a phrase that determines the kind; it must begin and end at word boundaries.
type cue struct {
	kind    answer.Kind
	phrases []string
}

// cues returns the cues in order of precedence: the first kind with a phrase in the question wins.
func cues() []cue {
	return []cue{
		{answer.KindRecent, []string{"what was i", "what were we", "i was working", "was i working", "what did we do",
			"what did i do", "what have we done", "what have i done",
			"what happened", "what did we work on", "what did i work on", "what did we ship", "what did we change in",
			"what changed in", "what is new", "what's new", "whats new", "what was new", "what has changed",
			"what changed since", "what changed between", "what changed before", "what changed after", "what changed until",
			"what changed from", "what changed around", "what changed with", "what changed about",
			"recent work", "recent sessions", "last session", "what went on", "what got done", "what was done",
			"what have we been", "what have i been", "summarize the work", "summarise the work"}},
		{answer.KindWho, []string{"who", "whom", "whose", "expert", "which developer", "which author", "which person"}},
		{answer.KindWhy, []string{"why", "decision", "decided", "decide", "chose", "reason", "rationale",
			"what made us", "how come"}},
		{answer.KindHow, []string{"convention", "how do we", "how do i", "how to", "how are we", "how is", "how does",
			"should", "supposed to", "prefer",
			"when do we", "when do i", "what do we do", "rule for", "guideline", "best practice", "policy"}},
		{answer.KindWhen, []string{"when", "what date", "what day", "which day", "how long ago", "which year",
			"which month"}},
	}
}

// askingForRelease matches questions since when, or in which release, something exists.
var askingForRelease = lazy.Pattern(`^ (?:\S+ )?since when |` +
	`^ (?:\S+ )?(?:which(?: \S+){0,2}|what(?:(?: is| was)? the (?:first|earliest))?|(?:the )?first) (?:release|version) `)

// Classify returns the kind of a question. A time in it is a filter and does not affect the kind.
func Classify(text string) answer.Kind {
	words := spaced(text)
	if askingForRelease().MatchString(words) {
		return answer.KindWhen
	}
	if search.AsksOfWork(text) && asksAhead(words) && !asksOfHistory(text) {
		return answer.KindContinue
	}
	for _, c := range cues() {
		if says(words, c.phrases...) {
			return c.kind
		}
	}
	return answer.KindGeneral
}

// asksAhead reports whether a question about work in general asks what to do or where to continue.
func asksAhead(words string) bool {
	where := says(words, "where", "wheres", "where's") && says(words, "i", "we")
	return where || slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		return isOneOf(" open next left leave pick resume continue carry still remaining pending todo todos should ", w)
	})
}

// spaced returns the plain words of a text, each surrounded by blanks.
func spaced(text string) string { return " " + strings.Join(plainWords(text), " ") + " " }

// says reports whether words in the form of [spaced] contain one of the phrases.
func says(words string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(words, " "+p+" ") })
}

// fillers returns words without content in questions of a kind, in addition to the general ones. Sources need not
// contain them, and they are not terms.
func fillers(kind answer.Kind) []string {
	switch kind {
	case answer.KindWho:
		return []string{"expert", "work", "worked", "works", "working", "wrote", "write", "writes", "written", "author",
			"authors", "person", "people", "developer", "touch", "touched", "maintain",
			"maintains", "maintained", "ask", "talk", "responsible", "own", "owns", "owner", "contribute", "contributed", "most",
			"best", "area", "part", "parts", "code", "familiar", "understands", "understand", "did", "has", "changed", "change",
			"first", "version"}
	case answer.KindHow:
		return []string{"convention", "conventions", "rule", "rules", "guideline", "guidelines", "practice", "policy", "best",
			"handle", "handles", "handling", "deal", "treat", "approach", "use", "using"}
	case answer.KindWhen:
		return []string{"date", "day", "long", "ago", "month", "year", "time", "first", "release", "version",
			"since", "already"}
	case answer.KindRecent:
		return []string{"say", "said", "talk", "talked", "discuss", "discussed"}
	}
	return nil
}

// isFiller reports whether a lowercase word has no content in questions of a kind.
func isFiller(kind answer.Kind, word string) bool {
	ofWork := kind == answer.KindRecent || kind == answer.KindContinue
	return search.IsAsking(word) || ofWork && search.IsOfWork(word) || slices.Contains(fillers(kind), word)
}

// contentTerms returns the terms that evidence must cover, in the order of the question, and the words that they come
// from.
func contentTerms(text string, kind answer.Kind) (words, terms []string) {
	for _, w := range strings.Fields(text) {
		bare := strings.ToLower(strings.Trim(w, `?!.,;:"'()`))
		bare = strings.TrimSuffix(bare, "'s")
		if !isFiller(kind, bare) {
			words = append(words, w)
		}
	}
	rest := strings.Join(words, " ")
	if allStop(rest) {
		return nil, nil
	}
	return words, index.QueryTerms(rest)
}

// allStop reports whether a text contains only function words.
func allStop(text string) bool {
	return !slices.ContainsFunc(index.Words(text), func(w index.Token) bool {
		return !index.IsStopword(strings.ToLower(text[w.Start:w.End]))
	})
}

// searched returns the search terms; low-idf terms get a lower weight.
func (q Question) searched() []search.QueryTerm {
	terms := search.PlainTerms(q.Terms)
	lowIDFTerm := lowIDFTerms()
	for i, t := range terms {
		if lowIDFTerm[t.Text] && !slices.ContainsFunc(q.Names, func(n name) bool { return n.term == t.Text }) {
			terms[i].Weight = lowIDF
		}
	}
	return terms
}
