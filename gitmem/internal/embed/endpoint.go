package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
)

// Limits of one request.
const (
	batchTexts = 64
	batchBytes = 100 << 10
	textBytes  = 8000 // of one text; models take about 8,000 tokens
)

// Server configures a server with OpenAI's embeddings API.
type Server struct {
	modelapi.Server // its Base is the address before /embeddings
	Model           string
	Dimensions      int // requested; 0 for the model's own
	// QueryPrefix and DocPrefix precede questions and documents, as some models require.
	QueryPrefix, DocPrefix string
}

// Endpoint embeds texts with a server. It is safe for concurrent use.
type Endpoint struct {
	o      Server
	server *modelapi.Client

	mu  sync.Mutex
	dim int
}

// NewEndpoint returns an Endpoint for validated settings; it sends no request.
func NewEndpoint(o Server) (*Endpoint, error) {
	server, err := modelapi.NewClient(o.Server)
	if err != nil {
		return nil, fmt.Errorf("endpoint: %w", err)
	}
	return &Endpoint{o: o, server: server, dim: o.Dimensions}, nil
}

// Fingerprint identifies the server, the model and the prefixes.
func (e *Endpoint) Fingerprint() Fingerprint {
	return sha256.Sum256(fmt.Appendf(nil, "endpoint 1\n%q %q %d %q %q", e.server.Base(), e.o.Model, e.o.Dimensions,
		e.o.QueryPrefix, e.o.DocPrefix))
}

// Embed returns a vector for each text, nil for an empty one. Texts are truncated to 8,000 bytes.
func (e *Endpoint) Embed(ctx context.Context, kind InputType, texts []string) ([][]float32, error) {
	prefix := e.o.DocPrefix
	if kind == Question {
		prefix = e.o.QueryPrefix
	}
	out := make([][]float32, len(texts))
	var places []int // of the texts to send
	for i, text := range texts {
		if strings.TrimSpace(text) != "" {
			places = append(places, i)
		}
	}
	for len(places) > 0 {
		var batch []string
		size := 0
		for _, i := range places[:min(len(places), batchTexts)] {
			text := prefix + messages.ClipBytes(texts[i], textBytes)
			if size += len(text); size > batchBytes && len(batch) > 0 {
				break
			}
			batch = append(batch, text)
		}
		body := request{Model: e.o.Model, Input: batch, Encoding: "float", Dimensions: e.o.Dimensions}
		got, err := modelapi.Post(ctx, e.server, "embeddings", "embeddings", body, func(r reply) ([][]float32, error) {
			return e.read(r, len(batch))
		})
		if err != nil {
			return nil, err
		}
		for i, v := range got {
			out[places[i]] = v
		}
		places = places[len(batch):]
	}
	return out, nil
}

// request and reply are the API's JSON. The encoding is always set, since servers have different defaults.
type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Encoding   string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type reply struct {
	Data []struct {
		Index     int             `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
}

// read extracts the vectors of a reply, in the order of the texts.
func (e *Endpoint) read(r reply, texts int) ([][]float32, error) {
	if len(r.Data) != texts {
		return nil, fmt.Errorf("%d texts were sent and %d vectors came back", texts, len(r.Data))
	}
	out := make([][]float32, texts)
	for _, d := range r.Data {
		if d.Index < 0 || d.Index >= texts || out[d.Index] != nil {
			return nil, fmt.Errorf("the reply numbers its vectors wrongly: %d of %d", d.Index, texts)
		}
		if bytes.HasPrefix(d.Embedding, []byte(`"`)) {
			return nil, errors.New("the reply has its vectors in base64, although numbers were asked for")
		}
		if err := json.Unmarshal(d.Embedding, &out[d.Index]); err != nil || len(out[d.Index]) == 0 {
			return nil, fmt.Errorf("vector %d of the reply is no list of numbers", d.Index)
		}
	}
	return out, e.checkDim(out)
}

// checkDim sets the number of dimensions from the first reply; all others must have the same.
func (e *Endpoint) checkDim(vectors [][]float32) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, v := range vectors {
		if e.dim == 0 && len(v) <= maxDim {
			e.dim = len(v)
		}
		if len(v) != e.dim {
			return fmt.Errorf("%w: the reply has %d, %d are expected", ErrMismatch, len(v), e.dim)
		}
	}
	return nil
}
