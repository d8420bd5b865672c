package browse

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// AskArgs is a question.
type AskArgs struct {
	Question string
	AsOf     string // reference time, "" for the present
	Agent    bool   // a model researches it
}

// AskView is an answer with details about how it was found.
type AskView struct {
	Question    string
	Kind        string // continue, recent, who, why, how, when or general
	SessionID   string // of the model's run, or the session that the question is about
	Answer      string // Markdown
	Verdict     string // answered, closest or none
	Confidence  string // high, medium, low or none
	Says        string // the verdict and the confidence as text
	AsOf        string // reference time, RFC 3339; "" for the present
	Complete    bool   // every source could be searched completely
	People      []PersonView
	Citations   []AskCitation
	Missing     []string // names in the question that occur nowhere
	Caveats     []string
	Searched    []AskSearched
	Strategies  []AskStrategy
	Fallbacks   []string
	Suggestions []AskSuggestion
	Failure     string   // why a model gave no answer
	Cut         []string // claims of a model that are not supported
	ElapsedMs   int32
}

// AskCitation is a source of an answer or a search hit.
type AskCitation struct {
	Source        string // citation id
	Excerpt       string
	BrowseURL     string // path of its page
	URL           string // of an external page, or ""
	Title, Author string
	Layer, Type   string
	Agent         string // agent of the session
	Time          string // RFC 3339
	Path          string
	Line          int32
	Status        string // holds, moved, changed, gone or taken back
	Since         int32  // number of commits that changed the lines since
	RevertedBy    string // citation id
	Trust         string // reviewed, mine, model, imported or untrusted
	Role          string // evidence, or lead, which supports no claim
	Asked         string // the question or request before a turn
	Also          []string
	Score         float64
	Why           []string // reasons for a search hit, if requested
}

// Whose describes the author of the excerpt.
func (c AskCitation) Whose() string {
	return map[string]string{
		"reviewed": "reviewed", "mine": "your words", "model": "a model's words", "imported": "kept by another tool",
		"untrusted": "words of others",
	}[c.Trust]
}

// AskSearched is a layer that was searched.
type AskSearched struct {
	Layer, Source, Oldest, Newest string
	Items                         int32
}

// AskStrategy is a way of searching.
type AskStrategy struct {
	Name, Error string
	Ok          bool
	Ms, Hits    int32
}

// AskSuggestion is advice for a better question: Questions are the suggested questions, and Page is a page to
// visit.
type AskSuggestion struct {
	Text, Page string
	Questions  []string
}

// AskStep is a step of the research.
type AskStep struct {
	Level                int32
	Lead, From, By, Gave string
}

// ask answers a question and reports each step.
func (s *site) ask(ctx context.Context, a AskArgs, tell func(AskStep)) (AskView, error) {
	switch {
	case a.Agent && a.AsOf != "":
		const reason = "a model researches the present only"
		return AskView{}, refusal(gitmem.ErrUsage, reason, "leave the day out, or the model")
	case a.Agent:
		follow := func(e gitmem.ResearchEvent) {
			if e.Result == nil {
				tell(AskStep{Level: 3, Lead: string(e.Kind), By: "model", Gave: plain(e.Text)})
			}
		}
		r, err := s.m.Research().Ask(ctx, gitmem.ResearchQuestion{Text: a.Question, Tools: s.tools, Follow: follow})
		return researchView(a.Question, r), err
	}
	follow := func(st gitmem.Step) { tell(stepView(st)) }
	f := gitmem.Filter{AsOf: a.AsOf, Passage: s.m.Research().Passage, Follow: follow}
	got, err := s.m.Ask(ctx, a.Question, f)
	return answerView(got), err
}

// answer answers a question without reporting steps.
func (s *site) answer(ctx context.Context, a AskArgs) (AskView, error) {
	return s.ask(ctx, a, func(AskStep) {})
}

// stepView converts a step and explains the judgement of a claim.
func stepView(st gitmem.Step) AskStep {
	out := AskStep{int32(st.Level), plain(st.Lead), st.From, st.By, plain(st.Gave)}
	text, _, _ := strings.Cut(st.Gave, " ")
	switch chance, err := strconv.ParseFloat(text, 64); {
	case st.By != "claim" || err != nil:
	case chance == 0:
		out.Gave = "does not answer"
	default:
		out.Gave = fmt.Sprintf("answers with a chance of %.0f %%", 100*chance)
	}
	return out
}

