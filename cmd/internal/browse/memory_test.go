package browse

import (
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// pages are the pages of a new memory, as seen by a browser with both tokens.
type pages struct {
	t       *testing.T
	m       *gitmem.Memory
	dir     string // a repository
	root    string // of memory
	now     time.Time
	access  *access
	handler http.Handler
}

// newPages creates a memory with text written on three days.
func newPages(t *testing.T, edit bool) *pages {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &pages{t: t, dir: filepath.Join(home, "pump"), root: filepath.Join(home, ".claude"),
		now: time.Date(2025, 3, 1, 23, 59, 59, 0, time.UTC)}
	clock := func() time.Time { return p.now }
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p.git("init", "--quiet", "--initial-branch=main")
	o := gitmem.Options{Dir: p.dir, Home: home, CacheDir: filepath.Join(home, "cache"), Machine: "bench", Program: "false",
		LockWait: 5 * time.Minute, Now: clock}
	if p.m, err = gitmem.Open(o); err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Memory: p.m, Now: clock, Edit: edit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.listen.Close() })
	p.access, p.handler = s.access, s.access.guard(s.site.routes(s.access))
	p.write(".claude/rules/api.md", "# API\n\nVersion each path.\n\n## Errors\n\nName the thing.\n")
	p.commit("rules: api")
	p.do(p.m.Init(t.Context()))
	p.do(p.m.Note(t.Context(), "The relay has a coil", false))
	p.do(p.m.Profile().Set(t.Context(), "tools.editor", "Neovim"))
	p.do(p.m.Tasks().Set(t.Context(), gitmem.TaskChange{Title: "Wire the board"}))
	p.now = p.now.AddDate(0, 0, 30)
	p.write(".claude/rules/api.md", "# API\n\nVersion no path.\n\n## Errors\n\nName the thing.\n")
	p.commit("rules: no versions")
	p.do(p.m.Decide(t.Context(), gitmem.Decision{Title: "Use ten ampere", Why: "The pump draws **seven**."}))
	p.do(p.m.Note(t.Context(), "Oil the pump <img src=x onerror=alert(1)>", false))
	p.do(p.m.Tasks().Set(t.Context(), gitmem.TaskChange{ID: "wire-the-board", State: "completed"}))
	p.now = p.now.AddDate(0, 0, 30)
	p.do(p.m.Decide(t.Context(), gitmem.Decision{Title: "Use twenty", Supersedes: []string{"2025-03-31-use-ten-ampere"}}))
	p.do(p.m.Decide(t.Context(), gitmem.Decision{Title: "Use a fuse", Status: "proposed"}))
	return p
}

