package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/llm"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/templates"
)

// Question is what is researched and how.
type Question struct {
	Text string
	// Session is a session of a client: within one an answer is given again as long as no
	// source has changed. "" is none.
	Session string
	// Model takes the place of the configured one; "" does not.
	Model string
	// Tools starts the server of the tools, which serves this folder's project only.
	Tools ingest.Command
	// Follow is told each event of the run; nil is not.
	Follow func(Event)
	// project is what the run is about; "" is that of the working folder.
	project string
	// key is what an answer is given again for, within the two days that it is kept; "" is never.
	key string
}

// Result is a researched answer. The JSON form is a public contract.
type Result struct {
	// SessionID names the run: see [Agent.Attach].
	SessionID  string            `json:"sessionId"`
	Answer     string            `json:"answer"` // Markdown
	Confidence answer.Confidence `json:"confidence"`
	Verdict    answer.Verdict    `json:"verdict"`
	Citations  []Citation        `json:"citations"`
	Caveats    []string          `json:"caveats"`
	// SearchedLayers are the layers of what the tools returned.
	SearchedLayers []string `json:"searchedLayers"`
	// Success says that the model answered; otherwise the answer is the extractive one, and
	// Failure says why.
	Success bool   `json:"success"`
	Failure string `json:"failure"`
	// Cut are the claims of the model that are not in the answer, each with the reason.
	Cut   []string `json:"cut"`
	Spent Spent    `json:"spent"`

	claims []claim    // that hold, each with the citations that do
	near   []Citation // that exist, of claims that do not hold
}

// setClosest makes an answer of what claims cite that do not hold: it lists that and claims none of it.
func (out *Result) setClosest(failure string) {
	out.Confidence, out.Verdict, out.Failure = answer.Low, answer.Low.Verdict(), failure
	out.Citations, out.Answer = out.near, "Closest records:"
	for _, c := range out.near {
		out.Answer += fmt.Sprintf("\n- %s [%s]", c.Excerpt, c.Source)
	}
}

// Citation is a source of an answer, which exists and holds the excerpt.
type Citation struct {
	Source    string `json:"source"`
	Excerpt   string `json:"excerpt"`
	Layer     string `json:"layer"`
	BrowseURL string `json:"browseUrl"`
}

// Spent is what a run took.
type Spent struct {
	Model   string  `json:"model"`
	Turns   int     `json:"turns"`
	Tokens  int     `json:"tokens"`
	Dollars float64 `json:"dollars"` // 0 where prices are not known
}

// draft is what a model answers, before it is checked.
type draft struct {
	Recorded   *bool             `json:"recorded"`
	Confidence answer.Confidence `json:"confidence"`
	Claims     []claim           `json:"claims"`
}

type claim struct {
	Text      string  `json:"text"`
	Citations []quote `json:"citations"`
}

type quote struct {
	Source  string `json:"source"`
	Excerpt string `json:"excerpt"`
}

// answerSchema is the JSON schema of a draft.
const answerSchema = `{"type":"object","properties":{"recorded":{"type":"boolean"},"confidence":{"type":"string",` +
	`"enum":["high","medium","low"]},` +
	`"claims":{"type":"array","maxItems":20,"items":{"type":"object","properties":{"text":{"type":"string"},` +
	`"citations":{"type":"array","maxItems":5,"items":{"type":"object",` +
	`"properties":{"source":{"type":"string"},"excerpt":{"type":"string"}},"required":["source","excerpt"]}}},` +
	`"required":["text","citations"]}}},` +
	`"required":["recorded","confidence","claims"]}`

// mostClaims and mostCitations of each are checked.
const mostClaims, mostCitations = 20, 5

