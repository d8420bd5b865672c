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

// Ask answers a question from the recorded evidence. If nothing is found, the Answer has the Confidence None and the
// error is nil.
func Ask(ctx context.Context, rd *query.Reader, question string, f query.Filter) (answer.Answer, error) {
	if strings.TrimSpace(question) == "" {
		return answer.Answer{}, fmt.Errorf("%w: the question is empty", messages.ErrUsage)
	}
	f = followed(rd.Workspace(), f)
	f.Tell(answer.Step{Lead: question, By: "question"})
	var ordersOf func(project string) bool
	if f.Project == "" && asksOfSelf(question) {
		ws := rd.Workspace()
		if _, err := ws.ScopeOf(ctx, "all"); err == nil { // otherwise the session may read only one project
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

// followed returns the filter with a Follow function that receives steps without secrets, and progress steps of index
// builds.
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

// cutProject splits a question about work in general from a trailing name that may be a project, as in "where did I
// leave off in pump?". It returns "" for other questions.
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

// askTyped answers a question from the index, or from the transcripts if the index cannot be read.
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

// otherProjects matches the accessible projects outside the scope. It matches nothing if the question is narrowed or
// covers all projects.
func otherProjects(ctx context.Context, v *query.View, f query.Filter) (others search.Condition) {
	if f.Project != "" || f.Session != "" || v.InScope == nil || len(v.Query().Conditions) > 0 {
		return others
	}
	all, err := v.Reader.Workspace().ScopeOf(ctx, "all")
	if err != nil { // the session may read only one project
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

// askTranscripts lists matching transcript messages if the index cannot be read; why is the error.
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

// mostTranscriptLeads is the number of messages listed if no index can be read.
const mostTranscriptLeads = 3

// sources are the sources of a view without entries that were taken back and without the standing orders of irrelevant
// projects.
type sources struct {
	*query.View
	ordersOf func(project string) bool // whose orders are included; nil includes all
}

// engineOf returns an engine for the sources of a view.
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

// Fetch reads a hit's source. The error wraps cite.ErrNotFound if the source was taken back.
func (s sources) Fetch(h search.Hit) (cite.Source, error) {
	src, err := s.View.Fetch(h)
	if err == nil && src.State == cite.StateTakenBack {
		err = fmt.Errorf("%s was taken back: %w", src.ID, cite.ErrNotFound)
	}
	return src, err
}

// Unsearched returns the names of existing sources that could not be searched.
func (s sources) Unsearched() []string { return s.View.Unsearched }

// Incomplete returns an entry for each source that could be searched only partly.
func (s sources) Incomplete() []string { return s.Reader.Workspace().Incomplete }

// Released returns the names of the releases in a time range, oldest first.
func (s sources) Released(ctx context.Context, r search.Range) []string {
	return s.Reader.Released(ctx, r)
}

// HeldIn reports whether the release at the end of a range contains id.
func (s sources) HeldIn(ctx context.Context, in search.Range, id, release string) (held, known bool) {
	return s.Reader.HeldIn(ctx, in, id, release)
}

// Package returns the package that a text names.
func (s sources) Package(text string) (folder, name string) { return s.Reader.Package(text) }

// FirstIn returns the first release that contains each of the commits.
func (s sources) FirstIn(ctx context.Context, of string, hashes []string) map[string]string {
	return s.Reader.FirstIn(ctx, of, hashes)
}
