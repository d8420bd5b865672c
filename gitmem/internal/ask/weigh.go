package ask

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// Factors for the inverse document frequency of a question's terms, by kind.
const (
	unheldTerm  = 0.1 // a term that is not in the index: sources use other words
	changeTerm  = 0.5 // a verb of change, which all changes of that kind share
	perWeight   = 2.0 // factor from the weight of an expansion to its share of the original term
	byAnotherVb = 0.8 // share for another verb of the same change
)

// substitute is a term of the question that another term may replace, with the share that it then counts.
type substitute struct {
	term  string
	share float64
}

// weigher measures how much of a question a text covers.
type weigher struct {
	kind        answer.Kind
	pasted      bool               // the question contains a pasted error and asks for its solution
	terms       []string           // of the question, in order
	weight      map[string]float64 // by term
	total       float64
	unheld      float64                 // full weight of the terms that are not in the index
	heldBy      map[string]int          // number of documents by term
	substitutes map[string][]substitute // by term of a text
	asked       claim.Asked
	hashes      []string    // words that name commits
	subject     string      // term with the largest weight
	first       bool        // the question asks when something began
	reports     bool        // the question asks for issues and pull requests
	decided     bool        // the question asks what was decided
	names       []name      // words that identify one thing
	begun       claim.Asked // the change asked about, or an addition if the question names none
	question    string      // lowercase text; "" if it is not a question or asks for questions

	shares map[string]float64 // cache by text, see shareOf
}

func newWeigher(q Question, terms []search.Term, groups []search.Group) *weigher {
	w := &weigher{kind: q.Kind, pasted: q.Pasted, weight: map[string]float64{}, heldBy: map[string]int{},
		substitutes: map[string][]substitute{},
		asked:       claim.Read(q.Text), hashes: hashes(q.Words), names: q.Names, reports: q.Reports,
		decided: q.asksDecision()}
	if q.Intent != markdown.IntentQuestion && isAsking(q.Text) {
		w.question = strings.ToLower(strings.TrimRight(q.Text, "?!. "))
	}
	lowIDFTerm := lowIDFTerms()
	isName := func(t string) bool { return slices.ContainsFunc(q.Names, func(n name) bool { return n.term == t }) }
	for i, t := range terms {
		weight := t.Rarity
		switch {
		case slices.ContainsFunc(q.wordForms, func(k search.QueryTerm) bool { return k.For == i }):
		case isName(t.Text):
		case lowIDFTerm[t.Text] && t.Docs == 0:
			weight *= lowIDF * unheldTerm
		case lowIDFTerm[t.Text]:
			weight *= lowIDF
		case claim.ChangeOf(t.Text) != "":
			weight *= changeTerm
		case t.Docs == 0:
			w.unheld += weight * (1 - unheldTerm)
			weight *= unheldTerm
		}
		w.terms = append(w.terms, t.Text)
		w.weight[t.Text], w.heldBy[t.Text] = weight, t.Docs
		w.total += weight
		if claim.ChangeOf(t.Text) == "" && w.weight[t.Text] > w.weight[w.subject] {
			w.subject = t.Text
		}
	}
	w.first = q.In.To != "" || w.asksForFirst(q)
	if w.begun = w.asked; w.first && !w.asked.Known() {
		about := slice.Map(slices.DeleteFunc(slices.Clone(q.Words), allStop), trimMarks)
		w.begun = claim.Read("when did we add the " + strings.Join(about, " "))
	}
	for _, t := range (search.Thesaurus{Groups: groups}).Expand(search.PlainTerms(w.terms), search.ExpandFull) {
		if t.For >= 0 {
			w.substitutes[t.Text] = append(w.substitutes[t.Text],
				substitute{w.terms[t.For], min(byAnotherVb, t.Weight*perWeight)})
		}
	}
	for _, k := range q.wordForms {
		if k.For < len(w.terms) { // without an index there are none
			w.substitutes[k.Text] = append(w.substitutes[k.Text], substitute{w.terms[k.For], k.Weight})
		}
	}
	return w
}

// coverage maps terms of the question to how far texts contain them, 0 to 1.
type coverage map[string]float64

// addTerms adds the coverage of some terms.
func (w *weigher) addTerms(s coverage, terms []string) {
	for _, t := range terms {
		if _, asked := w.weight[t]; asked {
			s[t] = 1
		}
		for _, other := range w.substitutes[t] {
			s[other.term] = max(s[other.term], other.share)
		}
		change := claim.ChangeOf(t)
		if change == "" {
			continue
		}
		for _, asked := range w.terms {
			if claim.ChangeOf(asked) == change {
				s[asked] = max(s[asked], byAnotherVb)
			}
		}
	}
}