// readDraft reads a model's answer, and says what is wrong with it.
func readDraft(raw json.RawMessage) (d draft, err error) {
	err = json.Unmarshal(raw, &d)
	switch {
	case err != nil:
		return d, fmt.Errorf("the answer is not in the required form: %w", err)
	case d.Recorded == nil || d.Claims == nil ||
		!slices.Contains([]answer.Confidence{answer.High, answer.Medium, answer.Low}, d.Confidence):
		return d, errors.New("the answer is not in the required form: it needs recorded, confidence and claims")
	case *d.Recorded && len(d.Claims) == 0:
		return d, errors.New("the answer says that something is recorded and claims nothing")
	case len(d.Claims) > mostClaims || slices.ContainsFunc(d.Claims, func(c claim) bool {
		return len(c.Citations) > mostCitations
	}):
		return d, fmt.Errorf("the answer has more than %d claims, or one with more than %d citations", mostClaims,
			mostCitations)
	}
	return d, nil
}

// task is what a model is to do. The answer to each is a draft.
type task struct {
	system, input string // how it is done, and on what
	tools         bool   // it looks into memory by tools, and must
	// given are the sources that a claim may cite, by id; with tools also what they find.
	// nil: the answer is only searched by, and needs none.
	given map[string]query.Shown
	// An answer without tools has most sentences at most, and room characters, or mostBrief for 0.
	most, room int
	// labels: the text of a claim says what its citations are, and has none of their words. It
	// holds with the first of them.
	labels bool
	// wishes: a claim says what shall be, and not what is or was: it holds by its words alone.
	wishes bool
	key    string // see Question
}

// backend carries out a run's task with a model.
type backend interface {
	carryOut(ctx context.Context, r *run) (draft, error)
}

// Agent researches questions during one call.
type Agent struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New researches during one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Agent {
	return &Agent{ws: ws, src: src, reader: reader}
}

// Configured reports whether the configuration names an agent.
func (a *Agent) Configured() bool {
	conf := a.ws.Policy()
	return conf.Err == nil && conf.Config.Agent.On() && a.ws.Options.Getenv(childVar) == ""
}

// Decided reports whether the configuration says that there is an agent or none.
func (a *Agent) Decided() bool {
	conf := a.ws.Policy()
	return conf.Err != nil || conf.Config.Agent.On() || conf.Config.Agent.Off
}

// childVar is set for what an agent runs: it begins no other.
const childVar = "GITMEM_CHILD"

// Ask researches a question. An answer is always given: the error is that none can be, as
// of an invalid question, or that no agent is configured.
func (a *Agent) Ask(ctx context.Context, q Question) (Result, error) {
	if strings.TrimSpace(q.Text) == "" {
		return Result{}, fmt.Errorf("%w: the question is empty", messages.ErrUsage)
	}
	if err := a.ws.Policy().Err; err != nil {
		return Result{}, err
	}
	conf := a.ws.Policy().Config.Agent
	if !conf.On() || a.ws.Options.Getenv(childVar) != "" {
		a.ws.WarnMisplaced()
		return Result{}, &messages.Refusal{Reason: "no model may research questions here", Err: messages.ErrUsage,
			Advice: "write agent: {backend: claude} into " + a.ws.LocalFile() + "; gitmem help agent tells of others"}
	}
	conf.Model = cmp.Or(q.Model, conf.Model)
	r, known := a.begin(ctx, q, conf)
	if known != nil {
		return *known, nil
	}
	defer r.record.Close() // and with it its lock
	a.admit(r)
	r.task = task{system: templates.Agent("research") + r.prompts(), input: q.Text, tools: true,
		given: map[string]query.Shown{}}
	out, err := a.answered(ctx, r)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	switch {
	case errors.Is(err, errUnheld) && len(out.near) > 0:
		out.setClosest(r.failed(err))
	case err != nil:
		if out, err = a.extractive(ctx, r, r.failed(err)); err != nil {
			return Result{}, err
		}
	}
	return r.ended(out), nil
}

