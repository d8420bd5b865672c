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
	recentRows   = 5000 // newest documents that are read to find the last sessions
	digestClaims = 10   // commits listed in a digest
	// spareSessions are read in addition to the requested ones, to replace sessions with nothing to report. Each requires
	// reading a transcript.
	spareSessions = 9
)

// recent reports what was done in a time range: the user's sessions and, unless the question is about "I", a grouped
// digest of the commits. A question where to continue is answered with the last session.
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
		default: // the project's work comes before the user's part in it
			parts = append([]part{digest}, parts...)
		}
	}
	if !a.setParts(parts) && !q.Range.IsZero() && !team { // dates in questions may be wrong
		o.Query.Range = search.Range{Until: q.Range.Until}
		if parts, err = e.sessionParts(ctx, o, 1, false, a); a.setParts(parts) {
			a.setClosest(fmt.Sprintf("Nothing is recorded of %s. The last session before:\n%s", q.Range, a.Answer))
		}
	}
	return err
}

// ahead answers what to do or where to continue. parts describe the last sessions, or only their open items if open is
// set.
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
			a.Confidence = answer.Medium // the state of an idea is often wrong
		}
		return nil
	}
	if parts, err = e.sessionParts(ctx, o, 1, false, a); a.setParts(parts) {
		a.setClosest("No task and nothing else is recorded as open. The last session:\n" + a.Answer)
	}
	return err
}

// sessionParts describes the last n sessions with something to report, or their open items.
func (e *Engine) sessionParts(ctx context.Context, o Options, n int, open bool, a *draft) (parts []part, err error) {
	sessions, err := e.sessions(ctx, o, n+spareSessions)
	for _, s := range sessions {
		if len(parts) == n {
			break
		}
		// A session with nothing to report, such as a bare tool log, does not count.
		if text, citations := e.sessionPart(ctx, s, n == 1, open, a); text != "" {
			parts = append(parts, part{s.ID, text, citations})
		}
	}
	return parts, err
}

// mostProjects is the number of other projects that an answer lists.
const mostProjects = 8

// otherProjects lists the last session of each other accessible project, one line each.
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

// allows reports whether a layer is among the selected ones. No selection means all layers.
func allows(layers []string, layer string) bool {
	return len(layers) == 0 || slices.Contains(layers, layer)
}

// allowed returns the layers among of that are selected.
func allowed(layers []string, of ...string) []string {
	return slices.DeleteFunc(of, func(layer string) bool { return !allows(layers, layer) })
}

// part is a piece of an answer with its citations.
type part struct {
	session   string
	text      string
	citations []answer.Citation
}

// setParts sets the answer to the parts. It returns false if there are none.
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

// lead puts parts before the answer, or replaces it if it contains nothing. before is the answer without the found
// evidence.
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

// asksOwnWork reports whether a question asks only for the user's own work.
func asksOwnWork(text string) bool {
	return slices.ContainsFunc(plainWords(text), func(w string) bool { return isOneOf(" i my i've i'm ", w) })
}

// asksAsOne reports whether a question contains "I" or "we".
func asksAsOne(text string) bool {
	isWe := func(w string) bool { return isOneOf(" we our us we've we're ", w) }
	return asksOwnWork(text) || slices.ContainsFunc(plainWords(text), isWe)
}

var (
	placeHere = lazy.Pattern(`\b(here|this (project|repo|repository|folder))\b`)
	ownHabit  = lazy.Pattern(`\b(do|did|am|was) i (\w+ )?(prefer|like|use|hate|avoid|want|love)\b|\bi (\w+ )?(prefer` +
		`|like)\b|\bmy (\w+ )?(preferences?|profile|editor|shell|terminal|browser|role|job|name|style)$`)
)

// asksOfSelf reports whether a question is about the user independent of the project: preferences, tools or identity.
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
	// without transcript or archive
	out := slices.DeleteFunc(query.Sessions(hits), func(s *query.Session) bool {
		return s.File == "" && s.Archive.Doc.ID == ""
	})
	return out[:min(len(out), n)], err
}

// newest lists the newest documents of those layers that the query allows.
func (e *Engine) newest(ctx context.Context, query search.Query, layers ...string) ([]search.Hit, error) {
	query.Terms, query.Text, query.Limit = []search.QueryTerm{}, "", recentRows
	if query.Layers = allowed(query.Layers, layers...); len(query.Layers) == 0 {
		return nil, nil
	}
	res, err := e.Evidence.Find(ctx, query)
	return res.Hits, err
}

// records returns the newest tasks or decision records.
func (e *Engine) records(ctx context.Context, o Options, kind cite.Kind) ([]search.Hit, error) {
	query := o.Query
	query.Conditions = append(slices.Clone(query.Conditions),
		search.Condition{On: search.OnRole, Match: func(role string) bool {
			return role == string(kind)
		}})
	return e.newest(ctx, query, cite.LayerMemory)
}

// mostTasks is the number of tasks that an answer lists.
const mostTasks = 8

// openTasks lists the open tasks, those in progress and blocked first. It returns no part if there are none.
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

// whole returns a quote of the full text of a source.
func whole(src cite.Source) cite.Quote { return cite.Quote{Text: src.Text, Line: 1} }

// checked cites a passage of a source; err is the error of reading the source. ok is false if the source or the passage
// was deleted.
func (e *Engine) checked(ctx context.Context, src cite.Source, q cite.Quote, err error) (c answer.Citation, ok bool) {
	c = src.Citation(1)
	if err == nil {
		err = e.verify(ctx, &c, q)
	}
	e.lost.add(err)
	return c, err == nil
}

// decisions returns the newest decision records if the question asks for decisions.
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

// asksWhatIsOpen reports whether a question asks for open items and not where to continue.
func asksWhatIsOpen(text string) bool {
	words := spaced(text)
	return says(words, "open", "still", "remaining", "pending", "todo", "todos") ||
		says(words, "left") && !says(words, "off")
}

// mostIdeas is the number of session ideas that an answer lists.
const mostIdeas = 12

// ideas lists the newest uncited ideas that match the question's intent, half of its terms and its time range. It
// returns no part if there are none.
func (e *Engine) ideas(ctx context.Context, o Options, q Question, logged bool, cited []answer.Citation) []part {
	if !allows(o.Query.Layers, cite.LayerSummaries) {
		return nil
	}
	p, most, except := part{text: "- **Newest " + q.Intent + "s**"}, mostIdeas, ""
	switch {
	case q.Open:
		p.text = "- **Open in sessions**"
	case logged: // skip the asker's own words
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
