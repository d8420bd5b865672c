package browse_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gitmem/gitmem/cmd/internal/browse"
	"github.com/gitmem/gitmem/gitmem"
)

// served is a running server with an adjustable clock.
type served struct {
	*browse.Server
	t     *testing.T
	host  string
	later atomic.Int64 // nanoseconds after the start
}

func serve(t *testing.T, edit bool) *served {
	t.Helper()
	s, start := &served{t: t}, time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	now := func() time.Time { return start.Add(time.Duration(s.later.Load())) }
	home := t.TempDir()
	m, err := gitmem.Open(gitmem.Options{Dir: home, Home: home, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if s.Server, err = browse.New(browse.Options{Memory: m, Now: now, Edit: edit}); err != nil {
		t.Fatal(err)
	}
	s.host = strings.TrimPrefix(s.Address(), "http://")
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return s
}

// sent is a request of a browser or another program.
type sent struct {
	line, body string // method and path, and the body
	headers    []string
}

func get(path string, headers ...string) sent { return sent{"GET " + path, "", headers} }

func post(path, body string, headers ...string) sent {
	return sent{"POST " + path, body, append(headers, "Content-Type: application/x-www-form-urlencoded")}
}

// opens returns the form that exchanges a code.
func opens(code, to string, headers ...string) sent {
	return post("/open", url.Values{"code": {code}, "to": {to}}.Encode(), headers...)
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request without an HTTP client, which would normalise unusual paths and names. Host is this
// server's own unless a header sets another.
func (s *served) do(r sent) answer {
	s.t.Helper()
	a, err := s.try(r)
	if err != nil {
		s.t.Fatalf("%s: %v", r.line, err)
	}
	return a
}

func (s *served) try(r sent) (answer, error) {
	conn, err := net.Dial("tcp", s.host)
	if err != nil {
		return answer{}, err
	}
	defer conn.Close()
	headers := strings.Join(append(r.headers, "Connection: close"), "\r\n")
	if !strings.Contains(headers, "Host: ") {
		headers += "\r\nHost: " + s.host
	}
	_, _ = fmt.Fprintf(conn, "%s HTTP/1.1\r\n%s\r\nContent-Length: %d\r\n\r\n%s", r.line, headers, len(r.body), r.body)
	method, _, _ := strings.Cut(r.line, " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body)}, err
}

// data returns a value that the page opened with a code passes to the script.
func (a answer) data(name string) string {
	if m := regexp.MustCompile(`data-` + name + `="([^"]*)"`).FindStringSubmatch(a.body); m != nil {
		return html.UnescapeString(m[1])
	}
	return ""
}

// bearer returns the header with the token of this run.
func (s *served) bearer() string {
	s.t.Helper()
	token := s.do(opens(s.Code(), "/")).data("token")
	if len(token) < 26 {
		s.t.Fatalf("the token %q can be guessed", token)
	}
	return "Authorization: Bearer " + token
}

func TestCode(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	code := s.Code()
	first := s.do(opens(code, "/sessions"))
	if first.status != http.StatusOK || first.data("token") == "" || first.data("to") != "/sessions" {
		t.Fatalf("the code opens nothing: %+v", first)
	}
	if again := s.do(opens(code, "/")); again.status != http.StatusForbidden || again.data("token") != "" {
		t.Errorf("a code worked twice: %+v", again)
	}
	if other := s.do(opens(s.Code(), "/")); other.data("token") != first.data("token") {
		t.Error("the second code opens another run")
	}
	for _, code := range []string{"", "wrong", strings.ToLower(s.Code()), s.Code() + " "} {
		if a := s.do(opens(code, "/")); a.status != http.StatusForbidden || strings.Contains(a.body, first.data("token")) {
			t.Errorf("code %q: %+v", code, a)
		}
	}
	if a := s.do(post("/open?code="+s.Code(), "")); a.status != http.StatusForbidden {
		t.Errorf("a code in the address opens the pages: %d", a.status)
	}
	code = s.Code()
	s.later.Store(int64(time.Minute - time.Second))
	if a := s.do(opens(code, "/")); a.status != http.StatusOK {
		t.Errorf("a code of 59 seconds: %+v", a)
	}
	code = s.Code()
	s.later.Add(int64(time.Minute))
	if a := s.do(opens(code, "/")); a.status != http.StatusForbidden || a.data("token") != "" {
		t.Errorf("a code of a minute: %+v", a)
	}
}

// Of many concurrent requests with the code only one succeeds.
func TestCodeAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	code, got := s.Code(), make(chan bool)
	const many = 30
	for range many {
		go func() {
			a, err := s.try(opens(code, "/"))
			got <- err == nil && a.status == http.StatusOK
		}()
	}
	in := 0
	for range many {
		if <-got {
			in++
		}
	}
	if in != 1 {
		t.Errorf("%d of %d got in", in, many)
	}
}

// The tokens are only in that one page: in no address, header or log line.
func TestTokensAreNotTold(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(io.Discard) })
	s := serve(t, true)
	first := s.do(opens(s.Code(), "/"))
	token, edits := first.data("token"), first.data("edits")
	if edits == "" || edits == token {
		t.Fatalf("token %q, of changes %q", token, edits)
	}
	all := []answer{}
	for _, r := range []sent{
		get("/"), get("/open"), get("/nowhere"), post("/", "x=1"), get("/assets/app.js"), opens("old", "/"),
	} {
		all = append(all, s.do(r), s.do(sent{r.line, r.body, append(r.headers, "Authorization: Bearer "+token)}))
	}
	for _, a := range append(all, answer{header: first.header}) {
		told := fmt.Sprint(a.header, a.body)
		if strings.Contains(told, token) || strings.Contains(told, edits) {
			t.Errorf("a token is told: %s", told)
		}
	}
	if logged.Len() > 0 {
		t.Errorf("logged: %s", logged.String())
	}
}

// Without a token the response is the frame, the same at each address, or nothing.
func TestWithoutToken(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	frame := s.do(get("/")).body
	if !strings.Contains(frame, "<!doctype html>") || strings.Contains(frame, "data-token=") {
		t.Fatalf("the frame: %s", frame)
	}
	used := s.Code()
	s.do(opens(used, "/"))
	for _, path := range []string{"/sessions", "/search?q=x", "/memory", "/profile", "/graphql?query=%7Bstats%7D", "/open",
		"/nowhere", "/?q=x", "/?code=" + used, "/open?code=" + s.Code() + "&to=/"} {
		if a := s.do(get(path)); a.body != frame {
			t.Errorf("GET %s: %d %s", path, a.status, a.body)
		}
	}
	for _, r := range []sent{post("/", "q=x"), post("/graphql", `{"query":"{stats{notes}}"}`), post("/memory/forget", ""),
		{"HEAD /", "", nil}, {"PUT /", "x", nil}, {"DELETE /memory", "", nil}, {"OPTIONS /", "", nil}, {"OPTIONS *", "", nil},
		{"TRACE /", "", nil}, {"get /", "", nil}, {"QUERY /", "", nil},
		post("//open", "code=x"), post("/open/", "code=x"), post("/./open", "code=x"),
		get("/", "Authorization: Bearer "), get("/", "Authorization: Bearer wrong"), get("/", "Authorization: "+used),
		get("/assets/app.css", "Authorization: Bearer wrong"), opens(s.Code(), "/", "Authorization: Bearer wrong"),
		get("/", strings.Replace(s.bearer(), "Bearer", "bearer", 1)), get("/", s.bearer()+"x")} {
		if a := s.do(r); a.status != http.StatusUnauthorized || strings.Contains(a.body, "data-token=") {
			t.Errorf("%s %q: %d %s", r.line, r.headers, a.status, a.body)
		}
	}
	for _, line := range []string{"PUT /open", "DELETE /open", "HEAD /open?x", "PATCH /open"} {
		if a := s.do(sent{line, "code=" + s.Code(), nil}); a.data("token") != "" {
			t.Errorf("%s opens the pages: %d", line, a.status)
		}
	}
}

func TestForeign(t *testing.T) {
	t.Parallel()
	s := serve(t, true)
	_, port, _ := net.SplitHostPort(s.host)
	own, bearer, null := "Origin: "+s.Address(), s.bearer(), "Origin: null"
	const cross, same = "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"
	const here, typed = "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"
	const asks = "Access-Control-Request-Headers: x"
	tests := []struct {
		name   string
		r      sent
		status int
	}{
		{"another name for this address", get("/", "Host: evil.example:"+port), http.StatusMisdirectedRequest},
		{"another name, with the token", get("/", "Host: evil.example:"+port, bearer), http.StatusMisdirectedRequest},
		{"another name, with a code", opens(s.Code(), "/", "Host: evil.example:"+port), http.StatusMisdirectedRequest},
		{"another name, assets", get("/assets/app.js", "Host: evil.example:"+port), http.StatusMisdirectedRequest},
		{"localhost", get("/", "Host: localhost:"+port), http.StatusMisdirectedRequest},
		{"without the port", get("/", "Host: 127.0.0.1"), http.StatusMisdirectedRequest},
		{"another port", get("/", "Host: 127.0.0.1:1"), http.StatusMisdirectedRequest},
		{"no name", get("/", "Host: "), http.StatusMisdirectedRequest},
		{"a name in the line of the request", get("http://evil.example/", bearer), http.StatusMisdirectedRequest},
		{"two names", get("/", "Host: "+s.host, "Host: evil.example"), http.StatusBadRequest},
		{"foreign origin", get("/", bearer, "Origin: https://evil.example"), http.StatusForbidden},
		{"another port's origin", get("/", bearer, "Origin: http://127.0.0.1:1"), http.StatusForbidden},
		{"origin by another scheme", get("/", bearer, "Origin: https://"+s.host), http.StatusForbidden},
		{"origin that begins as ours", post("/", "", bearer, own+".evil.example"), http.StatusForbidden},
		{"asked before a foreign request", sent{"OPTIONS /", "", []string{"Origin: http://e", asks}}, http.StatusForbidden},
		{"opened from a foreign page", opens(s.Code(), "/", "Origin: https://evil.example", cross), http.StatusForbidden},
		{"opened from another port", opens(s.Code(), "/", "Origin: http://127.0.0.1:1", same), http.StatusForbidden},
		{"opened from a file", opens(s.Code(), "/", null, cross), http.StatusOK},
		{"opened from our own page", opens(s.Code(), "/", own, here), http.StatusOK},
		{"opened by a link of another page", get("/open", cross), http.StatusOK},
		{"no origin elsewhere", post("/", "", bearer, null), http.StatusForbidden},
		{"no origin, reading", get("/", bearer, null), http.StatusForbidden},
		{"no origin, reading the address that opens", get("/open", null), http.StatusForbidden},
		{"sent by a foreign page", post("/", "", bearer, cross), http.StatusForbidden},
		{"sent by another port", post("/", "", bearer, same), http.StatusForbidden},
		{"read by a foreign page", get("/?q=costly", cross), http.StatusForbidden},
		{"read by another port", get("/?q=costly", same), http.StatusForbidden},
		{"assets in a foreign page", get("/assets/app.js", cross), http.StatusForbidden},
		{"read by another port, with the token", get("/", bearer, same), http.StatusForbidden},
		{"read by a site of a kind unknown", get("/", bearer, "Sec-Fetch-Site: elsewhere"), http.StatusForbidden},
		{"typed", get("/", typed), http.StatusOK},
		{"read by our own page", get("/nowhere", bearer, here), http.StatusNotFound},
	}
	for _, tt := range tests {
		a := s.do(tt.r)
		if a.status != tt.status {
			t.Errorf("%s: %d %s, want %d", tt.name, a.status, a.body, tt.status)
		}
		if a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: a foreign page may read this", tt.name)
		}
		if tt.status >= http.StatusForbidden && a.data("token") != "" {
			t.Errorf("%s: gets the token", tt.name)
		}
	}
}

