package ask

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// claims judges whether a source answers a question: whether the cited text describes the presupposed change of the
// same object and contains every name of the question, and how likely the source is the right one. The weights were
// trained on testdata/claims.txt.
type claims struct {
	weigher  *weigher
	question Question
	names    []name
	synonyms claim.Synonyms
}

// Minimum chances for high and medium confidence, and the number of sources that are judged.
const (
	highChance, mediumChance = 0.75, 0.65
	mostJudged               = 5
)

// right is the model's class of a source that answers the question.
const right = 1

var models = [...]func() *linear.Model{linear.Built(templates.Claims)}

// judgement is the assessment of one source.
type judgement struct {
	fit      claim.Fit
	features []string
	chance   float64 // probability that it answers; 0 if it is ruled out
}

func newClaims(w *weigher, q Question) claims {
	c := claims{weigher: w, question: q, names: w.claimNames(q), synonyms: claim.Synonyms{}}
	for t, list := range w.substitutes {
		for _, s := range list {
			if s.share >= leastKnown {
				c.synonyms[t] = append(c.synonyms[t], s.term)
			}
		}
	}
	return c
}

// judge judges the first few sources. The latest statement about a thing counts as an answer if an earlier one does;
// the earlier one then does not.
func (c claims) judge(found []evidence) []judgement {
	out := make([]judgement, min(len(found), mostJudged))
	for i := range out {
		out[i].fit = c.weigher.asked.Fit(found[i].cites(), c.synonyms)
	}
	before := 0.0
	for i := range out {
		j, ev := &out[i], found[i]
		j.features = c.features(j.fit, ev, rival(found, out, i))
		switch blocked := c.blocked(j.fit, ev); {
		case ev.direct:
			j.chance = max(mediumChance, models[0]().Predict(j.features)[right])
		case blocked != "":
			j.features = append(j.features, blocked)
		default:
			j.chance = models[0]().Predict(j.features)[right]
		}
		if ev.stated == statedBefore {
			before, j.chance = max(before, j.chance), 0
		}
	}
	if last := slices.IndexFunc(found[:len(out)], func(ev evidence) bool { return ev.stated == statedLast }); last >= 0 {
		out[last].chance = max(out[last].chance, before)
	}
	return out
}

// rival returns the highest rank among the other judged sources that neither describe the same change nor belong to the
// same work, or 0.
func rival(found []evidence, judged []judgement, i int) (rank float64) {
	for k := range judged {
		agrees := judged[k].fit.Event == claim.Same && judged[i].fit.Event == claim.Same
		same := found[k].undoes == found[i].src.ID || found[k].of == found[i].src.ID || found[i].of == found[k].src.ID
		if k != i && !agrees && !same {
			rank = max(rank, found[k].rank)
		}
	}
	return rank
}

// cites returns the texts that a citation of the source shows.
func (ev evidence) cites() []string { return []string{ev.src.Title, ev.quote.Text} }

// blocked returns why a source cannot answer, or "".
func (c claims) blocked(fit claim.Fit, ev evidence) string {
	switch {
	case fit.Event == claim.Untold, fit.Event == claim.Opposite:
		return fit.Event.String()
	case slices.ContainsFunc(c.names, func(n name) bool { return !n.inCited(ev) }):
		return "unnamed"
	case claim.Negated(c.question.Text, strings.Join(ev.cites(), " ")):
		return "negated"
	}
	return ""
}

// features returns the model features of a source for the question.
func (c claims) features(fit claim.Fit, ev evidence, rival float64) []string {
	w := c.weigher
	out := []string{"event=" + fit.Event.String(), "kind=" + string(c.question.Kind), "source=" + ev.kind()}
	if fit.Event == claim.Same {
		out = append(out, "object="+fit.Object())
	}
	if ev.reason && !ev.isUpkeep() {
		out = append(out, "reason")
	}
	out = append(out, atLeast("margin", ev.rank/rival, 0.85, 1, 1.05, 1.15, 1.3, 1.5)...) // infinite without a rival
	out = append(out, atLeast("passage", ev.single, 0.45, 0.75)...)
	out = append(out, atLeast("terms", float64(ev.terms), 2, 4)...)
	out = append(out, atLeast("title", ev.titled, 0.3, 0.9)...)
	return append(out, atLeast("unknown", w.unheld/(w.total+w.unheld), 0.3)...)
}

