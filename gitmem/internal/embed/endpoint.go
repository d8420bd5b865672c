package embed

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Limits of one request.
const (
	batchTexts   = 64
	batchBytes   = 100 << 10
	textBytes    = 8000 // of one text; models take about 8,000 tokens
	requestTime  = time.Minute
	maxReplyByte = 64 << 20
)

// Server configures a server with OpenAI's embeddings API.
type Server struct {
	Base       string // address before /embeddings
	Model      string
	Dimensions int // requested; 0: the model's own
	// QueryPrefix and DocPrefix precede questions and documents, as some models need it.
	QueryPrefix, DocPrefix string
	// Key is sent over https or to this machine only, and is in no error.
	Key    string
	Client *http.Client
	// Timeout is the limit of one request; 0 is a minute.
	Timeout time.Duration
	Pacer
}

// Endpoint embeds with a server. It is safe for concurrent use.
type Endpoint struct {
	o    Server
	base *url.URL

	mu  sync.Mutex
	dim int
}

// NewEndpoint takes settings that the configuration has checked; it sends no request.
func NewEndpoint(o Server) (*Endpoint, error) {
	base, err := url.Parse(o.Base)
	if err != nil {
		return nil, fmt.Errorf("endpoint: %w", err)
	}
	client := http.Client{}
	if o.Client != nil {
		client = *o.Client
	}
	// A redirect could send the texts and the key elsewhere.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.Client = &client
	return &Endpoint{o: o, base: base, dim: o.Dimensions}, nil
}

// Fingerprint identifies the server, the model and the prefixes.
func (e *Endpoint) Fingerprint() Fingerprint {
	return sha256.Sum256(fmt.Appendf(nil, "endpoint 1\n%q %q %d %q %q", e.base.String(), e.o.Model, e.o.Dimensions, e.o.QueryPrefix, e.o.DocPrefix))
}

// Embed returns a vector for each text, nil for an empty one. Texts are cut to 8,000 bytes.
func (e *Endpoint) Embed(ctx context.Context, kind InputType, texts []string) ([][]float32, error) {
	prefix := e.o.DocPrefix
	if kind == Question {
		prefix = e.o.QueryPrefix
	}
	out := make([][]float32, len(texts))
	var batch []string
	var places []int
	size := 0
	send := func() error {
		if len(batch) == 0 {
			return nil
		}
		got, err := e.post(ctx, batch)
		if err != nil {
			return err
		}
		for i, v := range got {
			out[places[i]] = v
		}
		batch, places, size = batch[:0], places[:0], 0
		return nil
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		text = prefix + truncate(text, textBytes)
		if len(batch) == batchTexts || size+len(text) > batchBytes {
			if err := send(); err != nil {
				return nil, err
			}
		}
		batch, places, size = append(batch, text), append(places, i), size+len(text)
	}
	return out, send()
}

// truncate is at most n bytes of a text, in whole runes.
func truncate(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// request and reply are the API's JSON. The encoding is always set: some servers have
// another default.
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
	Error json.RawMessage `json:"error"`
}

func (e *Endpoint) post(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	body, err := json.Marshal(request{Model: e.o.Model, Input: texts, Encoding: "float", Dimensions: e.o.Dimensions})
	if err != nil {
		return nil, err
	}
	err = e.o.retry(ctx, func() error {
		raw, err := e.exchange(ctx, body)
		if err != nil {
			return err
		}
		vectors, err = e.read(raw, len(texts))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.base.Redacted(), err)
	}
	return vectors, nil
}

// exchange sends one request and returns the body of a good reply.
func (e *Endpoint) exchange(ctx context.Context, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(e.o.Timeout, requestTime))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.base.JoinPath("embeddings").String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.o.Key != "" && mayHaveSecrets(e.base) {
		req.Header.Set("Authorization", "Bearer "+e.o.Key)
	}
	res, err := e.o.Client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		if ctx.Err() != nil { // after a wait in vain there are no four more
			return nil, fmt.Errorf("no reply came in time: %w", err)
		}
		return nil, &retryable{err: err}
	}
	defer drain(res.Body)
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxReplyByte+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("the reply did not end in time: %w", err)
	case err != nil:
		return nil, &retryable{err: fmt.Errorf("the reply broke off: %w", err)}
	case len(raw) > maxReplyByte:
		return nil, fmt.Errorf("the reply is larger than %d bytes", maxReplyByte)
	case res.StatusCode == http.StatusOK:
		return raw, nil
	}
	err = e.statusError(res, raw)
	if temporary(res.StatusCode) {
		err = &retryable{err: err, after: retryAfter(res.Header)}
	}
	return nil, err
}

// statusError describes an error status as an error.
func (e *Endpoint) statusError(res *http.Response, raw []byte) error {
	text := res.Status
	if message := e.message(raw); message != "" {
		text += ": " + message
	}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		text += "; redirects are not followed: configure the address that it leads to"
	case res.StatusCode == http.StatusUnauthorized && e.o.Key == "":
		text += "; no key is set in the environment"
	case res.StatusCode == http.StatusUnauthorized && !mayHaveSecrets(e.base):
		text += "; the key was not sent since the address is not https"
	}
	return errors.New(text)
}

// message is the message in the body of an error, shortened and without the key.
func (e *Endpoint) message(raw []byte) string {
	var r reply
	if json.Unmarshal(raw, &r) != nil || len(r.Error) == 0 {
		return ""
	}
	var whole struct {
		Message string `json:"message"`
	}
	text := ""
	if json.Unmarshal(r.Error, &text) != nil && json.Unmarshal(r.Error, &whole) == nil {
		text = whole.Message
	}
	if e.o.Key != "" {
		text = strings.ReplaceAll(text, e.o.Key, "[key]")
	}
	return truncate(strings.Join(strings.Fields(text), " "), 200)
}

// read extracts the vectors of a reply, in the order of the texts.
func (e *Endpoint) read(raw []byte, texts int) ([][]float32, error) {
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("the reply is not what the embeddings API sends: %w", err)
	}
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

// checkDim sets the number of dimensions from the first reply; all others must have the
// same.
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
