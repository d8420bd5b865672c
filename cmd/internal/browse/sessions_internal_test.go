package browse

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// sessionHome is a home folder with sessions, and the pages of its memory.
type sessionHome struct {
	*testing.T
	dir  string
	site *site
	mux  *http.ServeMux
}

func newSessionHome(t *testing.T) *sessionHome {
	t.Helper()
	dir, now := t.TempDir(), func() time.Time { return time.Date(2025, 3, 20, 9, 0, 0, 0, time.UTC) }
	m, err := gitmem.Open(gitmem.Options{Dir: dir, Home: dir, CacheDir: filepath.Join(dir, "cache"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := template.New("").Funcs(functions()).ParseFS(templates.Web(), "*.html")
	if err != nil {
		t.Fatal(err)
	}
	h := &sessionHome{t, dir, &site{m: m, now: now, templates: pages}, http.NewServeMux()}
	h.site.sessionRoutes(h.mux)
	return h
}

// session writes a session with one message per line, of user and assistant alternately.
func (h *sessionHome) session(n int, texts ...string) (id string) {
	h.Helper()
	id = fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
	var b strings.Builder
	for i, text := range texts {
		role := [...]string{"user", "assistant"}[i%2]
		quoted, err := json.Marshal(text)
		if err != nil {
			h.Fatal(err)
		}
		at := time.Date(2025, 3, 1, n/60, n%60, i, 0, time.UTC).Format(time.RFC3339)
		fmt.Fprintf(&b,
			`{"type":%q,"uuid":"%d-%d","sessionId":%q,"timestamp":%q,"cwd":%q,"version":"2.1.100","message":{"role":%q,`+
				`"content":[{"type":"text","text":%s}]}}`+"\n",
			role, n, i, id, at, h.dir, role, quoted)
	}
	name := filepath.Join(h.dir, ".claude", "projects", "-yard", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		h.Fatal(err)
	}
	return id
}

// page returns the response for an address.
func (h *sessionHome) page(address string) (status int, body string) {
	h.Helper()
	r := httptest.NewRequestWithContext(h.Context(), http.MethodGet, address, nil)
	r.Header.Set("Authorization", bearer+"x") // guard has checked it
	w := httptest.NewRecorder()
	h.mux.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// holds checks the presence and absence of texts on a page.
func (h *sessionHome) holds(address string, want, banned []string) {
	h.Helper()
	status, body := h.page(address)
	if status != http.StatusOK {
		h.Errorf("%s: %d", address, status)
	}
	for _, w := range want {
		if !strings.Contains(body, w) {
			h.Errorf("%s: no %q in:\n%s", address, w, body)
		}
	}
	for _, w := range banned {
		if strings.Contains(body, w) {
			h.Errorf("%s: %q in:\n%s", address, w, body)
		}
	}
}

func TestSessionsPage(t *testing.T) {
	h := newSessionHome(t)
	h.holds("/sessions", []string{"There are no sessions"}, nil)
	for n := range 51 {
		h.session(n, fmt.Sprintf("Look at valve-%02d", n), "It turns.")
	}
	h.session(60, "<script>alert(1)</script>\u202e & \"x\"", "The winch turns")
	newest := `href="/sessions/00000060-0000-4000-8000-000000000000"`
	h.holds("/sessions", []string{newest, "valve-50", "valve-02", "2 messages", "52 sessions", `href="/sessions?page=2"`,
		"&lt;script&gt;"},
		[]string{"valve-01", "<script", "\u202e", `rel="prev"`})
	h.holds("/sessions?page=x", []string{newest}, nil)
	h.holds("/sessions?page=2&project=all", []string{"valve-01", "valve-00", `href="/sessions?project=all"`},
		[]string{"valve-02", `rel="next"`})
	h.holds("/sessions?page=9", []string{"There is no page 9"}, nil)
	h.holds("/sessions?agent=codex", []string{"No session matches", `<option selected>codex</option>`}, []string{"valve-"})
	h.holds("/sessions?q=winch", []string{newest, "#msg-2", "The winch turns"}, []string{"valve-"})
	if status, _ := h.page("/sessions?agent=nobody"); status != http.StatusBadRequest {
		t.Errorf("an unknown agent: %d", status)
	}
}

func TestSessionPage(t *testing.T) {
	h := newSessionHome(t)
	var texts []string
	for n := range 450 {
		texts = append(texts, fmt.Sprintf("say-%03d", n+1))
	}
	id := h.session(1, texts...)
	h.holds("/sessions/"+id, []string{`id="msg-1"`, `id="msg-200"`, "?at=201", "gitmem reopen transcript:" + id + ":1"},
		[]string{`id="msg-201"`, `rel="prev"`})
	for _, at := range []string{"201", "msg-201", "msg-400-tool-2"} {
		h.holds("/sessions/"+id+"?at="+at, []string{`id="msg-201"`, `id="msg-400"`, "?at=200", "?at=401"},
			[]string{`id="msg-200"`, `id="msg-401"`})
	}
	h.holds("/sessions/"+id+"?at=449", []string{`id="msg-450"`}, []string{`rel="next"`})
	h.holds("/sessions/"+id+"?at=idea:i-x", []string{`id="msg-1"`}, nil)
	for address, want := range map[string]int{"/sessions/00000009-0000-4000-8000-000000000000": http.StatusNotFound,
		"/sessions/a%2Fb": http.StatusBadRequest} {
		if status, _ := h.page(address); status != want {
			t.Errorf("%s: %d, want %d", address, status, want)
		}
	}
}

// TestSessionPageShowsHostileText: the messages of a session are shown as text, whoever wrote them.
func TestSessionPageShowsHostileText(t *testing.T) {
	h := newSessionHome(t)
	hostile := "<img src=x onerror=alert(1)> [a](javascript:alert(2)) \u202eright\u202c \x1b[31mred\x1b[0m " +
		"</li></ol><script>alert(3)</script>"
	id := h.session(1, hostile, hostile)
	h.holds("/sessions/"+id, []string{"&lt;img src=x", "[31mred", "&lt;/ol&gt;&lt;script&gt;alert(3)&lt;/script&gt;</p>"},
		[]string{"<img", "<script", `"javascript:`, "\u202e"})
}

// TestSessionsByGraphQL: the views of sessions are those in the schema.
func TestSessionsByGraphQL(t *testing.T) {
	h := newSessionHome(t)
	id := h.session(1, "Look at the winch", "It turns.")
	schema, err := newSchema(h.site)
	if err != nil {
		t.Fatal(err)
	}
	got := schema.Exec(t.Context(), `{ sessions(project: "all") { total sessions { id messages foundPage } }
		session(id: "`+id+`") { session messages { line text blocks { name } ideas { id } } earlierPart } }`, "", nil)
	want := `{"sessions":{"total":1,"sessions":[{"id":"` + id + `","messages":2,"foundPage":""}]},"session":{"session":"` +
		id +
		`","messages":[{"line":1,"text":"Look at the winch","blocks":[],"ideas":[]},{"line":2,"text":"It turns.",` +
		`"blocks":[],"ideas":[]}],"earlierPart":""}}`
	if len(got.Errors) > 0 || string(got.Data) != want {
		t.Errorf("%v\n%s\nwant\n%s", got.Errors, got.Data, want)
	}
}