// atLeast returns a feature for each bound that x reaches.
func atLeast(name string, x float64, bounds ...float64) (out []string) {
	for _, b := range bounds {
		if x >= b {
			out = append(out, fmt.Sprintf("%s>=%g", name, b))
		}
	}
	return out
}

// isUpkeep reports whether a commit is a merge or was written by a bot.
func (ev evidence) isUpkeep() bool {
	return ofCommit(ev.src.ID) && (strings.HasPrefix(ev.src.Title, "Merge ") || strings.Contains(ev.src.Author, "[bot]"))
}

// kind returns the kind of a source for the features.
func (ev evidence) kind() string {
	switch {
	case ev.hit.Doc.Release != "":
		return "release"
	case ev.isUpkeep():
		return "upkeep"
	case ofCommit(ev.src.ID):
		return "commit"
	case isDecision(ev.src), ev.src.Layer == cite.LayerRules, ev.src.Layer == cite.LayerMemory:
		return "own"
	}
	return ev.src.Layer
}

// claimNames returns the names that a cited sentence must contain: the names of the question, its words with several
// parts, such as merge-conflict-symbol, and words that are neither English nor in the index.
func (w *weigher) claimNames(q Question) []name {
	names := slices.Clone(q.Names)
	for _, word := range q.Words {
		bare := trimMarks(word)
		terms, parts := index.QueryTerms(bare), strings.Split(strings.Trim(bare, "-"), "-")
		if len(terms) == 0 || slices.ContainsFunc(names, func(n name) bool { return n.text == bare }) {
			continue
		}
		known := len(terms) > 1 || len(bare) < leastName || w.weight[terms[0]] == 0 || w.heldBy[terms[0]] > 0
		if len(parts) > 2 && !slices.ContainsFunc(parts, index.IsStopword) ||
			!known && q.script == none && !isEnglish(terms[0]) {
			names = append(names, name{bare, terms[0]})
		}
	}
	return names
}

// inCited reports whether the cited text of a source contains the name. It ignores the author of a document, who is
// only the last person who changed it, and of a merge.
func (n name) inCited(ev evidence) bool {
	ev.src.Text = ev.quote.Text
	if !ofCommit(ev.src.ID) || ev.isUpkeep() {
		ev.src.Author = ""
	}
	return n.in(ev)
}

// order puts the answering sources first, each followed by the sources that belong to it. It returns the judgements and
// the number of answering sources.
func (c claims) order(found []evidence) (out []judgement, answering int) {
	type pair struct {
		evidence
		judgement
	}
	var first, rest []pair
	judged := c.judge(found)
	belongs := func(ev evidence) bool {
		return slices.ContainsFunc(first, func(p pair) bool {
			return ev.undoes == p.src.ID && ev.undoes != "" || ev.of == p.src.ID && ev.of != ""
		})
	}
	for i, j := range judged {
		if j.chance >= mediumChance {
			first = append(first, pair{found[i], j})
		} else {
			rest = append(rest, pair{found[i], j})
		}
	}
	rest = slices.DeleteFunc(rest, func(p pair) bool {
		if belongs(p.evidence) {
			first = append(first, p)
			return true
		}
		return false
	})
	for i, p := range append(slices.Clone(first), rest...) {
		found[i], out = p.evidence, append(out, p.judgement)
	}
	return out, len(first)
}

// confidence returns the confidence of an answer with the first source.
func (c claims) confidence(found []evidence, judged []judgement, answering int) answer.Confidence {
	best := found[0]
	switch chance := judged[0].chance; {
	case c.weigher.reports && !namesThread(best.src), chance < mediumChance, c.mayBeReplaced(found):
		return answer.Low
	case chance < highChance,
		best.states() && c.question.holdsNow(),                            // a later source may state it in other words
		best.src.Layer == cite.LayerTranscripts && best.single < highNear, // people repeat topics in conversations
		c.question.Kind == answer.KindWhy && !reasoned(found[:answering]):
		return answer.Medium
	}
	return answer.High
}

