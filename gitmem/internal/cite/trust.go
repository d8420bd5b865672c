package cite

import (
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// Trust returns the author of the source's text. If it has several authors, it returns the least trusted one. An answer
// that the archive quotes stays untrusted.
func (s Source) Trust() answer.Trust {
	switch {
	case s.Layer == LayerTeam:
		return answer.Untrusted
	case s.Layer == LayerRules:
		if strings.HasPrefix(s.Path, "~/") || path.Base(s.Path) == "CLAUDE.local.md" {
			return answer.Mine // kept by one user and not shared
		}
		return answer.Reviewed
	case s.By != "":
		return s.By
	case len(s.ByModel) > 0:
		return answer.Model
	case s.Source == string(KindDecision):
		if DecidedTitle(s.Title) != s.Title {
			return answer.Mine
		}
		return answer.Reviewed
	case s.Layer == LayerTranscripts, s.Source == string(KindSession), s.Source == SourceTopic,
		s.Source == string(KindPlan), s.Source == string(KindObservation):
		return answer.Untrusted
	case s.Source == string(KindIdea) && s.Turn > 0 && s.Type != markdown.IntentWork: // work ideas quote prompts
		return answer.Untrusted
	}
	return answer.Mine
}

// TrustOf returns the author of a passage of the text.
func (s Source) TrustOf(q Quote) answer.Trust {
	if s.Layer == LayerTranscripts && s.Trust() == answer.Mine {
		if typed := transcript.Typed(s.Text); typed != s.Text && !holdsFolded(typed, q.Text) {
			return answer.Untrusted // it was pasted
		}
	}
	if len(s.ByModel) == 0 {
		return s.Trust()
	}
	want, n, text := fold(q.Text), 0, ""
	for line := range strings.Lines(s.Text) {
		if n++; n < q.Line {
			continue
		}
		if slices.Contains(s.ByModel, n) {
			return answer.Model
		}
		if text += fold(line) + " "; strings.Contains(text, want) {
			break
		}
	}
	s.ByModel = nil
	return s.Trust()
}

// holdsFolded reports whether a text contains a passage, ignoring differences in white space. The end of the passage
// may be truncated.
func holdsFolded(text, passage string) bool {
	return strings.Contains(fold(text), strings.TrimRight(strings.TrimSuffix(fold(passage), "…"), " "))
}

// fold returns a text on one line with single spaces between words.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// Trust returns the trust of the unit as a source.
func (u Unit) Trust() answer.Trust { return u.source().Trust() }

// TrustOf returns [Source.TrustOf] of the unit as a source.
func (u Unit) TrustOf(q Quote) answer.Trust { return u.source().TrustOf(q) }

// Own returns the text without the lines that a model wrote.
func (u Unit) Own() string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(u.Text) {
		if n++; !slices.Contains(u.ByModel, n) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// byOther returns the author of a file according to a field of its frontmatter, or "" for the user.
func byOther(field string) answer.Trust {
	if by := answer.Trust(field); by.Mark() != "" {
		return by
	}
	return ""
}

// OriginSession returns the session in which the client's model wrote a file of the client's memory, according to the
// frontmatter, or "".
func OriginSession(d *markdown.Doc) string {
	return d.Front.Field("originSessionId")
}

// ModifiedAt returns when the client's model last changed a file of the client's memory, according to the frontmatter.
func ModifiedAt(d *markdown.Doc) string { return d.Front.Field("modified") }

// ModelLines returns the 1-based numbers of the lines that a model wrote: all lines, or the list items and paragraphs
// in which a line ends in the mark of a model.
func ModelLines(text string, all bool) (lines []int) {
	var piece []int
	n, marked := 0, all
	end := func() {
		if marked {
			lines = append(lines, piece...)
		}
		piece, marked = nil, all
	}
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \t\r\n")
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			end()
		}
		if _, by := answer.CutMark(line); by == answer.Model {
			marked = true
		}
		if line != "" {
			piece = append(piece, n)
		}
	}
	end()
	return lines
}

// DecidedTitle returns the title of a decision without its state, which is not in its text.
func DecidedTitle(title string) string {
	for _, state := range []string{" (proposed)", " (superseded)", " (rejected)", " (deprecated)", " (draft)"} {
		title = strings.TrimSuffix(title, state)
	}
	return title
}
