package ask

import (
	"cmp"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// mostTitled is the share of a question that the title of a change must hold whose
// rarest word stands only in what else it says.
const mostTitled = 0.75

// mostSharp is the share of the names in a question that a source must name to
// answer it.
const mostSharp = 0.66

const (
	leastMass = 3.0 // rarity of all words of a question below which they are met by chance
	mostAlike = 3   // sources that carry as much as the best one before none of them is meant
)

// judge turns evidence into confidence. The question's content must be covered by
// one source: words that are spread over several sources are no event. High needs
// nearly all of it, in a source whose title is about the rarest word of it, and what
// makes the source the only one that can be meant.
func judge(found []evidence, q Question) Confidence {
	found = slices.DeleteFunc(slices.Clone(found), func(ev evidence) bool { return !ev.tells() })
	if len(found) == 0 {
		return None
	}
	best := found[spokesman(found)]
	agreeing, alike := 0, 0
	for _, ev := range found {
		if ev.support >= 0.7 {
			agreeing++
		}
		if ev.support >= 0.97*best.support {
			alike++
		}
	}
	switch s := best.support; {
	case s < 0.6, len(q.Terms) > 1 && best.terms < 2, best.slight && q.Kind == KindGeneral:
		return None
	case best.src.Layer == cite.LayerTeam && (s < 0.75 || best.single < 0.5 || !best.about && best.titled < mostTitled && !best.reasoned(q)):
		return None // of many thousand changes some come as near as this by chance
	case s < 0.75 || best.single < 0.5:
		return Low
	case !best.named && (s < 0.85 || best.single < 0.75) || !best.about || !best.pinned(q, agreeing) || alike > mostAlike && q.Range.IsZero():
		return Medium
	}
	return High
}

// tells tells whether evidence can carry an answer at all.
func (ev evidence) tells() bool { return ev.told && ev.sharp >= mostSharp }

// spokesman is where the evidence is that an answer rests on: what carries most, -1 where
// nothing can. A page that only mentions the subject holds more words than the change that
// it tells of, and speaks where there is none.
func spokesman(found []evidence) int {
	best := -1
	for i, ev := range found {
		if ev.tells() && (best < 0 || bySpeech(ev, found[best]) > 0) {
			best = i
		}
	}
	return best
}

func bySpeech(a, b evidence) int {
	mentions := func(ev evidence) bool { return isPage(ev.src, ev.hit) && !ev.about }
	return cmp.Or(cmp.Compare(number(mentions(b)), number(mentions(a))), bySupport(a, b))
}

// isPage tells documents, which say how things stand.
func isPage(src cite.Source, hit search.Hit) bool {
	return src.Type == "docs" && hit.Doc.Role == "doc"
}

// reasoned tells whether one sentence gives the reason for a state of affairs, with all
// that a question of no event names.
func (ev evidence) reasoned(q Question) bool {
	return q.Kind == KindWhy && !ev.happened && ev.reason && ev.single >= 0.95
}

// pinned tells whether evidence can hardly be about something else than the question:
// by many words, or by few that its title holds all, with an event, a time or a name.
func (ev evidence) pinned(q Question, agreeing int) bool {
	if ev.mass < leastMass {
		return false
	}
	if ev.src.Layer == cite.LayerTranscripts && agreeing < 2 {
		return false
	}
	return ev.terms >= 3 || ev.titled >= 0.9 && (ev.happened || !q.Range.IsZero() || len(q.Sharp) > 0 || agreeing >= 2)
}

// withReason lowers the confidence of an answer to "why" that quotes no reason: the
// best it can be is medium, and low where nothing but a title speaks of the change.
func (a *Answer) withReason(claimed []evidence) {
	titled := false
	for _, ev := range claimed {
		if ev.reason {
			return
		}
		titled = titled || ev.titled >= 0.75
	}
	if titled {
		a.Confidence = Low
		a.Caveats = append(a.Caveats, "The change is recorded, but no reason for it was found.")
	} else if a.Confidence == High {
		a.Confidence = Medium
	}
}

// leastPart is the share of the subject that it touches at least: less is met by chance.
const leastPart = 0.4

// partly accepts what touches the subject within the time that was asked
// for: such a question wants what there was, and the time is half of the answer.
func partly(found []evidence) Confidence {
	for _, ev := range found {
		if ev.support >= leastPart && ev.sharp >= mostSharp {
			return Low
		}
	}
	return None
}
