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
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	claims "github.com/gitmem/gitmem/gitmem/internal/claim"
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
			out.near = addCitations(out.near, citations)
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
		}
		out.Citations = addCitations(out.Citations, citations)
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

// addCitations adds to a list what is not in it.
func addCitations(list, more []Citation) []Citation {
	for _, c := range more {
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
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

// supported are the citations of a claim that hold, and why none does or why they do not hold the claim.
func (a *Agent) supported(ctx context.Context, r *run, c claim) (cited []Citation, problem string) {
	if utf8.RuneCountInString(c.Text) > mostClaim {
		return nil, "it is longer than a claim"
	}
	problem = "no citation"
	least := leastPart
	if r.task.labels {
		least = leastLabelled
	}
	var texts, facts strings.Builder
	var told claims.Source
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
			cited = append(cited, Citation{src.ID, a.ws.Clean(strings.Join(strings.Fields(quoted.Excerpt), " ")), src.Layer,
				src.BrowseURL})
			told = append(told, toldBy(src, quoted.Excerpt)...)
			fmt.Fprintln(&texts, src.Title+"\n"+src.Text)
			fmt.Fprintln(&facts, peopleOf(src), factsOf(src))
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
	if r.task.given == nil {
		return cited, ""
	}
	missing := unsupported(c.Text, texts.String()+facts.String())
	if missing == "" && !r.task.wishes {
		missing = unborne(c.Text, told, texts.String(), facts.String())
	}
	if missing != "" {
		return cited, "its sources do not hold " + missing
	}
	return cited, ""
}

// peopleOf are who did what a source tells. The author of a document is only who changed it last.
func peopleOf(src query.Shown) string {
	if strings.HasPrefix(src.ID, string(cite.KindDocument)+":") || strings.HasPrefix(src.Title, "Merge ") {
		return ""
	}
	return strings.Join(append([]string{src.Author}, src.Also...), " ")
}

// factsOf is what is known of a source beside its text.
func factsOf(src query.Shown) string {
	date := strings.TrimPrefix(src.Date.Format("2006-01-02 2 January"), "0001-01-01 1 January")
	return strings.Join(append([]string{src.ID, date, src.Release, src.RevertedBy}, src.Paths...), " ")
}

// toldBy are the title of a source and those of its sentences that an excerpt is from.
func toldBy(src query.Shown, excerpt string) claims.Source {
	told := claims.Told{Text: src.Title, Title: src.Title, By: peopleOf(src), Facts: factsOf(src)}
	out := claims.Source{told}
	for part := range strings.SplitSeq(excerpt, "…") {
		for piece := range markdown.Sentences(strings.Trim(part, "\" ")) {
			whole := false
			for sentence := range markdown.Sentences(src.Text) {
				if strings.Contains(sentence.Text, piece.Text) || strings.Contains(piece.Text, sentence.Text) {
					told.Text, whole = sentence.Text, true
					out = append(out, told)
				}
			}
			if told.Text = piece.Text; !whole {
				out = append(out, told)
			}
		}
	}
	return out
}

// unborne is what of a claim what is cited does not bear out: a name, a number in its place, or a clause.
func unborne(claim string, told claims.Source, texts, facts string) string {
	for sentence := range markdown.Sentences(claim) {
		names := ask.NamesIn(sentence.Text)
		for _, name := range names {
			if !claims.Names(texts+facts, name) {
				return name
			}
		}
		if number := claims.Misplaced(sentence.Text, texts, facts); number != "" {
			return strconv.Quote(number) + " in that place"
		}
		if clause := told.Unborne(sentence.Text, names); clause != "" {
			return "that " + strconv.Quote(clause)
		}
	}
	return ""
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

var numberWord = lazy.Pattern(`[\pL\pN]*\pN[\pL\pN]*(?:[.:][\pL\pN]*\pN[\pL\pN]*)*`)

// numerals are numbers that are mostly written as words, from two on.
const numerals = "two three four five six seven eight nine ten eleven twelve"

// unheldNumeral is a number of a claim in words that its sources hold neither so nor in digits.
func unheldNumeral(claim, sources string) string {
	for i, word := range strings.Fields(numerals) {
		if claims.Names(claim, word) && !claims.Names(sources, word) && !claims.Names(sources, strconv.Itoa(i+2)) {
			return word
		}
	}
	return ""
}

// unsupported is what of a claim its sources don't hold: a number, or most of the words of
// a sentence.
func unsupported(claim, sources string) string {
	for _, number := range numberWord().FindAllString(claim, -1) {
		shortID := len(number) >= 7 && strings.Contains(sources, ":"+number)
		whole := `(^|[^\pL\pN.]|[^\pN]\.)` + regexp.QuoteMeta(number) + `($|[^\pL\pN])`
		if !shortID && !regexp.MustCompile(whole).MatchString(sources) {
			return number
		}
	}
	if word := unheldNumeral(claim, sources); word != "" {
		return word
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