// answered asks the model and checks what it says.
func (a *Agent) answered(ctx context.Context, r *run) (Result, error) {
	if err := r.afford(); err != nil {
		return Result{}, err
	}
	b, err := a.backend(r.conf)
	if err != nil {
		return Result{}, err
	}
	within, stop := deadline.After(ctx, a.ws.Options.Now, r.conf.Time)
	defer stop()
	d, err := b.carryOut(within, r)
	var out Result
	if err == nil {
		out = a.checked(within, r, d)
	}
	switch {
	case within.Err() != nil && ctx.Err() == nil:
		return Result{}, fmt.Errorf("the model took longer than %v", r.conf.Time)
	case err != nil:
		return Result{}, err
	case r.task.tools && r.looks == 0:
		return Result{}, errors.New("the model answered without a look at memory")
	case len(d.Claims) > 0 && len(out.Cut) == len(d.Claims):
		return out, fmt.Errorf("%w: %s", errUnheld, messages.Clip(strings.Join(out.Cut, "; "), mostReason))
	}
	out.Success = true
	return out, nil
}

// mostReason is how many characters of what a model or its server says are repeated.
const mostReason = 600

// backend is the one of a configuration.
func (a *Agent) backend(conf config.Agent) (backend, error) {
	var m llm.Model
	var err error
	getenv, now := a.ws.Options.Getenv, a.ws.Options.Now
	s := modelapi.Server{ // keys are read from the environment alone
		Base: conf.Endpoint, Key: cmp.Or(getenv("GITMEM_AGENT_API_KEY"), modelapi.CompanyKey(conf.Endpoint, getenv)),
		Timeout: conf.Time,
		Pacer:   modelapi.Pacer{Now: now, Until: now().Add(conf.Time)},
	}
	if u, err := url.Parse(conf.Endpoint); a.ws.IsOffline() && (err != nil || !providers.IsLoopback(u.Hostname())) {
		return nil, errors.New("offline: no model is asked that is not on this machine")
	}
	switch conf.Backend {
	case config.AgentClaude:
		return &claudeProgram{calls: map[string]string{}}, nil
	case config.AgentAnthropic:
		m, err = llm.Anthropic(s, conf.Model)
	default:
		m, err = llm.OpenAI(s, conf.Model)
	}
	return &loop{m}, err
}

// extractive is the answer without a model, and why it is that.
func (a *Agent) extractive(ctx context.Context, r *run, failure string) (Result, error) {
	found, err := ask.Ask(ctx, a.reader, r.question.Text, query.Filter{Except: r.question.Session})
	if err != nil {
		return Result{}, err
	}
	out := Result{Answer: found.Answer, Confidence: found.Confidence, Verdict: found.Verdict, Failure: failure,
		Caveats: append(found.Caveats, found.Suggestions...)}
	for _, c := range found.Citations {
		out.Citations = append(out.Citations, Citation{c.ID, c.Excerpt, c.Layer, c.BrowseURL})
	}
	for _, s := range found.Searched {
		if !slices.Contains(out.SearchedLayers, s.Layer) {
			out.SearchedLayers = append(out.SearchedLayers, s.Layer)
		}
	}
	return out, nil
}

// Bounds of what is asked of a model beside research: its replies, of which one is enough and
// others are for mistakes; the messages of a session and the characters of each; the words of
// a passage to search by.
const briefTurns, lastMessages, mostMessage, passageWords = 3, 50, 1200, 60

var (
	errNothing = errors.New("the model found nothing that matters")
	errUnheld  = errors.New("no claim of the model held")
)

// complete has the model carry out a task without tools, if that is on; about names the run,
// and project is what it is about, "" that of the working folder.
func (a *Agent) complete(ctx context.Context, on bool, about, project string, t task) (Result, error) {
	if !on || !a.Configured() {
		return Result{}, nil
	}
	conf := a.ws.Policy().Config.Agent
	conf.Turns, t.input = min(conf.Turns, briefTurns), a.ws.Clean(t.input)
	r, known := a.begin(ctx, Question{Text: about, project: project, key: t.key,
		Tools: ingest.Command{Env: a.ws.Options.Environ}}, conf)
	if known != nil {
		return *known, nil
	}
	defer r.record.Close()
	r.task = t
	out, err := a.answered(ctx, r)
	if err != nil {
		out.Failure = r.failed(err)
	} else if out.Answer == "" && t.given != nil { // a passage to search by may be none
		err = errNothing
	}
	return r.ended(out), err
}

