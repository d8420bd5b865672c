package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

const (
	recentRows   = 5000 // newest documents looked at to find the last sessions
	digestClaims = 10   // commits named in a digest
	// spareSessions are looked at beyond those wanted, in place of sessions with
	// nothing to report; each costs reading a transcript.
	spareSessions = 9
)

// recent reports what was done in a time: the sessions of the user and, unless the
// question is about "I", the commits of the repository as a grouped digest. A question
// where to go on is answered by the last session.
func (e *Engine) recent(ctx context.Context, q Question, o Options, a *draft) error {
	n, open, history := o.Limit, q.Kind == answer.KindContinue && asksWhatIsOpen(q.Text), asksOfHistory(q.Text)
	if q.Kind == answer.KindContinue && !open {
		n = 1
	}
	if history {
		n = 0
	}
	parts, err := e.sessionParts(ctx, o, n, open, a)
	if err != nil {
		return err
	}
	if q.Kind == answer.KindContinue {
		return e.ahead(ctx, o, open, parts, a)
	}
	team := allows(o.Query.Layers, cite.LayerTeam) && (history || !asksOwnWork(q.Text) || o.Query.Narrows(search.OnAuthor))
	if !team {
		parts = append(parts, e.otherProjects(ctx, o)...)
	}
	if team {
		digest, err := e.digest(ctx, q, o, a)
		if err != nil {
			return err
		}
		switch {
		case digest.text == "":
		case asksAsOne(q.Text):
			parts = append(parts, digest)
		default: // the project's work comes before what the user did of it
			parts = append([]part{digest}, parts...)
		}
	}
	if !a.setParts(parts) && !q.Range.IsZero() && !team { // people err in dates
		o.Query.Range = search.Range{Until: q.Range.Until}
		if parts, err = e.sessionParts(ctx, o, 1, false, a); a.setParts(parts) {
			a.setClosest(fmt.Sprintf("Nothing is recorded of %s. The last session before:\n%s", q.Range, a.Answer))
		}
	}
	return err
}

// ahead answers what is to do, or where to go on: parts are of the last sessions, of which only what is
// open where that is asked for.
func (e *Engine) ahead(ctx context.Context, o Options, open bool, parts []part, a *draft) error {
	tasks, err := e.openTasks(ctx, o)
	if err != nil {
		return err
	}
	waiting := e.ideas(ctx, o, Question{Open: true}, false, nil)
	if !open {
		if len(parts) > 0 {
			a.SessionID = parts[0].session
		}
		a.setParts(append(append(parts, tasks...), waiting...))
		return nil
	}
	if a.setParts(append(append(tasks, waiting...), parts...)) {
		if len(waiting)+len(parts) > 0 {
			a.Confidence = answer.Medium // what tells that an idea waits is often wrong
		}
		return nil
	}
	if parts, err = e.sessionParts(ctx, o, 1, false, a); a.setParts(parts) {
		a.setClosest("No task and nothing else is recorded as open. The last session:\n" + a.Answer)
	}
	return err
}

// sessionParts describes the last n sessions that have something to report, or what is open of them.
func (e *Engine) sessionParts(ctx context.Context, o Options, n int, open bool, a *draft) (parts []part, err error) {
	sessions, err := e.sessions(ctx, o, n+spareSessions)
	for _, s := range sessions {
		if len(parts) == n {
			break
		}
		// One with nothing to report, such as a bare log of tools, does not hide
		// those before it.
		if text, citations := e.sessionPart(ctx, s, n == 1, open, a); text != "" {
			parts = append(parts, part{s.ID, text, citations})
		}
	}
	return parts, err
}

// mostProjects is how many other projects an answer names.
const mostProjects = 8

// otherProjects names the last session of each other project in reach, a line for each.
func (e *Engine) otherProjects(ctx context.Context, o Options) []part {
	if o.Others.Match == nil {
		return nil
	}
	o.Query.Projects = nil
	o.Query.Conditions = append(slices.Clone(o.Query.Conditions), o.Others)
	sessions, err := e.sessions(ctx, o, recentRows)
	e.lost.add(err)
	p, seen, more := part{text: "- **Other projects**"}, map[string]bool{}, 0
	for _, s := range sessions {
		if project := s.Newest.Doc.Project; project == "" || seen[project] {
			continue
		}
		src, err := e.Evidence.Fetch(s.First)
		if err != nil || transcript.Agrees(src.Text) {
			e.lost.add(err)
			continue
		}
		seen[s.Newest.Doc.Project] = true
		if len(p.citations) == mostProjects {
			more++
		} else if c, ok := e.checked(ctx, src, firstPassage(src), nil); ok {
			p.text += fmt.Sprintf("\n  - %s (%s): %s [%s]", inProject(s.Newest.Doc.Project), Day(c.Time), c.Excerpt, c.ID)
			p.citations = append(p.citations, c)
		}
	}
	if more > 0 {
		p.text += fmt.Sprintf("\n  - and %d more: gitmem ask --project all", more)
	}
	if len(p.citations) == 0 {
		return nil
	}
	return []part{p}
}

