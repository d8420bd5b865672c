package ask

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// weigher measures how much of a question a text covers.
type weigher struct {
	kind   Kind
	rarity map[string]float64
	mass   float64
	events map[string][]string // term of a text → the question's terms that name the same event
	asked  map[string]bool     // the question's terms that name an event
	// subject is the rarest of the other terms, and things the rarity of all of them
	// that are recorded at all: what it happened to.
	subject string
	things  float64
	sharp   []string // the question's terms that name one thing
	exact   []exactName
	verbs   map[string]bool // the terms of all verbs of change
	turn    *askedTurn      // what took the place of what, nil where that is not asked
	begins  bool            // a beginning is asked about
	negated bool            // the question says no or not
	usual   bool            // it asks why something is so by default
	enables bool            // it asks about what can be done
	slight  bool            // all of them together say less than a third of what one rare word does
	hashes  []string        // its words that name commits
	acts    []string        // the terms that name what is done
}

// unheardWeight is what a word counts of its rarity that nothing here holds. It may be
// what the question is about, and then there is no answer; mostly it says in other
// words what the sources say in theirs. A name is never the latter.
const unheardWeight = 0.7

func newWeigher(q Question, terms []search.Term) *weigher {
	w := &weigher{kind: q.Kind, rarity: map[string]float64{}, verbs: map[string]bool{}, events: map[string][]string{}, asked: map[string]bool{}, sharp: q.Sharp, begins: asksForBeginning(q.Text), negated: negates(plainWords(strings.Join(bygone(strings.Fields(q.Text)), " "))), enables: slices.ContainsFunc(plainWords(q.Text), enabling)}
	everyday := light()
	for _, t := range terms {
		rarity := t.Rarity
		if everyday[t.Text] {
			rarity *= lightWeight
		} else if t.Docs == 0 && !slices.Contains(q.Sharp, t.Text) {
			rarity *= unheardWeight
		}
		w.rarity[t.Text] = rarity
		w.mass += rarity
	}
	w.exact = exactNames(q.Words)
	w.usual = asksForDefault(q.Text)
	w.readEvents(q)
	w.readTurn(q)
	w.acts = acts(q.Words)
	w.hashes = hashes(q.Words)
	w.slight = slight(terms, w.mass)
	for _, t := range terms {
		if w.asked[t.Text] {
			continue
		}
		if w.rarity[t.Text] > w.rarity[w.subject] {
			w.subject = t.Text
		}
		if t.Docs > 0 {
			w.things += w.rarity[t.Text]
		}
	}
	return w
}

// readEvents finds the question's verbs of change, and the words that tell the same
// event. What an identifier is made of is none.
func (w *weigher) readEvents(q Question) {
	verbs := index.Terms(withoutCompounds(strings.Join(q.Words, " ")))
	for _, group := range events() {
		stems := index.Terms(group)
		for _, stem := range stems {
			w.verbs[stem] = true
		}
		for _, asked := range stems {
			if _, ok := w.rarity[asked]; !ok || !slices.Contains(verbs, asked) {
				continue
			}
			w.asked[asked] = true
			for _, stem := range stems {
				w.events[stem] = append(w.events[stem], asked)
			}
		}
	}
}

const (
	mostOfSubject = 0.6 // share of the subject that a passage and its title must name for its verb to count
	ownSubject    = 0.5 // share of the subject that the verb's own clause must name
	ownObject     = 0.4 // share of the subject that the verb must be said of, short of its rarest word
)

// slight tells whether words say together less than a third of what one word does that
// a single document holds. Of few documents even a rare word says little, so that
// those are not judged by it.
func slight(terms []search.Term, mass float64) bool {
	const few, third = 200, 0.33
	docs := 0.0
	for _, t := range terms { // the rarity of a term tells how many documents there are
		docs = max(docs, (float64(t.Docs)+0.5)*math.Exp(t.Rarity)-1)
	}
	return docs >= few && mass < third*math.Log(2*(docs+1))
}

// headline is what stands above a source's passages.
type headline struct {
	text  string
	terms []string
	// lends tells that its words belong to every passage below, as those of a heading
	// do. The subject of a commit does not: many commits bundle unlike changes.
	lends bool
	event string // what its form tells to have happened
}