// do fails the test if an operation failed.
func (p *pages) do(_ any, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *pages) git(args ...string) {
	p.t.Helper()
	c := exec.CommandContext(p.t.Context(), "git", args...)
	at := p.now.Format(time.RFC3339)
	c.Dir, c.Env = p.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	if out, err := c.CombinedOutput(); err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// write writes a file of the repository, or at an absolute path.
func (p *pages) write(name, text string) {
	p.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.dir, name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pages) commit(message string) {
	p.t.Helper()
	p.git("add", "--all")
	p.git("commit", "--quiet", "--message", message)
}

// send sends a request with the tokens, modified by change.
func (p *pages) send(method, address string, form url.Values, change func(http.Header)) (status int, body string) {
	p.t.Helper()
	r := httptest.NewRequestWithContext(p.t.Context(), method, address, strings.NewReader(form.Encode()))
	r.Host = p.access.host
	r.Header.Set("Authorization", bearer+p.access.token)
	if method == http.MethodPost {
		for name, value := range map[string]string{
			"Content-Type": "application/x-www-form-urlencoded", "Origin": "http://" + p.access.host,
			"Sec-Fetch-Site": "same-origin", "X-Gitmem-Edit": p.access.edits,
		} {
			r.Header.Set(name, value)
		}
	}
	if change != nil {
		change(r.Header)
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// get returns the page at an address.
func (p *pages) get(address string) string {
	p.t.Helper()
	status, body := p.send(http.MethodGet, address, nil, nil)
	if status != http.StatusOK {
		p.t.Fatalf("%s: %d\n%s", address, status, body)
	}
	return body
}

// post returns the response to a form.
func (p *pages) post(address string, fields ...string) (int, string) {
	p.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return p.send(http.MethodPost, address, form, nil)
}

// shows fails the test unless a page contains some texts, and none of those after "but".
func shows(t *testing.T, what, body string, texts ...string) {
	t.Helper()
	want := true
	for _, text := range texts {
		if text == "but" {
			want = false
		} else if strings.Contains(body, text) != want {
			t.Errorf("%s: %q is there: %v, want %v, in\n%s", what, text, !want, want, body)
		}
	}
}

// notes returns the path and text of the repository's MEMORY.md.
func (p *pages) notes() (rel, text string) {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.root, "projects", "*", "memory", "MEMORY.md"))
	if err != nil || len(found) != 1 {
		p.t.Fatal(found, err)
	}
	b, err := os.ReadFile(found[0])
	p.do(nil, err)
	rel, err = filepath.Rel(p.root, found[0])
	p.do(nil, err)
	return filepath.ToSlash(rel), string(b)
}

func TestMemoryTabs(t *testing.T) {
	t.Parallel()
	p := newPages(t, false)
	rel, _ := p.notes()
	hostile := `x"><img src=x onerror=alert(1)>&tab=rules#y.md`
	hostile = ".claude/rules/" + hostile
	p.write(hostile,
		"# <script>alert(1)</script>\n\n[a](javascript:alert(1)) ![b](https://x.example/b.png)\n\n~~~\n</pre><h1>\n~~~\n")
	for tab, want := range map[string][]string{
		"":           {"The relay has a coil", `aria-current="page">memory`, "but", "<form method"},
		"?tab=rules": {"Version no path.", ".claude/rules/api.md", `id="errors"`},
		"?tab=decisions": {"Use twenty", "<strong>seven</strong>", ">superseded<",
			`href="#decision%3a2025-04-30-use-twenty"`, `href="#decision%3a2025-03-31-use-ten-ampere"`},
		"?tab=tasks":                     {"Wire the board", ">completed<"},
		"?tab=tasks&asof=2025-03-02":     {"Wire the board", ">pending<", "2025-03-02"},
		"?tab=decisions&asof=2025-04-01": {"Use ten ampere", ">accepted<", "but", "Use twenty"},
		"?tab=rules&asof=2025-03-10":     {"Version each path.", "but", "Version no path."},
		"?asof=2025-03-10":               {"The relay has a coil", "but", "Oil the pump"},
		"?tab=rules&file=.claude/rules/api.md&view=lines": {"Version no path.", "Ann: rules: no versions", "2025-03-31",
			"2025-03-01"},
		"?file=" + url.QueryEscape(rel) + "&view=lines": {"- The relay has a coil", "2025-03-01",
			"Oil the pump &lt;img"},
		"?file=" + url.QueryEscape(rel) + "&view=history":        {"view=commit", "note"},
		"?file=" + url.QueryEscape(rel) + "&view=diff&since=40d": {`class="added"`, "Oil the pump", "but", `+- The relay`},
		"?file=" + url.QueryEscape(hostile):                      {"&lt;h1&gt;", `href="https://x.example/b.png"`},
	} {
		shows(t, tab, p.get("/memory"+tab), want...)
		shows(t, tab, p.get("/memory"+tab), "but", "<script", "<img", "javascript:", "style=")
	}
	for address, want := range map[string]int{
		"/memory?file=../../etc/passwd": 404, "/memory?file=x.md&asof=yesterday": 400, "/memory?id=x": 400,
		"/memory?id=task:none":           404,
		"/memory?tab=rules&file=nothing": 404, "/memory?file=" + url.QueryEscape(rel) + "&view=edit&line=5": 400,
		"/memory/forget?what=relay": 400,
	} {
		if status, body := p.send(http.MethodGet, address, nil, nil); status != want {
			t.Errorf("%s: %d, want %d\n%s", address, status, want, body)
		}
	}
}

// TestMemoryMarks: the target of a citation is highlighted in its file.
func TestMemoryMarks(t *testing.T) {
	t.Parallel()
	p := newPages(t, false)
	for address, want := range map[string]string{
		"/memory?tab=rules&file=api":                           `<div id="errors">`,
		"/memory?tab=rules&file=.claude%2Frules%2Fapi.md":      `<div id="errors">`,
		"/memory?tab=memory&id=rules:api%23errors":             `class="target" data-target><p>Name the thing.</p>`,
		"/memory?tab=memory&id=task:wire-the-board":            `class="target" data-target><ul>`,
		"/memory?tab=memory&id=profile:tools.editor":           `class="target" data-target><pre>  editor: Neovim`,
		"/memory?tab=memory&id=decision:2025-04-30-use-a-fuse": `data-target>`,
	} {
		shows(t, address, strings.ReplaceAll(p.get(address), "\n", ""), want)
	}
	r, err := p.m.Search(t.Context(), "relay coil", gitmem.Filter{Layer: "memory"})
	if err != nil || len(r.Hits) == 0 {
		t.Fatal(r, err)
	}
	shows(t, r.Hits[0].BrowseURL, p.get(r.Hits[0].BrowseURL), "data-target", "The relay has a coil")
}

func TestFileParts(t *testing.T) {
	t.Parallel()
	parts := fileParts("---\na: b\n---\nx\n# Main\none\ntwo\nthree\n## Main\n", 6, 2)
	want := []FilePart{
		{Text: "---\na: b\n---\n", Front: true}, {Text: "x\n"}, {Anchor: "main", Text: "# Main\n"},
		{Text: "one\ntwo\n", Target: true},
		{Text: "three\n"}, {Anchor: "main-1", Text: "## Main\n"},
	}
	if len(parts) != len(want) {
		t.Fatalf("%+v", parts)
	}
	for i := range want {
		if parts[i] != want[i] {
			t.Errorf("part %d is %+v, want %+v", i, parts[i], want[i])
		}
	}
}

// fieldOf returns the value of a hidden field of a page.
func fieldOf(t *testing.T, body, name string) string {
	t.Helper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatalf("no field %s in\n%s", name, body)
	}
	return html.UnescapeString(m[1])
}

