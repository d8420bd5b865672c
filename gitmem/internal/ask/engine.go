package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers"
)

// Engine answers questions over the sources of a [query.View], or of another that reads them in its
// own way: each interface holds what one part of an answer takes. A question needs all of them,
// [Engine.Recall] and [Engine.FindArea] Evidence and Vocabulary.
type Engine struct {
	Evidence   Evidence
	Vocabulary Vocabulary
	Leads      Leads
	History    History
	Commits    Commits
	Releases   Releases
	Project    Project
	Sessions   Sessions
	Coverage   Coverage
	// Now anchors time words, and Clock measures how long an answer took.
	Now   time.Time
	Clock func() time.Time
	// ReferenceTimes knows the times that a question may name, such as releases; it may be nil.
	ReferenceTimes search.ReferenceTimes

	lost unreadable // of one question
}

// Evidence finds documents and reads their sources.
type Evidence interface {
	// Find ranks documents; an error ends the question.
	Find(context.Context, search.Query) (search.Result, error)
	// Fetch reads a hit's source where the index says it is. An error that wraps
	// cite.ErrNotFound means that it is gone; other errors become caveats.
	Fetch(search.Hit) (cite.Source, error)
	// Resolve looks a citation up from scratch, without the index.
	Resolve(ctx context.Context, id string) (cite.Source, error)
}

// Vocabulary knows other words for those of a question.
type Vocabulary interface {
	// Synonyms are the words that stand for about the same.
	Synonyms() []search.Group
	// HasNear reports whether anything recorded has a term that is spelled nearly alike: then
	// that one may be meant.
	HasNear(ctx context.Context, term string) bool
	// WordForms gives for each term of a question other names of what it names and, with
	// inflected, the terms recorded that are of its family, for languages other than English.
	WordForms(ctx context.Context, terms []string, inflected bool) [][]search.QueryTerm
}

// Leads lead from what was found, or from the question, to more.
type Leads interface {
	// Linked leads from an item to others that a source knows of beside those of the item itself.
	Linked(ctx context.Context, id string) []providers.Link
	// Referred lists the ids that a reference such as #12 or ABC-1 may mean.
	Referred(ref string) []string
	// FindDeclaration finds where a name of code is declared, false where it is not.
	FindDeclaration(ctx context.Context, name string) (query.Declaration, bool)
}

// History knows the commits of the repository and the people behind them.
type History interface {
	// Contributions gives who did what, nil where nobody knows.
	Contributions(context.Context) (*query.Contributions, error)
	// ChangedBy lists the commits that made a file, or a line of it as in a/b.go:12, what it is,
	// the newest first; none where a word names no file.
	ChangedBy(ctx context.Context, place string) []string
	// ChangeOfName finds the commit that brought a file or a name of code, or that took it out where
	// gone is set: its citation id, "" where the diffs do not show it.
	ChangeOfName(ctx context.Context, name string, gone bool) string
}

// Commits knows what became of commits, and where lines come from.
type Commits interface {
	// WrittenBy gives for lines of files, as they are, the citation id of the newest commit that wrote
	// one of each; "" where that is not known.
	WrittenBy(ctx context.Context, places []query.Lines) []string
	// OffBranch are the commits of a range that no search finds, as those of a branch for releases that
	// was left.
	OffBranch(ctx context.Context, r search.Range) []search.Hit
	// RevertedBy is the citation id of the commit that took a commit back, by its own; "" for none.
	RevertedBy(ctx context.Context, id string) string
}

// Releases knows what releases hold.
type Releases interface {
	// FirstIn names the first release that holds each of some commits, of a package where one is
	// named, "" where none does yet; nil where that is not known.
	FirstIn(ctx context.Context, of string, hashes []string) map[string]string
	// HeldIn reports whether the release at the end of a range holds a commit, or what the notes of a
	// release tell; known is false where that can't be said.
	HeldIn(ctx context.Context, in search.Range, id, release string) (held, known bool)
	// Released names the releases of a time, the oldest first.
	Released(context.Context, search.Range) []string
}

// Project knows how the project and its parts are called.
type Project interface {
	// ProjectName is what the repository is called, "" outside of any.
	ProjectName() string
	// Package is the package that a text names, by the name of its folder, and its name in the text;
	// the whole has no folder and the name of the project.
	Package(text string) (folder, name string)
}

// Sessions knows what was said in the sessions of the client.
type Sessions interface {
	// Exchange finds for a turn of a conversation, or of a tool's result in it, what the
	// user said before it and the last that was answered to that; either may be a hit
	// without a document.
	Exchange(search.Hit) (asked, reply search.Hit)
	// Digest summarises a transcript file.
	Digest(file string) (transcript.Digest, error)
	// SelectIdeas lists the citation ids of ideas that nothing replaced, newest first.
	SelectIdeas(query.IdeaSelection) []string
}