func headlineOf(src cite.Source) headline {
	return headline{text: src.Title, terms: index.Terms(src.Title), lends: src.Layer != cite.LayerTeam, event: titleEvent(src.Title)}
}

// covered is the set of the question's terms in some passages. A verb counts, and
// covers another that names the same event, only of the subject: where the passage
// and the title above it name most of that, and what the verb is said of its share.
func (w *weigher) covered(head headline, passages ...string) map[string]bool {
	set := map[string]bool{}
	for _, p := range passages {
		named := w.named(index.Terms(p), head.terms) >= mostOfSubject*w.things
		for _, clause := range clauses(p) {
			terms := index.Terms(clause)
			w.cover(set, terms)
			if !named && !w.namesExactly(terms) {
				continue
			}
			w.coverEvents(set, w.toldOf(head, clause))
			if p == head.text {
				w.coverEvents(set, w.titleTells(head, clause))
			}
		}
		w.coverTurns(set, head, p)
	}
	w.coverWhole(set)
	return set
}

// titleTells are the events that the form of a title tells, of its first object.
func (w *weigher) titleTells(head headline, clause string) (events []string) {
	if head.event != "" && w.named(index.Terms(w.objects(clause)[0])) >= ownSubject*w.things {
		events = append(events, head.event)
	}
	if w.begun(head.text) {
		events = append(events, index.Terms("add")...)
	}
	return events
}

// cover adds the question's terms among some to a set, but for its verbs.
func (w *weigher) cover(set map[string]bool, terms []string) {
	for _, t := range terms {
		if _, ok := w.rarity[t]; ok && !w.asked[t] {
			set[t] = true
		}
	}
}

// coverEvents adds the question's verbs that name the same event as one of the terms. A
// term that the question has itself stands for nothing else: the removal of a prune
// option is not told by who adds one.
func (w *weigher) coverEvents(set map[string]bool, terms []string) {
	for _, t := range terms {
		if w.asked[t] {
			set[t] = true
			continue
		}
		for _, asked := range w.events[t] {
			set[asked] = true
		}
	}
}

// named adds the rarity of the question's terms, but for its verbs, that occur.
func (w *weigher) named(lists ...[]string) float64 {
	seen := map[string]bool{}
	sum := 0.0
	for _, list := range lists {
		for _, t := range list {
			if !seen[t] && !w.asked[t] {
				sum += w.rarity[t]
			}
			seen[t] = true
		}
	}
	return sum
}

// with adds the question's terms of whole texts to a set, but for its verbs: in a
// long text they belong to anything.
func (w *weigher) with(set map[string]bool, texts ...string) map[string]bool {
	set = maps.Clone(set)
	for _, text := range texts {
		w.cover(set, index.Terms(text))
	}
	w.coverWhole(set)
	return set
}

// otherEvent is what the support of a source counts that covers the question's
// words but not its event: "add the file" is no evidence that it was deleted.
const otherEvent = 0.7

// told tells whether the passages tell every event that was asked about.
func (w *weigher) told(covered map[string]bool) bool {
	for asked := range w.asked {
		if !covered[asked] {
			return false
		}
	}
	return true
}

// happened weighs whether the passages tell the event that was asked about, and of
// the thing that was asked about: the rarest of the question's other words.
func (w *weigher) happened(covered map[string]bool) float64 {
	if w.subject != "" && !covered[w.subject] {
		return otherEvent
	}
	for asked := range w.asked {
		if !covered[asked] {
			return otherEvent
		}
	}
	return 1
}

func (w *weigher) share(set map[string]bool) float64 {
	sum := 0.0
	for _, t := range slices.Sorted(maps.Keys(set)) { // in one order, so that sums are equal to the last digit
		sum += w.rarity[t]
	}
	return sum
}

