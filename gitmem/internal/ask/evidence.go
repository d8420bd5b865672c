package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

const (
	candidates   = 60  // hits whose sources are read for one answer
	excerptRunes = 280 // length of an excerpt at most
	quoted       = 0.8 // evidence is quoted that supports the answer this much of what the best does
	elsewhere    = 0.5 // what a term counts that stands in the source but not in the passage quoted
)

// evidence is one source weighed for a question.
type evidence struct {
	src      cite.Source
	hit      search.Hit
	quote    cite.Quote
	support  float64 // share of the question's content, by rarity, that the quoted passage covers
	single   float64 // the same for the best single passage alone
	titled   float64 // the same for the title alone
	reason   bool    // the passage quoted gives a reason
	terms    int     // content terms covered
	about    bool    // the title names the rarest word of the question, and tells its event
	named    bool    // the title names the rarest word, and that names one thing only
	told     bool    // the passages tell the event that was asked about
	happened bool    // there was an event to tell
	slight   bool    // the words of the question are so common that any of many sources holds them
	mass     float64 // rarity of the words of the question
	sharp    float64 // share of the things with a name of their own that the source names
	rank     float64
	via      []string // the sources that led here, with how they stand to it
	undoes   string   // citation id of what it takes back
}

// evidence answers from the passages that cover the question best.
func (e *Engine) evidence(ctx context.Context, q Question, o Options, a *Answer) error {
	query := o.Query
	query.Limit = max(candidates, 3*o.Limit)
	res, err := e.Search(ctx, query)
	if err != nil {
		return err
	}
	w := newWeigher(q, res.Terms)
	found, lost := e.weigh(q, w, res)
	r, err := e.research(ctx, q, o, w, found, lost)
	if err != nil {
		return err
	}
	found = r.found
	e.refuseStanding(ctx, q, w, found)
	if o.Trace {
		a.Research = r.steps
	}
	a.Trail = append(a.Trail, trail(q, res.Terms, found)...)
	found, cited := e.cited(found, o.Limit, lost)
	a.Confidence = judge(found, q)
	if a.Confidence == None && q.Kind == KindRecent && !q.Range.IsZero() {
		a.Confidence = partly(found)
	}
	if a.Confidence != None {
		a.Citations = cited
		claimed, claims := claims(found, cited)
		if q.Kind == KindWhy {
			a.withReason(claimed)
		}
		a.Answer = compose(q.Kind, told(claimed, claims))
	}
	if caveat := r.unreadCaveat(); caveat != "" {
		a.Caveats = append(a.Caveats, caveat)
	}
	e.addLeads(a, found, o.Limit, lost)
	a.Caveats = append(a.Caveats, lost.caveats()...)
	return nil
}

// cited makes citations of the evidence that carries at least half of what the best
// does, each looked up again. Evidence whose source is lost meanwhile is taken out.
func (e *Engine) cited(found []evidence, limit int, lost *losses) (kept []evidence, cited []Citation) {
	best := 0.0
	for _, ev := range found {
		best = max(best, ev.support)
	}
	for _, ev := range found {
		if (ev.support >= best/2 || ev.undoes != "") && len(cited) < limit {
			c := NewCitation(ev.src, ev.rank)
			if err := e.verify(&c, ev.quote); err != nil {
				lost.add(err)
				continue
			}
			cited = append(cited, c)
		}
		kept = append(kept, ev)
	}
	return kept, cited
}

// weigh reads the hits' sources and orders them by how well they answer.
func (e *Engine) weigh(q Question, w *weigher, res search.Result) (found []evidence, lost *losses) {
	lost = &losses{}
	seen := map[string]bool{}
	for i, hit := range res.Hits {
		src, err := e.Fetch(hit)
		if err != nil {
			lost.add(err)
			continue
		}
		ev := w.evidence(src, hit)
		ev.rank = w.rank(ev, i+1)
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
	return found, lost
}

// asksForFirst tells whether a question wants the beginning of something.
func asksForFirst(text string) bool {
	for _, w := range plainWords(text) {
		if w == "first" || w == "since" || w == "introduced" || w == "originally" || w == "began" || w == "begin" {
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

// authority is how much a kind of source counts for a kind of question: rules for
// how, decisions and history for why, history for when.
func authority(kind Kind, src cite.Source) float64 {
	decided := isDecision(src)
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

// isDecision tells the records whose text is what a decision rests on.
func isDecision(src cite.Source) bool {
	return src.Source == string(cite.KindDecision) || (src.Source == string(cite.KindIdea) && src.Type == "decision")
}

// trail tells how the evidence was weighed, for whoever asks why.
func trail(q Question, terms []search.Term, found []evidence) []string {
	lines := []string{fmt.Sprintf("kind %s, time %s", q.Kind, q.Range)}
	for _, t := range terms {
		lines = append(lines, fmt.Sprintf("term %s: in %d documents, weight %.2f", t.Text, t.Docs, t.Rarity))
	}
	for _, ev := range found[:min(len(found), 10)] {
		lines = append(lines, fmt.Sprintf("%s: covers %.0f %% of the question, one passage %.0f %%, its title %.0f %%, event told %t, names %.0f %%, about %t, score %.3f, authority %.2f, rank %.3f",
			ev.src.ID, 100*ev.support, 100*ev.single, 100*ev.titled, ev.told, 100*ev.sharp, ev.about, ev.hit.Score, authority(q.Kind, ev.src), ev.rank))
	}
	return lines
}
