package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/providers"
)

// ErrGone means that a feature was turned off, such as the issues of a repository. It comes with
// [providers.ErrNotFound]: from status 410, or from a list whose server reports it in another way.
var ErrGone = errors.New("turned off here")

// ErrRejected means that the server does not accept a request in this form, such as a query with an unknown
// name. It comes with [providers.ErrMalformed].
var ErrRejected = errors.New("request is not accepted")

// maxMessage is how much of a server's message an error repeats, in bytes.
const maxMessage = 160

// checkResponse lets successes, redirects and "not modified" pass and turns everything else into an error.
func (c *Client) checkResponse(req *http.Request, resp *http.Response) (*http.Response, error) {
	limit := limitOf(resp.Header, c.o.Now())
	if limit.spent {
		c.until = limit.until
	}
	switch code := resp.StatusCode; {
	case code == http.StatusNotModified, code == http.StatusNoContent:
		return resp, nil
	// http.Client calls checkRedirect
	case slices.Contains([]int{301, 302, 303, 307, 308}, code) && resp.Header.Get("Location") != "":
		return resp, nil
	case 200 <= code && code <= 299:
		return c.success(req, resp)
	}
	defer resp.Body.Close()
	// The body of an error is only read for its message.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	message := c.message(body)
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests,
		code == http.StatusForbidden &&
			(limit.spent || limit.asked || strings.Contains(strings.ToLower(message), "rate limit")),
		code == http.StatusServiceUnavailable && limit.asked:
		c.until = limit.until
		return nil, c.wrap(req, message, &providers.RateLimitError{Until: limit.until})
	case code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusProxyAuthRequired:
		return nil, c.wrap(req, message, fmt.Errorf("status %d: %w", code, providers.ErrUnauthorized))
	case code == http.StatusGone:
		return nil, c.wrap(req, message, fmt.Errorf("status %d: %w: %w", code, providers.ErrNotFound, ErrGone))
	case code == http.StatusNotFound || code == http.StatusUnavailableForLegalReasons:
		return nil, c.wrap(req, message, fmt.Errorf("status %d: %w", code, providers.ErrNotFound))
	case code >= 500:
		return nil, c.wrap(req, message, fmt.Errorf("status %d: %w", code, providers.ErrUnavailable))
	case code == http.StatusBadRequest || code == http.StatusUnprocessableEntity:
		return nil, c.wrap(req, message, fmt.Errorf("status %d: %w: %w", code, ErrRejected, providers.ErrMalformed))
	default:
		return nil, c.wrap(req, message, fmt.Errorf("status %d: %w", code, providers.ErrMalformed))
	}
}

// success limits the size of the body of a good answer and refuses content that is not JSON, such as the
// login page of a proxy.
func (c *Client) success(req *http.Request, resp *http.Response) (*http.Response, error) {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		resp.Body.Close()
		return nil, c.wrap(req, "", fmt.Errorf("answer is %.60q and no JSON: %w", kind, providers.ErrMalformed))
	}
	resp.Body = &body{http.MaxBytesReader(nil, resp.Body, maxBody), func(err error) error {
		if errors.As(err, new(*http.MaxBytesError)) {
			return c.wrap(req, "", fmt.Errorf("answer is larger than %d MiB: %w", maxBody>>20, providers.ErrMalformed))
		}
		return c.connectionError(req, err)
	}}
	return resp, nil
}

// body is the body of an answer; named explains its read errors.
type body struct {
	io.ReadCloser
	named func(error) error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = b.named(err)
	}
	return n, err
}

// connectionError wraps the error of a request without a complete answer.
func (c *Client) connectionError(req *http.Request, err error) error {
	if cause := req.Context().Err(); cause != nil {
		return c.wrap(req, "", cause)
	}
	message := c.withoutToken(err.Error())
	if unconnected(err) {
		return c.wrap(req, "", fmt.Errorf("%w: %w: %s", providers.ErrUnavailable, providers.ErrUnreachable, message))
	}
	return c.wrap(req, "", fmt.Errorf("%w: %s", providers.ErrUnavailable, message))
}