func answerView(a gitmem.Answer) AskView {
	return AskView{
		Question: a.Question, Kind: string(a.Kind), SessionID: a.SessionID, Answer: a.Answer,
		Verdict: string(a.Verdict), Confidence: string(a.Confidence), Says: says(a.Verdict, a.Confidence),
		AsOf: a.AsOf, Complete: a.Complete, Missing: a.Missing, Caveats: a.Caveats, Fallbacks: a.Fallbacks,
		Citations: slice.Map(a.Citations, citationView), ElapsedMs: int32(a.ElapsedMS),
		Searched: slice.Map(a.Searched, func(s gitmem.Searched) AskSearched {
			return AskSearched{s.Layer, s.Source, s.Oldest, s.Newest, int32(s.Items)}
		}),
		Strategies: slice.Map(a.Strategies, func(s gitmem.Strategy) AskStrategy {
			return AskStrategy{s.Name, s.Error, s.OK, int32(s.MS), int32(s.Hits)}
		}),
		People:      slice.Map(a.People, personView),
		Suggestions: slice.Map(a.Suggestions, func(text string) AskSuggestion { return suggestion(a.Question, text) }),
	}
}

func researchView(question string, r gitmem.ResearchResult) AskView {
	v := AskView{
		Question: question, SessionID: r.SessionID, Answer: r.Answer,
		Verdict: string(r.Verdict), Confidence: string(r.Confidence), Says: says(r.Verdict, r.Confidence),
		Complete: true, Caveats: r.Caveats, Failure: r.Failure, Cut: r.Cut,
		Searched: slice.Map(r.SearchedLayers, func(layer string) AskSearched { return AskSearched{Layer: layer} }),
	}
	for _, c := range r.Citations {
		v.Citations = append(v.Citations, AskCitation{
			Source: c.Source, Excerpt: c.Excerpt, Layer: c.Layer, BrowseURL: c.BrowseURL, Status: "holds",
		})
	}
	return v
}

func citationView(c gitmem.Citation) AskCitation {
	return AskCitation{
		Source: c.ID, Excerpt: c.Quoted(), BrowseURL: c.BrowseURL, URL: c.URL, Title: c.Title,
		Author: c.Author, Layer: c.Layer, Type: c.Type, Agent: c.Agent, Time: c.Time, Path: c.Path,
		Line: int32(c.Line), Status: string(c.Status), Since: int32(c.Since), RevertedBy: c.RevertedBy,
		Trust: string(c.Trust), Role: string(c.Role), Asked: c.Asked, Also: c.Also, Score: c.Score,
	}
}

// says returns a verdict with its confidence as text.
func says(v gitmem.Verdict, c gitmem.Confidence) string {
	switch v {
	case gitmem.Answered:
		return fmt.Sprintf("Answered, with %s confidence", c)
	case gitmem.Closest:
		return "Not answered: this is the closest that is recorded"
	}
	return "Not recorded"
}

var namesSession = lazy.Pattern(`^Session of .+ \((transcript:\S+)\)$`)

var meant = lazy.Pattern(`^Did you mean (.+)\? Nothing holds ("(?:[^"\\]|\\.)*")\.$`)

// suggestion returns a suggestion, with the complete question if it suggests other words.
func suggestion(question, text string) AskSuggestion {
	out := AskSuggestion{Text: text}
	if m := namesSession().FindStringSubmatch(text); m != nil {
		out.Page = "/show?id=" + url.QueryEscape(m[1])
	}
	if m := meant().FindStringSubmatch(text); m != nil {
		for word := range strings.SplitSeq(m[1], " or ") {
			other := strings.ReplaceAll(question, strings.Trim(m[2], `"`), strings.Trim(word, `"`))
			if other != question {
				out.Questions = append(out.Questions, other)
			}
		}
	}
	return out
}

// askForm is the page with the question form.
type askForm struct {
	AskArgs
	Models bool       // a model may do research
	Answer *askAnswer // on an exported page, which has no live updates
}

func (s *site) askPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	models := s.m.Research().Configured()
	args := AskArgs{Question: strings.TrimSpace(q.Get("q")), AsOf: q.Get("asof"), Agent: models && q.Has("agent")}
	form := askForm{AskArgs: args, Models: models}
	if args.Question != "" && q.Has("all") {
		v, err := s.answer(ctx, args)
		if err != nil {
			return page{}, err
		}
		answer := s.onPage(args, v)
		form.Answer = &answer
	}
	return page{cmp.Or(args.Question, "Ask"), "ask", form}, nil
}

// askAnswer is an answer on its page.
type askAnswer struct {
	AskView
	Past *SliderView // nil if there is at most one day
}

// Linked returns the answer with a link for each citation.
func (a askAnswer) Linked() string {
	text := a.Answer
	for i, c := range a.Citations {
		text = strings.ReplaceAll(text, "["+c.Source+"]", fmt.Sprintf(`[\[%d\]](#source-%d)`, i+1, i))
		for _, id := range c.Also {
			text = strings.ReplaceAll(text, "["+id+"]", "["+id+"](/show?id="+url.QueryEscape(id)+")")
		}
	}
	return text
}

// onPage returns an answer with the date slider.
func (s *site) onPage(a AskArgs, v AskView) askAnswer {
	first := s.now()
	for _, layer := range v.Searched {
		if day, err := time.Parse(time.DateOnly, layer.Oldest); err == nil && day.Before(first) {
			first = day
		}
	}
	return askAnswer{v, s.sliderOf(first, a.AsOf)}
}