func TestMemoryChanges(t *testing.T) {
	t.Parallel()
	p := newPages(t, true)
	rel, text := p.notes()
	page := p.get("/memory?tab=memory&file=" + url.QueryEscape(rel) + "&view=edit&line=5")
	if was := fieldOf(t, page, "was"); was != "- The relay has a coil" {
		t.Fatalf("line 5 is %q", was)
	}
	p.write(filepath.Join(p.root, rel), strings.Replace(text, "- The", "- A line of somebody else\n- The", 1)) // meanwhile
	status, body := p.post("/memory/line", "file", rel, "line", "5", "was", "- The relay has a coil", "text",
		"- The relay has <b>two</b> coils\r\n- and a fuse\r\n")
	if status != 200 {
		t.Fatalf("an edit: %d\n%s", status, body)
	}
	shows(t, "an edit", body, "changed line 6", "In commit", "&lt;b&gt;two", `action="/memory/undo"`)
	_, now := p.notes()
	shows(t, "the file", now, "- A line of somebody else\n- The relay has <b>two</b> coils\n- and a fuse\n- Oil",
		"but", "has a coil")
	commit := fieldOf(t, body, "commit")
	if status, body = p.post("/memory/undo", "commit", commit); status != 200 {
		t.Fatalf("undo: %d\n%s", status, body)
	}
	_, now = p.notes()
	shows(t, "undone", now, "- A line of somebody else\n- The relay has a coil\n- Oil")
	p.post("/memory/undo", "commit", fieldOf(t, body, "commit"))
	_, now = p.notes()
	shows(t, "undone and back", now, "<b>two</b>")

	before := now
	status, body = p.post("/memory/line", "file", rel, "line", "6", "was", "- The relay has a coil", "text", "- Mine")
	if status != http.StatusConflict {
		t.Errorf("a conflict has status %d", status)
	}
	shows(t, "a conflict", body, "- Mine</textarea>", "<pre>- The relay has &lt;b&gt;two&lt;/b&gt; coils</pre>",
		"<pre>- The relay has a coil</pre>")
	for what, form := range map[string][]string{
		"a secret":       {"file", rel, "line", "5", "was", "- A line of somebody else", "text", "password: hunter2secret9X"},
		"nothing":        {"file", rel, "line", "5", "was", "- A line of somebody else", "text", " "},
		"a rule":         {"file", ".claude/rules/api.md", "line", "3", "was", "Version no path.", "text", "x"},
		"a foreign file": {"file", "../../pump/.claude/rules/api.md", "line", "3", "was", "Version no path.", "text", "x"},
		"a gone commit":  nil,
	} {
		address := "/memory/line"
		if form == nil {
			address, form = "/memory/undo", []string{"commit", "0000000000"}
		}
		if status, body := p.post(address, form...); status < 400 {
			t.Errorf("%s: %d\n%s", what, status, body)
		}
	}
	if _, now = p.notes(); now != before {
		t.Errorf("a refused change wrote\n%s", now)
	}
	status, body = p.post("/memory/task", "id", "task:wire-the-board", "state", "pending")
	shows(t, "a task", body, "pending: Wire the board", "In commit")
	_, body = p.post("/memory/decision", "id", "decision:2025-04-30-use-a-fuse")
	shows(t, "a decision", body, "accepted: Use a fuse", "In commit")
	p.post("/memory/undo", "commit", fieldOf(t, body, "commit"))
	shows(t, "tabs", p.get("/memory?tab=decisions"), ">proposed<", `value="decision:2025-04-30-use-a-fuse">Accept`)
	if status != 200 {
		t.Errorf("a task: %d", status)
	}
}