// Only an address that a browser resolves to this server is opened.
func TestOpensOwnPagesOnly(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	for _, to := range []string{
		"/", "/sessions/ab-1#msg-5", "/memory?tab=rules&file=api", "/search?q=a,b%20c", "/search?q=https://x.example",
	} {
		if got := s.do(opens(s.Code(), to)).data("to"); got != to {
			t.Errorf("to %q: %q", to, got)
		}
	}
	for _, to := range []string{
		"", "//evil.example", "///evil.example", `/\evil.example`, `\\evil.example`, "/\t/evil.example",
		"/\n/evil.example", "\t//evil.example", " //evil.example", "/\u200b/evil.example", "/\u202e/evil.example",
		"\u200b//evil.example", "/\x00/evil.example",
		"/\x7f/evil.example", "/\u0085/evil.example", "https://evil.example", "evil.example",
		"javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "@evil.example", ":80/",
	} {
		if got := s.do(opens(s.Code(), to)).data("to"); got != "/" {
			t.Errorf("to %q: %q", to, got)
		}
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	for name, kind := range map[string]string{
		"app.css": "text/css", "app.js": "text/javascript", "icon.svg": "image/svg+xml",
	} {
		a := s.do(get("/assets/" + name))
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), kind) || a.body == "" {
			t.Errorf("%s: %d %s", name, a.status, a.header)
		}
	}
	for _, path := range []string{
		"/assets/", "/assets", "/assets/.", "/assets/frame.html", "/assets/schema.graphql", "/assets/app.css/",
		"/assets/none.js", "/assets/..%2fweb%2fapp.js", "/assets/%2e%2e/templates.go", "/assets/../assets/frame.html",
		"/assets//app.js", "/assets/index.html", "/assets/app.js%00.html",
	} {
		a := s.do(get(path))
		shown := a.status == http.StatusOK && !strings.Contains(a.body, "Loading…")
		if shown || strings.Contains(a.body, "{{") || strings.Contains(a.body, "<pre>") {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
		if to := a.header.Get("Location"); strings.Contains(to, "://") || strings.HasPrefix(to, "//") {
			t.Errorf("%s: leads to %s", path, to)
		}
	}
}

