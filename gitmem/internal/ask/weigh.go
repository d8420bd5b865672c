package ask

import (
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// weigher measures how much of a question a text covers.
type weigher struct {
	kind   Kind
	rarity map[string]float64
	mass   float64
	events map[string][]string // term of a text → the question's terms that name the same event
	asked  map[string]bool     // the question's terms that name an event
	// subject is the rarest of the other terms: what it happened to.
	subject string
}

func newWeigher(q Question, terms []search.Term) *weigher {
	w := &weigher{kind: q.Kind, rarity: map[string]float64{}, events: map[string][]string{}, asked: map[string]bool{}}
	everyday := light()
	for _, t := range terms {
		rarity := t.Rarity
		if everyday[t.Text] {
			rarity *= lightWeight
		}
		w.rarity[t.Text] = rarity
		w.mass += rarity
	}
	for _, group := range events() {
		stems := index.Terms(group)
		for _, asked := range stems {
			if _, ok := w.rarity[asked]; !ok {
				continue
			}
			w.asked[asked] = true
			for _, stem := range stems {
				w.events[stem] = append(w.events[stem], asked)
			}
		}
	}
	for _, t := range terms {
		if !w.asked[t.Text] && w.rarity[t.Text] > w.rarity[w.subject] {
			w.subject = t.Text
		}
	}
	return w
}

// events groups verbs that people use for one and the same event of a project.
func events() []string {
	return []string{
		"remove removal delete deletion drop retire strip discard",
		"add added addition introduce implement create new",
		"revert undo rollback backout",
		"replace swap supersede",
		"migrate migration switch port",
		"rename renaming",
		"move relocate extract split",
		"fix solve repair correct",
		"upgrade update bump raise",
		"deprecate deprecation obsolete",
		"disable switchoff",
	}
}

// covered is the set of the question's terms in some passages. A verb counts, and
// covers another that names the same event, only of the subject: where the passage
// or the title above it names that too.
func (w *weigher) covered(title string, passages ...string) map[string]bool {
	set := map[string]bool{}
	titled := slices.Contains(index.Terms(title), w.subject)
	for _, p := range passages {
		terms := index.Terms(p)
		ofSubject := w.subject == "" || titled || slices.Contains(terms, w.subject)
		for _, t := range terms {
			if _, ok := w.rarity[t]; ok && (ofSubject || !w.asked[t]) {
				set[t] = true
			}
			for _, asked := range w.events[t] {
				if ofSubject {
					set[asked] = true
				}
			}
		}
	}
	return set
}

// with adds the question's terms of whole texts to a set, but for its verbs: in a
// long text they belong to anything.
func (w *weigher) with(set map[string]bool, texts ...string) map[string]bool {
	set = maps.Clone(set)
	for _, text := range texts {
		for _, t := range index.Terms(text) {
			if _, ok := w.rarity[t]; ok && !w.asked[t] {
				set[t] = true
			}
		}
	}
	return set
}

// otherEvent is what the support of a source counts that covers the question's
// words but not its event: "add the file" is no evidence that it was deleted.
const otherEvent = 0.7

// happened weighs whether the passages tell the event that was asked about, and of
// the thing that was asked about: the rarest of the question's other words.
func (w *weigher) happened(covered map[string]bool) float64 {
	if w.subject != "" && !covered[w.subject] {
		return otherEvent
	}
	for asked := range w.asked {
		if !covered[asked] {
			return otherEvent
		}
	}
	return 1
}

func (w *weigher) share(set map[string]bool) float64 {
	sum := 0.0
	for t := range set {
		sum += w.rarity[t]
	}
	return sum
}

// passage weighs one passage for quoting. A question is no answer, and an earlier
// "not recorded" is no record. The title is shown anyway, so that a passage that
// adds to it is preferred.
func (w *weigher) passage(title string) cite.Weigh {
	return func(text string) float64 {
		lower := strings.ToLower(text)
		if strings.HasSuffix(strings.TrimRight(text, `"')`), "?") || strings.Contains(lower, "not recorded") {
			return 0
		}
		score := 0.05 + w.share(w.covered(title, text))/max(w.mass, 1e-9)
		if w.kind == KindWhy && givesReason(lower) {
			score += 0.25
		}
		if strings.HasPrefix(title, text) {
			score /= 2
			if w.kind == KindWhy {
				score /= 2 // a title tells what was done, hardly ever why
			}
		}
		return score
	}
}

// givesReason tells whether a sentence carries a reason.
func givesReason(lower string) bool {
	for _, cue := range []string{"because", "so that", " since ", "due to", "in order to", "to avoid", "instead of", "reason", "otherwise", "therefore", "prevent", "allows", "no longer", "fixes", "avoid", " as it ", "which means", "to make", "to support", "to allow"} {
		if strings.Contains(lower, cue) {
			return true
		}
	}
	return false
}

func (w *weigher) evidence(src cite.Source, hit search.Hit) evidence {
	quotes := cite.Quotes(quotable(src), 2, excerptRunes, w.passage(src.Title))
	ev := evidence{src: src, hit: hit}
	if len(quotes) == 0 {
		return ev
	}
	ev.quote = quotes[0]
	near := []string{src.Title, src.Author}
	for _, q := range quotes {
		near = append(near, q.Text)
	}
	here := w.covered(src.Title, near...)
	all := w.with(here, append(src.Paths, src.Text)...)
	ev.terms = len(all)
	if w.mass > 0 {
		ev.single = w.bestPassage(src, quotes) / w.mass
		ev.support = (elsewhere*w.share(all) + (1-elsewhere)*w.share(here)) / w.mass * w.happened(here)
	}
	ev.rank = authority(w.kind, src) * (0.6*ev.support + 0.4*min(1, hit.Score))
	return ev
}

// bestPassage is the most that one passage covers by itself. A heading or a title
// of a file belongs to every passage below it; the subject of a commit does not,
// since many commits bundle unlike changes.
func (w *weigher) bestPassage(src cite.Source, quotes []cite.Quote) float64 {
	best := w.share(w.covered(src.Title, src.Title+" "+src.Author))
	for _, q := range quotes {
		text := q.Text
		if src.Layer != cite.LayerTeam {
			text += " " + src.Title
		}
		best = max(best, w.share(w.covered(src.Title, text)))
	}
	return best
}
