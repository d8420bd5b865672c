package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

const (
	candidates   = 60  // hits whose sources are read for one answer
	excerptRunes = 280 // length of an excerpt at most
	elsewhere    = 0.5 // what a term counts that stands in the source but not in the passage quoted
)

// evidence is one source weighed for a question.
type evidence struct {
	src     cite.Source
	hit     search.Hit
	quote   cite.Quote
	support float64 // share of the question's content, by rarity, that the quoted passage covers
	single  float64 // the same for the best single passage alone
	terms   int     // content terms covered
	rank    float64
}

// evidence answers from the passages that cover the question best.
func (e *Engine) evidence(ctx context.Context, q Question, o Options, a *Answer) error {
	query := o.Query
	query.Limit = max(candidates, 3*o.Limit)
	res, err := e.Search(ctx, query)
	if err != nil {
		return err
	}
	found, gone, err := e.weigh(q, res)
	if err != nil {
		return err
	}
	a.Trail = append(a.Trail, trail(q, res.Terms, found)...)
	found, cited, n := e.cited(found, o.Limit)
	gone += n
	a.Caveats = append(a.Caveats, dropped(gone)...)
	a.Confidence = judge(found, len(q.Terms))
	if a.Confidence == None && q.Kind == KindRecent && !q.Range.IsZero() {
		a.Confidence = partly(found)
	}
	if a.Confidence == None {
		a.Suggestions = append(a.Suggestions, nearest(found)...)
		return nil
	}
	a.Citations = cited
	a.Answer = compose(q, found, cited)
	return nil
}

// cited makes citations of the evidence that carries at least half of what the best
// does, each looked up again. Evidence whose source is gone is taken out, and counted.
func (e *Engine) cited(found []evidence, limit int) (kept []evidence, cited []Citation, gone int) {
	best := 0.0
	for _, ev := range found {
		best = max(best, ev.support)
	}
	for _, ev := range found {
		if ev.support >= best/2 && len(cited) < limit {
			c := NewCitation(ev.src, ev.rank)
			if !e.verify(&c, ev.quote) {
				gone++
				continue
			}
			cited = append(cited, c)
		}
		kept = append(kept, ev)
	}
	return kept, cited, gone
}

// weigh reads the hits' sources and orders them by how well they answer. gone
// counts hits whose source is no longer there.
func (e *Engine) weigh(q Question, res search.Result) (found []evidence, gone int, err error) {
	w := newWeigher(q, res.Terms)
	seen := map[string]bool{}
	for _, hit := range res.Hits {
		src, err := e.Fetch(hit)
		if errors.Is(err, cite.ErrNotFound) {
			gone++
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		ev := w.evidence(src, hit)
		key := strings.ToLower(src.Title + "\x00" + ev.quote.Text)
		if ev.quote.Text == "" || seen[key] {
			continue // nothing to quote, or a twin such as a cherry-picked commit
		}
		seen[key] = true
		found = append(found, ev)
	}
	slices.SortStableFunc(found, func(a, b evidence) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.src.ID, b.src.ID))
	})
	if q.Kind == KindWhen && asksForFirst(q.Text) {
		earliestFirst(found)
	}
	return found, gone, nil
}

// asksForFirst tells whether a question wants the beginning of something.
func asksForFirst(text string) bool {
	for _, w := range plainWords(text) {
		if w == "first" || w == "introduced" || w == "originally" || w == "began" || w == "begin" {
			return true
		}
	}
	return false
}

// earliestFirst puts the dated evidence that is about as good as the best in order of time.
func earliestFirst(found []evidence) {
	n := 0
	for n < len(found) && found[n].rank >= 0.8*found[0].rank && !found[n].src.Time.IsZero() {
		n++
	}
	slices.SortStableFunc(found[:n], func(a, b evidence) int { return a.src.Time.Compare(b.src.Time) })
}

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
	quotes := cite.Quotes(src.Text, 2, excerptRunes, w.passage(src.Title))
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

// authority is how much a kind of source counts for a kind of question: rules for
// how, decisions and history for why, history for when.
func authority(kind Kind, src cite.Source) float64 {
	decided := src.Source == string(cite.KindDecision) || (src.Source == string(cite.KindIdea) && src.Type == "decision")
	switch kind {
	case KindHow:
		switch {
		case src.Layer == cite.LayerRules:
			return 1.5
		case src.Layer == cite.LayerMemory:
			return 1.2
		}
	case KindWhy:
		if decided {
			return 1.4
		}
		if src.Layer == cite.LayerTeam || src.Layer == cite.LayerMemory || src.Layer == cite.LayerRules {
			return 1.1
		}
	case KindWhen, KindRecent:
		if src.Layer == cite.LayerTeam {
			return 1.15
		}
	default:
		if src.Layer == cite.LayerRules || src.Layer == cite.LayerMemory || decided {
			return 1.15
		}
	}
	if src.Source == string(cite.KindObservation) {
		return 0.8
	}
	return 1
}

// judge turns evidence into confidence. The question's content must be covered by
// one source: words that are spread over several sources are no event. High needs
// nearly all of it and a second source that agrees, or a source with authority.
func judge(found []evidence, terms int) Confidence {
	if len(found) == 0 {
		return None
	}
	best := slices.MaxFunc(found, func(a, b evidence) int { return cmp.Compare(a.support, b.support) })
	agreeing := 0
	for _, ev := range found {
		if ev.support >= 0.7 {
			agreeing++
		}
	}
	switch s := best.support; {
	case s < 0.6, terms > 1 && best.terms < 2:
		return None
	case s < 0.75 || best.single < 0.5:
		return Low
	case s < 0.9 || best.single < 0.8 || terms < 3 || (agreeing < 2 && best.src.Layer == cite.LayerTranscripts):
		return Medium
	}
	return High
}

// partly accepts what touches the subject at all within the time that was asked
// for: such a question wants what there was, and the time is half of the answer.
func partly(found []evidence) Confidence {
	for _, ev := range found {
		if ev.support >= 0.2 {
			return Low
		}
	}
	return None
}

// trail tells how the evidence was weighed, for whoever asks why.
func trail(q Question, terms []search.Term, found []evidence) []string {
	lines := []string{fmt.Sprintf("kind %s, time %s", q.Kind, q.Range)}
	for _, t := range terms {
		lines = append(lines, fmt.Sprintf("term %s: in %d documents, weight %.2f", t.Text, t.Docs, t.Rarity))
	}
	for _, ev := range found[:min(len(found), 10)] {
		lines = append(lines, fmt.Sprintf("%s: covers %.0f %% of the question, score %.3f, authority %.2f, rank %.3f",
			ev.src.ID, 100*ev.support, ev.hit.Score, authority(q.Kind, ev.src), ev.rank))
	}
	return lines
}

// nearest names what came closest to a question that nothing answers.
func nearest(found []evidence) []string {
	var out []string
	for _, ev := range found[:min(len(found), 3)] {
		if ev.support >= 0.3 {
			out = append(out, fmt.Sprintf("Nearest, but not an answer: %s (%s)", ev.src.Title, ev.src.ID))
		}
	}
	return out
}
