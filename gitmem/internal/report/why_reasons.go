package report

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
)

const (
	// whySources limits the sources read for one question, and whySteps the depth to which links of a commit are followed:
	// its pull request, and the issues that this closes.
	whySources = 120
	whySteps   = 2
	// whyEach is the maximum number of sentences from one source.
	whyEach = 2
	// whyMentions is the maximum number of documents read for each name of the path.
	whyMentions = 20
)

// findReasons finds the sentences that give a reason, by descending weight, and adds their status and that of the
// commits.
func (w *why) findReasons(ctx context.Context) error {
	for i, c := range w.found {
		id := cite.ID{Kind: cite.KindCommit, Name: c.commit.Hash}.String()
		weight := 1 / (1 + 0.1*float64(i))
		switch {
		case c.part == "wrote" && c.words == 0, c.part == "moved": // a bracket or a blank line, or another author's lines
			weight *= 0.4
		case w.target.from > 0 && c.part != "wrote": // about an earlier state of the lines
			weight *= 0.6
		case len(c.commit.Parents) > 1: // it merges the work of others
			weight *= 0.8
		}
		w.nearness = otherWork
		if w.target.from > 0 && c.part == "wrote" {
			w.nearness = ownCommit
		}
		if err := w.follow(ctx, id, weight, whySteps); err != nil {
			return err
		}
		if i < len(w.out.Commits) && w.out.Commits[i].Via != "" {
			if err := w.follow(ctx, w.out.Commits[i].Via, 0.9*weight, whySteps-1); err != nil {
				return err
			}
		}
	}
	for _, look := range []func(context.Context) error{w.documents, w.sessions, w.mentions} {
		if err := look(ctx); err != nil {
			return err
		}
	}
	if err := w.addStatuses(ctx); err != nil {
		return err
	}
	w.pickReasons()
	return nil
}

