package agent

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// mostClaim and mostExcerpt are the longest claim and excerpt, and mostBrief the longest
// text without tools, in characters.
const mostClaim, mostExcerpt, mostBrief = 500, 600, 600

// checked is the answer of a model without the claims that do not hold.
func (a *Agent) checked(ctx context.Context, r *run, d draft) Result {
	out, room := Result{SearchedLayers: r.layers, Confidence: d.Confidence}, cmp.Or(r.task.room, mostBrief)
	var lines []string
	for _, c := range d.Claims {
		c.Text = a.ws.Clean(oneLine(c.Text))
		citations, problem := a.supported(ctx, r, c)
		runes := utf8.RuneCountInString(c.Text)
		if problem == "" && !r.task.tools && (len(lines) == r.task.most || runes > room) {
			problem = "it makes the text too long"
		}
		if problem != "" {
			cut := messages.Clip(c.Text, mostClaim) + " (" + a.ws.Clean(messages.Clip(oneLine(problem), mostClaim)) + ")"
			out.Cut = append(out.Cut, cut)
			r.report(Cut, cut)
			continue
		}
		ids, held := "", claim{Text: c.Text}
		room -= runes
		for _, cited := range citations {
			ids += " [" + cited.Source + "]"
			held.Citations = append(held.Citations, quote{cited.Source, cited.Excerpt})
			if !slices.ContainsFunc(out.Citations, func(k Citation) bool { return k.Source == cited.Source && k.Excerpt == cited.Excerpt }) {
				out.Citations = append(out.Citations, cited)
			}
		}
		lines = append(lines, c.Text+ids)
		if !r.task.tools {
			out.claims = append(out.claims, held)
		}
	}
	switch {
	case !r.task.tools: // sentences alone
	case len(lines) == 0:
		out.Confidence = answer.None
		lines = []string{"Not recorded, as far as the model looked."}
	case !*d.Recorded:
		out.Confidence = answer.Low
		lines = slices.Insert(lines, 0, "Not recorded. What is:")
	case len(out.Cut) > 0 && d.Confidence == answer.High:
		out.Confidence = answer.Medium
	}
	out.Answer, out.Verdict = strings.Join(lines, "\n"), out.Confidence.Verdict()
	return out
}

var bracketedID = lazy.Pattern(`\[[a-z]+:[^\[\]]*\]`)

// oneLine is a text of a model on one line, without what looks like a citation: only those
// that were checked are in an answer.
func oneLine(text string) string {
	for was := ""; was != text; { // what is left may be one again
		was, text = text, bracketedID().ReplaceAllString(text, "")
	}
	return strings.Join(strings.Fields(text), " ")
}

// supported are the citations of a claim that hold, or else why none does or why they do
// not hold the claim.
func (a *Agent) supported(ctx context.Context, r *run, c claim) (cited []Citation, problem string) {
	if utf8.RuneCountInString(c.Text) > mostClaim {
		return nil, "it is longer than a claim"
	}
	problem = "no citation"
	least := leastPart
	if r.task.labels {
		least = leastLabelled
	}
	var sources strings.Builder
	for _, quoted := range c.Citations {
		id := strings.Trim(quoted.Source, "[] ")
		found := r.given(id, quoted.Excerpt)
		if len(found) == 0 && r.task.tools {
			src, _ := a.reader.Shown(ctx, id, query.ShowOptions{Later: true}) // none is the zero one
			r.task.given[id], found = src, []query.Shown{src}
		}
		problem = quoted.Source + " is not there"
		for _, src := range found {
			switch {
			case src.ID == "" || r.question.Session != "" && src.Session == r.question.Session:
				continue
			case !quotes(src.Text, quoted.Excerpt, least):
				problem = "it is not in " + quoted.Source + " that " + quoted.Excerpt
				continue
			}
			cited = append(cited, Citation{src.ID, a.ws.Clean(strings.Join(strings.Fields(quoted.Excerpt), " ")), src.Layer, src.BrowseURL})
			fmt.Fprintln(&sources, src.Title, src.Text, src.Author, strings.TrimPrefix(src.Date.Format("2006-01-02 2 January"), "0001-01-01 1 January"), src.Release, strings.Join(src.Paths, " "), src.ID, src.RevertedBy)
		}
	}
	if len(cited) == 0 && r.task.given != nil { // what is only searched by needs no source
		return nil, problem
	}
	if r.task.labels {
		if cited[0].Source != strings.Trim(c.Citations[0].Source, "[] ") { // what it is about
			return nil, problem
		}
		return cited, ""
	}
	if missing := unsupported(c.Text, sources.String()); missing != "" && r.task.given != nil {
		return nil, "its sources do not hold " + missing
	}
	return cited, ""
}

// leastPart is how many characters a part of an excerpt has at least that proves a claim: a
// word proves nothing.
const leastPart = 12

// leastLabelled is the same of an excerpt that only shall be found again: "redis."
const leastLabelled = 5

// quotes reports whether a text holds an excerpt, whatever the white space; of one with
// gaps, as results have them, each part in turn, of at least so many characters.
func quotes(text, excerpt string, least int) bool {
	text = strings.Join(strings.Fields(text), " ")
	found := false
	for part := range strings.SplitSeq(excerpt, "…") {
		part = strings.Trim(strings.Join(strings.Fields(part), " "), "\" ")
		if part == "" {
			continue
		}
		i := strings.Index(text, part)
		if i < 0 || len(part) < min(least, len(text)) {
			return false
		}
		text, found = text[i+len(part):], true
	}
	return found && utf8.RuneCountInString(excerpt) <= mostExcerpt
}

// leastShared is the share of a sentence's words that its sources must hold: a model puts
// what it read into other words, but not into none of them.
const leastShared = 0.5

var numberWord = lazy.Pattern(`[\pL\pN]*\pN[\pL\pN]*`)

// unsupported is what of a claim its sources don't hold: a number, or most of the words of
// a sentence.
func unsupported(claim, sources string) string {
	for _, number := range numberWord().FindAllString(claim, -1) {
		shortID := len(number) >= 7 && strings.Contains(sources, ":"+number)
		if !shortID && !regexp.MustCompile(`(^|[^\pL\pN])`+number+`($|[^\pL\pN])`).MatchString(sources) {
			return number
		}
	}
	held := index.TermSet(sources)
	parts := []string{claim} // as a whole too: not all of it may be sentences
	for sentence := range markdown.Sentences(claim) {
		parts = append(parts, sentence.Text)
	}
	for _, part := range parts {
		terms := index.QueryTerms(part)
		shared := slice.Count(terms, func(t string) bool { return held[t] })
		if float64(shared) < leastShared*float64(len(terms)) {
			return "most of the words of " + strconv.Quote(part)
		}
	}
	return ""
}
