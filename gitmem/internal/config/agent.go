package config

import (
	"cmp"
	"maps"
	"time"

	"gopkg.in/yaml.v3"
)

// Back ends of the agent.
const (
	AgentClaude    = "claude"    // the user's claude program
	AgentAnthropic = "anthropic" // the Messages API
	AgentOpenAI    = "openai"    // the chat API of OpenAI or of a compatible server
)

// Agent configures the language model that researches a question. The zero value is off.
type Agent struct {
	Off      bool // explicitly disabled
	Backend  string
	Model    string
	Endpoint string // address of the API, "" for that of Anthropic or OpenAI
	// Limits for one question: replies of the model, tokens, and time. Dollars applies only to the claude program, which
	// knows prices.
	Turns, Tokens int
	Time          time.Duration
	Dollars       float64
	// DailyTokens limits the tokens of all questions of a day.
	DailyTokens int
	// Tasks of the model besides research: summarising ended sessions, summarising what is recalled for a prompt, guessing
	// a search passage for a vague question, deriving rules from what people say, and finding the ideas of ended sessions.
	Summaries, Recall, HyDE, Rules, Ideas bool
}

// On reports whether an agent is configured.
func (a Agent) On() bool { return a.Backend != "" }

// UsualAgent returns the defaults of a back end. The models are small and fast ones.
func UsualAgent(backend string) Agent {
	models := map[string]string{AgentClaude: "haiku", AgentAnthropic: "claude-haiku-4-5"}
	endpoints := map[string]string{AgentAnthropic: "https://api.anthropic.com", AgentOpenAI: "https://api.openai.com/v1"}
	return Agent{
		Backend: backend, Model: models[backend], Endpoint: endpoints[backend],
		Turns: 12, Tokens: 150_000, Time: 2 * time.Minute, Dollars: 0.25, DailyTokens: 2_000_000,
	}
}

// set parses off, or keys with values.
func (a *Agent) set(n *yaml.Node) error {
	if on, ok := boolOf(n); ok && !on {
		a.Off = true
		return nil
	}
	var read Agent
	number := func(to *int, most int) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			if n.Decode(to) != nil || *to < 1 || *to > most {
				return errorAt(n, "%q is no number from 1 to %d", n.Value, most)
			}
			return nil
		}
	}
	known := []field{
		{"backend", "claude, anthropic or openai", oneOf(&read.Backend, "not known: write claude, anthropic or openai",
			AgentClaude, AgentAnthropic, AgentOpenAI)},
		{"model", "", text(&read.Model)},
		{"endpoint", "", text(&read.Endpoint)},
		{"turns", "a number", number(&read.Turns, 100)},
		{"tokens", "a number", number(&read.Tokens, 10_000_000)},
		{"daily_tokens", "a number", number(&read.DailyTokens, 1_000_000_000)},
		{"summaries", "on or off", toggle(&read.Summaries)},
		{"recall", "on or off", toggle(&read.Recall)},
		{"hyde", "on or off", toggle(&read.HyDE)},
		{"rules", "on or off", toggle(&read.Rules)},
		{"ideas", "on or off", toggle(&read.Ideas)},
		{"time", "a time such as 90s", func(n *yaml.Node) error {
			var err error
			if read.Time, err = time.ParseDuration(n.Value); err != nil || read.Time < time.Second || read.Time > time.Hour {
				return errorAt(n, "%q is no time from 1s to 1h", n.Value)
			}
			return nil
		}},
		{"dollars", "a number", func(n *yaml.Node) error {
			if n.Decode(&read.Dollars) != nil || read.Dollars <= 0 || read.Dollars > 1000 {
				return errorAt(n, "%q is no amount from 0 to 1000", n.Value)
			}
			return nil
		}},
	}
	for range 2 { // written values override the defaults of the back end
		read = UsualAgent(read.Backend)
		if err := fields(n, "off or keys with values are expected, as in agent: {backend: claude}", known); err != nil {
			return err
		}
	}
	usual := UsualAgent(read.Backend)
	read.Model, read.Endpoint = cmp.Or(read.Model, usual.Model), cmp.Or(read.Endpoint, usual.Endpoint)
	if *a = read; a.complaint() != "" {
		return errorAt(n, "%s", a.complaint())
	}
	return nil
}

// complaint describes an invalid setting and its fix, or returns "".
func (a Agent) complaint() string {
	switch {
	case a.Backend == "":
		return "a back end is missing: write off, or backend: claude, anthropic or openai"
	case a.Model == "":
		return "a model is missing: write model: and the server's name for it"
	case a.Backend == AgentClaude && a.Endpoint == "":
		return ""
	case a.Backend == AgentClaude:
		return "endpoint is for servers: remove it, or choose another back end"
	}
	return endpointProblem(a.Endpoint, "http://localhost:11434/v1")
}

// WithAgent returns a local.yaml with the agent of a back end with default settings, and everything else as in src; ""
// disables the agent.
func WithAgent(src []byte, backend string) ([]byte, error) {
	want, err := Parse(src)
	if err != nil {
		return nil, err
	}
	text := "agent: off\n"
	if want.Agent = (Agent{Off: true}); backend != "" {
		want.Agent = UsualAgent(backend)
		text = "agent:\n  backend: " + backend + "\n"
	}
	return withKey(src, "agent", text, want)
}

// WithProvider returns a local.yaml that allows a provider with a definition of this hash, and everything else as in
// src; "" revokes the permission.
func WithProvider(src []byte, name, hash string) ([]byte, error) {
	want, err := Parse(src)
	if err != nil {
		return nil, err
	}
	want.Providers = maps.Clone(want.Providers)
	if want.Providers == nil {
		want.Providers = map[string]string{}
	}
	if want.Providers[name] = hash; hash == "" {
		delete(want.Providers, name)
	}
	text, err := yaml.Marshal(map[string]any{"providers": want.Providers})
	if err != nil {
		return nil, err
	}
	return withKey(src, "providers", string(text), want)
}