// follow reads a source and its linked sources.
func (w *why) follow(ctx context.Context, id string, weight float64, steps int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.seen[id] || w.read >= whySources || w.team.src.Hides(id) {
		return nil
	}
	w.seen[id] = true
	w.read++
	src, err := w.cite.Resolve(id)
	if errors.Is(err, cite.ErrNotFound) {
		return nil // the target of a link may not be fetched
	}
	if err != nil {
		w.caveat("%s could not be read: %v", id, w.team.ws.Clean(plain.Text(err)))
		return nil
	}
	w.takeReasons(src, weight, nil)
	if w.nearness == ownCommit {
		w.nearness = ownThread
	}
	if steps == 0 {
		return nil
	}
	for _, l := range w.team.src.Linked(w.place, id) {
		switch l.Rel {
		case providers.PartOf, providers.Contains, providers.Closes, providers.Reverts, providers.PickOf:
			if strings.HasPrefix(l.ID, string(cite.KindCommit)) && l.Rel == providers.Contains {
				continue // the other commits of a pull request made other changes
			}
			if err := w.follow(ctx, l.ID, 0.9*weight, steps-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeReasons adds the reasons in a source.
func (w *why) takeReasons(src cite.Source, weight float64, about func(string) bool) {
	switch {
	case src.Type == "chore" || src.Type == "refactor" || src.Type == "test" || src.Type == "docs":
		weight *= 0.7
	case src.Source == string(cite.KindDecision) || src.Type == "decision":
		weight *= 1.3
	}
	for _, q := range ask.Reasons(src, whyEach, about) {
		w.add(src, q, weight)
	}
}

// add adds a quotation of a source, unless another source has the same text.
func (w *why) add(src cite.Source, q cite.Quote, weight float64) {
	if c := ask.CheckedCitation(src, q); c.Status != answer.StatusGone && !w.isTaken(c.Excerpt) {
		c.Score = weight * q.Score
		w.reasons = append(w.reasons, whyReason{c, w.nearness})
	}
}

func (w *why) isTaken(excerpt string) bool {
	return slices.ContainsFunc(w.reasons, func(r whyReason) bool { return strings.EqualFold(r.Excerpt, excerpt) })
}

// openView opens the sources that may mention a path: memory, transcripts, rules, documents and fetched items. The
// history is not included, because its commits are found without it: its index is not updated, and is used only if it
// is complete.
func (w *why) openView(ctx context.Context) error {
	scope, err := w.team.ws.ScopeOf(ctx, "")
	if err != nil {
		return err
	}
	if w.view, err = w.team.reader.Begin(ctx, scope); err != nil {
		return err
	}
	if i := slices.IndexFunc(w.view.Shards, func(s ingest.Shard) bool { return s.Name == "history" }); i >= 0 {
		w.cite.History = w.indexedHistory(w.view.Shards[i])
		w.view.Shards = slices.Delete(w.view.Shards, i, i+1)
	}
	return w.view.Refresh(ctx)
}

// indexedHistory returns the data of the history index without a refresh, nil if it is incomplete.
func (w *why) indexedHistory(history ingest.Shard) *git.Indexed {
	if history.History == nil {
		return nil
	}
	var err error
	if w.history, err = history.Index.Snapshot(); err != nil { // its refresh reports the error
		return nil
	}
	return history.History.Indexed(w.history)
}

// shown is a source found by a search.
type shown struct {
	search.Hit
	src cite.Source
}

// find returns the results of a query, without those that must not be shown or have vanished since they were indexed.
func (w *why) find(ctx context.Context, q search.Query) (out []shown, err error) {
	q.Projects, q.Conditions = w.view.InScope, append(q.Conditions, query.Holding())
	res, err := w.view.Find(ctx, q)
	for _, h := range res.Hits {
		src, err := w.view.Fetch(h)
		if err == nil {
			src, err = w.team.reader.Showable(src)
		}
		if err == nil {
			out = append(out, shown{h, src})
		}
	}
	return out, err
}

// mentions searches memory, transcripts, rules and documents for mentions of the path, one of the commits or its pull
// request.
func (w *why) mentions(ctx context.Context) error {
	for _, name := range w.names() {
		found, err := w.find(ctx, search.Query{Text: name.query, Limit: whyMentions, Except: w.team.ws.OwnSessions()})
		if err != nil {
			return err
		}
		for _, h := range found {
			if err := w.mention(ctx, h, name.text); err != nil {
				return err
			}
		}
	}
	return nil
}

// names returns the names by which memory may refer to the path: enough of it to be unique, and ids of the most
// important commits.
func (w *why) names() []whyName {
	var out []whyName
	if base := path.Base(w.target.path); w.target.path != "" && len(base) > 3 {
		if w.ambiguous(base) && path.Dir(w.target.path) != "." {
			base = path.Base(path.Dir(w.target.path)) + "/" + base
		}
		out = append(out, whyName{base, base})
	}
	for _, c := range w.out.Commits[:min(len(w.out.Commits), whyFirst)] {
		hash := strings.TrimPrefix(c.ID, "git:commit:")
		out = append(out, whyName{hash + " " + hash[:7] + " " + hash[:8] + " " + hash[:10] + " " + hash[:12], hash[:7]})
		if id, err := cite.Parse(c.Via); err == nil && id.Number > 0 {
			ref := "#" + strconv.Itoa(id.Number)
			out = append(out, whyName{ref, ref})
		}
	}
	return out
}

// whyName is a search query, and the text that a passage must contain.
type whyName struct{ query, text string }

// ambiguous reports whether other files have the same name.
func (w *why) ambiguous(base string) bool {
	entries, _ := w.repo.List(w.target.rev, "") // without them a name counts as unique
	n := slice.Count(entries, func(e git.Entry) bool { return path.Base(e.Path) == base })
	return n > 1
}

// mention takes the reasons in those passages of a hit that contain a name, and in a whole decision.
func (w *why) mention(ctx context.Context, h shown, name string) error {
	if w.seen[h.Doc.ID] || h.Doc.Layer == cite.LayerTeam && strings.HasPrefix(h.Doc.ID, "git:") {
		return nil
	}
	src := h.src
	w.nearness = otherWork
	if src.Source == string(cite.KindDocument) && !docs.Decides(src.Path) {
		w.nearness = mentioning
	}
	holds := strings.Contains(src.Text, name)
	if src.Source == string(cite.KindDocument) && holds && docs.Decides(src.Path) {
		return w.follow(ctx, docs.ID(src.Path), 0.8, 0)
	}
	whole := strings.Contains(src.Title, name) || src.Source == string(cite.KindDecision) && holds
	n := len(w.reasons)
	w.takeReasons(src, 0.8, func(passage string) bool {
		return (whole || strings.Contains(passage, name)) && (src.Source != string(cite.KindDocument) ||
			ask.GivesReason(passage))
	})
	w.seen[h.Doc.ID] = len(w.reasons) > n
	return nil
}

// addStatuses sets the status of the commits and of the sources of reasons in one pass: without an index of the history
// this requires a walk.
func (w *why) addStatuses(ctx context.Context) error {
	ids := slice.Map(w.out.Commits, func(c WhyCommit) string { return c.ID })
	for _, r := range w.reasons {
		ids = append(ids, r.ID)
	}
	statuses, err := w.cite.Statuses(ctx, ids...)
	if err != nil {
		return err
	}
	for i := range w.out.Commits {
		c := &w.out.Commits[i]
		s := statuses[c.ID]
		if c.Status, c.RevertedBy = string(s.Status), s.RevertedBy; s.RevertedBy != "" {
			w.caveat("%s was taken back by %s.", c.ID, s.RevertedBy)
		}
	}
	for i := range w.reasons {
		if s, ok := statuses[w.reasons[i].ID]; ok {
			query.Placed(&w.reasons[i].Citation, s)
			w.reasons[i].Score *= s.Weight()
		}
	}
	return nil
}

// pickReasons sorts the reasons by nearness and limits their number.
func (w *why) pickReasons() {
	slices.SortStableFunc(w.reasons, func(a, b whyReason) int {
		return cmp.Or(cmp.Compare(a.nearness, b.nearness), cmp.Compare(b.Score, a.Score))
	})
	w.out.Reasons = slice.Map(w.reasons[:min(len(w.reasons), w.limit)], func(r whyReason) answer.Citation {
		return r.Citation
	})
	if n := len(w.reasons) - w.limit; n > 0 {
		w.caveat("%s of reasons are not shown.", messages.Plural(n, "more sentence"))
	}
}