// addText adds the coverage of a text: its terms, and the verb of change if it describes the requested change in other
// words.
func (w *weigher) addText(s coverage, text string) {
	w.addTerms(s, index.Terms(text))
	if !w.asked.Begins() && !w.asked.Ends() || len(text) > longestSentence {
		return
	}
	isUnsaid := func(t string) bool { return claim.ChangeOf(t) != "" && s[t] < byAnotherVb }
	names := slices.ContainsFunc(w.terms, func(t string) bool { return claim.ChangeOf(t) == "" && s[t] > 0 })
	if !names || !slices.ContainsFunc(w.terms, isUnsaid) || !w.tells(text) { // parsing a sentence is expensive
		return
	}
	for _, t := range w.terms {
		if isUnsaid(t) {
			s[t] = byAnotherVb
		}
	}
}

// longestSentence is the maximum length in bytes of a text that is parsed as one sentence.
const longestSentence = 400

// tells reports whether a text describes the change that is asked about.
func (w *weigher) tells(texts ...string) bool {
	event := w.asked.Fit(texts, nil).Event
	return event == claim.Same || event == claim.Unasked
}

// share returns the covered share of the question, 0 to 1.
func (w *weigher) share(s coverage) float64 {
	if w.total == 0 {
		return 0
	}
	sum := 0.0
	for _, t := range w.terms { // in a fixed order, so that sums are bit-identical
		sum += w.weight[t] * s[t]
	}
	return sum / w.total
}

// shareOf returns the share of the question in the texts. It caches single texts, since quoting weighs the same
// sentences several times.
func (w *weigher) shareOf(texts ...string) float64 {
	if len(texts) == 1 {
		if share, known := w.shares[texts[0]]; known {
			return share
		}
	}
	s := coverage{}
	for _, text := range texts {
		w.addText(s, text)
	}
	share := w.share(s)
	if len(texts) == 1 {
		if w.shares == nil {
			w.shares = map[string]float64{}
		}
		w.shares[texts[0]] = share
	}
	return share
}

// pairs returns the weighted share of the question's adjacent terms that are also adjacent in a text.
func (w *weigher) pairs(texts ...string) float64 {
	type pair struct{ a, b string }
	want := map[pair]float64{}
	total := 0.0
	for i := 1; i < len(w.terms); i++ {
		weight := min(w.weight[w.terms[i-1]], w.weight[w.terms[i]])
		want[pair{w.terms[i-1], w.terms[i]}] = weight
		total += weight
	}
	if total == 0 {
		return 0
	}
	sum := 0.0
	for _, text := range texts {
		terms := index.QueryTerms(text)
		for i := 1; i < len(terms); i++ {
			for _, p := range []pair{{terms[i-1], terms[i]}, {terms[i], terms[i-1]}} {
				sum += want[p]
				delete(want, p)
			}
		}
	}
	return sum / total
}

// passage returns a weight for quotable passages. It excludes the title, which is always shown, except for ideas, whose
// text may equal the heading.
func (w *weigher) passage(src cite.Source, hit search.Hit) cite.Weigh {
	near := ingest.NearItem(src.Text, hit)
	return func(text string) float64 {
		if isEmpty(text) || w.echoes(text) || strings.HasPrefix(src.Title, text) && src.Source != string(cite.KindIdea) {
			return 0
		}
		score := 0.05 + w.shareOf(text)
		if near != "" && strings.Contains(near, text) {
			score += 0.1
		}
		if (w.kind == answer.KindWhy || w.pasted) && GivesReason(text) {
			score += 0.25
		}
		return score
	}
}

