package browse

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/graph-gophers/graphql-go"

	"github.com/gitmem/gitmem/gitmem"
)

const (
	hostile = `<script>alert("pump")</script>` + "\x1b[31m"
	token   = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	why     = "why did we choose the membrane pump?"
)

// pumps returns a server for a repository that explains its choice of a pump.
func pumps(t *testing.T) *Server {
	t.Helper()
	dir := t.TempDir()
	repo := filepath.Join(dir, "repo")
	git := func(args ...string) {
		c := exec.CommandContext(t.Context(), "git",
			append([]string{"-C", repo, "-c", "user.name=Ada " + hostile, "-c", "user.email=ada@example.org"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE=2024-05-14T10:00:00Z",
			"GIT_COMMITTER_DATE=2024-05-14T10:00:00Z")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.Mkdir(repo, 0o700); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "Choose the membrane pump "+hostile, "-m",
		"The gear pump leaked because its seal is soft "+hostile+".")
	now := func() time.Time { return time.Date(2024, 6, 1, 9, 0, 0, 0, time.UTC) }
	m, err := gitmem.Open(gitmem.Options{Dir: repo, Home: dir, CacheDir: filepath.Join(dir, "cache"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Memory: m, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.site.questions.Wait()
		_ = s.listen.Close()
	})
	return s
}

// do sends a request with the token.
func (s *Server) do(t *testing.T, method, path, body string, headers ...string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Host = s.access.host
	r.Header.Set("Authorization", bearer+s.access.token)
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.access.guard(s.site.routes(s.access)).ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// query returns a GraphQL request.
func query(text string, variables map[string]any) string {
	b, _ := json.Marshal(map[string]any{"query": text, "variables": variables}) // always valid JSON
	return string(b)
}

const searchMemory = `mutation SearchMemory($question: String!) { searchMemory(question: $question) { sessionId ` +
	`answer confidence citations { source excerpt browseUrl } } }`

func TestSearchMemory(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	code, body := s.do(t, "POST", "/graphql", query(searchMemory, map[string]any{"question": why}))
	var got struct {
		Data struct {
			SearchMemory struct {
				Confidence string
				Citations  []struct{ Source, Excerpt, BrowseURL string }
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != http.StatusOK {
		t.Fatalf("%d, %v: %s", code, err, body)
	}
	a := got.Data.SearchMemory
	if a.Confidence != "high" || len(a.Citations) != 1 || !strings.HasPrefix(a.Citations[0].Source, "git:commit:") ||
		a.Citations[0].BrowseURL == "" {
		t.Errorf("%+v", a)
	}
}

// One request can read the data of several pages, and a source by its citation.
func TestPagesByGraphQL(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	_, body := s.do(t, "POST", "/graphql",
		query(`{ search(query: "membrane") { hits { source } } sessions { total } memory { tab } profile { words }
		people { commits } graph { intents } team { commits people } stats { root folder } }`, nil))
	var got struct {
		Data struct {
			Search struct{ Hits []struct{ Source string } }
			Team   struct{ Commits int }
		}
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || strings.Contains(body, `"errors"`) ||
		len(got.Data.Search.Hits) != 1 || got.Data.Team.Commits != 1 {
		t.Fatalf("%v: %s", err, body)
	}
	one := `query($id: String!) { source(id: $id) { title author commit { title } } session(id: "none") { reopen } }`
	_, body = s.do(t, "POST", "/graphql", query(one, map[string]any{"id": got.Data.Search.Hits[0].Source}))
	if !strings.Contains(body, `"path":["session"]`) || strings.Contains(body, "internal/") {
		t.Errorf("%s", body)
	}
}

const follows = `subscription($q: String!, $on: String) { ask(question: $q, asOf: $on) { step { level by gave } ` +
	`answer { verdict } html } }`

// The steps arrive in order, then the answer, then the end; text of others is shown and not run.
func TestStream(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	code, body := s.do(t, "POST", "/graphql", query(follows, map[string]any{"q": why, "on": "2024-05-20"}),
		"Accept: text/event-stream")
	events := strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	if last := events[len(events)-1]; code != http.StatusOK || last != "event: complete\ndata:" {
		t.Fatalf("%d, at the end %q", code, last)
	}
	var by []string
	for i, e := range events[:len(events)-1] {
		data, ok := strings.CutPrefix(e, "event: next\ndata: ")
		var got struct {
			Data struct {
				Ask struct {
					Step   *AskStep
					Answer *struct{ Verdict string }
					HTML   string
				}
			}
			Errors []any
		}
		if err := json.Unmarshal([]byte(data), &got); err != nil || !ok || got.Errors != nil {
			t.Fatalf("%v: %q", err, e)
		}
		a, end := got.Data.Ask, i == len(events)-2
		if (a.Answer != nil) != end || (a.HTML != "") != end || (a.Step == nil) != end {
			t.Errorf("event %d of %d: %q", i, len(events), data)
		}
		if a.Step != nil {
			by = append(by, a.Step.By)
			continue
		}
		if a.Answer.Verdict != "answered" || strings.Contains(a.HTML, "<script") ||
			!strings.Contains(a.HTML, "&lt;script&gt;") {
			t.Errorf("the answer %q: %s", a.Answer.Verdict, a.HTML)
		}
		for _, want := range []string{"Answered, with", `href="#source-0"`, `data-first="2024-05-14"`, `max="18"`,
			`value="6"`, `badge good">holds`} {
			if !strings.Contains(a.HTML, want) {
				t.Errorf("no %s in %s", want, a.HTML)
			}
		}
	}
	if strings.Contains(body, `\u001b`) {
		t.Errorf("controls a terminal: %s", body)
	}
	if by = slices.Compact(by); by[0] != "question" || by[len(by)-1] != "claim" {
		t.Errorf("the steps are by %q", by)
	}
}

// A client that disconnects ends its question, even if it reads nothing.
func TestClientGone(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	in := make(chan int)
	out := kept(ctx, in)
	for i := range 1000 { // nobody reads, and the sender does not block
		in <- i
	}
	if first := <-out; first != 0 {
		t.Errorf("the first is %d", first)
	}
	leave()
	for range out { // the remaining elements
	}
	s := pumps(t)
	served := httptest.NewUnstartedServer(nil)
	ended := make(chan error, 1)
	served.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.site.routes(s.access).ServeHTTP(w, r)
		<-r.Context().Done()
		ended <- context.Cause(r.Context())
	})
	served.Start()
	defer served.Close()
	ctx, leave = context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, served.URL+"/graphql",
		strings.NewReader(query(follows, map[string]any{"q": why})))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if line, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil || line != "event: next\n" {
		t.Errorf("%q, %v", line, err)
	}
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended by %v", err)
	}
}

// The question of a client that disconnected stops.
func TestGoneStops(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	ctx, leave := context.WithCancel(t.Context())
	events := s.site.follow(ctx, AskArgs{Question: why})
	if first := <-events; first.Step == nil {
		t.Errorf("the first event is %+v", first)
	}
	leave()
	for e := range events {
		if e.view != nil {
			t.Errorf("an answer for nobody: %+v", e.view)
		}
	}
}

func TestGraphQLRefuses(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	var many, wide strings.Builder
	for i := range mostReads + 1 {
		fmt.Fprintf(&many, " a%d: ask(question: \"pump\") { answer }", i)
	}
	for i := range mostFields + 1 {
		fmt.Fprintf(&wide, " a%d: says", i)
	}
	deep := "{ __schema { types { fields { type " + strings.Repeat("{ ofType ", 12) + "{ name } } } } }" +
		strings.Repeat("}", 12)
	chain := "query { ask(question: \"pump\") { ...f0 } }"
	for i := range 20 {
		chain += fmt.Sprintf(" fragment f%d on AskView { ...f%d ...f%[2]d }", i, i+1)
	}
	chain += " fragment f20 on AskView { says }"
	for name, tt := range map[string]struct{ query, want string }{
		"empty question": {`{ ask(question: " ") { answer } }`, "the question is empty"},
		"secret":         {`{ search(query: "pump", since: "` + token + `") { hits { source } } }`, "--since"},
		"depth":          {deep, "exceeds max depth"},
		"fields":         {"{ ask(question: \"pump\") {" + wide.String() + " } }", "selections"},
		"fragments":      {chain, "selections"},
		"pages":          {"{" + many.String() + "}", "more than 10 pages"},
		"length": {"{ ask(question: \"" + strings.Repeat("x", mostQuery) + "\") { answer } }",
			"maximum allowed query length"},
		"syntax":          {"{ ask(", "syntax error"},
		"unknown field":   {"{ secrets }", "secrets"},
		"subscription":    {"subscription { ask(question: \"pump\") { html } }", "Accept: text/event-stream"},
		"model":           {`{ ask(question: "pump", agent: true) { answer } }`, "no model may research"},
		"model and as of": {`{ ask(question: "pump", agent: true, asOf: "2024-01-01") { answer } }`, "leave the day out"},
	} {
		code, body := s.do(t, "POST", "/graphql", query(tt.query, nil))
		var got struct{ Errors []struct{ Message string } }
		if err := json.Unmarshal([]byte(body), &got); err != nil || code != http.StatusOK || len(got.Errors) == 0 {
			t.Errorf("%s: %d, %v: %.300s", name, code, err, body)
		}
		if !strings.Contains(body, tt.want) || strings.Contains(body, token) {
			t.Errorf("%s: no %q in %.300s", name, tt.want, body)
		}
	}
	_, body := s.do(t, "POST", "/graphql", query(follows, map[string]any{"q": ""}), "Accept: text/event-stream")
	if !strings.Contains(body, "the question is empty") || !strings.HasSuffix(body, "event: complete\ndata:\n\n") {
		t.Errorf("an empty question by events: %s", body)
	}
	for _, tt := range []struct {
		method, body, header string
		code                 int
	}{
		{"GET", "", "Accept: */*", http.StatusMethodNotAllowed},
		{"POST", "{}", "Accept: */*", http.StatusBadRequest},
		{"POST", query("{ __typename }", nil), "Content-Type: text/plain", http.StatusUnsupportedMediaType},
		{"POST", strings.Repeat(" ", mostBody+1), "Accept: */*", http.StatusRequestEntityTooLarge},
		{"POST", query("{ __typename }", nil), "Authorization: Bearer x", http.StatusUnauthorized},
	} {
		if code, body := s.do(t, tt.method, "/graphql", tt.body, tt.header); code != tt.code {
			t.Errorf("%s %.20q %s: %d %s", tt.method, tt.body, tt.header, code, body)
		}
	}
	for _, name := range []string{"schema.graphql", "ask.html", "", "../web.go"} {
		if code, _ := s.do(t, "GET", "/assets/"+name, ""); code == http.StatusOK {
			t.Errorf("assets: %q is served", name)
		}
	}
}

// If a model may do research, the page offers it, and shows why it gave no answer.
func TestModel(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	if _, body := s.do(t, "GET", "/?agent=1&q=pump", ""); strings.Contains(body, "agent") {
		t.Errorf("a model is offered: %s", body)
	}
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error": {"message": "no such model"}}`, http.StatusBadRequest)
	}))
	defer refuses.Close()
	local := filepath.Join(s.site.m.Root(), "gitmem", "local.yaml")
	if err := os.MkdirAll(filepath.Dir(local), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(local, []byte("agent: {backend: openai, model: small, endpoint: '"+refuses.URL+"'}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, body := s.do(t, "GET", "/?agent=1&q=pump", ""); !strings.Contains(body, `value="1" checked`) ||
		!strings.Contains(body, "data-agent") {
		t.Errorf("no model is offered: %s", body)
	}
	var kinds []string
	for e := range s.site.follow(t.Context(), AskArgs{Question: why, Agent: true}) {
		if e.Step != nil {
			kinds = append(kinds, e.Step.By+" "+e.Step.Lead)
			continue
		}
		if html, err := e.HTML(); e.err != nil || err != nil || !strings.Contains(html, "No model answered") ||
			e.view.SessionID == "" || len(e.view.Citations) == 0 {
			t.Errorf("%v, %v: %+v %s", e.err, err, e.view, html)
		}
	}
	if !slices.Contains(kinds, "model started") || !slices.Contains(kinds, "model failed") {
		t.Errorf("the steps are %q", kinds)
	}
}

func TestLongQuestion(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	code, body := s.do(t, "POST", "/graphql",
		query(searchMemory, map[string]any{"question": strings.Repeat("membrane pump ", 800)}))
	if code != http.StatusOK || strings.Contains(body, `"errors"`) {
		t.Errorf("%d %.300s", code, body)
	}
}

func TestSearchPage(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	for path, want := range map[string]string{
		"/search?q=membrane":                  "1 hit",
		"/search?q=membrane&why=1":            "Why it is here",
		"/search?q=membrane&layer=rules":      "0 hits",
		"/search?q=membrane&since=2024-05-20": "0 hits",
		"/search":                             "Type words above",
		"/?q=who+did+it":                      `data-ask="who did it"`,
	} {
		if code, body := s.do(t, "GET", path, ""); code != http.StatusOK || !strings.Contains(body, want) ||
			strings.Contains(body, "<script") {
			t.Errorf("%s: %d, no %q in %s", path, code, want, body)
		}
	}
	html, err := Export(t.Context(), Options{Memory: s.site.m, Now: s.site.now}, "/?q=why+did+we+choose+the+membrane+pump")
	if got := string(html); err != nil || !strings.Contains(got, "Answered, with") || strings.Contains(got, "<script") ||
		strings.Contains(got, `href="/`) {
		t.Errorf("exported: %v: %s", err, got)
	}
	if code, body := s.do(t, "GET", "/search?q=pump&since=never", ""); code != http.StatusBadRequest ||
		!strings.Contains(body, "--since") {
		t.Errorf("%d %s", code, body)
	}
	_, typed := s.do(t, "GET", "/search?q=membr", "", "X-Gitmem-Typing: 1")
	_, sent := s.do(t, "GET", "/search?q=membrone", "")
	if !strings.Contains(typed, "1 hit") || !strings.Contains(typed, "Press Enter") ||
		!strings.Contains(sent, `<a href="?q=membrane">`) {
		t.Errorf("typed: %s\nsent: %s", typed, sent)
	}
}

// Every verdict other than answered is visibly different.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	s := pumps(t)
	for verdict, want := range map[gitmem.Verdict]string{
		gitmem.Answered: "Answered, with low confidence", gitmem.Closest: "the closest that is recorded",
		gitmem.NotRecorded: "Not recorded",
	} {
		v := answerView(gitmem.Answer{Verdict: verdict, Confidence: gitmem.Low, Citations: []gitmem.Citation{{
			ID: "github:pr:1", Title: hostile, Excerpt: "x", URL: "javascript:alert(1)", Status: "changed", Since: 2,
			RevertedBy: "git:commit:1",
		}}})
		html, err := (&AskEvent{site: s.site, view: &v}).HTML()
		for _, part := range []string{want, `class="verdict ` + string(verdict), `badge warn">changed`,
			"2 commits since", "reverted"} {
			if err != nil || !strings.Contains(html, part) {
				t.Errorf("%s: %v, no %s in %s", verdict, err, part, html)
			}
		}
		if strings.Contains(html, "javascript:") || strings.Contains(html, "<script") {
			t.Errorf("%s: %s", verdict, html)
		}
	}
}

// A panic in a question is an error, which contains its message.
func TestPanicIsAnError(t *testing.T) {
	t.Parallel()
	broken := &site{now: time.Now} // without memory
	for e := range broken.follow(t.Context(), AskArgs{Question: why}) {
		if e.err == nil || !strings.Contains(e.err.Error(), "an internal error") {
			t.Errorf("%+v", e)
		}
	}
	r := replied(&graphql.Response{Data: json.RawMessage(`{"a":"b` + "\u202e" + `"}`)})
	if r != `{"data":{"a":"b"}}` {
		t.Errorf("%q", r)
	}
}

type slow struct{}

func (slow) Tick() int32 { return 1 }

func (slow) Tock() <-chan int32 {
	c := make(chan int32)
	time.AfterFunc(40*time.Second, func() { close(c) })
	return c
}

// A heartbeat is sent if there are no events.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		schema, err := graphql.ParseSchema("type Query { tick: Int! } type Subscription { tock: Int! }", &slow{})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		(&site{schema: schema}).stream(t.Context(), w, asked{Query: "subscription { tock }"})
		if got := w.Body.String(); got != ":\n\n:\n\nevent: complete\ndata:\n\n" {
			t.Errorf("%q", got)
		}
	})
}