// passage weighs one passage for quoting. A question is no answer, and an earlier
// "not recorded" is no record. The title is shown anyway, so that a passage that
// adds to it is preferred.
func (w *weigher) passage(head headline) cite.Weigh {
	return func(text string) float64 {
		lower := strings.ToLower(text)
		if strings.HasSuffix(strings.TrimRight(text, `"')`), "?") || strings.Contains(lower, "not recorded") {
			return 0
		}
		score := 0.05 + w.share(w.covered(head, text))/max(w.mass, 1e-9)
		if w.kind == KindWhy && givesReason(lower) {
			score += 0.25
		}
		if strings.HasPrefix(head.text, text) {
			score /= 2
			if w.kind == KindWhy {
				score /= 2 // a title tells what was done, hardly ever why
			}
		}
		return score
	}
}

// givesReason tells whether a sentence carries a reason.
func givesReason(lower string) bool {
	for _, cue := range []string{"because", "so that", " since ", "due to", "in order to", "to avoid", "instead of", "reason", "otherwise", "therefore", "prevent", "allows", "no longer", "fixes", "avoid", " as it ", "which means", "to make", "to support", "to allow"} {
		if strings.Contains(lower, cue) {
			return true
		}
	}
	return false
}

// leastWords is how many words a sentence below a commit's title has that says more
// than the title.
const leastWords = 8

// about tells whether a source as a whole is about what happened to the subject: a
// commit by its title, since its body mentions other things too.
func (w *weigher) about(head headline, here map[string]bool) bool {
	if head.lends {
		return here[w.subject] || w.subject == ""
	}
	return (w.subject == "" || slices.Contains(head.terms, w.subject)) && w.told(w.covered(head, head.text))
}

// explains tells whether what is quoted stands below the title of a commit: there
// people write what made them do it, with or without a word like because.
func (w *weigher) explains(src cite.Source, quote cite.Quote) bool {
	return src.Layer == cite.LayerTeam && quote.Line > 1 && len(strings.Fields(quote.Text)) >= leastWords && !strings.HasPrefix(src.Title, quote.Text)
}

func (w *weigher) evidence(src cite.Source, hit search.Hit) evidence {
	ev := evidence{src: src, hit: hit}
	quotes := cite.Quotes(quotable(src), 2, excerptRunes, w.passage(headlineOf(src)))
	src = w.called(src)
	head := headlineOf(src)
	if len(quotes) == 0 {
		return ev
	}
	ev.quote = quotes[0]
	ev.reason = givesReason(strings.ToLower(ev.quote.Text)) || w.explains(src, ev.quote) || (isDecision(src) && !strings.HasPrefix(src.Title, ev.quote.Text))
	near := []string{src.Title, src.Author}
	for _, q := range quotes {
		near = append(near, q.Text)
	}
	here := w.covered(head, near...)
	all := w.with(here, append(src.Paths, src.Text)...)
	ev.terms, ev.told, ev.happened, ev.sharp = len(all), w.told(here) && !w.contradicts(head, quotes), len(w.asked) > 0, w.sharpShare(src)
	ev.named = ev.sharp == 1 && slices.Contains(w.sharp, w.subject) && slices.Contains(head.terms, w.subject)
	ev.about, ev.mass, ev.slight = w.about(head, here), w.mass, w.slight
	if w.mass > 0 {
		ev.single = w.bestPassage(src, head, quotes) / w.mass
		ev.titled = w.share(w.covered(head, src.Title)) / w.mass
		ev.support = (elsewhere*w.share(all) + (1-elsewhere)*w.share(here)) / w.mass * w.happened(here)
	}
	ev.rank = w.rank(ev, 0)
	return ev
}

// bestPassage is the most that one passage covers by itself, with the title where
// that lends its words.
func (w *weigher) bestPassage(src cite.Source, head headline, quotes []cite.Quote) float64 {
	best := w.share(w.covered(head, src.Title+" "+src.Author))
	for _, q := range quotes {
		passages := []string{q.Text}
		if head.lends {
			passages = append(passages, src.Title)
		}
		best = max(best, w.share(w.covered(head, passages...)))
	}
	return best
}

// upkeep lowers what only joins others or was written by a program.
func upkeep(hit search.Hit) float64 {
	if hit.Doc.Layer == cite.LayerTeam && (hit.Doc.Role == "merge" || strings.Contains(hit.Doc.Author, "[bot]")) {
		return 0.85
	}
	return 1
}