// evidence weighs a source for the question, with an optional heading from another source.
func (w *weigher) evidence(src cite.Source, hit search.Hit, heading string) evidence {
	ev := evidence{src: src, hit: hit}
	quotes := cite.Quotes(cite.Quotable(src), 2, excerptRunes, w.passage(src, hit))
	src = w.withHash(src)
	near := []string{src.Title, heading}
	if w.namesPerson(src.Author) {
		near = append(near, src.Author)
	}
	for _, q := range quotes {
		near = append(near, q.Text)
	}
	if len(quotes) > 0 {
		ev.quote = quotes[0]
	} else if src.Layer != cite.LayerTeam && src.Source != string(cite.KindDecision) { // whose titles suffice
		return ev
	}
	here := coverage{}
	for _, text := range near {
		w.addText(here, text)
	}
	ev.titled, ev.near, ev.pairs = w.shareOf(src.Title), w.share(here), w.pairs(near...)
	ev.single = max(ev.titled, w.single(src, quotes))
	ev.begins = w.first && w.begins(src, hit, ev)
	if w.kind == answer.KindWhy && ev.quote.Text != "" {
		ev.quote = w.why(src, ev)
	}
	ev.reason = explains(src, ev.quote)
	for _, text := range append(src.Paths, src.Text) {
		w.addTerms(here, index.Terms(text))
	}
	ev.all = w.share(here)
	for _, t := range w.terms {
		if here[t] >= byAnotherVb {
			ev.terms++
		}
	}
	switch {
	case w.kind == answer.KindHow && isOrder(src) && w.asksFor(src.Text):
		ev.near, ev.single, ev.all, ev.direct = 1, 1, 1, true
	case w.kind == answer.KindHow && src.Layer == cite.LayerRules:
		ev.direct = ev.single >= highNear
	case w.decided && isDecision(src):
		ev.direct = ev.single >= leastNamed // an alias of the name counts as well
	}
	ev.shown, ev.texts = true, near
	return ev
}

// namesPerson reports whether the question contains a part of an author's name as a name: in the form of a name, or not
// an English word, such as an account name.
func (w *weigher) namesPerson(author string) bool {
	return slices.ContainsFunc(index.Terms(author), func(t string) bool {
		asName := slices.ContainsFunc(w.names, func(n name) bool { return n.term == t })
		return w.weight[t] > 0 && (asName || len(t) >= leastName && !isEnglish(t))
	})
}

// isOrder reports whether a source is a standing order of the project or the profile.
func isOrder(src cite.Source) bool {
	return src.Source == string(cite.KindProfile) && strings.Contains(src.ID, ":orders.")
}

// asksFor reports whether the question contains every content word of an order. It may contain others.
func (w *weigher) asksFor(order string) bool {
	words := slices.DeleteFunc(strings.Fields(strings.ToLower(order)), func(word string) bool {
		return isOneOf(" never always ever ", word)
	})
	_, terms := contentTerms(strings.Join(words, " "), answer.KindHow)
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return w.weight[t] == 0 })
}

// single returns the largest share of the question in a single passage.
func (w *weigher) single(src cite.Source, quotes []cite.Quote) (most float64) {
	heading := ""
	if !ofCommit(src.ID) { // many commits bundle unrelated changes
		heading = src.Title
	}
	for _, q := range quotes {
		most = max(most, w.shareOf(heading, q.Text))
	}
	return most
}

// begins reports whether a code change or a changelog entry describes the addition of something that the question
// names.
func (w *weigher) begins(src cite.Source, hit search.Hit, ev evidence) bool {
	text := src.Title
	switch {
	case ofCommit(src.ID) && (src.Type == "test" || src.Type == "docs" || src.Type == "chore"):
		return false
	case hit.Doc.Release != "":
		text = ev.quote.Text
	case !ofCommit(src.ID):
		return false
	}
	tells := w.asked.Begins() && w.tells(text) || !w.asked.Known() && claim.Begins(text)
	return tells && w.shareOf(text) >= leadSupport &&
		!slices.ContainsFunc(w.names, func(n name) bool { return n.onlyWithin(text) })
}

// onlyWithin reports whether a text contains a name only inside longer names: --no-wait is another flag than --wait.
func (n name) onlyWithin(text string) bool {
	bare := strings.Trim(n.text, "-")
	if !strings.Contains(strings.ToLower(text), strings.ToLower(bare)) { // skips the regular expression for most texts
		return false
	}
	bare = regexp.QuoteMeta(bare)
	return !regexp.MustCompile(`(?i)(^|[^\w-]|(^|[^\w])--?)` + bare + `($|[^\w-])`).MatchString(text)
}

// takeBegun presupposes an addition if the question names no change and one of the first sources describes an addition.
func (w *weigher) takeBegun(found []evidence) {
	tells := func(ev evidence) bool { return w.begun.Fit(ev.cites(), nil).Event == claim.Same }
	if slices.ContainsFunc(found[:min(len(found), mostJudged)], tells) {
		w.asked = w.begun
		clear(w.shares)
	}
}

// upkeepFactor returns a factor that lowers merges and commits by bots.
func upkeepFactor(hit search.Hit) float64 {
	if hit.Doc.Layer == cite.LayerTeam && (hit.Doc.Role == "merge" || strings.Contains(hit.Doc.Author, "[bot]")) {
		return 0.85
	}
	return 1
}

// ofCommit reports whether a citation id names a commit.
func ofCommit(id string) bool { return strings.HasPrefix(id, string(cite.KindCommit)+":") }
