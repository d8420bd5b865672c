package ask

import (
	"cmp"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// What a source's rank is made of. Support is about whether a source answers, and knows
// only the words as typed; score and place are the search's, which weighs how often and
// where a word stands, and knows synonyms. Long texts hold much of any question, so
// that support alone would put them first.
const (
	ofSupport = 0.3
	ofScore   = 0.7
	ofPlace   = 0.3
	halfPlace = 5.0 // place whose share is half of what the very first would get
	answering = 0.2 // more for what tells the event of the question and nearly all else of it
)

// What speaks for a source of a team or against it, by what it is.
const (
	titledEvent = 1.4 // its title tells the event that was asked about, of whatever it names
	standing    = 0.7 // it tells how things stand, and the question is when or why they came to it
	ofTests     = 0.9 // it is about tests alone, and the question is not
)

// rank is how good a source is for a question, whose search found it at a place from 1
// on; what no search found has the place behind all.
func (w *weigher) rank(ev evidence, place int) float64 {
	if place == 0 {
		place = candidates
	}
	found := ofSupport*ev.support + ofScore*min(1, ev.hit.Score) + ofPlace/(1+float64(place)/halfPlace)
	if ev.told && ev.support >= 0.75 {
		found += answering
	}
	return authority(w.kind, ev.src) * upkeep(ev.hit) * w.fits(ev.src, ev.hit) * found
}

// fits weighs what kind of thing a source of a team is against what was asked.
func (w *weigher) fits(src cite.Source, hit search.Hit) float64 {
	if src.Layer != cite.LayerTeam {
		return 1
	}
	factor := 1.0
	if w.titlesEvent(headlineOf(src)) {
		factor *= titledEvent
	}
	if isPage(src, hit) && (w.kind == KindWhen || w.kind == KindWhy) {
		factor *= standing
	}
	if _, asked := w.rarity["test"]; src.Type == "test" && !asked {
		factor *= ofTests
	}
	return factor
}

// titlesEvent tells whether a title tells an event that was asked about. Of what is left
// open: those who ask often have another word for it than those who wrote.
func (w *weigher) titlesEvent(head headline) bool {
	tells := func(term string) bool { return len(w.events[term]) > 0 }
	return slices.ContainsFunc(head.terms, tells) || head.event != "" && tells(head.event)
}

// bySupport compares evidence by how sure an answer it makes, whatever its rank: of what
// supports it alike that which was not made by a program, and then what holds the words
// best.
func bySupport(a, b evidence) int {
	return cmp.Or(cmp.Compare(a.support, b.support), cmp.Compare(upkeep(a.hit), upkeep(b.hit)), cmp.Compare(a.hit.Score, b.hit.Score))
}
