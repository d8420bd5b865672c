package ask

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
)

// joinChanges merges the records of one change, its commits and changelog entries, into the best one, which lists the
// others.
func joinChanges(found []evidence) []evidence {
	var out []evidence
	for _, ev := range found {
		same := slices.IndexFunc(out, func(known evidence) bool {
			return ev.undoes == "" && sameChange(known.src, ev.src)
		})
		if same < 0 {
			out = append(out, ev)
		} else if !slices.Contains(out[same].also, ev.src.ID) {
			out[same].also = append(slices.Clip(out[same].also), ev.src.ID)
		}
	}
	return out
}

var ownNumbers = lazy.Pattern(`(?:\s*\(#\d+\))+$`)

// sameChange reports whether two sources record the same change: commits with a common pull request number, such as a
// backport and its original, or a commit and a changelog entry that references it.
func sameChange(a, b cite.Source) bool {
	commit := string(cite.KindCommit) + ":"
	switch isA, isB := strings.HasPrefix(a.ID, commit), strings.HasPrefix(b.ID, commit); {
	case isA && isB:
		numbers := numbersOf(a)
		return len(numbers) > 0 &&
			slices.ContainsFunc(numbersOf(b), func(n string) bool { return slices.Contains(numbers, n) })
	case isB:
		a, b = b, a
	case !isA:
		return false
	}
	id, err := cite.Parse(b.ID)
	if err != nil || !docs.LogsChanges(id.Name) {
		return false
	}
	named := slices.ContainsFunc(b.Links, func(l providers.Link) bool {
		return l.Rel == providers.Contains && strings.HasPrefix(a.ID, l.ID)
	})
	numbers := numbersOf(a)
	return named || len(numbers) > 0 && slices.ContainsFunc(providers.References(b.Text), func(ref string) bool {
		return slices.Contains(numbers, ref)
	})
}

// numbersOf returns the pull request numbers at the end of a commit title.
func numbersOf(src cite.Source) []string {
	return providers.References(ownNumbers().FindString(src.Title))
}

// leastStatement is the minimum number of letters and digits from which a contained text counts as the same statement
// and not as a common phrase.
const leastStatement = 24

// mergeStatements merges repeated quotes of a session, from the transcript, the archive and ideas, into the best one,
// which lists the others.
func mergeStatements(found []evidence) []evidence {
	var out []evidence
	var statements []string
	for _, ev := range found {
		if ev.single == 0 && slices.ContainsFunc(out, ev.sameAnswer) {
			continue // it contains nothing about the question itself
		}
		text := statement(ev)
		same := slices.IndexFunc(statements, func(s string) bool {
			long := min(len(s), len(text)) >= leastStatement
			return text != "" && (s == text || long && (strings.Contains(s, text) || strings.Contains(text, s)))
		})
		if same >= 0 {
			if out[same].src.ID != ev.src.ID && !slices.Contains(out[same].also, ev.src.ID) {
				out[same].also = append(out[same].also, ev.src.ID)
			}
			continue
		}
		out, statements = append(out, ev), append(statements, text)
	}
	return out
}

// sameAnswer reports whether two turns answer the same question.
func (ev evidence) sameAnswer(o evidence) bool {
	return o.asked != "" && o.asked == ev.asked && o.src.Session == ev.src.Session
}

// statement returns the letters and digits of a session quote without idea marks, or "" for other sources.
func statement(ev evidence) string {
	if ev.src.Layer != cite.LayerSummaries && ev.src.Layer != cite.LayerTranscripts {
		return ""
	}
	text := ev.quote.Text
	for strings.HasPrefix(text, "[") {
		_, text, _ = strings.Cut(text, "] ")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
