package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Ask answers a question from what is recorded. If nothing is found, the Answer has the
// Confidence None, without an error.
func Ask(ctx context.Context, rd *query.Reader, question string, f query.Filter) (answer.Answer, error) {
	if strings.TrimSpace(question) == "" {
		return answer.Answer{}, fmt.Errorf("%w: the question is empty", messages.ErrUsage)
	}
	f = followed(rd.Workspace(), f)
	f.Tell(answer.Step{Lead: question, By: "question"})
	var ordersOf func(project string) bool
	if f.Project == "" && asksOfSelf(question) {
		ws := rd.Workspace()
		if _, err := ws.ScopeOf(ctx, "all"); err == nil { // else the session may see one project only
			if ordersOf, err = ws.ScopeOf(ctx, ""); err != nil {
				return answer.Answer{}, err
			}
			f.Project = "all"
		}
	}
	if about, project := cutProject(question, rd.Workspace().Now()); project != "" && f.Project == "" {
		named := f
		named.Project = project
		a, err := askTyped(ctx, rd, parse(about), named, nil)
		if err == nil && a.Verdict == answer.Answered {
			a.Question = strings.TrimSpace(question)
			return a, nil
		}
		if refused := (*messages.Refusal)(nil); errors.As(err, &refused) {
			rd.Workspace().Caveat("%v.", err)
		}
	}
	return askTyped(ctx, rd, parse(question), f, ordersOf)
}

// followed has who follows told without secrets, and of indexes that are built, each of many documents.
func followed(ws *workspace.Workspace, f query.Filter) query.Filter {
	const every = 500
	tell, before := f.Follow, ws.Options.Progress
	if tell == nil {
		return f
	}
	f.Follow = func(s answer.Step) {
		s.Lead, s.From, s.Gave = ws.Clean(s.Lead), ws.Clean(s.From), ws.Clean(s.Gave)
		tell(s)
	}
	shard, next := "", 0
	ws.Options.Progress = func(p workspace.Progress) {
		if before != nil {
			before(p)
		}
		switch {
		case p.Waiting != "":
			f.Tell(answer.Step{Lead: p.Shard, By: "index", Gave: "waits for " + p.Waiting})
		case p.Shard != shard || p.Done >= next:
			shard, next = p.Shard, p.Done+every
			f.Tell(answer.Step{Lead: p.Shard, By: "index", Gave: messages.Plural(p.Done, "document")})
		}
	}
	return f
}

var inProjectForm = lazy.Pattern(
	`(?i)^(.*\S)\s+(?:in|on|for|of|at)\s+(?:the\s+)?([\w][\w./-]*)(?:\s+(?:project|repo|repository))?[?!.\s]*$`)

// cutProject parts a question of work as a whole from the name behind it, which may be that of a
// project, as in "where did I leave off in pump?"; "" where there is none.
func cutProject(question string, now time.Time) (about, project string) {
	m := inProjectForm().FindStringSubmatch(question)
	if m == nil {
		return "", ""
	}
	q, name := Read(m[1], now, nil), strings.ToLower(m[2])
	ofWork := len(q.Terms) == 0 && (q.Kind == answer.KindContinue || q.Kind == answer.KindRecent)
	r, _ := search.FindRange(question, now)
	if !ofWork || strings.Contains(r.Words, m[2]) || search.IsAsking(name) || search.IsOfWork(name) {
		return "", ""
	}
	return m[1], m[2]
}

// askTyped answers a question from the index, or without one from the transcripts.
func askTyped(
	ctx context.Context, rd *query.Reader, typed asked, f query.Filter, ordersOf func(string) bool,
) (answer.Answer, error) {
	a, err := ingest.RetryDamaged(ctx, func(damaged *bool) (answer.Answer, error) {
		return askOnce(ctx, rd, typed, f, ordersOf, damaged)
	})
	if err != nil {
		return askTranscripts(ctx, rd, typed, f, err)
	}
	return a, nil
}

// otherProjects are those in reach beside those in scope; none where a question is narrowed, or asks of
// all.
func otherProjects(ctx context.Context, v *query.View, f query.Filter) (others search.Condition) {
	if f.Project != "" || f.Session != "" || v.InScope == nil || len(v.Query().Conditions) > 0 {
		return others
	}
	all, err := v.Reader.Workspace().ScopeOf(ctx, "all")
	if err != nil { // the session may see one project only
		return others
	}
	return search.Condition{On: search.OnProject, Match: func(project string) bool {
		return !v.InScope(project) && (all == nil || all(project))
	}}
}

