package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/config"
)

func TestParseEmbed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     config.Embed
	}{
		{"nothing", "capture: on\n", config.Embed{}},
		{"off", "embed: off\n", config.Embed{Off: true}},
		{"on", "embed: on\n", config.Embed{}},
		{"builtin", "embed: builtin\n", config.Embed{}},
		{"a model", "embed: {model: potion-base-8M}\n", config.Embed{Model: "potion-base-8M"}},
		{"a server", "embed:\n  endpoint: https://api.openai.com/v1\n  model: text-embedding-3-small\n  dimensions: 512\n" +
			"  query_prefix: 'query: '\n  doc_prefix: 'passage: '\n",
			config.Embed{Model: "text-embedding-3-small", Endpoint: "https://api.openai.com/v1", Dimensions: 512,
				QueryPrefix: "query: ", DocPrefix: "passage: "}},
		{"a server's model with a slash", "embed: {endpoint: 'http://localhost:1234/v1', model: BAAI/bge-m3}",
			config.Embed{Model: "BAAI/bge-m3", Endpoint: "http://localhost:1234/v1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse([]byte(tt.in))
			if diff := cmp.Diff(tt.want, got.Embed); diff != "" || err != nil {
				t.Errorf("Parse: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestParseEmbedRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"no value", "capture: on\nembed:\n", "line 2: embed has no value: write builtin, off, or model: and its name"},
		{"a list", "embed: [potion]\n", "line 1: embed: builtin, off, or keys with values are expected"},
		{"unknown key", "embed:\n  model: x\n  api_key: y\n",
			`line 3: embed: unknown key "api_key": known are model, endpoint`},
		{"no model", "capture: on\nembed: {endpoint: 'https://example.org/v1'}\n", "line 2: embed: a model is missing"},
		{"a path for a model", "embed: {model: ../../etc}\n", `line 1: embed: "../../etc" can't be an installed model`},
		{"dimensions without a server", "embed: {model: x, dimensions: 3}\n",
			"line 1: embed: dimensions and prefixes are for servers"},
		{"many dimensions", "embed: {model: x, endpoint: 'https://example.org', dimensions: 10000}\n",
			"line 1: embed: dimensions must be 1 to 8192"},
		{"no address", "embed: {model: x, endpoint: example.org}\n", "line 1: embed: endpoint is no address"},
		{"another scheme", "embed: {model: x, endpoint: 'file:///etc'}\n", "line 1: embed: endpoint is no address"},
		{"a password", "embed: {model: x, endpoint: 'https://ada:pw@example.org'}\n", "line 1: embed: endpoint holds a user"},
		{"a text for a number", "embed: {model: x, endpoint: 'https://example.org', dimensions: many}\n",
			`line 1: dimensions: "many" is no number`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := config.Parse([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Parse = %+v, %v, want %q", c, err, tt.want)
			}
		})
	}
}

func TestWithModel(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, model, want string }{
		{"an empty file", "", "m", "embed:\n  model: m\n"},
		{"others stay", "# mine\ncapture: off\nexclude:\n  - ~/x # secret", "m",
			"# mine\ncapture: off\nexclude:\n  - ~/x # secret\nembed:\n  model: m\n"},
		{"in the middle",
			"capture: off\nembed:\n  endpoint: https://example.org\n\n  model: y\n# of keep\nkeep_transcripts: on\n", "m",
			"capture: off\n# of keep\nkeep_transcripts: on\nembed:\n  model: m\n"},
		{"off", "embed: {model: y}\ncapture: on\n", "off", "capture: on\nembed: off\n"},
		{"builtin", "embed: off\n", "builtin", "embed: builtin\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.WithModel([]byte(tt.in), tt.model)
			if diff := cmp.Diff(tt.want, string(got)); diff != "" || err != nil {
				t.Errorf("WithModel: %v (-want +got):\n%s", err, diff)
			}
		})
	}
	if got, err := config.WithModel([]byte("{capture: off}\n"), "m"); !errors.Is(err, config.ErrByHand) {
		t.Errorf("a file in flow form became %q, %v", got, err)
	}
	if _, err := config.WithModel([]byte("captur: off\n"), "m"); err == nil {
		t.Error("a file that can't be read was changed")
	}
}