// Coverage says what could be looked through.
type Coverage interface {
	// Searched says what there was to look through.
	Searched() []answer.Searched
	// Unsearched names the sources that exist but could not be searched, such as "commits".
	Unsearched() []string
	// Incomplete has an entry for each source that could not be looked through as a whole, a
	// sentence for the head of an answer or "" where a caveat says it.
	Incomplete() []string
}

// Options narrow a question. Filters that are set win over the question's own words.
type Options struct {
	Query search.Query // filters only: Text and Terms are the question's
	Limit int          // citations at most, 0 means 5
	// Budget is what following leads may cost; the zero value is 40 sources and 150 ms.
	Budget Budget
	Trace  bool         // list the steps of the research in Answer.Research
	Filter query.Filter // whose Follow is told the steps
	// Others are the projects beside those asked about of which an answer about the user's own work
	// names the last session; the zero value is none.
	Others search.Condition
}

// filtered reports whether more than an intent narrows what is looked through.
func (o Options) filtered() bool {
	return !o.Query.Range.IsZero() || o.Query.Session != "" ||
		slices.ContainsFunc(o.Query.Conditions, func(c search.Condition) bool {
			return c.On != search.OnType && c.On != search.OnRole
		})
}

// answerRead answers a question that was read. Nothing recorded is an Answer with confidence None
// and no error.
func (e *Engine) answerRead(ctx context.Context, text string, q Question, o Options) (answer.Answer, error) {
	start, own := e.Clock(), *e
	e = &own
	if !o.Query.Range.IsZero() {
		q.Range = o.Query.Range
	}
	if o.Limit <= 0 {
		o.Limit = 5
	}
	if q.Kind == answer.KindRecent || q.Kind == answer.KindWhen || q.Range.From != "" || q.Range.To != "" {
		q.setPackage(e.Project.Package(q.Text))
	}
	q.wordForms = e.formsOf(ctx, q.script, q.Terms)
	o.Query.Range, o.Query.Terms = q.Range, append(q.searched(), q.wordForms...)
	a := draft{Question: strings.TrimSpace(text), Kind: q.Kind, SessionID: o.Query.Session, Confidence: answer.None}
	if err := e.answer(ctx, q, o, &a); err != nil {
		return answer.Answer{}, err
	}
	a.Searched = slices.DeleteFunc(slices.Clone(e.Coverage.Searched()), func(s answer.Searched) bool {
		return !allows(o.Query.Layers, s.Layer)
	})
	isThreads := func(s answer.Searched) bool {
		return slices.Contains([]string{"issues", "pull requests", "merge requests"}, s.Source)
	}
	if q.Reports && !slices.ContainsFunc(a.Searched, isThreads) {
		a.Caveats = append(a.Caveats,
			"Issues and pull requests were not fetched, so what mentions them had to do; gitmem index fetches those of a "+
				"forge that the repository has as a remote.")
	}
	a.Caveats = append(a.Caveats, e.lost.caveats()...)
	incomplete := slices.DeleteFunc(slices.Clone(e.Coverage.Incomplete()), func(head string) bool {
		// People are known from the history.
		return head != "" && (q.Kind == answer.KindWho || !allows(o.Query.Layers, cite.LayerTranscripts))
	})
	if len(incomplete) > 0 && a.Confidence == answer.High {
		a.Confidence = answer.Medium
	}
	if a.Confidence == answer.None {
		a.People = nil
		a.Answer = notRecorded(q, o.Query.Layers, a.Searched, e.Coverage.Unsearched(), a.Missing) + nearest(a.Citations)
	}
	a.Answer = strings.Join(append(nonEmpty(incomplete...), a.Answer), "\n")
	ms := e.Clock().Sub(start).Milliseconds()
	a.Verdict = a.Confidence.Verdict()
	a.Strategies = []answer.Strategy{{Name: "direct", OK: true, MS: ms}}
	a.ElapsedMS = ms
	return a.filled(), nil
}

// unsearched is the answer to a question for which no index could be read.
func unsearched(question string) answer.Answer {
	a := draft{Question: strings.TrimSpace(question), Kind: answer.KindGeneral, Confidence: answer.None,
		Verdict: answer.NotRecorded, Strategies: []answer.Strategy{}}
	a.Answer = notRecorded(Question{}, nil, nil, []string{"no index can be read"}, nil)
	return a.filled()
}