// askOnce answers a question from one view.
func askOnce(
	ctx context.Context, rd *query.Reader, typed asked, f query.Filter, ordersOf func(string) bool, damaged *bool,
) (answer.Answer, error) {
	view, leave, err := rd.Open(ctx, typed.text, typed.parsed, f, damaged)
	if err != nil {
		return answer.Answer{}, err
	}
	defer leave()
	ws := view.Reader.Workspace()
	e := engineOf(sources{view, ordersOf})
	o := Options{Query: view.Query(), Limit: f.Limit, Trace: f.Trace, Filter: f, Others: otherProjects(ctx, view, f)}
	q := typed.read(e.Now, e.ReferenceTimes)
	if f.Follow != nil {
		gave := fmt.Sprintf("a question of the kind %s, of %s", q.Kind, q.Range)
		f.Tell(answer.Step{Lead: strings.Join(q.Words, " "), By: "reading", Gave: gave})
	}
	a, err := e.answerRead(ctx, typed.text, q, o)
	var refined answer.Strategy
	if err == nil {
		a, refined, err = e.refined(ctx, typed.text, q, o, a)
	}
	if err == nil && a.Verdict != answer.Answered && f.Passage != nil && ws.Policy().Config.Agent.HyDE {
		passage, failed := f.Passage(ctx, typed.text)
		if failed != nil {
			ws.Caveat("The model gave no passage to search by (hyde): %v.", failed)
		}
		if passage != "" {
			view.SearchBy(passage)
			a, err = e.answerRead(ctx, typed.text, q, o)
		}
	}
	if err != nil {
		return answer.Answer{}, err
	}
	recent := q.Kind == answer.KindRecent || q.Kind == answer.KindContinue
	read := query.Asked{Terms: q.Terms, Words: q.Words, Range: q.Range, Recent: recent}
	if err := view.Explain(ctx, &a, read, f.Explain); err != nil {
		return answer.Answer{}, err
	}
	if err := view.SetStatuses(ctx, &a); err != nil {
		return answer.Answer{}, err
	}
	if tried := view.Strategies(); len(tried) > 0 {
		a.Strategies = tried
	}
	if refined.Name != "" {
		a.Strategies = append(a.Strategies, refined)
	}
	a.Caveats, a.State = append(append(a.Caveats, view.Lost()...), ws.Caveats...), view.Reader.State()
	return a, nil
}

// askTranscripts names what transcripts hold where no index could be read, which why says.
func askTranscripts(
	ctx context.Context, rd *query.Reader, typed asked, f query.Filter, why error,
) (answer.Answer, error) {
	f.Limit, f.Except = mostTranscriptLeads, rd.Excepted(f)
	res, err := rd.Instead(ctx, typed.prose, f, why)
	if err != nil {
		return answer.Answer{}, err
	}
	for _, h := range res.Hits {
		res.Suggestions = append(res.Suggestions, query.Unverified(h.Excerpt, h.ID))
	}
	a := unsearched(typed.text)
	a.Caveats, a.Fallbacks, a.Suggestions, a.State = res.Caveats, res.Fallbacks, res.Suggestions, res.State
	return a, nil
}

// mostTranscriptLeads is how many messages are named where no index can be read.
const mostTranscriptLeads = 3

// sources are those of a view from which a question is answered: without what was taken back, and
// without the standing orders of projects that are not meant.
type sources struct {
	*query.View
	ordersOf func(project string) bool // whose orders count, nil: those of all
}

// engineOf answers from the sources of a view.
func engineOf(s sources) *Engine {
	ws := s.Reader.Workspace()
	return &Engine{
		Evidence: s, Vocabulary: s, Leads: s, History: s,
		Commits: s, Releases: s, Project: s, Sessions: s, Coverage: s,
		Now: ws.Now(), Clock: ws.Options.Now, ReferenceTimes: s.Reader.ReferenceTime,
	}
}

// Find ranks documents.
func (s sources) Find(ctx context.Context, q search.Query) (search.Result, error) {
	q.Conditions = append(slices.Clip(q.Conditions), query.Holding())
	res, err := s.View.Find(ctx, q)
	res.Hits = slices.DeleteFunc(res.Hits, func(h search.Hit) bool {
		isOrder := strings.HasPrefix(h.Doc.ID, string(cite.KindOrder)+":")
		return s.ordersOf != nil && isOrder && !s.ordersOf(h.Doc.Project)
	})
	return res, err
}

// Fetch reads a hit's source; the error wraps cite.ErrNotFound for what was taken back.
func (s sources) Fetch(h search.Hit) (cite.Source, error) {
	src, err := s.View.Fetch(h)
	if err == nil && src.State == cite.StateTakenBack {
		err = fmt.Errorf("%s was taken back: %w", src.ID, cite.ErrNotFound)
	}
	return src, err
}

// Unsearched names the sources that exist but could not be searched.
func (s sources) Unsearched() []string { return s.View.Unsearched }

// Incomplete has an entry for each source that could not be looked through as a whole.
func (s sources) Incomplete() []string { return s.Reader.Workspace().Incomplete }

// Released names the releases of a time, the oldest first.
func (s sources) Released(ctx context.Context, r search.Range) []string {
	return s.Reader.Released(ctx, r)
}

// HeldIn reports whether the release at the end of a range holds something.
func (s sources) HeldIn(ctx context.Context, in search.Range, id, release string) (held, known bool) {
	return s.Reader.HeldIn(ctx, in, id, release)
}

// Package is the package that a text names.
func (s sources) Package(text string) (folder, name string) { return s.Reader.Package(text) }

// FirstIn names the first release that holds each of some commits.
func (s sources) FirstIn(ctx context.Context, of string, hashes []string) map[string]string {
	return s.Reader.FirstIn(ctx, of, hashes)
}
