package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
)

// Budget limits the cost of following leads for one question.
type Budget struct {
	Sources int           // sources read in addition to the search results
	Time    time.Duration // no lead is followed after it
}

const (
	leadSources    = 4   // best sources whose leads are followed
	leadSupport    = 0.3 // minimum support of a source whose leads are followed
	leadDepth      = 2   // from a commit to its pull request, from there to the issue
	mostMentioning = 3   // sources that mention the same reference
	inherited      = 0.9 // factor for the support that related work inherits from a source
)

// reverted is the relation of a commit to the one that reverts it.
const reverted providers.Rel = "reverted by"

// madeBy is the relation of a file or a line to the commits that wrote it.
const madeBy providers.Rel = "made by"

// lead is an id to follow, a reference such as #12, or the hash of a commit that may have been reverted.
type lead struct {
	what  string
	rel   providers.Rel
	from  evidence
	depth int
}

// research follows leads of the results, breadth first.
type research struct {
	*Engine
	question Question
	options  Options
	weigher  *weigher
	start    time.Time
	read     int
	seen     map[string]bool // leads
	led      map[string]bool // sources that leads led to
	found    []evidence
	unread   []string
	steps    []answer.Step
}

// research follows leads until the evidence suffices, no lead is left, or the budget is spent. It adds what it finds to
// the evidence.
func (e *Engine) research(ctx context.Context, q Question, o Options, w *weigher, found []evidence) (*research, error) {
	if o.Budget == (Budget{}) {
		o.Budget = Budget{Sources: 40, Time: 150 * time.Millisecond}
	}
	r := &research{Engine: e, question: q, options: o, weigher: w, seen: map[string]bool{},
		led: map[string]bool{}, found: found}
	r.stepsOfSearch()
	queue := r.revertLeads()
	if !r.sure() {
		for _, ev := range r.found[:min(len(r.found), leadSources)] {
			queue = append(queue, r.leads(ctx, ev, 1)...)
		}
		queue = append(r.placeLeads(ctx), queue...)
	}
	r.start = e.Clock() // the time budget excludes the lookups above
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if why := r.stops(next); why != "" {
			for _, c := range append([]lead{next}, queue...) {
				if c.rel != reverted && !slices.Contains(r.unread, c.what) {
					r.unread = append(r.unread, c.what)
				}
			}
			r.add(answer.Step{Level: 3, Lead: next.what, From: next.from.src.ID, By: string(next.rel), Gave: "not read: " + why})
			break
		}
		more, err := r.follow(ctx, next)
		if err != nil {
			return r, err
		}
		queue = append(queue, more...)
		if len(queue) > 0 && next.rel != reverted && r.sure() {
			r.add(answer.Step{Level: 3, Lead: queue[0].what, From: queue[0].from.src.ID, By: string(queue[0].rel),
				Gave: "not read: the evidence is enough"})
			break
		}
	}
	slices.SortStableFunc(r.found, func(a, b evidence) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.src.ID, b.src.ID))
	})
	return r, nil
}

// add adds a step to the trail and passes it to the follower.
func (r *research) add(s answer.Step) {
	r.steps = append(r.steps, s)
	r.options.Filter.Tell(s)
}

// addClaims adds steps for the judgements of the sources.
func (r *research) addClaims(cited []evidence, judged []judgement) {
	if !r.options.Trace && r.options.Filter.Follow == nil {
		return
	}
	for i, j := range judged {
		gave := fmt.Sprintf("%.2f %s", j.chance, strings.Join(j.features, " "))
		r.add(answer.Step{Level: 4, Lead: cited[i].src.ID, By: "claim", Gave: gave})
	}
}

// stepsOfSearch adds steps for the search and its results.
func (r *research) stepsOfSearch() {
	r.add(answer.Step{Level: 1, Lead: strings.Join(r.question.Terms, " "), By: "words",
		Gave: messages.Plural(len(r.found), "source")})
	for _, ev := range r.found[:min(len(r.found), leadSources)] {
		r.add(answer.Step{Level: 2, Lead: ev.src.ID, By: "its text", Gave: ev.gave()})
	}
}

func (ev evidence) gave() string {
	s := fmt.Sprintf("says %.0f %% of the question", 100*ev.all)
	if ev.reason {
		s += ", gives a reason"
	}
	return s
}

// sure reports whether the evidence suffices for an answer with high confidence.
func (r *research) sure() bool {
	if len(r.found) == 0 {
		return false
	}
	c := newClaims(r.weigher, r.question)
	return c.confidence(r.found, c.judge(r.found), 1) == answer.High
}