// reverse returns the index of the source that describes the opposite of the presupposed change of the whole object. It
// returns -1 if there is none or another source describes the same change.
func reverse(found []evidence, judged []judgement) int {
	at := -1
	for i, j := range judged {
		switch {
		case j.fit.Event == claim.Same && j.fit.Cover == 1:
			return -1
		case j.fit.Event == claim.Opposite && j.fit.Cover == 1 && at < 0:
			at = i
		}
	}
	return at
}

// Roles of sources that state the same fact at different times.
const statedLast, statedBefore = "last", "before"

// latestFirst puts the latest statement about a thing before earlier ones if the question asks about the present.
func (c claims) latestFirst(found []evidence) {
	if !c.question.holdsNow() {
		return
	}
	best, most := 0.0, 0.0
	for _, ev := range found {
		best, most = max(best, ev.rank), max(most, c.named(ev))
	}
	var at []int
	var of []evidence
	for i, ev := range found {
		same := ev.rank >= nearRank*best && c.named(ev) >= sameThing*most
		if (same || slices.ContainsFunc(ev.cites(), c.weigher.asked.Instead)) && ev.states() {
			at, of = append(at, i), append(of, ev)
		}
	}
	if len(of) < 2 {
		return
	}
	slices.SortStableFunc(of, func(a, b evidence) int { return b.src.Time.Compare(a.src.Time) })
	for k, i := range at {
		found[i] = of[k]
		found[i].stated = cmp.Or(found[i].stated, map[bool]string{true: statedLast, false: statedBefore}[k == 0])
	}
}

// Minimum shares relative to the best source: sameThing of the named question terms and nearRank of the rank for a
// source about the same thing, and maybeSame of the rank for a possible one.
const sameThing, nearRank, maybeSame = 0.95, 0.6, 0.4

// named returns the weight of the question terms in the cited text, excluding verbs.
func (c claims) named(ev evidence) (sum float64) {
	cited := coverage{}
	c.weigher.addTerms(cited, index.Terms(strings.Join(ev.cites(), "\n")))
	for _, t := range c.weigher.terms {
		if !claim.IsVerb(t) {
			sum += c.weigher.weight[t] * cited[t]
		}
	}
	return sum
}

// mayBeReplaced reports whether a later source may state the present fact instead of the first one.
func (c claims) mayBeReplaced(found []evidence) bool {
	best := found[0]
	return best.states() && c.question.holdsNow() && slices.ContainsFunc(found[1:], func(ev evidence) bool {
		return ev.states() && ev.src.Time.After(best.src.Time) && ev.rank >= maybeSame*best.rank
	})
}

// states reports whether a source states what held at its time. It excludes documents, which describe the present, and
// session messages that the user did not write.
func (ev evidence) states() bool {
	said := ev.src.Layer != cite.LayerTranscripts || ev.src.Author == "user"
	switch ev.src.Source {
	case string(cite.KindProfile): // it has one value per key
		return false
	case string(cite.KindIdea):
		_, intent := cite.CutRole(ev.hit.Doc.Role)
		said = intent == markdown.IntentDecision
	}
	return said && !ev.src.Time.IsZero() && !isPage(ev.src, ev.hit) && ev.src.Layer != cite.LayerRules
}

// holdsNow reports whether a question asks about the present state and not about an event.
func (q Question) holdsNow() bool {
	past := slices.ContainsFunc(plainWords(q.Text), func(w string) bool {
		return isOneOf(" did was were had been became ", w)
	})
	asksState := (q.Kind == answer.KindGeneral || q.Kind == answer.KindHow) && q.Range.IsZero() && !q.Reports
	return q.asksDecision() || asksState && !past
}

// asksDecision reports whether a question asks what was decided.
func (q Question) asksDecision() bool {
	words := plainWords(q.Text)
	return q.Intent == markdown.IntentDecision ||
		len(words) > 3 && words[0] == "what" && isOneOf(" decide decided ", words[3])
}
