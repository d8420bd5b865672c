// Package modelapi posts JSON to the servers of models: it follows no redirects, sends a key only over https or to this
// machine, keeps the key out of errors, and retries after temporary failures. It knows no model and no API.
package modelapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Limits of one request.
const (
	requestTime  = time.Minute
	maxReplyByte = 64 << 20
	maxMessage   = 200 // characters of a server's error message
)

// Server is a server and its request settings.
type Server struct {
	Base string // address before the paths of its API
	Key  string // "" for none
	// KeyHeader is the header of the key; "" is Authorization, with Bearer before the key.
	KeyHeader string
	Header    http.Header // other headers of every request
	Client    *http.Client
	// Timeout is the limit of one request; 0 is a minute.
	Timeout time.Duration
	Pacer
}

// Client posts to a server. It is safe for concurrent use.
type Client struct {
	o    Server
	base *url.URL
}

// NewClient returns a client for settings that the configuration has validated; it sends no request.
func NewClient(o Server) (*Client, error) {
	base, err := url.Parse(o.Base)
	if err != nil {
		return nil, err
	}
	client := *cmp.Or(o.Client, &http.Client{})
	// A redirect could send the texts and the key elsewhere.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.Client = &client
	return &Client{o: o, base: base}, nil
}

// CompanyKey returns the key in the environment that other programs use too: it is only sent to the company that issued
// it. It is "" for every other address.
func CompanyKey(endpoint string, getenv func(string) string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" {
		return ""
	}
	// "" for an unknown host
	return getenv(map[string]string{"api.anthropic.com": "ANTHROPIC_API_KEY", "api.openai.com": "OPENAI_API_KEY"}[u.Host])
}

// Base returns the address of the server.
func (c *Client) Base() string { return c.base.String() }

// Post sends a value as JSON to a path of the server and passes a successful reply to read. It retries temporary
// failures. An error names the server.
func Post[Reply, Out any](ctx context.Context, c *Client, api, path string, body any,
	read func(Reply) (Out, error)) (out Out, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return out, err
	}
	err = c.o.retry(ctx, func() error {
		raw, err := c.exchange(ctx, path, text)
		if err != nil {
			return err
		}
		var reply Reply
		if err = json.Unmarshal(raw, &reply); err != nil {
			return fmt.Errorf("the reply is not what the %s API sends: %w", api, err)
		}
		out, err = read(reply)
		return err
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", c.base.Redacted(), err)
	}
	return out, err
}

// exchange sends one request and returns the body of a successful reply.
func (c *Client) exchange(ctx context.Context, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.o.Timeout, requestTime))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, values := range c.o.Header {
		req.Header[name] = values
	}
	switch {
	case c.o.Key == "" || !mayHaveSecrets(c.base):
	case c.o.KeyHeader != "":
		req.Header.Set(c.o.KeyHeader, c.o.Key)
	default:
		req.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	res, err := c.o.Client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		if ctx.Err() != nil { // after a timeout four more attempts are useless
			return nil, fmt.Errorf("no reply came in time: %w", err)
		}
		return nil, &retryable{err: err}
	}
	defer res.Body.Close()
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
	err = c.statusError(res, raw)
	if slices.Contains([]int{429, 500, 502, 503, 504}, res.StatusCode) { // another attempt may succeed
		err = &retryable{err: err, after: retryAfter(res.Header)}
	}
	return nil, err
}

// statusError returns the error for an error status.
func (c *Client) statusError(res *http.Response, raw []byte) error {
	text := res.Status
	if message := c.message(raw); message != "" {
		text += ": " + message
	}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		text += "; redirects are not followed: configure the address that it leads to"
	case res.StatusCode == http.StatusUnauthorized && c.o.Key == "":
		text += "; no key is set in the environment"
	case res.StatusCode == http.StatusUnauthorized && !mayHaveSecrets(c.base):
		text += "; the key was not sent since the address is not https"
	}
	return errors.New(text)
}

// message returns the message in the body of an error, shortened and without the key.
func (c *Client) message(raw []byte) string {
	var r struct {
		Error any `json:"error"`
	}
	_ = json.Unmarshal(raw, &r) // invalid JSON has no message
	if whole, ok := r.Error.(map[string]any); ok {
		r.Error = whole["message"]
	}
	text, _ := r.Error.(string)
	if c.o.Key != "" {
		text = strings.ReplaceAll(text, c.o.Key, "[key]")
	}
	return fmt.Sprintf("%.*s", maxMessage, strings.Join(strings.Fields(text), " "))
}