// stops returns why a lead is not followed, or "". Reverts are always looked up, so that no answer presents reverted
// work as valid.
func (r *research) stops(c lead) string {
	switch {
	case c.rel == reverted:
		return ""
	case r.read >= r.options.Budget.Sources:
		return messages.Plural(r.read, "source") + cmp.Or(map[int]string{1: " was read"}[r.read], " were read")
	case r.Clock().Sub(r.start) > r.options.Budget.Time:
		return fmt.Sprintf("it took more than %v", r.options.Budget.Time)
	}
	return ""
}

// revertLeads returns leads to the reverts of the best commits.
func (r *research) revertLeads() (out []lead) {
	for _, ev := range r.found[:min(len(r.found), leadSources-1)] {
		if hash, ok := strings.CutPrefix(ev.src.ID, "git:commit:"); ok && r.weigher.knownShare(ev) >= leadSupport {
			out = append(out, lead{what: hash, rel: reverted, from: ev, depth: leadDepth})
		}
	}
	return out
}

var commitLink = lazy.Pattern(`(?i)\b(reverts commit|cherry picked from commit) ([0-9a-f]{7,40})\b`)

// leads returns the leads in a source that may belong to the answer.
func (r *research) leads(ctx context.Context, ev evidence, depth int) (out []lead) {
	if r.weigher.knownShare(ev) < leadSupport {
		return nil
	}
	add := func(what string, rel providers.Rel) {
		same := func(c lead) bool { return c.what == what }
		if what != ev.src.ID && !r.seen[what] && !r.led[what] && !slices.ContainsFunc(out, same) {
			out = append(out, lead{what, rel, ev, depth})
		}
	}
	for _, l := range slices.Concat(ev.src.Links, r.Leads.Linked(ctx, ev.src.ID)) {
		add(l.ID, l.Rel)
	}
	for _, m := range commitLink().FindAllStringSubmatch(ev.src.Text, 4) {
		rel := providers.Reverts
		if strings.HasPrefix(strings.ToLower(m[1]), "cherry") {
			rel = providers.PickOf
		}
		add("git:commit:"+strings.ToLower(m[2]), rel)
	}
	named := newNaming(ev.src)
	for _, ref := range providers.References(ev.src.Text) {
		add(ref, named.refers(ref))
	}
	return out
}

// placeLeads returns leads to the commits that the question names, and to the commits that wrote the files and lines
// that it names. Such a commit must itself match the question, since most changes of a file are unrelated.
func (r *research) placeLeads(ctx context.Context) (out []lead) {
	for _, hash := range r.weigher.hashes {
		out = append(out, lead{what: string(cite.KindCommit) + ":" + hash, rel: abbreviates,
			from: evidence{src: cite.Source{ID: hash}}, depth: 1})
	}
	for _, word := range r.question.Words {
		place := strings.Trim(word, "?!,;\"'()`")
		if !strings.ContainsAny(place, "/.") {
			continue
		}
		for _, id := range r.History.ChangedBy(ctx, strings.TrimRight(place, ".")) {
			out = append(out, lead{what: id, rel: madeBy, from: evidence{src: cite.Source{ID: place}}, depth: 1})
		}
	}
	return out
}

// follow reads the targets of a lead and returns their leads.
func (r *research) follow(ctx context.Context, c lead) (more []lead, err error) {
	if r.seen[c.what] {
		return nil, nil
	}
	r.seen[c.what] = true
	srcs, err := r.sources(ctx, c)
	if err != nil {
		return nil, err
	}
	gave := make([]string, 0, len(srcs))
	for _, src := range srcs {
		if r.led[src.ID] {
			continue
		}
		r.led[src.ID] = true
		ev, ok := r.weighed(src, c)
		gave = append(gave, src.ID+" "+ev.gave())
		if ok {
			r.join(ev)
			if c.depth < leadDepth {
				more = append(more, r.leads(ctx, ev, c.depth+1)...)
			}
		}
	}
	if c.rel == reverted && len(gave) == 0 {
		return more, nil
	}
	result := cmp.Or(strings.Join(gave, "; "), "nothing that is recorded here")
	if len(srcs) == 0 && c.rel != providers.Mentions && c.rel != reverted {
		r.unread = append(r.unread, c.what)
	}
	r.add(answer.Step{Level: 3, Lead: c.what, From: c.from.src.ID, By: string(c.rel), Gave: result})
	return more, nil
}

// join adds a source to the evidence or replaces the search result for it, which lacks the relation.
func (r *research) join(ev evidence) {
	i := slices.IndexFunc(r.found, func(known evidence) bool { return known.src.ID == ev.src.ID })
	switch {
	case i < 0:
		r.found = append(r.found, ev)
	case ev.rank > r.found[i].rank || ev.undoes != "":
		ev.rank = max(ev.rank, r.found[i].rank)
		r.found[i] = ev
	}
}