// unconnected reports whether no connection could be made.
func unconnected(err error) bool {
	var op *net.OpError
	return errors.As(err, new(*net.DNSError)) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// wrap identifies the request by its path: a query may be long and adds little.
func (c *Client) wrap(req *http.Request, message string, err error) error {
	if message != "" {
		return fmt.Errorf("%s: %s %s: %w: %s", c.o.Name, req.Method, req.URL.EscapedPath(), err, message)
	}
	return fmt.Errorf("%s: %s %s: %w", c.o.Name, req.Method, req.URL.EscapedPath(), err)
}

// message returns the message in the body of an error answer, as one short line.
func (c *Client) message(body []byte) string {
	var m struct {
		Message any      `json:"message"`
		Error   any      `json:"error"`
		Errors  []string `json:"errorMessages"`
	}
	_ = json.Unmarshal(body, &m) // a body that is not JSON has no message
	if wrapped, ok := m.Error.(map[string]any); ok {
		m.Error = wrapped["message"]
	}
	for _, v := range []any{m.Message, m.Error, strings.Join(m.Errors, "; ")} {
		if s, ok := v.(string); ok && s != "" {
			return c.withoutToken(s)
		}
	}
	return ""
}

var terminalSequence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]?")
})

// withoutToken returns external text as one short line without the token.
func (c *Client) withoutToken(s string) string {
	for _, secret := range append(strings.Fields(c.authorization), c.o.Token) {
		if len(secret) > len("Bearer") {
			s = strings.ReplaceAll(s, secret, "…")
		}
	}
	// The rest of a terminal escape sequence must not touch the word after it: a search for secrets would not
	// separate the two.
	s = terminalSequence().ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), " ")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return cutWords(strings.TrimSpace(s), maxMessage)
}

// limit is what an answer states about the rate limit.
type limit struct {
	until time.Time
	spent bool // nothing is left
	asked bool // Retry-After asks to wait
}

// limitOf parses the headers of GitHub (x-ratelimit-remaining, x-ratelimit-reset in seconds since 1970),
// GitLab (RateLimit-Remaining, RateLimit-Reset) and Jira (X-RateLimit-Remaining, Retry-After;
// X-RateLimit-Reset is a date there).
func limitOf(h http.Header, now time.Time) limit {
	var l limit
	for _, prefix := range []string{"X-Ratelimit-", "Ratelimit-"} {
		if h.Get(prefix+"Remaining") == "0" {
			l.until, l.spent = timeOf(h.Get(prefix+"Reset")), true
		}
	}
	after := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(after); err == nil && seconds >= 0 {
		l.until, l.asked = now.Add(time.Duration(min(seconds, 7*24*3600))*time.Second), true
	} else if at, err := http.ParseTime(after); err == nil {
		l.until, l.asked = at, true
	}
	return l
}

// timeOf parses seconds since 1970 or a date; the zero time if it is neither.
func timeOf(s string) time.Time {
	if seconds, err := strconv.ParseInt(s, 10, 64); err == nil && seconds > 0 {
		return time.Unix(seconds, 0)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Decode decodes JSON. It refuses an empty body, which API client libraries treat as success.
func Decode(body json.RawMessage, v any) error {
	if len(body) == 0 || string(body) == "null" {
		return fmt.Errorf("empty answer: %w", providers.ErrMalformed)
	}
	return json.Unmarshal(body, v)
}

// CleanError removes the address that [http.Client] adds to an error, and explains JSON decoding errors and
// timeouts.
func (c *Client) CleanError(ctx context.Context, err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", c.o.Name, ctx.Err())
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: no whole answer in %v: %w", c.o.Name, requestTime, providers.ErrUnavailable)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: %w: it holds %s where something else is expected", c.o.Name,
			providers.ErrMalformed, kind.Value)
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%s: %w: %w", c.o.Name, providers.ErrMalformed, err)
	}
	return err
}
