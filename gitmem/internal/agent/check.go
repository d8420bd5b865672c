package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/query"
)

// checked is the answer of a model without the claims that do not hold.
func (a *Agent) checked(ctx context.Context, r *run, d draft) Result {
	out := Result{SearchedLayers: r.layers, Confidence: d.Confidence}
	var lines []string
	for _, c := range d.Claims {
		citations, problem := a.supported(ctx, c)
		if problem != "" {
			cut := fmt.Sprintf("%s (%s)", strings.TrimSpace(c.Text), problem)
			out.Cut = append(out.Cut, a.ws.Clean(cut))
			r.report(Cut, a.ws.Clean(cut))
			continue
		}
		ids := ""
		for _, cited := range citations {
			ids += " [" + cited.Source + "]"
			if !slices.ContainsFunc(out.Citations, func(k Citation) bool { return k.Source == cited.Source && k.Excerpt == cited.Excerpt }) {
				out.Citations = append(out.Citations, cited)
			}
		}
		lines = append(lines, a.ws.Clean(strings.TrimSpace(c.Text))+ids)
	}
	switch {
	case len(lines) == 0:
		out.Confidence = ask.None
		lines = []string{"Not recorded, as far as the model looked."}
	case !d.Recorded:
		out.Confidence = ask.Low
		lines = slices.Insert(lines, 0, "Not recorded. What is:")
	case len(out.Cut) > 0 && d.Confidence == ask.High:
		out.Confidence = ask.Medium
	}
	out.Answer = strings.Join(lines, "\n")
	return out
}

// supported are the citations of a claim that hold, or else why none does or why they do
// not hold the claim.
func (a *Agent) supported(ctx context.Context, c claim) (cited []Citation, problem string) {
	problem = "no citation"
	var sources strings.Builder
	for _, quoted := range c.Citations {
		id := strings.Trim(quoted.Source, "[] ")
		src, err := a.reader.Shown(ctx, id, query.ShowOptions{Later: true})
		if err != nil {
			problem = quoted.Source + " is not there"
			continue
		}
		if !quotes(src.Text, quoted.Excerpt) {
			problem = "it is not in " + quoted.Source + " that " + strings.Join(strings.Fields(quoted.Excerpt), " ")
			continue
		}
		cited = append(cited, Citation{src.ID, strings.TrimSpace(quoted.Excerpt), src.Layer, src.BrowseURL})
		fmt.Fprintln(&sources, src.Title, src.Text, src.Author, src.Time, src.Release, src.RevertedBy, src.ID, strings.Join(src.Paths, " "))
	}
	if len(cited) == 0 {
		return nil, problem
	}
	if missing := unsupported(c.Text, sources.String()); missing != "" {
		return nil, "its sources do not hold " + missing
	}
	return cited, ""
}

// quotes reports whether a text holds an excerpt, whatever the white space; of one with
// gaps, as results have them, each part.
func quotes(text, excerpt string) bool {
	text = strings.Join(strings.Fields(text), " ")
	found := false
	for part := range strings.SplitSeq(excerpt, "…") {
		part = strings.Trim(strings.Join(strings.Fields(part), " "), "\" ")
		if !strings.Contains(text, part) {
			return false
		}
		found = found || part != ""
	}
	return found
}

// leastShared is the share of a claim's words that its sources must hold: a model puts
// what it read into other words, but not into none of them.
const leastShared = 0.4

// unsupported is what of a claim its sources don't hold: a number, or most of its words.
func unsupported(claim, sources string) string {
	held := index.TermSet(sources)
	words, shared := 0, 0
	for _, w := range index.Words(claim) {
		word := claim[w.Start:w.End]
		if strings.ContainsFunc(word, unicode.IsDigit) && !held[w.Term] && !strings.Contains(sources, word) {
			return word
		}
	}
	terms := index.QueryTerms(claim)
	for _, t := range terms {
		words++
		if held[t] {
			shared++
		}
	}
	if float64(shared) < leastShared*float64(words) {
		return "most of its words"
	}
	return ""
}
