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

// Question is a question to research, with its options.
type Question struct {
	Text string
	// Session is a client session. An identical question in the same session gets the same answer until a source changes.
	// "" means no session.
	Session string
	// Model overrides the configured model unless it is "".
	Model string
	// Tools starts the tool server, which serves only this folder's project.
	Tools ingest.Command
	// Follow is called for each event of the run; it may be nil.
	Follow func(Event)
	// project is the project of the run; "" is the project of the working folder.
	project string
	// key identifies a reusable answer, which is kept for two days; "" disables reuse.
	key string
}

// Result is a researched answer. The JSON form is a public contract.
type Result struct {
	// SessionID identifies the run: see [Agent.Attach].
	SessionID  string            `json:"sessionId"`
	Answer     string            `json:"answer"` // Markdown
	Confidence answer.Confidence `json:"confidence"`
	Verdict    answer.Verdict    `json:"verdict"`
	Citations  []Citation        `json:"citations"`
	Caveats    []string          `json:"caveats"`
	// SearchedLayers are the layers of the results that the tools returned.
	SearchedLayers []string `json:"searchedLayers"`
	// Success reports whether the model answered; otherwise the answer is extractive and Failure is the reason.
	Success bool   `json:"success"`
	Failure string `json:"failure"`
	// Cut lists the claims of the model that were removed from the answer, each with the reason.
	Cut   []string `json:"cut"`
	Spent Spent    `json:"spent"`

	claims []claim    // supported claims, each with its valid citations
	near   []Citation // existing citations of unsupported claims
}

// setClosest builds an answer from the citations of unsupported claims: it lists them and makes no claim.
func (out *Result) setClosest(failure string) {
	out.Confidence, out.Verdict, out.Failure = answer.Low, answer.Low.Verdict(), failure
	out.Citations, out.Answer = out.near, "Closest records:"
	for _, c := range out.near {
		out.Answer += fmt.Sprintf("\n- %s [%s]", c.Excerpt, c.Source)
	}
}

// Citation is a source of an answer. The source exists and contains the excerpt.
type Citation struct {
	Source    string `json:"source"`
	Excerpt   string `json:"excerpt"`
	Layer     string `json:"layer"`
	BrowseURL string `json:"browseUrl"`
}

// Spent is the cost of a run.
type Spent struct {
	Model   string  `json:"model"`
	Turns   int     `json:"turns"`
	Tokens  int     `json:"tokens"`
	Dollars float64 `json:"dollars"` // 0 if the prices are unknown
}

// draft is the answer of a model before it is checked.
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

// mostClaims and mostCitations limit the claims of a draft and the citations of each claim.
const mostClaims, mostCitations = 20, 5

// readDraft parses and validates a model's answer.
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

// task is a task for a model, which answers with a draft.
type task struct {
	system, input string // the instructions and the material
	tools         bool   // the model must search memory with tools
	// given are the sources that a claim may cite, by id; with tools, results count as well. If it is nil, the answer is
	// only used as a search text and needs no sources.
	given map[string]query.Shown
	// An answer without tools has at most most sentences, and room characters, or mostBrief if room is 0.
	most, room int
	// labels: the text of a claim classifies its citations and does not repeat their words. The first citation supports
	// it.
	labels bool
	// wishes: a claim describes what should happen. It is checked by its words alone.
	wishes bool
	key    string // see Question
}

// backend carries out a run's task with a model.
type backend interface {
	carryOut(ctx context.Context, r *run) (draft, error)
}

// Agent researches questions during one call of the program.
type Agent struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New returns an Agent for one call of the program.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Agent {
	return &Agent{ws: ws, src: src, reader: reader}
}

// Configured reports whether the configuration names an agent.
func (a *Agent) Configured() bool {
	conf := a.ws.Policy()
	return conf.Err == nil && conf.Config.Agent.On() && a.ws.Options.Getenv(childVar) == ""
}

// Decided reports whether the configuration enables or disables the agent explicitly.
func (a *Agent) Decided() bool {
	conf := a.ws.Policy()
	return conf.Err != nil || conf.Config.Agent.On() || conf.Config.Agent.Off
}

// childVar is set for processes that an agent starts, so that they start no agent of their own.
const childVar = "GITMEM_CHILD"

// Ask researches a question and returns an answer even if the model fails. It returns an error if no answer is
// possible, such as for an invalid question or without a configured agent.
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
	defer r.record.Close() // also releases its lock
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

// answered asks the model and checks its answer.
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

// mostReason is the maximum number of characters of an error of a model or its server that is repeated.
const mostReason = 600

// backend returns the back end that the configuration names.
func (a *Agent) backend(conf config.Agent) (backend, error) {
	var m llm.Model
	var err error
	getenv, now := a.ws.Options.Getenv, a.ws.Options.Now
	s := modelapi.Server{ // keys are read from the environment only
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

// extractive returns the answer of package ask together with the reason why no model answered.
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

// Limits of requests other than research: briefTurns are the replies of the model, of which one is enough unless it
// makes mistakes; lastMessages are the messages of a session; mostMessage are the characters of each; passageWords are
// the words of a search passage.
const briefTurns, lastMessages, mostMessage, passageWords = 3, 50, 1200, 60

var (
	errNothing = errors.New("the model found nothing that matters")
	errUnheld  = errors.New("no claim of the model held")
)

// complete runs a task without tools if on is set. about names the run; project is its project, or "" for the project
// of the working folder.
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
	} else if out.Answer == "" && t.given != nil { // a search passage may be empty
		err = errNothing
	}
	return r.ended(out), err
}

// Summarise has the model summarise a session of a project, if summaries is on. The sentences cite lines of the
// session's last messages; mark is recorded in the head of its section.
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

// Recall has the model summarise what was found for a prompt, if recall is on. Each sentence cites its source.
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

// Passage returns a hypothetical answer of the model to a question, if hyde is on. It is used only as a search text.
func (a *Agent) Passage(ctx context.Context, question string) (string, error) {
	out, err := a.complete(ctx, a.ws.Policy().Config.Agent.HyDE, "a passage for "+question, "",
		task{system: templates.Agent("passage"), input: question, most: 1})
	words := strings.Fields(out.Answer)
	return strings.Join(words[:min(len(words), passageWords)], " "), err
}

// mostRules limits the rules of one request.
const mostRules = 10

// Rules has the model derive rules from what people said, if rules is on. It returns each rule with the indexes of the
// citations that it follows from, or nil if the model did not answer.
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
