package cite

import (
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/markdown"
)

// Trust is whose words the source's text is: where several wrote it, those of the least trusted.
// Words don't become the user's by being kept: what the archive quotes of an answer stays
// untrusted.
func (s Source) Trust() answer.Trust {
	switch {
	case s.Layer == LayerTeam:
		return answer.Untrusted
	case s.Layer == LayerRules:
		if strings.HasPrefix(s.Path, "~/") || path.Base(s.Path) == "CLAUDE.local.md" {
			return answer.Mine // kept by one user and read by nobody else
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
	case s.Layer == LayerTranscripts, s.Source == string(KindSession), s.Source == SourceTopic, s.Source == string(KindPlan), s.Source == string(KindObservation):
		return answer.Untrusted
	case s.Source == string(KindIdea) && s.Turn > 0 && s.Type != markdown.IntentWork: // which quotes prompts
		return answer.Untrusted
	}
	return answer.Mine
}

// Trust is that of the unit as a source.
func (u Unit) Trust() answer.Trust {
	return Source{Layer: u.Layer, Source: u.Source, Type: u.Type, Title: u.Title, Turn: u.Turn, By: u.By, ByModel: u.ByModel}.Trust()
}

// DecidedTitle is the title of a decision without its state, which is not in its text.
func DecidedTitle(title string) string {
	for _, state := range []string{" (proposed)", " (superseded)", " (rejected)", " (deprecated)", " (draft)"} {
		title = strings.TrimSuffix(title, state)
	}
	return title
}
