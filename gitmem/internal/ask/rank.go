package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/providers"
)

// What a source's rank is made of: what its title and the passages quoted say of the
// question, what its whole text says, how near its meaning is to the question's, and how the
// search ranks it, which weighs how often and where a word is.
const (
	ofNear    = 0.2
	ofTitle   = 0.1
	ofAll     = 0.7
	ofPairs   = 0.3
	ofScore   = 0.5
	ofPlace   = 0.2
	ofThread  = 1.6 // times as much an issue or a pull request counts where one is asked for
	ofOthers  = 0.8 // times as much does there what names none
	halfPlace = 5.0 // place whose share is half of what the very first would get

	leastCosine = 0.2 // that counts
)

// rank is how good a source is for a question, whose search found it at a place from 1
// on; what no search found has the place behind all.
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

// beginFactor is how much evidence counts for when something began: what says that it did
// more, and a page, which has the date of its last change, less.
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

// authority is how much a kind of source counts for a kind of question: rules for
// how, decisions and history for why, history for when.
func authority(kind answer.Kind, src cite.Source) float64 {
	decided, team := isDecision(src), src.Layer == cite.LayerTeam
	own := src.Layer == cite.LayerRules || src.Layer == cite.LayerMemory
	how, why, when := kind == answer.KindHow, kind == answer.KindWhy, kind == answer.KindWhen || kind == answer.KindRecent
	switch {
	case src.Type == "decision" && undecided(src.Title):
		return 0.7 // the one that holds comes first
	case how && src.Layer == cite.LayerRules:
		return 1.8 // also before a decision that it was made from, whose title says it too
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
		return 0.75 // what was said about it says more
	}
	return 1
}

// threadState is how far an issue or a pull request has come, "" for anything else.
func threadState(src cite.Source) string {
	if src.Layer != cite.LayerTeam || strings.HasPrefix(src.ID, string(cite.KindDocument)+":") {
		return ""
	}
	return src.State
}

// namesThread reports whether a source is an issue or a pull request, or names one.
func namesThread(src cite.Source) bool {
	return threadState(src) != "" || len(providers.References(src.Title+"\n"+src.Text)) > 0
}

// isDecision reports whether a source records a decision.
func isDecision(src cite.Source) bool {
	return src.Source == string(cite.KindDecision) || (src.Source == string(cite.KindIdea) && src.Type == "decision")
}
