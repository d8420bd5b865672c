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

// Engine answers questions over the sources of a [query.View] or another implementation. Each interface contains what
// one part of an answer needs. A question needs all of them; [Engine.Recall] and [Engine.FindArea] need only Evidence
// and Vocabulary.
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
	// Now is the reference for relative times, and Clock measures the elapsed time.
	Now   time.Time
	Clock func() time.Time
	// ReferenceTimes resolves named times in a question, such as releases; it may be nil.
	ReferenceTimes search.ReferenceTimes

	lost unreadable // sources that could not be read for the current question
}

// Evidence finds documents and reads their sources.
type Evidence interface {
	// Find ranks documents. An error aborts the question.
	Find(context.Context, search.Query) (search.Result, error)
	// Fetch reads a hit's source at the location in the index. An error that wraps cite.ErrNotFound means that the source
	// was deleted; other errors become caveats.
	Fetch(search.Hit) (cite.Source, error)
	// Resolve looks up a citation without the index.
	Resolve(ctx context.Context, id string) (cite.Source, error)
}

// Vocabulary expands the words of a question.
type Vocabulary interface {
	// Synonyms returns groups of words with about the same meaning.
	Synonyms() []search.Group
	// HasNear reports whether the index contains a term with nearly the same spelling, which may be the intended one.
	HasNear(ctx context.Context, term string) bool
	// WordForms returns, for each term of a question, aliases of the thing that it names and, if inflected is set, indexed
	// terms of the same word family, for languages other than English.
	WordForms(ctx context.Context, terms []string, inflected bool) [][]search.QueryTerm
}

// Leads finds related sources.
type Leads interface {
	// Linked returns the links of an item that other sources record.
	Linked(ctx context.Context, id string) []providers.Link
	// Referred lists the ids that a reference such as #12 or ABC-1 may mean.
	Referred(ref string) []string
	// FindDeclaration finds the declaration of an identifier.
	FindDeclaration(ctx context.Context, name string) (query.Declaration, bool)
}

// History contains the commits of the repository and their authors.
type History interface {
	// Contributions returns the contributions by person, or nil if they are unknown.
	Contributions(context.Context) (*query.Contributions, error)
	// ChangedBy lists the commits that last changed a file, or a line of it as in a/b.go:12, newest first. It returns none
	// if the word names no file.
	ChangedBy(ctx context.Context, place string) []string
	// ChangeOfName returns the citation id of the commit that added a file or an identifier, or that removed it if gone is
	// set. It returns "" if the diffs do not show it.
	ChangeOfName(ctx context.Context, name string, gone bool) string
}

// Commits contains the later fate of commits and the origins of lines.
type Commits interface {
	// WrittenBy returns, for each range of lines, the citation id of the newest commit that wrote one of them, or "" if it
	// is unknown.
	WrittenBy(ctx context.Context, places []query.Lines) []string
	// OffBranch returns the commits of a range that searches do not cover, such as those of an abandoned release branch.
	OffBranch(ctx context.Context, r search.Range) []search.Hit
	// RevertedBy returns the citation id of the commit that reverted a commit, or "".
	RevertedBy(ctx context.Context, id string) string
}

// Releases knows the contents of releases.
type Releases interface {
	// FirstIn returns the first release that contains each of the commits, of a package if of is set, and "" if no release
	// contains it yet. It returns nil if that is unknown.
	FirstIn(ctx context.Context, of string, hashes []string) map[string]string
	// HeldIn reports whether the release at the end of a range contains a commit, or the content of a release's notes.
	// known is false if that is unknown.
	HeldIn(ctx context.Context, in search.Range, id, release string) (held, known bool)
	// Released returns the names of the releases in a time range, oldest first.
	Released(context.Context, search.Range) []string
}

// Project contains the names of the project and its parts.
type Project interface {
	// ProjectName returns the name of the repository, or "" outside of one.
	ProjectName() string
	// Package returns the folder of the package that a text names and its name in the text. The whole project has no
	// folder and its own name.
	Package(text string) (folder, name string)
}

// Sessions contains the sessions of the client.
type Sessions interface {
	// Exchange returns, for a turn or a tool result in a conversation, the user's preceding message and the last answer to
	// it. Either hit may have no document.
	Exchange(search.Hit) (asked, reply search.Hit)
	// Digest summarises a transcript file.
	Digest(file string) (transcript.Digest, error)
	// SelectIdeas lists the citation ids of ideas that nothing superseded, newest first.
	SelectIdeas(query.IdeaSelection) []string
}

// Coverage describes which sources could be searched.
type Coverage interface {
	// Searched returns the searched sources.
	Searched() []answer.Searched
	// Unsearched returns the names of existing sources that could not be searched, such as "commits".
	Unsearched() []string
	// Incomplete returns an entry for each source that could be searched only partly: a sentence for the head of an
	// answer, or "" if a caveat reports it.
	Incomplete() []string
}

// Options narrow a question. Filters that are set override the question's own words.
type Options struct {
	Query search.Query // filters only; Text and Terms come from the question
	Limit int          // maximum number of citations; 0 means 5
	// Budget limits the cost of following leads. The zero value means 40 sources and 150 ms.
	Budget Budget
	Trace  bool         // list the steps of the research in Answer.Research
	Filter query.Filter // its Follow receives the steps
	// Others selects the other projects whose last session an answer about the user's own work names; the zero value
	// selects none.
	Others search.Condition
}

// filtered reports whether filters other than an intent narrow the search.
func (o Options) filtered() bool {
	return !o.Query.Range.IsZero() || o.Query.Session != "" ||
		slices.ContainsFunc(o.Query.Conditions, func(c search.Condition) bool {
			return c.On != search.OnType && c.On != search.OnRole
		})
}

// answerRead answers a parsed question. If nothing is recorded, the Answer has confidence None and the error is nil.
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

// unsearched returns the answer if no index could be read.
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
			a.Confidence = answer.Medium // the classification of ideas is often wrong
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
	case q.Intent != "" && q.Range.IsZero() && len(q.Terms) > 0: // otherwise sources without the intent are as good
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
	if q.Open && a.Confidence.Verdict() == answer.Answered { // no other source shows what is open
		a.setClosest(fmt.Sprintf("No open %s about it is recorded. Closest:\n%s", q.Intent, a.Answer))
	}
	return err
}

// ofIntent returns conditions for sources with an intent: ideas by their intent, others by their type.
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

// filled replaces nil lists by empty ones, so that JSON readers need no special case.
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

// verify looks up a citation without the index and sets its status and the current line of its excerpt. The error wraps
// cite.ErrNotFound if the excerpt or its source was deleted.
func (e *Engine) verify(ctx context.Context, c *answer.Citation, q cite.Quote) error {
	c.Excerpt, c.Cut = q.Text, q.Cut
	if q.Text == "" { // a commit message or decision without text below its title
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

// lineOf returns the line in the source's file of line n of its text. A transcript record is a single line, and a
// commit has no file.
func lineOf(src cite.Source, n int) int {
	switch {
	case src.Line == 0:
		return 0
	case src.Source == string(cite.KindTranscript):
		return src.Line
	}
	return src.Line + n - 1
}
