package ask

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// withoutDuplicates leaves out the entries of changelogs whose commit says about as much: it
// is the same statement once more.
func withoutDuplicates(found []evidence) []evidence {
	return slices.DeleteFunc(slices.Clone(found), func(entry evidence) bool {
		return isPage(entry.src, entry.hit) && slices.ContainsFunc(found, func(c evidence) bool {
			hash, ok := strings.CutPrefix(c.src.ID, string(cite.KindCommit)+":")
			return ok && c.near >= sameSaid*entry.near && len(hash) > leastHash && strings.Contains(entry.src.Text, hash[:leastHash])
		})
	})
}

// sameSaid is the share of an entry's words of the question that its commit has to say.
const sameSaid = 0.8

// leastStatement is from how many letters and digits on a statement is part of another,
// and not only a phrase that people use.
const leastStatement = 24

// mergeStatements joins what a session is quoted with several times, as a turn, in the archive
// and as an idea, to the best of these, which names the others.
func mergeStatements(found []evidence) []evidence {
	var out []evidence
	var statements []string
	for _, ev := range found {
		if ev.single == 0 && slices.ContainsFunc(out, ev.sameAnswer) {
			continue // it says nothing of the question itself
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

// statement is what is quoted of a session in letters and digits, without the marks of an
// idea, "" of other sources.
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
