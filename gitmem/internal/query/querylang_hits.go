package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

const (
	hitRunes     = 280 // maximum length of a sentence of a hit
	hitSentences = 3
)

// hitWriter converts search hits to results.
type hitWriter struct {
	q       search.Query // with its terms and those of its expansion, as searched
	found   []search.Term
	terms   map[string]bool // for choosing excerpts
	explain bool
}

func (v *View) writer(q search.Query, res search.Result, explain bool) *hitWriter {
	if q.Terms == nil {
		q.Terms = search.PlainTerms(index.QueryTerms(q.Text))
	}
	q.Expanded = v.expansions().Expand(q.Terms, v.expand)
	w := &hitWriter{q: q, found: res.Terms, terms: map[string]bool{}, explain: explain}
	for _, t := range slices.Concat(res.Terms, res.Added) {
		w.terms[t.Text] = true
	}
	return w
}

func (w *hitWriter) hit(src cite.Source, h search.Hit) Hit {
	c := src.Citation(h.Fused)
	text := cite.Quotable(src)
	near := ingest.NearItem(src.Text, h)
	best := cite.Quotes(text, hitSentences+1, hitRunes, func(p string) float64 {
		n := 0.01
		if near != "" && strings.Contains(near, p) {
			n = 0.5
		}
		for _, t := range index.QueryTerms(p) {
			if w.terms[t] {
				n++
			}
		}
		return n
	})
	if body := slices.DeleteFunc(slices.Clone(best), func(q cite.Quote) bool {
		return repeats(src.Title, q.Text)
	}); len(body) > 0 {
		best = body[:min(len(body), hitSentences)]
	}
	if len(best) > 0 {
		c.Excerpt, c.Cut, c.Trust = best[0].Text, best[0].Cut, src.TrustOf(best[0])
		if c.Line > 0 && src.Source != string(cite.KindTranscript) {
			c.Line += best[0].Line - 1
		}
	}
	out := Hit{Citation: c, Body: strings.TrimSpace(strings.TrimPrefix(text, src.Title)), Topics: hashtags(src.Text)}
	slices.SortStableFunc(best, func(a, b cite.Quote) int { return cmp.Compare(a.Line, b.Line) })
	for _, q := range best {
		if !repeats(src.Title, q.Text) {
			out.Sentences = append(out.Sentences, q.Text)
		}
	}
	if w.explain {
		out.Why = h.Explain(w.q, src.Title, src.Paths)
	}
	return out
}

// repeats reports whether a sentence only repeats the title.
func repeats(title, sentence string) bool {
	return strings.HasPrefix(title, strings.TrimRight(sentence, ". ")) || sentence == title
}

// explanation returns how the query was parsed, nil unless requested.
func (w *hitWriter) explanation(read parsedQuery) *answer.Explanation {
	if !w.explain {
		return nil
	}
	e := search.Explain(read.parsed, w.q, w.found)
	for _, l := range read.limits {
		if strings.HasPrefix(l.text, "--") {
			e.Filters = append(e.Filters, l.text)
		}
	}
	return &e
}
