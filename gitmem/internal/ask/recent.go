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
	n := o.Limit
	switch {
	case q.Kind == answer.KindContinue && asksWhatIsOpen(q.Text):
		n = 0
	case q.Kind == answer.KindContinue:
		n = 1
	}
	sessions, err := e.sessions(ctx, o, n+spareSessions)
	if err != nil {
		return err
	}
	var parts []part
	for _, s := range sessions {
		if len(parts) == n {
			break
		}
		// One with nothing to report, such as a bare log of tools, does not hide
		// those before it.
		if text, citations := e.sessionPart(ctx, s, a); text != "" {
			parts = append(parts, part{s.ID, text, citations})
		}
	}
	var waiting []part
	if q.Kind == answer.KindContinue {
		if len(parts) > 0 {
			a.SessionID = parts[0].session
		}
		open, err := e.openTasks(ctx, o)
		if err != nil {
			return err
		}
		waiting = e.ideas(ctx, o, Question{Open: true}, false, nil)
		parts = append(append(parts, open...), waiting...)
	}
	if q.Kind != answer.KindContinue && allows(o.Query.Layers, cite.LayerTeam) && (!asksOwnWork(q.Text) || o.Query.Narrows(search.OnAuthor)) {
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
	a.setParts(parts)
	if n == 0 && len(waiting) > 0 {
		a.Confidence = answer.Medium // what tells that an idea waits is often wrong
	}
	return nil
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
	ownHabit  = lazy.Pattern(`\b(do|did|am|was) i (\w+ )?(prefer|like|use|hate|avoid|want|love)\b|\bi (\w+ )?(prefer|like)\b|\bmy (\w+ )?(preferences?|profile|editor|shell|terminal|browser|role|job|name|style)$`)
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
	out := slices.DeleteFunc(query.Sessions(hits), func(s *query.Session) bool { return s.File == "" && s.Archive.Doc.ID == "" }) // nothing tells of it
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
	query.Conditions = append(slices.Clone(query.Conditions), search.Condition{On: search.OnRole, Match: func(role string) bool { return role == string(kind) }})
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
func asksWhatIsOpen(text string) bool { return says(spaced(text), "open", "left to do") }

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
	ids := e.Sessions.SelectIdeas(query.IdeaSelection{Intent: q.Intent, Range: q.Range, Open: q.Open, Logged: logged, Except: except, Wanted: func(text string) bool {
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
			p.text += fmt.Sprintf("\n  - %s: %s (%s) [%s]", cmp.Or(q.Intent, c.Type, markdown.IntentTodo), c.Excerpt, cmp.Or(Day(c.Time), "task list"), c.ID)
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

// sessionPart describes a session from its transcript, which is complete, or from
// its archived section once the transcript is gone.
func (e *Engine) sessionPart(ctx context.Context, s *query.Session, a *draft) (string, []answer.Citation) {
	if s.File != "" {
		d, err := e.Sessions.Digest(s.File)
		if err == nil && !d.Trivial() {
			if text, citations := e.digestPart(ctx, s, d); text != "" {
				return text, citations
			}
		}
		if err != nil && !errors.Is(err, cite.ErrNotFound) {
			a.Caveats = append(a.Caveats, fmt.Sprintf("Session %s could not be read: %v", s.ID, err))
		}
	}
	if s.Archive.Doc.ID == "" {
		return "", nil
	}
	return e.archivePart(ctx, s.Archive)
}

// archivePart quotes the lead of an archived section.
func (e *Engine) archivePart(ctx context.Context, hit search.Hit) (string, []answer.Citation) {
	src, err := e.Evidence.Fetch(hit)
	first := firstPassage(src)
	if err == nil && first.Text == "" {
		return "", nil
	}
	c, ok := e.checked(ctx, src, first, err)
	if !ok {
		return "", nil
	}
	return fmt.Sprintf("- **%s** (%s) [%s]\n  > %s", src.Title, src.Time.Format(time.DateOnly), c.ID, c.Excerpt), []answer.Citation{c}
}

// digestPart writes a session's digest: what it was about, how it ended, what is open.
func (e *Engine) digestPart(ctx context.Context, s *query.Session, d transcript.Digest) (string, []answer.Citation) {
	var b strings.Builder
	var citations []answer.Citation
	name := cite.TranscriptName(s.File)
	line := func(label string, q transcript.Quote) {
		if q.Text == "" {
			return
		}
		src, err := e.Evidence.Resolve(ctx, cite.ID{Kind: cite.KindTranscript, Name: name, Number: q.Line}.String())
		if err != nil {
			e.lost.add(err)
			return
		}
		lead := cite.Quotes(src.Text, 1, excerptRunes, overlap(q.Text))
		if len(lead) == 0 {
			return
		}
		c := src.Citation(1)
		c.Excerpt = lead[0].Text
		citations = append(citations, c)
		fmt.Fprintf(&b, "\n  - %s: %s [%s]", label, c.Excerpt, c.ID)
	}
	fmt.Fprintf(&b, "- **%s**, %s, %s, branch %s", d.Start.UTC().Format("2006-01-02 15:04"), inProject(s.Newest.Doc.Project), messages.Plural(d.Prompts, "prompt"), cmp.Or(d.Branch, "unknown"))
	prompts := d.Quotes[markdown.IntentWork]
	if len(prompts) > 0 {
		line("asked", prompts[0])
	}
	if len(prompts) > 1 {
		line("last asked", prompts[len(prompts)-1])
	}
	line("outcome", d.Outcome)
	if s.Archive.Doc.ID == "" { // else the archive knows what became of it
		for i, q := range d.Quotes[markdown.IntentTodo] {
			if i < 3 {
				line("open", q)
			}
		}
	}
	if len(d.Writes) > 0 {
		fmt.Fprintf(&b, "\n  - changed: %s", strings.Join(d.Writes[:min(len(d.Writes), 6)], ", "))
	}
	if len(citations) == 0 {
		return "", nil
	}
	return b.String(), citations
}

// overlap prefers the passage that holds most words of a quote chosen before; a
// passage without any still beats none, since every text has a lead.
func overlap(text string) cite.Weigh {
	want := plainWords(text)
	return func(p string) float64 {
		n := 0.1
		for _, w := range plainWords(p) {
			if slices.Contains(want, w) {
				n++
			}
		}
		return n
	}
}
