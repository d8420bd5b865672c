package ask

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// untraced returns the names of a question that occur in no source, not even as an alias.
func (e *Engine) untraced(ctx context.Context, q Question, w *weigher, found []evidence) (missing []string) {
	aliases := sync.OnceValue(func() []search.QueryTerm { return e.formsOf(ctx, none, q.Terms) })
	for _, n := range append(slices.Clone(q.Names), e.unfamiliar(ctx, q, w)...) {
		held := w.heldBy[n.term] > 0
		if n.compound() || !held {
			held = slices.ContainsFunc(found, n.in)
		}
		held = held || slices.ContainsFunc(aliases(), func(k search.QueryTerm) bool {
			return q.Terms[k.For] == n.term && slices.ContainsFunc(found, name{k.Text, k.Text}.in)
		})
		if !held && !slices.Contains(missing, n.text) {
			missing = append(missing, n.text)
		}
	}
	return missing
}

// compound reports whether a name has several parts, each of which may occur separately elsewhere.
func (n name) compound() bool { return strings.ContainsAny(strings.Trim(n.text, "-./"), "-_./:") }

// in reports whether a source contains the name, regardless of the separators between its parts.
func (n name) in(ev evidence) bool {
	texts := append([]string{ev.src.ID, ev.src.Title, ev.src.Text, ev.src.Author, ev.hit.Doc.Release}, ev.src.Paths...)
	if number := strings.TrimPrefix(n.text, "v"); !hasLetter(number) { // a version
		return slices.ContainsFunc(texts, func(text string) bool { return holdsNumber(text, number) })
	}
	bare := joined(n.text)
	if len(bare) < shortName { // it may be part of a longer word
		return slices.ContainsFunc(texts, func(text string) bool { return slices.Contains(index.Terms(text), n.term) })
	}
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(joined(text), bare) })
}

// shortName is the length below which a name must match a whole word.
const shortName = 5

// holdsNumber reports whether a text contains a number as a prefix of a version: 1.2 matches v1.2.3 but not 11.2.
func holdsNumber(text, number string) bool {
	return strings.Contains(text, number) && regexp.MustCompile(`(^|[^0-9])`+regexp.QuoteMeta(number)+
		`($|[^0-9])`).MatchString(text)
}

// joined returns a text in lower case without separators.
func joined(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_./\\\t\n`'\"", r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
}

// Minimum shares of a question that evidence must cover.
const (
	highNear   = 0.95 // for a confident answer where people repeat topics
	mediumNear = 0.88
	leastNear  = 0.12
	// nearMeaning is the minimum cosine of a related source without words of the question.
	nearMeaning = 0.45
	leastKnown  = 0.5 // unknown words count in full
	leastNamed  = 0.8 // for a decision that is asked for
)

// judge sets the confidence and the text of an answer. It puts the answering sources first and returns the judgements.
func (a *draft) judge(q Question, w *weigher, found []evidence, missing []string) []judgement {
	a.Missing = missing
	cited := found[:min(len(found), len(a.Citations))]
	isFar := func(ev evidence) bool { return w.knownShare(ev) < leastNear && ev.hit.Cosine < nearMeaning }
	if len(cited) == 0 || q.isAbsent(missing, cited[0]) || isFar(cited[0]) {
		a.Confidence = answer.None
		a.Citations = nearby(cited)
		a.markLeads(0)
		return nil
	}
	c := newClaims(w, q)
	c.latestFirst(cited)
	judged, n := c.order(cited)
	for i, ev := range cited {
		a.Citations[i] = ev.cited
	}
	a.Confidence = c.confidence(cited, judged, n)
	if i := reverse(cited, judged); i >= 0 && a.Confidence == answer.Low {
		a.setClosest(reversed(a.Citations, i))
		return judged
	}
	if asksForCode(q.Text) && cited[0].src.Layer == cite.LayerTeam && len(w.hashes) == 0 {
		a.setClosest(notTheCode + compose(answer.KindGeneral, cited))
		return judged
	}
	if a.Confidence == answer.Low {
		for i := range cited {
			cited[i].stated = "" // the answer does not claim this either
		}
		a.setClosest(closestHead(q, cited[0]) + compose(answer.KindGeneral, cited))
		return judged
	}
	a.markLeads(n)
	a.Answer = compose(q.Kind, cited[:n])
	if q.Kind == answer.KindWhy && !reasoned(cited[:n]) {
		a.Caveats = append(a.Caveats, "The change is recorded, but no reason for it was found.")
	}
	return judged
}

// isAbsent reports whether nothing recorded can be meant because names of the question are missing: a word in the form
// of a name, or any word if no source has a similar meaning.
func (q Question) isAbsent(missing []string, first evidence) bool {
	named := func(text string) bool {
		return slices.ContainsFunc(q.Names, func(n name) bool { return n.text == text })
	}
	return len(missing) > 0 && (first.hit.Cosine < nearMeaning || slices.ContainsFunc(missing, named))
}

// leastNearby is the minimum share of the question in the related sources of an answer without evidence.
const leastNearby = 0.25

// nearby returns citations of related sources, with the largest share of the question first.
func nearby(found []evidence) (out []answer.Citation) {
	near := slices.DeleteFunc(slices.Clone(found), func(ev evidence) bool {
		return ev.near < leastNearby && !slices.ContainsFunc(ev.hit.Found, byPassage)
	})
	slices.SortStableFunc(near, func(x, y evidence) int { return cmp.Compare(y.near, x.near) })
	for _, ev := range near {
		out = append(out, ev.cited)
	}
	return out
}

// closestHead returns the heading of related sources, depending on whether they contain the words of the question.
func closestHead(q Question, first evidence) string {
	switch {
	case q.Open:
		return fmt.Sprintf("No open %s about it is recorded. Closest:\n", q.Intent)
	case first.near >= leastSaid:
		return "Closest records:\n"
	case first.hit.Cosine >= nearMeaning:
		return "In other words, closest:\n"
	}
	return "No record says it in these words. Closest:\n"
}

// leastSaid is the minimum share of a question for a passage that contains its words.
const leastSaid = 0.3

// setClosest makes an answer that lists related sources and makes no claim.
func (a *draft) setClosest(text string) {
	a.Confidence = answer.Low
	a.markLeads(0)
	a.Answer = text
}

// markLeads marks the citations from n on as leads, which support no claim.
func (a *draft) markLeads(n int) {
	for i := range a.Citations[n:] {
		a.Citations[n+i].Role = answer.RoleLead
	}
}

// knownShare returns the share of the question in a source, with unknown words counted in full.
func (w *weigher) knownShare(ev evidence) float64 { return ev.all * w.total / (w.total + w.unheld) }

func reasoned(found []evidence) bool {
	return slices.ContainsFunc(found, func(ev evidence) bool { return ev.reason })
}