func TestForgetPage(t *testing.T) {
	t.Parallel()
	p := newPages(t, true)
	rel, before := p.notes()
	page := p.get("/memory/forget?what=" + url.QueryEscape(rel+":5"))
	shows(t, "the plan", page, "The relay has a coil", rel, "but", "Oil the pump")
	seal := fieldOf(t, page, "seal")
	for _, wrong := range []string{"", "x"} {
		_, body := p.post("/memory/forget", "what", rel+":5", "seal", wrong)
		shows(t, "a wrong seal", body, "not what was shown", seal)
	}
	_, body := p.post("/memory/forget", "what", rel+":6", "seal", seal) // another line
	shows(t, "another line", body, "not what was shown", "Oil the pump")
	if status, body := p.post("/memory/forget", "what", "", "seal", seal); status != http.StatusBadRequest {
		t.Errorf("nothing: %d\n%s", status, body)
	}
	if _, now := p.notes(); now != before {
		t.Fatalf("forgotten without its plan:\n%s", now)
	}
	_, body = p.post("/memory/forget", "what", rel+":5", "seal", seal)
	shows(t, "forgotten", body, "forgot in "+rel, "In commit", "can&#39;t be undone", "but", `action="/memory/undo"`)
	_, now := p.notes()
	shows(t, "the file", now, "Oil the pump", "but", "coil")
}

