package ask

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
)

// Reasons returns up to n passages of a source that explain why something was done, the clearest first: sentences that
// name a reason, the text of a decision, and the text of a commit or thread below its title. If about is not nil, it
// selects the relevant passages.
func Reasons(src cite.Source, n int, about func(passage string) bool) []cite.Quote {
	decision := isDecision(src)
	return cite.Quotes(cite.Quotable(src), n, excerptRunes, func(text string) float64 {
		if !mayExplain(src, text) || about != nil && !about(text) {
			return 0
		}
		titled := strings.HasPrefix(src.Title, text)
		switch {
		case GivesReason(text) && !titled:
			return 1
		case GivesReason(text), decision && !titled:
			return 0.8
		case src.Layer == cite.LayerTeam && !titled && len(strings.Fields(text)) >= leastWords:
			return 0.6
		}
		return 0
	})
}

// CheckedCitation returns a citation of a passage of a source with its current status and line.
func CheckedCitation(src cite.Source, q cite.Quote) answer.Citation {
	c := src.Citation(q.Score)
	status, line := cite.Check(src.Text, q.Text, q.Line)
	c.Excerpt, c.Cut, c.Status, c.Line, c.Role = q.Text, q.Cut, status, lineOf(src, line), answer.RoleEvidence
	return c
}

// leastReasoned is the minimum share of the question in a sentence that gives the reason, if the source as a whole is
// about the question.
const leastReasoned = 0.3

// why returns the passage of a source that explains the matter. If the source as a whole is about the question, this is
// the first paragraph below its title, unless only a later sentence gives a reason. Otherwise it is the reason sentence
// that covers most of the question.
func (w *weigher) why(src cite.Source, ev evidence) cite.Quote {
	least, first := quoted*ev.single, cite.Quote{}
	if src.Layer == cite.LayerTeam && src.Source != string(cite.KindDocument) && ev.single <= ev.titled {
		least, first = leastReasoned, cite.Paragraph(cite.Quotable(src), excerptRunes, func(p string) bool {
			return !onlyRefers(p)
		})
	}
	reasons := cite.Quotes(cite.Quotable(src), 1, excerptRunes, func(text string) float64 {
		if strings.HasPrefix(src.Title, text) || !GivesReason(text) || !mayExplain(src, text) {
			return 0
		}
		if share := w.shareOf(text); share >= least {
			return share
		}
		return 0
	})
	switch {
	case len(reasons) > 0 && !GivesReason(first.Text):
		return reasons[0]
	case least == leastReasoned:
		return first
	}
	return ev.quote
}

// reasonOf returns the passage that explains why something was done, independent of the question: the first paragraph
// below the title, unless only a later sentence gives a reason.
func reasonOf(src cite.Source) cite.Quote {
	first := cite.Paragraph(cite.Quotable(src), excerptRunes, func(p string) bool { return !onlyRefers(p) })
	if later := Reasons(src, 1, nil); !GivesReason(first.Text) && len(later) > 0 && GivesReason(later[0].Text) {
		return later[0]
	}
	return first
}

// mayExplain reports whether a passage of a source can be a reason: it has content and more than a few words, and it is
// neither generated, such as a version bump, nor the title of a merge.
func mayExplain(src cite.Source, text string) bool {
	// some scripts have no blanks
	few := len(strings.Fields(text)) <= fewWords && width(text) == utf8.RuneCountInString(text)
	joins := strings.HasPrefix(src.Title, "Merge ") && strings.HasPrefix(src.Title, text)
	written := ofCommit(src.ID) && (providers.IsBot(team.SplitName(src.Author)) || raisesVersion().MatchString(src.Title))
	return !few && !joins && !written && !isEmpty(text) && !onlyRefers(text)
}

// fewWords is the number of words up to which a text is too short for a reason.
const fewWords = 2

var raisesVersion = lazy.Pattern(`(?i)\bfrom v?\d+(\.\d+)+\S* to v?\d`)

// isEmpty reports whether a passage contains no record: a question, or an earlier answer "not recorded".
func isEmpty(text string) bool {
	return isQuestion(text) || strings.Contains(strings.ToLower(text), "not recorded")
}

// onlyRefers reports whether a passage contains only numbers, addresses or commits.
func onlyRefers(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		w = strings.Trim(w, ".,;:()&-")
		refers := w == "" || w[0] == '!' || strings.Contains(w, "#") || strings.HasPrefix(w, "http") || isHash(w, 40)
		if !refers && !isOneOf(" fix fixes fixed close closes closed resolve resolves resolved see also ref refs pr issue "+
			"issues and to ", w) {
			return false
		}
	}
	return true
}

// GivesReason reports whether a sentence contains a reason.
func GivesReason(text string) bool {
	lower := " " + strings.ToLower(text) + " "
	return !onlyRefers(text) && slices.ContainsFunc(reasonCues[:], func(cue string) bool {
		return strings.Contains(lower, cue)
	})
}

var reasonCues = [...]string{
	"because", "so that", " since ", "due to", "in order to", "to avoid", "instead of", "reason", "otherwise", "therefore",
	"prevent", "allows", "no longer", "fixes", "solve", "avoid",
	" as it ", "turns out", "is why", "which means", "to make", "to support", "to allow",
	" weil ", " deshalb ", " deswegen ", "потому", "так как", "чтобы ", "из-за ", "因为", "由于", "所以", "为了", "否则", "ため", "ので",
}

// leastWords is the minimum number of words in a sentence below a commit's title that adds to the title.
const leastWords = 8

// explains reports whether a quote gives a reason. People write the reason below the title of a commit, with or without
// a word like because; a decision is its own reason.
func explains(src cite.Source, quote cite.Quote) bool {
	below := src.Layer == cite.LayerTeam && quote.Line > 1 && len(strings.Fields(quote.Text)) >= leastWords
	return quote.Text != "" && isDecision(src) || (below || GivesReason(quote.Text)) && mayExplain(src, quote.Text)
}
