package remote_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// answer is one response of a server.
type answer struct {
	status int
	header http.Header
	body   string
}

// place gives its answers in turn, and repeats the last one.
type place struct {
	answers []answer
	asked   []*http.Request
}

func (p *place) RoundTrip(r *http.Request) (*http.Response, error) {
	p.asked = append(p.asked, r)
	a := p.answers[min(len(p.asked), len(p.answers))-1]
	h := a.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Content-Type", "application/json")
	return &http.Response{StatusCode: a.status, Header: h, Body: io.NopCloser(strings.NewReader(a.body)),
		ContentLength: -1, Request: r}, nil
}

func now() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func client(t *testing.T, p *place, change func(*remote.Options)) *remote.Client {
	t.Helper()
	o := remote.Options{
		Name: "place", BaseURL: "https://place.example/api", Token: "token-of-a-place", Transport: p, Now: now,
		Sleep: func(context.Context, time.Duration) error { t.Error("it waits"); return nil },
	}
	if change != nil {
		change(&o)
	}
	c, err := remote.NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func get(t *testing.T, c *remote.Client, address string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Private-Token", "left by a library")
	resp, err := c.HTTP().Do(req)
	if err != nil {
		return "", c.CleanError(t.Context(), err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), c.CleanError(t.Context(), err)
}

// TestShortLimits waits for limits of two seconds, once, and reports longer ones.
func TestShortLimits(t *testing.T) {
	t.Parallel()
	ok := answer{status: 200, body: "{}"}
	for name, c := range map[string]struct {
		answers []answer
		slept   []time.Duration
		until   time.Duration // from now; -1 is no error, 0 an unknown end
	}{
		"short": {[]answer{{status: 429, header: http.Header{"Retry-After": {"2"}}}, ok},
			[]time.Duration{2 * time.Second}, -1},
		"short, twice": {[]answer{{status: 429, header: http.Header{"Retry-After": {"1"}}}},
			[]time.Duration{time.Second}, time.Second},
		"long":   {[]answer{{status: 429, header: http.Header{"Retry-After": {"3"}}}, ok}, nil, 3 * time.Second},
		"no end": {[]answer{{status: 429}, ok}, nil, 0},
		"primary": {[]answer{{status: 403, header: http.Header{"X-Ratelimit-Remaining": {"0"},
			"X-Ratelimit-Reset": {"1767225660"}}}}, nil, time.Minute},
		"secondary":   {[]answer{{status: 403, body: `{"message":"You have exceeded a secondary rate limit."}`}}, nil, 0},
		"maintenance": {[]answer{{status: 503, header: http.Header{"Retry-After": {"60"}}}}, nil, time.Minute},
		"a date": {[]answer{{status: 429, header: http.Header{"Retry-After": {"Thu, 01 Jan 2026 00:10:00 GMT"}}}}, nil,
			10 * time.Minute},
		"for ages": {[]answer{{status: 429, header: http.Header{"Retry-After": {"99999999999"}}}}, nil,
			7 * 24 * time.Hour},
	} {
		var slept []time.Duration
		p := &place{answers: c.answers}
		_, err := get(t, client(t, p, func(o *remote.Options) {
			o.Sleep = func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil }
		}), "https://place.example/api/x")
		if !slices.Equal(slept, c.slept) {
			t.Errorf("%s: slept %v, want %v", name, slept, c.slept)
		}
		var limit *providers.RateLimitError
		switch {
		case c.until < 0:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case !errors.As(err, &limit):
			t.Errorf("%s: %v, want a rate limit", name, err)
		case c.until == 0 && !limit.Until.IsZero(), c.until > 0 && !limit.Until.Equal(now().Add(c.until)):
			t.Errorf("%s: until %v, want %v from now", name, limit.Until, c.until)
		}
	}
}

// TestLimitIsRemembered sends no request after the last one that was allowed.
func TestLimitIsRemembered(t *testing.T) {
	t.Parallel()
	p := &place{answers: []answer{{status: 200, body: "{}", header: http.Header{"X-Ratelimit-Remaining": {"0"},
		"X-Ratelimit-Reset": {"1767225660"}}}}}
	c := client(t, p, nil)
	if _, err := get(t, c, "https://place.example/api/x"); err != nil {
		t.Fatal(err)
	}
	if _, err := get(t, c, "https://place.example/api/x"); !errors.Is(err, providers.ErrRateLimited) || len(p.asked) != 1 {
		t.Errorf("%d requests, %v; want one and a rate limit", len(p.asked), err)
	}
}

// TestTokenStaysHome checks every request that is sent.
func TestTokenStaysHome(t *testing.T) {
	t.Parallel()
	for _, to := range []string{
		"https://other.example/api/x", "http://place.example/api/x", "https://place.example:8443/api/x",
		"https://place.example/apis/x",
		"https://ada@place.example/api/x", "https://place.example/other",
	} {
		p := &place{answers: []answer{{status: 302, header: http.Header{"Location": {to}}}, {status: 200, body: "{}"}}}
		if _, err := get(t, client(t, p, nil), "https://place.example/api/x"); !errors.Is(err, providers.ErrRefused) ||
			len(p.asked) != 1 {
			t.Errorf("redirect to %s: %d requests, %v", to, len(p.asked), err)
		}
		p = &place{answers: []answer{{status: 200, body: "{}"}}}
		if _, err := get(t, client(t, p, nil), to); !errors.Is(err, providers.ErrRefused) || len(p.asked) != 0 {
			t.Errorf("request to %s: %d requests, %v", to, len(p.asked), err)
		}
	}
	p := &place{answers: []answer{{status: 302, header: http.Header{"Location": {"/api/y?z=1"}}},
		{status: 200, body: "{}"}}}
	if _, err := get(t, client(t, p, nil), "https://place.example/api/x"); err != nil || len(p.asked) != 2 {
		t.Errorf("redirect at home: %d requests, %v", len(p.asked), err)
	}
	for _, r := range p.asked {
		if r.Header.Get("Authorization") != "Bearer token-of-a-place" || r.Header.Get("Private-Token") != "" {
			t.Errorf("headers %v", r.Header)
		}
	}
}

// TestErrorsSayLittle has answers with secrets and long, invalid texts.
func TestErrorsSayLittle(t *testing.T) {
	t.Parallel()
	body := `{"message":"bad YUBiOml0cy1vd24tc2VjcmV0 or its-own-secret\n\u001b[31m` + strings.Repeat("x", 5000) + `"}`
	c := client(t, &place{answers: []answer{{status: 401, body: body}}}, func(o *remote.Options) {
		o.Email, o.Token = "a@b", "its-own-secret"
	})
	_, err := get(t, c, "https://place.example/api/x?private_token=oops")
	if !errors.Is(err, providers.ErrUnauthorized) {
		t.Fatalf("%v, want ErrUnauthorized", err)
	}
	for _, bad := range []string{"YUBiOml0", "its-own", "oops", "\n", "\x1b"} {
		if strings.Contains(err.Error(), bad) {
			t.Errorf("the error holds %q: %q", bad, err)
		}
	}
	if len(err.Error()) > 400 {
		t.Errorf("the error has %d bytes", len(err.Error()))
	}
}

// TestErrorsInTheirForms checks that a server's message is kept, in each format of servers.
func TestErrorsInTheirForms(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"message":"no such page"}`, `{"error":"no such page"}`,
		`{"error":{"message":"no such page"}}`, `{"errorMessages":["no such page"]}`} {
		c := client(t, &place{answers: []answer{{status: 400, body: body}}}, nil)
		if _, err := get(t, c, "https://place.example/api/x"); err == nil || !strings.Contains(err.Error(), "no such page") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// wire fails each request like a network.
type wire struct{ err error }

func (w wire) RoundTrip(*http.Request) (*http.Response, error) { return nil, w.err }

// A failed connection is distinguished from an interrupted one.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err  error
		want bool
	}{
		"no name":    {&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "place.example"}}, true},
		"refused":    {&net.OpError{Op: "dial", Err: errors.New("connection refused")}, true},
		"no proxy":   {&net.OpError{Op: "proxyconnect", Err: errors.New("connection refused")}, true},
		"broken off": {&net.OpError{Op: "read", Err: errors.New("connection reset by peer")}, false},
		"cut":        {io.ErrUnexpectedEOF, false},
	} {
		c := client(t, nil, func(o *remote.Options) { o.Transport = wire{tt.err} })
		_, err := get(t, c, "https://place.example/api/x")
		if !errors.Is(err, providers.ErrUnavailable) || errors.Is(err, providers.ErrUnreachable) != tt.want ||
			!strings.Contains(err.Error(), tt.err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTallyText cleans bodies.
func TestTallyText(t *testing.T) {
	t.Parallel()
	var tally remote.Tally
	for in, want := range map[string]string{
		" a\r\nb ":                "a\nb",
		"a<!-- b -->c<!--d-->":    "ac",
		"a <!-- open":             "a <!-- open",
		"\xff\x00x":               "\uFFFDx",
		"<!-- only a comment -->": "",
	} {
		if got := tally.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if len(tally.Skips()) != 0 {
		t.Errorf("skips %v", tally.Skips())
	}
	long := tally.Text(strings.Repeat("ä", 64<<10))
	if len(long) > 64<<10 || !strings.HasSuffix(long, "ä\n[…]") || len(tally.Skips()) != 1 {
		t.Errorf("a long text has %d bytes and ends with %q, skips %v", len(long), long[len(long)-8:], tally.Skips())
	}
}

func TestIsBot(t *testing.T) {
	t.Parallel()
	for login, want := range map[string]bool{
		"dependabot[bot]": true, "codecov-commenter": true, "k8s-ci-robot": true, "project_3_bot_f00": true, "Copilot": true,
		"talbot": false, "Ben Bot": false, "ada": false, "robotics": false, "project_lead": false, "": false,
	} {
		if got := providers.IsBot(login, ""); got != want {
			t.Errorf("IsBot(%q) = %v", login, got)
		}
	}
}
