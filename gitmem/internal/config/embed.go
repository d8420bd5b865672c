package config

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gitmem/gitmem/internal/lazy"
)

// Embed configures the embeddings for searches by meaning. The zero value is the built-in model.
type Embed struct {
	Off   bool   // search by words only
	Model string // with an endpoint, the server's name for it, otherwise the name of an installed model
	// Endpoint is the address of a server with OpenAI's embeddings API, up to /embeddings; "" for a local model.
	Endpoint   string
	Dimensions int // requested from the server; 0 for the model's own
	// QueryPrefix and DocPrefix are put before questions and documents.
	QueryPrefix, DocPrefix string
}

// The values of embed other than a model's name.
const (
	EmbedOff     = "off"
	EmbedBuiltin = "builtin"
)

// Builtin reports whether the built-in model is used.
func (e Embed) Builtin() bool { return !e.Off && e.Model == "" }

const maxDimensions = 8192

// set parses off, builtin, or keys with values.
func (e *Embed) set(n *yaml.Node) error {
	*e = Embed{}
	if on, ok := boolOf(n); ok {
		e.Off = !on
		return nil
	}
	if n.Kind == yaml.ScalarNode && n.Value == EmbedBuiltin {
		return nil
	}
	err := fields(n, "builtin, off, or keys with values are expected, as in embed: {model: potion-base-8M}", []field{
		{"model", "", text(&e.Model)},
		{"endpoint", "", text(&e.Endpoint)},
		{"dimensions", "", func(n *yaml.Node) error {
			if n.Decode(&e.Dimensions) != nil {
				return errorAt(n, "%q is no number", n.Value)
			}
			return nil
		}},
		{"query_prefix", "", text(&e.QueryPrefix)},
		{"doc_prefix", "", text(&e.DocPrefix)},
	})
	if err != nil {
		return err
	}
	if problem := e.complaint(); problem != "" {
		return errorAt(n, "%s", problem)
	}
	return nil
}

var modelName = lazy.Pattern(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// complaint describes an invalid setting and its fix, or returns "".
func (e Embed) complaint() string {
	if e.Model == "" {
		return "a model is missing: write builtin, off, or model: and its name"
	}
	if e.Endpoint == "" {
		switch {
		case !modelName().MatchString(e.Model):
			return fmt.Sprintf("%q can't be an installed model: write its name as gitmem model list shows it, or add endpoint:",
				e.Model)
		case e.Dimensions != 0 || e.QueryPrefix != "" || e.DocPrefix != "":
			return "dimensions and prefixes are for servers: add endpoint:, or remove them"
		}
		return ""
	}
	if problem := endpointProblem(e.Endpoint, "https://api.openai.com/v1"); problem != "" {
		return problem
	}
	if e.Dimensions < 0 || e.Dimensions > maxDimensions {
		return fmt.Sprintf("dimensions must be 1 to %d", maxDimensions)
	}
	return ""
}

// endpointProblem describes an invalid address of a model server, or returns "".
func endpointProblem(endpoint, example string) string {
	u, err := url.Parse(endpoint)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "endpoint is no address: write one such as " + example
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "endpoint holds a user, a question mark or a #: remove it; a key is read from the environment alone"
	}
	return ""
}

// ErrByHand means that a program cannot safely change the file.
var ErrByHand = errors.New("the file can't be changed by a program")

// WithModel returns a local.yaml with an installed model, [EmbedBuiltin] or [EmbedOff]. All other keys and comments
// stay as in src.
func WithModel(src []byte, model string) ([]byte, error) {
	want, err := Parse(src)
	if err != nil {
		return nil, err
	}
	switch model {
	case EmbedOff, EmbedBuiltin:
		want.Embed = Embed{Off: model == EmbedOff}
		return withKey(src, "embed", "embed: "+model+"\n", want)
	}
	want.Embed = Embed{Model: model}
	if complaint := want.Embed.complaint(); complaint != "" {
		return nil, errors.New(complaint)
	}
	return withKey(src, "embed", "embed:\n  model: "+model+"\n", want)
}

// WithArchiveAgents returns a local.yaml with the names of the agents whose sessions are archived, and everything else
// as in src.
func WithArchiveAgents(src []byte, names []string) ([]byte, error) {
	want, err := Parse(src)
	if err != nil {
		return nil, err
	}
	want.ArchiveAgents = names
	if len(names) == 0 {
		want.ArchiveAgents = nil
		out, _ := cutKey(src, "archive_agents")
		return out, nil
	}
	return withKey(src, "archive_agents", "archive_agents: ["+strings.Join(names, ", ")+"]\n", want)
}

// withKey replaces the text of a key in src. It fails if the result does not parse as the wanted configuration.
func withKey(src []byte, key, text string, want Config) ([]byte, error) {
	out, _ := cutKey(src, key)
	out = appendLines(out, text)
	if got, err := Parse(out); err != nil || !reflect.DeepEqual(got, want) {
		return nil, fmt.Errorf("%w: write into it yourself: %s", ErrByHand, strings.TrimSpace(text))
	}
	return out, nil
}

// appendLines appends lines to a text whose last line may lack a line end.
func appendLines(src []byte, text string) []byte {
	if len(src) > 0 && src[len(src)-1] != '\n' {
		src = append(src, '\n')
	}
	return append(src, text...)
}

// cutKey removes a top-level key with its lines.
func cutKey(src []byte, key string) (rest, cut []byte) {
	inside := false
	for line := range bytes.Lines(src) {
		text := bytes.TrimRight(line, "\r\n")
		name, _, ok := bytes.Cut(text, []byte(":"))
		begins := ok && strings.Trim(string(name), ` "'`) == key && len(name) > 0 && name[0] != ' '
		if inside = begins || inside && (len(text) == 0 || text[0] == ' ' || text[0] == '-'); inside {
			cut = append(cut, line...)
		} else {
			rest = append(rest, line...)
		}
	}
	return rest, cut
}
