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

// mostClaim, mostExcerpt and mostBrief limit a claim, an excerpt and a text without tools, in characters.
const mostClaim, mostExcerpt, mostBrief = 500, 600, 600

// checked returns the answer of a model without the unsupported claims.
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
	case !r.task.tools: // only sentences
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

// addCitations appends the citations that the list lacks.
func addCitations(list, more []Citation) []Citation {
	for _, c := range more {
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

var bracketedID = lazy.Pattern(`\[[a-z]+:[^\[\]]*\]`)

// oneLine joins a text of a model into one line and removes everything that looks like a citation, because an answer
// contains only checked citations.
func oneLine(text string) string {
	for was := ""; was != text; { // the rest may form a citation again
		was, text = text, bracketedID().ReplaceAllString(text, "")
	}
	return strings.Join(strings.Fields(text), " ")
}

// supported returns the valid citations of a claim. problem explains why it has none or why they do not support the
// claim.
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
			src, _ := a.reader.Shown(ctx, id, query.ShowOptions{Later: true}) // the zero value if there is none
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
	if len(cited) == 0 && r.task.given != nil { // a search text needs no source
		return nil, problem
	}
	if r.task.labels {
		if cited[0].Source != strings.Trim(c.Citations[0].Source, "[] ") { // the source that the label is about
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

// peopleOf returns the people who did what a source describes. It returns "" for a document, whose author is only the
// last person who changed it, and for a merge.
func peopleOf(src query.Shown) string {
	if strings.HasPrefix(src.ID, string(cite.KindDocument)+":") || strings.HasPrefix(src.Title, "Merge ") {
		return ""
	}
	return strings.Join(append([]string{src.Author}, src.Also...), " ")
}

// factsOf returns the metadata of a source: id, date, release, revert and paths.
func factsOf(src query.Shown) string {
	date := strings.TrimPrefix(src.Date.Format("2006-01-02 2 January"), "0001-01-01 1 January")
	return strings.Join(append([]string{src.ID, date, src.Release, src.RevertedBy}, src.Paths...), " ")
}

// toldBy returns the title of a source and those of its sentences that contain a part of the excerpt.
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

// unborne returns the part of a claim that its sources do not support: a name, a number in its role, or a clause.
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

// leastPart is the minimum length of a part of an excerpt that supports a claim: a single word proves nothing.
const leastPart = 12

// leastLabelled is that minimum for an excerpt that only has to be located: "redis."
const leastLabelled = 5

// quotes reports whether a text contains an excerpt, ignoring differences in white space. If the excerpt has gaps, the
// text must contain each part in order; least is the minimum length of a part.
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

// leastShared is the share of a sentence's words that its sources must contain. A model may rephrase, but not every
// word.
const leastShared = 0.5

var numberWord = lazy.Pattern(`[\pL\pN]*\pN[\pL\pN]*(?:[.:][\pL\pN]*\pN[\pL\pN]*)*`)

// numerals are the numbers that are usually written as words, starting at two.
const numerals = "two three four five six seven eight nine ten eleven twelve"

// unheldNumeral returns a number word of a claim that its sources contain neither as a word nor in digits.
func unheldNumeral(claim, sources string) string {
	for i, word := range strings.Fields(numerals) {
		if claims.Names(claim, word) && !claims.Names(sources, word) && !claims.Names(sources, strconv.Itoa(i+2)) {
			return word
		}
	}
	return ""
}

// unsupported returns the part of a claim that its sources do not contain: a number, or most words of a sentence.
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
	parts := []string{claim} // also as a whole, since not all of it may be sentences
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
