package remote

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers"
)

const (
	// maxBody limits the size of an answer, in bytes after decompression. A page of 100 pull requests is about 2
	// MiB.
	maxBody = 32 << 20
	// maxRedirects is more than a server needs to redirect an old name to a new one.
	maxRedirects = 5
	// requestTime limits a request if the caller's context has no deadline.
	requestTime = time.Minute
)

// Options are the settings for a service.
type Options struct {
	// Name is the service: every error begins with it. The constructors of sources set it.
	Name string
	// BaseURL is the root of the API. Requests never leave its host and its path. It must be https, except for
	// this machine.
	BaseURL string
	// Token is an access token, or empty for public data. It is sent to the host of
	// BaseURL only and appears in no error.
	Token string
	// Email is the account of a token that is sent as a password (basic authentication); if it is empty, the
	// token is sent as a bearer token.
	Email string
	// Cloud is set for the vendor's own service, if its API differs from that of self-hosted servers.
	Cloud bool
	// Transport sends the requests; nil means [http.DefaultTransport].
	Transport http.RoundTripper
	// Budget is how many requests may be sent between two calls of [Client.Begin]; each call of a source begins
	// one. 0 means no limit. A fetch that reaches it stops with a [*providers.Partial] of [providers.ErrBudget].
	// Six requests are enough for progress, unless hundreds of entries change within two minutes.
	Budget int
	// Now is the clock. It must be set.
	Now func() time.Time
	// Sleep waits for d or until ctx ends; nil means a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client sends requests to one server. It is an [http.RoundTripper] whose errors wrap those of package
// providers: it never returns a response with a failure status; 304 and redirects are returned. Not safe for
// concurrent use.
type Client struct {
	o             Options
	base          *url.URL
	authorization string // value of that header, "" for none
	sent          int
	// until is the end of a rate limit that an answer announced.
	until time.Time
}

// NewClient checks the address: it must be https, or http on this machine.
func NewClient(o Options) (*Client, error) {
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("%s: %q is not an address of an API", o.Name, withoutUser(o.BaseURL))
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("%s: address of %s: %w: it must hold no password and no query", o.Name, base.Host,
			providers.ErrRefused)
	}
	if base.Scheme != "https" && (base.Scheme != "http" || !providers.IsLoopback(base.Hostname())) {
		return nil, fmt.Errorf("%s: address %s: %w: use https", o.Name, base, providers.ErrRefused)
	}
	if !strings.HasSuffix(base.Path, "/") {
		base.Path += "/"
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	c := &Client{o: o, base: base}
	switch {
	case o.Token != "" && o.Email != "":
		c.authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(o.Email+":"+o.Token))
	case o.Token != "":
		c.authorization = "Bearer " + o.Token
	}
	return c, nil
}

// withoutUser cuts a possible password out of an address that is not a valid URL.
func withoutUser(address string) string {
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		return "…" + address[i:]
	}
	return address
}

// Base returns the root of the API, with a trailing slash.
func (c *Client) Base() *url.URL {
	u := *c.base
	return &u
}

// Begin resets the count of sent requests.
func (c *Client) Begin() { c.sent = 0 }

// HTTP returns an http.Client for libraries that need one.
func (c *Client) HTTP() *http.Client {
	return &http.Client{Transport: c, CheckRedirect: c.checkRedirect, Timeout: requestTime}
}

// checkRedirect follows redirects within the API only.
func (c *Client) checkRedirect(req *http.Request, via []*http.Request) error {
	if !c.isOwnAddress(req.URL) {
		return fmt.Errorf("%s: redirect to %s: %w", c.o.Name, req.URL.Host, providers.ErrRefused)
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("%s: more than %d redirects: %w", c.o.Name, maxRedirects, providers.ErrMalformed)
	}
	return nil
}

// isOwnAddress reports whether an address is part of the API.
func (c *Client) isOwnAddress(u *url.URL) bool {
	return u.Scheme == c.base.Scheme && u.Host == c.base.Host && u.User == nil &&
		strings.HasPrefix(u.EscapedPath()+"/", c.base.EscapedPath())
}

// RoundTrip sends a request and turns a failure status into an error. It waits for a rate limit of [maxWait]
// or less, once, and retries.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.send(req)
	var limit *providers.RateLimitError
	if !errors.As(err, &limit) || limit.Until.IsZero() {
		return resp, err
	}
	wait := limit.Until.Sub(c.o.Now())
	if wait > maxWait || req.Body != nil {
		return nil, err
	}
	if err := c.o.Sleep(req.Context(), wait); err != nil {
		return nil, fmt.Errorf("%s: %w", c.o.Name, err)
	}
	c.until = time.Time{}
	return c.send(req)
}

// maxWait is the longest rate limit that RoundTrip waits for instead of reporting it.
const maxWait = 2 * time.Second

// send sends a request once.
func (c *Client) send(req *http.Request) (*http.Response, error) {
	if !c.isOwnAddress(req.URL) {
		return nil, fmt.Errorf("%s: request to %s: %w", c.o.Name, req.URL.Host, providers.ErrRefused)
	}
	if c.until.After(c.o.Now()) {
		return nil, c.wrap(req, "", &providers.RateLimitError{Until: c.until})
	}
	if c.o.Budget > 0 && c.sent >= c.o.Budget {
		return nil, fmt.Errorf("%s: %d requests: %w", c.o.Name, c.o.Budget, providers.ErrBudget)
	}
	c.sent++
	req = req.Clone(req.Context())
	for _, name := range []string{"Authorization", "Private-Token", "Job-Token", "Cookie"} {
		req.Header.Del(name)
	}
	if c.authorization != "" {
		req.Header.Set("Authorization", c.authorization)
	}
	req.Header.Set("User-Agent", "gitmem")
	resp, err := c.o.Transport.RoundTrip(req)
	if err != nil {
		return nil, c.connectionError(req, err)
	}
	return c.checkResponse(req, resp)
}

// sleep waits with a timer.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