// allows reports whether the layers that a question is narrowed to hold this one;
// none at all let every layer through.
func allows(layers []string, layer string) bool {
	return len(layers) == 0 || slices.Contains(layers, layer)
}

// allowed are those of some layers that a question is not narrowed away from.
func allowed(layers []string, of ...string) []string {
	return slices.DeleteFunc(of, func(layer string) bool { return !allows(layers, layer) })
}

// part is a piece of an answer with the citations in it.
type part struct {
	session   string
	text      string
	citations []answer.Citation
}

// setParts makes an answer of its parts; without any it stays without an answer.
func (a *draft) setParts(parts []part) bool {
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.text)
		a.Citations = append(a.Citations, p.citations...)
	}
	if len(parts) > 0 {
		a.Confidence = answer.High
		a.Answer = strings.Join(texts, "\n\n")
	}
	return len(parts) > 0
}

// lead puts parts before what an answer says, or in its place where it says nothing: before is the
// answer without that.
func (a *draft) lead(parts []part, before draft) {
	if len(parts) == 0 {
		return
	}
	found := *a
	*a = before
	a.setParts(parts)
	a.Confidence = answer.Medium
	if found.Confidence.Verdict() == answer.Answered {
		found.Answer, found.Citations = a.Answer+"\n\n"+found.Answer, append(a.Citations, found.Citations...)
		*a = found
	}
}

// asksOwnWork reports whether a question asks for the user's own work only.
func asksOwnWork(text string) bool {
	return slices.ContainsFunc(plainWords(text), func(w string) bool { return isOneOf(" i my i've i'm ", w) })
}

// asksAsOne reports whether a question says "I" or "we".
func asksAsOne(text string) bool {
	isWe := func(w string) bool { return isOneOf(" we our us we've we're ", w) }
	return asksOwnWork(text) || slices.ContainsFunc(plainWords(text), isWe)
}

var (
	placeHere = lazy.Pattern(`\b(here|this (project|repo|repository|folder))\b`)
	ownHabit  = lazy.Pattern(`\b(do|did|am|was) i (\w+ )?(prefer|like|use|hate|avoid|want|love)\b|\bi (\w+ )?(prefer` +
		`|like)\b|\bmy (\w+ )?(preferences?|profile|editor|shell|terminal|browser|role|job|name|style)$`)
)

// asksOfSelf reports whether a question is about the person who asks, in whatever project:
// what they prefer, use or are.
func asksOfSelf(text string) bool {
	_, english := translator(text)
	text = strings.Join(plainWords(english(text)), " ")
	here := placeHere().MatchString(text)
	return !here && !strings.HasPrefix(text, "how do i ") &&
		ownHabit().MatchString(text)
}

// sessions lists the last sessions in scope, newest first.
func (e *Engine) sessions(ctx context.Context, o Options, n int) ([]*query.Session, error) {
	hits, err := e.newest(ctx, o.Query, cite.LayerSummaries, cite.LayerTranscripts)
	// nothing tells of it
	out := slices.DeleteFunc(query.Sessions(hits), func(s *query.Session) bool {
		return s.File == "" && s.Archive.Doc.ID == ""
	})
	return out[:min(len(out), n)], err
}

// newest lists the newest documents of those of some layers that a query is not narrowed away from.
func (e *Engine) newest(ctx context.Context, query search.Query, layers ...string) ([]search.Hit, error) {
	query.Terms, query.Text, query.Limit = []search.QueryTerm{}, "", recentRows
	if query.Layers = allowed(query.Layers, layers...); len(query.Layers) == 0 {
		return nil, nil
	}
	res, err := e.Evidence.Find(ctx, query)
	return res.Hits, err
}

// records are the newest tasks or records of decisions.
func (e *Engine) records(ctx context.Context, o Options, kind cite.Kind) ([]search.Hit, error) {
	query := o.Query
	query.Conditions = append(slices.Clone(query.Conditions),
		search.Condition{On: search.OnRole, Match: func(role string) bool {
			return role == string(kind)
		}})
	return e.newest(ctx, query, cite.LayerMemory)
}

