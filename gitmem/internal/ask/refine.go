package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// refineTime is the maximum time of the first attempt for a question to be retried in other words.
const refineTime = time.Second

// refined retries a question that found nothing, without its low-idf words and with synonyms for words that are not in
// the index. The results are only related and make no claim. An unknown name is not replaced: nothing is recorded about
// it.
func (e *Engine) refined(
	ctx context.Context, text string, q Question, o Options, first answer.Answer,
) (answer.Answer, answer.Strategy, error) {
	took := time.Duration(first.ElapsedMS) * time.Millisecond
	isAbout := slices.Contains([]answer.Kind{answer.KindGeneral, answer.KindWhy, answer.KindHow, answer.KindWhen}, q.Kind)
	if first.Verdict != answer.NotRecorded || len(first.Missing) > 0 || !isAbout || took > refineTime {
		return first, answer.Strategy{}, nil
	}
	other := q
	var err error
	other.Terms, err = e.otherTerms(ctx, q, o)
	if err != nil || len(other.Terms) == 0 || slices.Equal(other.Terms, q.Terms) {
		return first, answer.Strategy{}, err
	}
	a, err := e.answerRead(ctx, text, other, o)
	tried := answer.Strategy{Name: "refined", OK: err == nil, MS: a.ElapsedMS}
	if err != nil || a.Verdict == answer.NotRecorded {
		return first, tried, err
	}
	near := draft(a)
	near.setClosest("Closest records:\n" + list(a.Citations...))
	near.Verdict = near.Confidence.Verdict()
	const caveat = "Nothing is recorded in the words of the question, so it was searched for: %s."
	near.Caveats = append(near.Caveats, fmt.Sprintf(caveat, strings.Join(other.Terms, ", ")))
	tried.Hits = len(near.Citations)
	return answer.Answer(near), tried, nil
}

// otherTerms returns the terms of a question without low-idf terms. It replaces a term that is not in the index by an
// indexed synonym if there is one. It returns nil if fewer than half of the terms are then indexed.
func (e *Engine) otherTerms(ctx context.Context, q Question, o Options) (terms []string, err error) {
	lowIDFTerm := lowIDFTerms()
	own := slices.DeleteFunc(slices.Clone(q.Terms), func(t string) bool {
		return lowIDFTerm[t] && !slices.ContainsFunc(q.Names, func(n name) bool { return n.term == t })
	})
	all := (search.Thesaurus{Groups: e.Vocabulary.Synonyms()}).Expand(search.PlainTerms(own), search.ExpandFull)
	query := o.Query
	query.Terms, query.Limit = search.PlainTerms(own), 1
	for _, t := range all[min(len(own), len(all)):] {
		query.Terms = append(query.Terms, search.PlainTerms([]string{t.Text})...)
	}
	res, err := e.Evidence.Find(ctx, query)
	held := func(term string) bool {
		return slices.ContainsFunc(res.Terms, func(t search.Term) bool { return t.Text == term && t.Docs > 0 })
	}
	known, about := 0, 0
	for i, t := range own {
		if !held(t) {
			for _, k := range all[min(len(own), len(all)):] {
				if k.For == i && held(k.Text) {
					t = k.Text
					break
				}
			}
		}
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
			known += number(held(t))
			about += number(held(t) && claim.ChangeOf(t) == "")
		}
	}
	if about == 0 || 2*known < len(terms) { // otherwise it is about something else
		return nil, err
	}
	return terms, err
}