// Summarise has the model say what was done in a session of a project, for summaries: on: sentences that
// cite lines of its last messages, and what the head of its section says of them.
func (a *Agent) Summarise(ctx context.Context, project, session, section string,
	msgs iter.Seq2[transcript.Message, error]) (sentences, mark string, err error) {
	var last []transcript.Message
	for m, err := range msgs {
		if m.Text = messages.Clip(a.src.Forgotten().Sentences(m.Text), mostMessage); err == nil && m.Text != "" &&
			!m.Sidechain {
			last = append(last[max(0, len(last)-lastMessages+1):], m)
		}
	}
	t := task{system: templates.Agent("summary"), input: section, given: map[string]query.Shown{}, most: 5}
	for _, m := range last {
		id := fmt.Sprint("L", m.Line)
		t.given[id] = query.Shown{Citation: answer.Citation{ID: id}, Date: m.Time, Text: m.Text}
		t.input += fmt.Sprintf("\n[%s] %s: %s\n", id, m.Role, m.Text)
	}
	out, err := a.complete(ctx, len(last) > 0, "the summary of session "+transcript.ShortID(session), project, t)
	return out.Answer, fmt.Sprintf("summary: model %s, %s cut", a.ws.Policy().Config.Agent.Model,
		messages.Plural(len(out.Cut), "sentence")), err
}

// Recall has the model say in sentences what was found for a prompt, if recall is on. Each
// cites what it is from.
func (a *Agent) Recall(ctx context.Context, prompt, quoted string,
	found []answer.Citation) (sentences string, err error) {
	t := task{system: templates.Agent("recall"), input: messages.Clip(a.ws.Clean(prompt), mostMessage) + "\n\n" + quoted,
		given: map[string]query.Shown{}, most: 3}
	for _, c := range found {
		t.given[c.ID] = query.Shown{Citation: c, Text: fmt.Sprintln(t.given[c.ID].Text, c.Excerpt,
			messages.ClipBytes(c.Time, len("2006-01-02")))}
	}
	out, err := a.complete(ctx, a.ws.Policy().Config.Agent.Recall && len(found) > 0,
		"what is recalled for a prompt", "", t)
	return out.Answer, err
}

// Passage is what would answer a question, as the model guesses it, if hyde is on: to
// search by, and not to be believed.
func (a *Agent) Passage(ctx context.Context, question string) (string, error) {
	out, err := a.complete(ctx, a.ws.Policy().Config.Agent.HyDE, "a passage for "+question, "",
		task{system: templates.Agent("passage"), input: question, most: 1})
	words := strings.Fields(out.Answer)
	return strings.Join(words[:min(len(words), passageWords)], " "), err
}

// mostRules are found at once.
const mostRules = 10

// Rules has the model say which rules follow from what people said, if rules is on: each rule, and
// the numbers of what it follows from. They are nil where it did not say.
func (a *Agent) Rules(ctx context.Context, said []answer.Citation) (rules []string, from [][]int, err error) {
	t := task{system: templates.Agent("rules"), given: map[string]query.Shown{}, most: mostRules, wishes: true}
	t.room = mostRules * mostClaim
	for i, c := range said {
		id := fmt.Sprint("S", i)
		t.given[id] = query.Shown{Citation: answer.Citation{ID: id}, Text: c.Excerpt}
		t.input += fmt.Sprintf("[%s] %s: %s\n", id, messages.ClipBytes(c.Time, len("2006-01-02")),
			messages.OneLine(c.Excerpt, mostClaim))
	}
	t.key = t.input
	out, err := a.complete(ctx, a.ws.Policy().Config.Agent.Rules && len(said) > 0,
		"which rules follow from what people say", "", t)
	if errors.Is(err, errNothing) {
		err = nil
	}
	if out.Success {
		rules = []string{}
	}
	for _, c := range out.claims {
		rules, from = append(rules, c.Text), append(from, nil)
		for _, cited := range c.Citations {
			if n, err := strconv.Atoi(strings.TrimPrefix(cited.Source, "S")); err == nil {
				from[len(from)-1] = append(from[len(from)-1], n)
			}
		}
	}
	return rules, from, err
}