// Each response has the policy, including errors, assets and redirects.
func TestPolicy(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	bearer := s.bearer()
	for _, r := range []sent{
		get("/"), get("/", bearer), get("/nowhere", bearer), get("//evil.example/..", bearer), get("/a/../b"),
		get("/assets/app.css"), get("/assets/app.js", "Range: bytes=900000000-"), get("/assets/icon.svg"),
		get("/assets/none"), get("/assets/"), get("/", "Host: evil"), post("/", ""), post("/nowhere", "", bearer),
		opens("wrong", "/"), opens(s.Code(), "/"), get("/", "Origin: null"),
		{"HEAD /", "", []string{bearer}}, {"PUT /open", "", nil}, {"OPTIONS *", "", nil},
	} {
		a := s.do(r)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
				"connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control":                "no-store",
			"X-Dns-Prefetch-Control":       "off",
			"Set-Cookie":                   "",
			"Server":                       "",
			"Access-Control-Allow-Origin":  "",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s %q: %d, %s is %q, want %q", r.line, r.headers, a.status, name, got, want)
			}
		}
	}
}

func TestBigBody(t *testing.T) {
	t.Parallel()
	s := serve(t, true)
	code := s.Code()
	if a, err := s.try(opens(strings.Repeat("x", 8<<20)+code, "/")); err == nil && a.status < http.StatusBadRequest {
		t.Errorf("8 MB for a code: %d", a.status)
	}
	if a := s.do(opens(code, "/")); a.status != http.StatusOK {
		t.Errorf("the code after it: %d", a.status)
	}
}

// A client that may not change memory does not get the edit token.
func TestEditsAreAskedFor(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	if a := s.do(opens(s.Code(), "/")); a.data("edits") != "" || a.data("token") == "" {
		t.Errorf("without --edit: %s", a.body)
	}
}