// sources reads the targets of a lead. Read errors count as lost sources, unless the target is not recorded.
func (r *research) sources(ctx context.Context, c lead) ([]cite.Source, error) {
	ids := []string{c.what}
	switch {
	case c.rel == reverted && !allows(r.options.Query.Layers, cite.LayerTeam):
		return nil, nil
	case c.rel == reverted:
		if ids[0] = r.Commits.RevertedBy(ctx, "git:commit:"+c.what); ids[0] == "" {
			return nil, nil
		}
	case !strings.Contains(c.what, ":"):
		ids = r.Leads.Referred(c.what)
	}
	var out []cite.Source
	for _, id := range ids {
		r.read++
		src, err := r.Evidence.Resolve(ctx, id)
		if err != nil && !errors.Is(err, cite.ErrNotFound) {
			r.lost.add(err)
		}
		if err == nil {
			out = append(out, src)
		}
	}
	if c.rel == reverted || strings.Contains(c.what, ":") || len(out) > 0 || c.depth == leadDepth {
		return out, nil
	}
	if terms := index.Terms(c.what); len(terms) > 0 {
		return r.mentioning(ctx, terms[:1])
	}
	return nil, nil
}

// mentioning returns a few team sources that contain one of the terms.
func (r *research) mentioning(ctx context.Context, terms []string) ([]cite.Source, error) {
	query := r.options.Query
	query.Range, query.Text, query.Phrases, query.Required, query.Excluded = search.Range{}, "", nil, nil, nil
	query.Layers, query.Terms, query.Limit = []string{cite.LayerTeam}, search.PlainTerms(terms), 2*mostMentioning
	if !allows(r.options.Query.Layers, cite.LayerTeam) {
		return nil, nil
	}
	res, err := r.Evidence.Find(ctx, query)
	if err != nil {
		return nil, err
	}
	var out []cite.Source
	for _, hit := range res.Hits {
		if hit.Coverage == 0 || len(out) == mostMentioning {
			continue
		}
		r.read++
		if src, err := r.Evidence.Fetch(hit); err == nil {
			out = append(out, src)
		}
	}
	return out, nil
}

// weighed weighs the target of a lead. A target that belongs to the same work shares the subject of the source, even in
// other words.
func (r *research) weighed(src cite.Source, c lead) (evidence, bool) {
	hit := search.Hit{Score: inherited * c.from.hit.Score, Doc: index.Row{ID: src.ID, Layer: src.Layer}}
	ev := r.weigher.evidence(src, hit, "")
	if !ev.shown {
		return ev, false
	}
	ev.rank = r.weigher.rank(ev, 0)
	ev.via = append(slices.Clone(c.from.via), c.from.src.ID+" "+string(c.rel))
	alone := c.rel == providers.Mentions || c.rel == madeBy || c.rel == abbreviates
	if alone && !src.Time.IsZero() && !r.question.Range.IsZero() && !r.question.Range.Contains(src.Time) {
		return ev, false // it does not match the requested time by itself
	}
	if alone || !strings.Contains(c.what, ":") && !r.meant(c, src.ID) && c.rel != reverted {
		return ev, r.weigher.knownShare(ev) >= leadSupport
	}
	ev.near, ev.all = max(ev.near, inherited*c.from.near), max(ev.all, inherited*c.from.all)
	ev.rank = max(ev.rank, inherited*c.from.rank)
	if ev.of = c.from.src.ID; c.rel == reverted {
		ev.undoes = c.from.src.ID
	}
	return ev, true
}

// meant reports whether a reference denotes a source and not only mentions it.
func (r *research) meant(c lead, id string) bool {
	return slices.Contains(r.Leads.Referred(c.what), id)
}

// unreadCaveat lists the leads that were not read.
func (r *research) unreadCaveat() string {
	const named = 3
	unread := slices.DeleteFunc(slices.Clone(r.unread), r.unknown)
	n := len(unread)
	if n == 0 {
		return ""
	}
	list := strings.Join(unread[:min(n, named)], ", ")
	if n > named {
		list += " …"
	}
	return fmt.Sprintf("%s %s not read: %s.", messages.Plural(n, "lead"), cmp.Or(map[int]string{1: "was"}[n], "were"),
		list)
}

var threadNumber = lazy.Pattern(`^[#!][0-9]+$`)

// unknown reports whether nothing is recorded for a number such as #12, for example because no forge is configured. It
// needs no caveat.
func (r *research) unknown(ref string) bool {
	number := threadNumber().MatchString(ref)
	return number && len(r.Leads.Referred(ref)) == 0
}
