package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/providers"
)

// Weights of the parts of a source's rank: the question's share in the title and the quoted passages, the share in the
// whole text, the similarity of meaning, and the rank in the search results, which reflects how often and where a word
// occurs.
const (
	ofNear    = 0.2
	ofTitle   = 0.1
	ofAll     = 0.7
	ofPairs   = 0.3
	ofScore   = 0.5
	ofPlace   = 0.2
	ofThread  = 1.6 // factor for an issue or pull request if one is asked for
	ofOthers  = 0.8 // factor for sources that name none in that case
	halfPlace = 5.0 // position whose weight is half of the first one's

	leastCosine = 0.2 // minimum cosine that counts
)

// rank returns how good a source is for a question. place is its position in the search results, starting at 1, or 0 if
// the search did not find it.
func (w *weigher) rank(ev evidence, place int) float64 {
	if place == 0 {
		place = candidates
	}
	found := ofNear*ev.near + ofTitle*ev.titled + ofAll*ev.all + ofPairs*ev.pairs + ofScore*min(1, ev.hit.Score) +
		ofPlace/(1+float64(place)/halfPlace) + max(0, ev.hit.Cosine-leastCosine)
	switch {
	case w.first:
		found *= beginFactor(ev)
	case w.reports && threadState(ev.src) != "":
		found *= ofThread
	case w.reports && !namesThread(ev.src):
		found *= ofOthers
	}
	return authority(w.kind, ev.src) * upkeepFactor(ev.hit) * found
}

// beginFactor returns the factor for questions when something began: higher for sources that describe a start, lower
// for documents, which have the date of their last change.
func beginFactor(ev evidence) float64 {
	switch {
	case ev.begins:
		return 1.2
	case isPage(ev.src, ev.hit) && ev.hit.Doc.Release == "":
		return 0.7
	}
	return 1
}

// isPage reports whether a source is a document, which describes the present.
func isPage(src cite.Source, hit search.Hit) bool {
	return src.Type == "docs" && hit.Doc.Role == "doc"
}

// authority returns the weight of a kind of source for a kind of question: rules for how, decisions and history for
// why, history for when.
func authority(kind answer.Kind, src cite.Source) float64 {
	decided, team := isDecision(src), src.Layer == cite.LayerTeam
	own := src.Layer == cite.LayerRules || src.Layer == cite.LayerMemory
	how, why, when := kind == answer.KindHow, kind == answer.KindWhy, kind == answer.KindWhen || kind == answer.KindRecent
	switch {
	case src.Type == "decision" && undecided(src.Title):
		return 0.7 // the decision in force comes first
	case how && src.Layer == cite.LayerRules:
		return 1.8 // a rule precedes a decision with the same title that was derived from it
	case how && (own || decided):
		return 1.5
	case how && src.Source == providers.Docs:
		return 1.1
	case why && decided:
		return 1.4
	case why && (team || own):
		return 1.1
	case when && team:
		return 1.15
	case !how && !why && !when && (own || decided):
		return 1.3
	case src.Source == string(cite.KindObservation):
		return 0.8
	case src.Layer == cite.LayerTranscripts && (src.Type == string(transcript.KindTool) ||
		src.Type == string(transcript.KindResult)):
		return 0.75 // discussions about it contain more
	}
	return 1
}

// threadState returns the state of an issue or a pull request, or "" for other sources.
func threadState(src cite.Source) string {
	if src.Layer != cite.LayerTeam || strings.HasPrefix(src.ID, string(cite.KindDocument)+":") {
		return ""
	}
	return src.State
}

// namesThread reports whether a source is an issue or a pull request, or references one.
func namesThread(src cite.Source) bool {
	return threadState(src) != "" || len(providers.References(src.Title+"\n"+src.Text)) > 0
}

// isDecision reports whether a source records a decision.
func isDecision(src cite.Source) bool {
	return src.Source == string(cite.KindDecision) || (src.Source == string(cite.KindIdea) && src.Type == "decision")
}