// mostTasks is how many tasks an answer lists.
const mostTasks = 8

// openTasks lists the tasks that are open, those in work and blocked first; none at all
// are no part.
func (e *Engine) openTasks(ctx context.Context, o Options) ([]part, error) {
	hits, err := e.records(ctx, o, cite.KindTask)
	p := part{text: "- **Open tasks**"}
	for _, state := range []string{tasks.InProgress, tasks.Blocked, "open"} {
		for _, hit := range hits {
			src, err := e.Evidence.Fetch(hit)
			if err == nil && (src.Title != "task ("+state+")" || len(p.citations) == mostTasks) {
				continue
			}
			if c, ok := e.checked(ctx, src, whole(src), err); ok {
				p.text += fmt.Sprintf("\n  - %s [%s]", c.Excerpt, c.ID)
				p.citations = append(p.citations, c)
			}
		}
	}
	if len(p.citations) == 0 {
		return nil, err
	}
	return []part{p}, err
}

// whole is all that a source says.
func whole(src cite.Source) cite.Quote { return cite.Quote{Text: src.Text, Line: 1} }

// checked cites a passage of a source that was read with an error; ok is false where it, or
// what it says, is gone.
func (e *Engine) checked(ctx context.Context, src cite.Source, q cite.Quote, err error) (c answer.Citation, ok bool) {
	c = src.Citation(1)
	if err == nil {
		err = e.verify(ctx, &c, q)
	}
	e.lost.add(err)
	return c, err == nil
}

// decisions are the newest records of decisions, where a question asks for decisions.
func (e *Engine) decisions(ctx context.Context, o Options, q Question) (parts []part, err error) {
	if q.Intent != markdown.IntentDecision {
		return nil, nil
	}
	hits, err := e.records(ctx, o, cite.KindDecision)
	for _, hit := range hits[:min(len(hits), o.Limit)] {
		if text, citations := e.archivePart(ctx, hit); text != "" {
			parts = append(parts, part{text: text, citations: citations})
		}
	}
	return parts, err
}

// asksWhatIsOpen reports whether a question is about what is left and not about where to go on.
func asksWhatIsOpen(text string) bool {
	words := spaced(text)
	return says(words, "open", "still", "remaining", "pending", "todo", "todos") ||
		says(words, "left") && !says(words, "off")
}

// mostIdeas is how many ideas of sessions an answer lists.
const mostIdeas = 12

// ideas lists the newest ideas that have the question's intent, half of its terms and its time, and
// are not cited; none at all are no part.
func (e *Engine) ideas(ctx context.Context, o Options, q Question, logged bool, cited []answer.Citation) []part {
	if !allows(o.Query.Layers, cite.LayerSummaries) {
		return nil
	}
	p, most, except := part{text: "- **Newest " + q.Intent + "s**"}, mostIdeas, ""
	switch {
	case q.Open:
		p.text = "- **Open in sessions**"
	case logged: // and not by who asks, who would quote their own words
		p.text, most, except = "- **Said in sessions that are not archived yet**", o.Limit, o.Query.Except
	}
	ids := e.Sessions.SelectIdeas(query.IdeaSelection{Intent: q.Intent, Range: q.Range, Open: q.Open, Logged: logged,
		Except: except, Wanted: func(text string) bool {
			held, n := index.TermSet(text), 0
			for _, t := range q.Terms {
				if held[t] {
					n++
				}
			}
			return 2*n >= len(q.Terms)
		}})
	ids = slices.DeleteFunc(ids, func(id string) bool {
		return slices.ContainsFunc(cited, func(c answer.Citation) bool { return c.ID == id })
	})
	for _, id := range ids[:min(len(ids), most)] {
		src, err := e.Evidence.Resolve(ctx, id)
		if c, ok := e.checked(ctx, src, whole(src), err); ok {
			p.text += fmt.Sprintf("\n  - %s: %s (%s) [%s]", cmp.Or(q.Intent, c.Type, markdown.IntentTodo), c.Excerpt,
				cmp.Or(Day(c.Time), "task list"), c.ID)
			p.citations = append(p.citations, c)
		}
	}
	if more := len(ids) - most; more > 0 && q.Open {
		p.text += fmt.Sprintf("\n  - and %d more: gitmem ideas --open", more)
	} else if more > 0 {
		p.text += fmt.Sprintf("\n  - and %d more: gitmem ideas --intent %s", more, q.Intent)
	}
	if len(p.citations) == 0 {
		return nil
	}
	return []part{p}
}