// TestChangesNeedTheToken: a request without the edit token, or from a foreign page, changes nothing, and
// pages without --edit have no form that changes anything.
func TestChangesNeedTheToken(t *testing.T) {
	t.Parallel()
	p := newPages(t, true)
	rel, before := p.notes()
	forms := map[string][]string{
		"/memory/line":   {"file", rel, "line", "5", "was", "- The relay has a coil", "text", "- x"},
		"/memory/forget": {"what", rel + ":5"},
		"/memory/undo":   {"commit", "HEAD"}, "/memory/task": {"id", "wire-the-board", "state", "pending"},
		"/memory/decision": {"id", "2025-04-30-use-a-fuse"},
		"/profile":         {"path", "tools.editor", "op", "remove"},
	}
	log, err := p.m.History().Log(t.Context(), "", gitmem.LogOptions{})
	p.do(log, err)
	for address, fields := range forms {
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		for what, change := range map[string]func(http.Header){
			"no token":          func(h http.Header) { h.Del("X-Gitmem-Edit") },
			"the wrong token":   func(h http.Header) { h.Set("X-Gitmem-Edit", p.access.token) },
			"another origin":    func(h http.Header) { h.Set("Origin", "http://localhost:1") },
			"no origin":         func(h http.Header) { h.Del("Origin") },
			"no Sec-Fetch-Site": func(h http.Header) { h.Del("Sec-Fetch-Site") },
			"a foreign site":    func(h http.Header) { h.Set("Sec-Fetch-Site", "cross-site") },
		} {
			if status, body := p.send(http.MethodPost, address, form, change); status != http.StatusForbidden {
				t.Errorf("%s with %s: %d\n%s", address, what, status, body)
			}
		}
		if status, _ := p.send(http.MethodGet, address, form, nil); address != "/profile" && address != "/memory/forget" &&
			status != http.StatusNotFound {
			t.Errorf("GET %s: %d", address, status)
		}
	}
	p.access.edits = "" // as without --edit
	for address, fields := range forms {
		if status, body := p.post(address, fields...); status != http.StatusForbidden {
			t.Errorf("%s without --edit: %d\n%s", address, status, body)
		}
	}
	after, err := p.m.History().Log(context.WithoutCancel(t.Context()), "", gitmem.LogOptions{})
	p.do(after, err)
	if _, now := p.notes(); now != before || len(after) != len(log) {
		t.Errorf("something was changed: %d commits, %d before\n%s", len(after), len(log), now)
	}
	p = newPages(t, false)
	for _, address := range []string{"/memory?tab=tasks", "/memory?tab=decisions", "/profile", "/memory?view=lines&file=" +
		url.QueryEscape(rel)} {
		_, body := p.send(http.MethodGet, address, nil, nil)
		shows(t, address, body, "but", `method="post"`, "view=edit")
	}
}

// A line with hidden text is not changed, nor is another line instead.
func TestMemoryChangesOfHidden(t *testing.T) {
	t.Parallel()
	p := newPages(t, true)
	rel, _ := p.notes()
	const text = "# Memory\n\n## Notes\n\n- two\u200bwords\n- fill\n- twowords\n"
	p.write(filepath.Join(p.root, rel), text)
	page := p.get("/memory?tab=memory&file=" + url.QueryEscape(rel) + "&view=edit&line=5")
	status, body := p.post("/memory/line", "file", rel, "line", "5", "was", fieldOf(t, page, "was"), "text",
		"- other words")
	if _, now := p.notes(); status != http.StatusConflict || now != text {
		t.Errorf("%d, and the file is %q", status, now)
	}
	shows(t, "the conflict", body, "is not in the file as it is shown here")
}

// The page of an unknown commit is an error, not a commit without changes that could be undone.
func TestMemoryOfUnknownCommit(t *testing.T) {
	t.Parallel()
	p := newPages(t, true)
	rel, _ := p.notes()
	for _, commit := range []string{"0000000000000000000000000000000000000000", "HEAD~9999", "--output=x"} {
		address := "/memory?file=" + url.QueryEscape(rel) + "&view=commit&commit=" + url.QueryEscape(commit)
		status, body := p.send(http.MethodGet, address, nil, nil)
		if status != http.StatusNotFound || !strings.Contains(body, "is no commit of memory") {
			t.Errorf("%s: %d %s", commit, status, body)
		}
	}
}

// The time for splitting a file is linear in its size.
func TestLargeFileParts(t *testing.T) {
	t.Parallel()
	text := "---\na: b\n---\n" + strings.Repeat("- a b c\n", 200_000) + strings.Repeat("# a\n", 50_000)
	start := time.Now()
	parts := fileParts(text, 10, 2)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	all := ""
	for _, p := range parts[:5] {
		all += p.Text
	}
	if len(parts) < 50_000 || !strings.HasPrefix(text, all) || parts[2].Text != "- a b c\n- a b c\n" || !parts[2].Target {
		t.Errorf("%d parts, the third %+v", len(parts), parts[2])
	}
}
