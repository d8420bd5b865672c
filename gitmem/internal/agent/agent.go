package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/llm"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
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
}

// Result is a researched answer. The JSON form is a public contract.
type Result struct {
	// SessionID names the run: see [Agent.Attach].
	SessionID  string         `json:"sessionId"`
	Answer     string         `json:"answer"` // Markdown
	Confidence ask.Confidence `json:"confidence"`
	Citations  []Citation     `json:"citations"`
	// SearchedLayers are the layers of what the tools returned.
	SearchedLayers []string `json:"searchedLayers"`
	// Success says that the model answered; otherwise the answer is the extractive one, and
	// Failure says why.
	Success bool   `json:"success"`
	Failure string `json:"failure"`
	// Cut are the claims of the model that are not in the answer, each with the reason.
	Cut   []string `json:"cut"`
	Spent Spent    `json:"spent"`
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
	Recorded   bool           `json:"recorded"`
	Confidence ask.Confidence `json:"confidence"`
	Claims     []claim        `json:"claims"`
}

type claim struct {
	Text      string `json:"text"`
	Citations []struct {
		Source  string `json:"source"`
		Excerpt string `json:"excerpt"`
	} `json:"citations"`
}

// answerSchema is the JSON schema of a draft.
const answerSchema = `{"type":"object","properties":{"recorded":{"type":"boolean"},"confidence":{"type":"string","enum":["high","medium","low"]},` +
	`"claims":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"citations":{"type":"array","items":{"type":"object",` +
	`"properties":{"source":{"type":"string"},"excerpt":{"type":"string"}},"required":["source","excerpt"]}}},"required":["text","citations"]}}},` +
	`"required":["recorded","confidence","claims"]}`

// readDraft reads a model's answer, and says what is wrong with it.
func readDraft(raw json.RawMessage) (d draft, err error) {
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, fmt.Errorf("the answer is not in the required form: %w", err)
	}
	if d.Recorded && len(d.Claims) == 0 {
		return d, errors.New("the answer says that something is recorded and claims nothing")
	}
	return d, nil
}

// backend researches a question with a model.
type backend interface {
	research(ctx context.Context, r *run) (draft, error)
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
		return Result{}, &messages.Refusal{Reason: "no model may research questions here", Err: messages.ErrUsage,
			Advice: "write agent: {backend: claude} into " + a.ws.ConfigFile() + "; gitmem help agent tells of others"}
	}
	p, err := a.ws.Place(ctx)
	if err == nil { // the tools read this project, wherever the session began
		err = a.ws.CheckReach(ctx, p.DisplayName(), p.Project.ID)
	}
	if err != nil {
		return Result{}, err
	}
	conf.Model = cmp.Or(q.Model, conf.Model)
	r, known, err := a.begin(ctx, q, conf)
	if err != nil || known != nil {
		return or(known), err
	}
	defer r.end()
	out, err := a.researched(ctx, r)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err != nil {
		if out, err = a.extractive(ctx, r, plain.Text(err)); err != nil {
			return Result{}, err
		}
	}
	out.SessionID, out.Spent = r.id, r.spent
	out.Citations, out.Cut, out.SearchedLayers = messages.Filled(out.Citations), messages.Filled(out.Cut), messages.Filled(out.SearchedLayers)
	r.ended(out)
	return out, nil
}

func or(known *Result) Result {
	if known == nil {
		return Result{}
	}
	return *known
}

// researched asks the model and checks what it says.
func (a *Agent) researched(ctx context.Context, r *run) (Result, error) {
	if used := a.usedToday(r.id); used >= r.conf.DailyTokens {
		return Result{}, fmt.Errorf("the models took %d tokens today, and daily_tokens is %d", used, r.conf.DailyTokens)
	}
	b, err := a.backend(r.conf)
	if err != nil {
		return Result{}, err
	}
	within, stop := deadline.After(ctx, a.ws.Options.Now, r.conf.Time)
	defer stop()
	d, err := b.research(within, r)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("the model took longer than %v", r.conf.Time)
	}
	if err != nil {
		return Result{}, err
	}
	out := a.checked(ctx, r, d)
	if d.Recorded && len(out.Citations) == 0 {
		return Result{}, errors.New("no claim of the model held: " + strings.Join(out.Cut, "; "))
	}
	out.Success = true
	return out, nil
}

// backend is the one of a configuration.
func (a *Agent) backend(conf config.Agent) (backend, error) {
	var m llm.Model
	var err error
	switch s := a.server(conf); conf.Backend {
	case config.AgentClaude:
		return &claudeProgram{a.ws.Options.Getenv}, nil
	case config.AgentAnthropic:
		m, err = llm.Anthropic(s, conf.Model)
	default:
		m, err = llm.OpenAI(s, conf.Model)
	}
	return &loop{m}, err
}

// extractive is the answer without a model, and why it is that.
func (a *Agent) extractive(ctx context.Context, r *run, failure string) (Result, error) {
	failure = a.ws.Clean(failure)
	r.report(Failed, failure)
	found, err := a.reader.Ask(ctx, r.question.Text, query.Filter{Except: r.question.Session})
	if err != nil {
		return Result{}, err
	}
	out := Result{Answer: found.Answer, Confidence: found.Confidence, Failure: failure}
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
