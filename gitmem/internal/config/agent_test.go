package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/config"
)

func TestAgent(t *testing.T) {
	t.Parallel()
	small := config.UsualAgent(config.AgentOpenAI)
	small.Model, small.Endpoint, small.Turns, small.Tokens, small.Time, small.Dollars, small.DailyTokens = "qwen",
		"http://localhost:11434/v1", 3, 1000, 30*time.Second, 0.1, 5000
	all := config.UsualAgent(config.AgentClaude)
	all.Summaries, all.Recall, all.HyDE = true, true, true
	for src, want := range map[string]config.Agent{
		"":                         {},
		"agent: off":               {Off: true},
		"agent: {backend: claude}": config.UsualAgent(config.AgentClaude),
		"agent: {backend: anthropic, model: '', endpoint: ''}":          config.UsualAgent(config.AgentAnthropic),
		"agent: {backend: claude, summaries: on, recall: on, hyde: on}": all,
		"agent: {backend: openai, model: qwen, endpoint: 'http://localhost:11434/v1', turns: 3, tokens: 1000, time: 30s, " +
			"dollars: 0.1, daily_tokens: 5000}": small,
	} {
		got, err := config.Parse([]byte(src))
		if err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if diff := cmp.Diff(want, got.Agent); diff != "" {
			t.Errorf("%s (-want +got):\n%s", src, diff)
		}
	}
	for src, want := range map[string]string{
		"agent: on":                "keys with values are expected",
		"agent: {model: x}":        "a back end is missing",
		"agent: {backend: gpt}":    "write claude, anthropic or openai",
		"agent: {backend: openai}": "a model is missing",
		"agent: {backend: claude, endpoint: 'http://x'}":                    "endpoint is for servers",
		"agent: {backend: anthropic, endpoint: 'ftp://x'}":                  "endpoint is no address",
		"agent: {backend: anthropic, endpoint: 'https://user@example.org'}": "a key is read from the environment alone",
		"agent: {backend: claude, turns: 0}":                                "no number from 1 to 100",
		"agent: {backend: claude, time: soon}":                              "no time from 1s to 1h",
		"agent: {backend: claude, dollars: -1}":                             "no amount",
		"agent: {backend: claude, summaries: haiku}":                        "write on or off",
		"agent: {backend: claude, key: x}":                                  "unknown key",
	} {
		if _, err := config.Parse([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestWithAgent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, backend, want string }{
		{"", "claude", "agent:\n  backend: claude\n"},
		{"# mine\nrecall: off\nagent:\n  backend: openai\n  model: x\n# end", "claude",
			"# mine\nrecall: off\n# end\nagent:\n  backend: claude\n"},
		{"agent: {backend: claude}\nrecall: off\n", "", "recall: off\nagent: off\n"},
	} {
		got, err := config.WithAgent([]byte(tt.src), tt.backend)
		if err != nil || string(got) != tt.want {
			t.Errorf("%q: %q, %v", tt.src, got, err)
		}
	}
}