func (e *Engine) answer(ctx context.Context, q Question, o Options, a *draft) error {
	done, nobody, err := e.answerWork(ctx, q, o, a)
	if done || err != nil {
		a.Kind = answer.KindRecent
		return err
	}
	if done, err := e.differ(ctx, q, o, a); done || err != nil {
		return err
	}
	unfiltered := o.Query.Session == "" && len(o.Query.Conditions) == 0
	if q.Intent != "" && (q.Open || len(q.Terms) == 0) && unfiltered {
		parts, err := e.decisions(ctx, o, q)
		if err != nil || a.setParts(append(parts, e.ideas(ctx, o, q, false, nil)...)) {
			a.Confidence = answer.Medium // what tells which sentence is an idea is often wrong
			return err
		}
	}
	switch {
	case q.In.To != "" && len(q.Terms) == 0:
		return e.releasedOn(ctx, q, a)
	case q.unknownRelease() != "":
		a.Caveats = append(a.Caveats, fmt.Sprintf("The repository has no tag %s.", q.unknownRelease()))
		return nil
	case q.Kind == answer.KindContinue, q.Kind == answer.KindRecent && len(q.Terms) == 0:
		return e.recent(ctx, q, o, a)
	case q.Kind == answer.KindWho && lacksSubject(q, a):
		return nil
	case q.Kind == answer.KindWho:
		if err := e.whoAnswers(ctx, q, o, a); err != nil || a.Confidence != answer.None || len(q.Terms) == 0 {
			return err
		}
	case len(q.Terms) == 0 && !q.Range.IsZero():
		return e.recent(ctx, q, o, a)
	case q.Intent != "" && q.Range.IsZero() && len(q.Terms) > 0: // of another time what is of no intent is as good
		typed, asked := o, q
		asked.Kind = answer.KindGeneral
		typed.Query.Conditions = append(slices.Clone(o.Query.Conditions), ofIntent(q.Intent)...)
		before := *a
		if err := e.evidence(ctx, asked, typed, a); err != nil {
			return err
		}
		if !q.Open && unfiltered {
			a.lead(e.ideas(ctx, o, q, true, a.Citations), before)
		}
		if a.Confidence != answer.None {
			return nil
		}
	case q.Open && len(q.Terms) == 0:
		return nil
	case len(q.Terms) == 0 || transcript.Greets(q.Text):
		a.Caveats = append(a.Caveats, "The question has no word to look for.")
		a.Suggestions = append(a.Suggestions, "Name the file, the feature or the change you mean.")
		return nil
	}
	err = e.evidence(ctx, q, o, a)
	if q.Kind == answer.KindWho && err == nil {
		err = e.nameClosest(ctx, q, o, a)
	}
	if nobody != "" && a.Confidence == answer.None {
		a.Caveats = append(a.Caveats, nobody)
	}
	if q.Open && a.Confidence.Verdict() == answer.Answered { // nothing else tells what is open
		a.setClosest(fmt.Sprintf("No open %s about it is recorded. Closest:\n%s", q.Intent, a.Answer))
	}
	return err
}

// ofIntent are the conditions of sources that are of an intent: ideas have it, and others its type.
func ofIntent(intent string) []search.Condition {
	return []search.Condition{
		{On: search.OnType, Match: func(types string) bool {
			return slices.Contains(strings.Fields(types), markdown.TypeOf(intent))
		}},
		{On: search.OnRole, Match: func(role string) bool {
			source, of := cite.CutRole(role)
			return source != string(cite.KindIdea) || of == intent
		}},
	}
}

// filled replaces nil lists, which JSON readers would have to special-case.
func (a draft) filled() answer.Answer {
	a.People, a.Citations, a.Searched = messages.Filled(a.People), messages.Filled(a.Citations),
		messages.Filled(a.Searched)
	a.Caveats, a.Fallbacks, a.Suggestions = messages.Filled(a.Caveats), messages.Filled(a.Fallbacks),
		messages.Filled(a.Suggestions)
	for i := range a.Citations {
		a.Citations[i].Role = cmp.Or(a.Citations[i].Role, answer.RoleEvidence)
	}
	return answer.Answer(a)
}

// verify looks a citation up again from scratch and sets its status and the line
// its excerpt has now. The error wraps cite.ErrNotFound when the excerpt or its
// source is gone.
func (e *Engine) verify(ctx context.Context, c *answer.Citation, q cite.Quote) error {
	c.Excerpt, c.Cut = q.Text, q.Cut
	if q.Text == "" { // the message of a commit, or a decision, that says no more than its title
		q = cite.Quote{Text: cite.DecidedTitle(c.Title), Line: 1}
	}
	src, err := e.Evidence.Resolve(ctx, c.ID)
	if err != nil {
		c.Status = answer.StatusGone
		return err
	}
	status, line := cite.Check(src.Text, q.Text, q.Line)
	c.Status, c.Line, c.Trust = status, lineOf(src, line), src.TrustOf(cite.Quote{Text: q.Text, Line: line})
	if status == answer.StatusGone {
		return fmt.Errorf("%s: what it said: %w", c.ID, cite.ErrNotFound)
	}
	return nil
}

// lineOf is the line of a source's file that holds line n of its text. A
// transcript's record is one line whatever it holds, and a commit has no file.
func lineOf(src cite.Source, n int) int {
	switch {
	case src.Line == 0:
		return 0
	case src.Source == string(cite.KindTranscript):
		return src.Line
	}
	return src.Line + n - 1
}
