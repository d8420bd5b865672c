package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const (
	forgeToken = "hush-0123456789abcdefghij"
	plantedKey = "AKIAQ3EGRWJZ7PLXM2VN"

	silent, waitsLonger = "no answer in time", "it takes longer than a question waits, and gitmem index does it"
)

// hostileForge is a server with one fault, next to one that must get no request.
type hostileForge struct {
	*httptest.Server
	elsewhere      string
	asked, strayed atomic.Int64
	withoutToken   atomic.Int64
	fault          func(*hostileForge, http.ResponseWriter, *http.Request)
	closing        chan struct{}
}

func newHostileForge(t *testing.T, fault func(*hostileForge, http.ResponseWriter, *http.Request)) *hostileForge {
	f := &hostileForge{fault: fault, closing: make(chan struct{})}
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { f.strayed.Add(1) }))
	f.elsewhere = strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer "+forgeToken {
			f.withoutToken.Add(1)
		}
		f.fault(f, w, r)
	}))
	t.Cleanup(func() {
		close(f.closing)
		f.CloseClientConnections()
		f.Close()
		other.Close()
	})
	return f
}

// plainly answers with a status and a body.
func plainly(status int, body string, header ...string) func(*hostileForge, http.ResponseWriter, *http.Request) {
	return func(_ *hostileForge, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // a client that disconnected reads no more
	}
}

// silence answers nothing until the client gives up.
func silence(f *hostileForge, _ http.ResponseWriter, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-f.closing:
	}
}

// gzipBomb returns a small body that expands to 33 MiB: a member of 1 MiB, repeated, because compressing all
// of it would take longer than the test.
func gzipBomb() string {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20)) // to memory
	_ = z.Close()
	return strings.Repeat(member.String(), 33)
}

type forgeFault struct {
	do     func(*hostileForge, http.ResponseWriter, *http.Request)
	caveat string
}

// forgeFaults returns the faults of a server, with the messages about them.
func forgeFaults() map[string]forgeFault {
	secret := `{"message":"no: ` + forgeToken + ` \u001b[31m` + plantedKey + `"}`
	return map[string]forgeFault{
		"401": {plainly(401, secret), "credentials"},
		"403": {plainly(403, secret), "credentials"},
		"403, limit": {plainly(403, "{}", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset",
			fmt.Sprint(time.Now().Add(time.Hour).Unix())), "rate limit until"},
		"429":          {plainly(429, "{}", "Retry-After", "600"), "rate limit until"},
		"404":          {plainly(404, secret), "there is none"},
		"410":          {plainly(410, secret), "there is none"},
		"500":          {plainly(500, secret), "status 500"},
		"HTML":         {plainly(200, "<html>", "Content-Type", "text/html"), "no JSON"},
		"no JSON":      {plainly(200, "<html>"), "cannot be understood"},
		"wrong type":   {plainly(200, `"x"`), "cannot be understood"},
		"null":         {plainly(200, "null"), "cannot be understood"},
		"a million":    {plainly(200, "["+strings.Repeat("1,", 1_000_000)+"1]"), "cannot be understood"},
		"many headers": {plainly(200, "[]", "X-Long", strings.Repeat("y", 11<<20)), "can't be reached or is broken"},
		"gzip bomb":    {plainly(200, gzipBomb(), "Content-Encoding", "gzip"), "larger than 32 MiB"},
		"redirect away": {func(f *hostileForge, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, f.elsewhere+r.URL.Path, http.StatusTemporaryRedirect)
		}, "refused for safety"},
		"redirects": {func(_ *hostileForge, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		}, "more than 5 redirects"},
		"cut": {func(_ *hostileForge, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`[{"id":1,`))
			panic(http.ErrAbortHandler)
		}, "can't be reached or is broken"},
		"silence": {silence, silent},
		"endless body": {func(_ *hostileForge, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for b := bytes.Repeat([]byte(" "), 1<<20); r.Context().Err() == nil; {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		}, "larger than 32 MiB"},
	}
}

// TestForgeFaults asks a question that uses every kind of source, with each fault of a server, in separate
// processes: only that source fails and is named, later it is skipped for a while, and the token is not sent,
// shown or stored anywhere else.
func TestForgeFaults(t *testing.T) {
	t.Parallel()
	repo, faults := forgedRepository(t), forgeFaults()
	for kind, config := range map[string]string{
		"github": "forges: [{host: git.example.org, kind: github, api: '%s/api'}]\n",
		"gitlab": "forges: [{host: git.example.org, kind: gitlab, api: '%s/api'}]\n",
		"jira":   "jira: {url: '%s/api', projects: [ABC]}\n",
	} {
		for name, fault := range faults {
			t.Run(kind+"/"+name, func(t *testing.T) {
				t.Parallel()
				f := newHostileForge(t, fault.do)
				l := newLab(t)
				l.env = append(l.env, "GITMEM_OFFLINE=", stoppedClock(), "GH_ENTERPRISE_TOKEN="+forgeToken, "GITLAB_TOKEN="+
					forgeToken, "GITLAB_HOST=git.example.org", "JIRA_TOKEN="+forgeToken, "JIRA_EMAIL=")
				l.configure(fmt.Sprintf(config, f.URL) + faultWait(name))
				var asked int64
				for round := range 2 {
					l.checkForgeAnswer(repo, fault.caveat)
					if n := f.asked.Load(); n == 0 || round > 0 && n != asked {
						t.Errorf("question %d: %d requests, %d before", round+1, n, asked)
					}
					asked = f.asked.Load()
				}
				if f.strayed.Load() > 0 || f.withoutToken.Load() > 0 {
					t.Errorf("%d requests went elsewhere, %d of %d were without the token", f.strayed.Load(),
						f.withoutToken.Load(), asked)
				}
				l.checkNothingKept(forgeToken, plantedKey)
			})
		}
	}
}

// faultWait returns how long a question waits for a fault: long enough that a busy machine does not look like
// a slow server. If there is no answer, the test takes this long, and a process must be able to send its
// first request in it.
func faultWait(name string) string {
	if name == "silence" {
		return "fetch_wait: 4s\n"
	}
	return "fetch_wait: 5m\n"
}

// stoppedClock fixes the time, so that the pause for a server does not end before a busy machine runs the
// next question.
func stoppedClock() string { return "GITMEM_TEST_NOW=" + time.Now().UTC().Format(time.RFC3339) }

// TestForgeKilled kills a question during a fetch: the next one does not start over.
func TestForgeKilled(t *testing.T) {
	t.Parallel()
	repo := forgedRepository(t)
	reached := make(chan struct{}, 100)
	f := newHostileForge(t, func(f *hostileForge, _ http.ResponseWriter, r *http.Request) {
		reached <- struct{}{}
		silence(f, nil, r)
	})
	l := newLab(t)
	l.env = append(l.env, "GITMEM_OFFLINE=", stoppedClock(), "GH_ENTERPRISE_TOKEN="+forgeToken)
	l.configure(fmt.Sprintf("forges: [{host: git.example.org, kind: github, api: '%s/api'}]\n", f.URL) + faultWait("kill"))
	c := l.command("ask", "why did we choose the membrane pump?")
	c.Dir = repo
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-reached
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	asked := f.asked.Load()
	l.checkForgeAnswer(repo, waitsLonger)
	if n := f.asked.Load() - asked; n > 0 {
		t.Errorf("%d requests by the next question", n)
	}
}

// forgedRepository returns a repository with one commit and a forge as its remote.
func forgedRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q"}, {"remote", "add", "origin", "git@git.example.org:acme/pump.git"},
		{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m",
			"Choose the membrane pump\n\nWe chose the membrane pump because the gear pump leaked."},
	} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

func (l *lab) configure(text string) {
	l.t.Helper()
	dir := filepath.Join(l.home, ".claude", "gitmem")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "local.yaml"), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// checkForgeAnswer asks a question: the history answers it, and one caveat names what is missing.
func (l *lab) checkForgeAnswer(dir, caveat string) {
	l.t.Helper()
	c := l.command("ask", "--json", "why did we choose the membrane pump?")
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		l.t.Fatalf("%v\n%s%s", err, out, stderrOf(err))
	}
	var a struct {
		Citations []struct{ ID string }
		Caveats   []string
	}
	if err := json.Unmarshal(out, &a); err != nil {
		l.t.Fatal(err)
	}
	told := slices.ContainsFunc(a.Caveats, func(s string) bool {
		return strings.Contains(s, "could not be fetched: ") && (strings.Contains(s, caveat) ||
			// the process had no time left to report how its fetch ended
			caveat == silent && strings.Contains(s, waitsLonger))
	})
	if len(a.Citations) != 1 || !strings.HasPrefix(a.Citations[0].ID, "git:commit:") || !told || len(a.Caveats) != 1 {
		l.t.Errorf("citations %v, caveats %q; want a commit and %q", a.Citations, a.Caveats, caveat)
	}
	if text := string(out) + stderrOf(err); strings.Contains(text, forgeToken) || strings.Contains(text, plantedKey) {
		l.t.Errorf("a secret is shown: %s", text)
	}
}

// checkNothingKept searches every file of a home for secrets.
func (l *lab) checkNothingKept(secrets ...string) {
	l.t.Helper()
	files := 0
	err := filepath.WalkDir(l.home, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		files++
		for _, s := range secrets {
			if bytes.Contains(b, []byte(s)) {
				l.t.Errorf("%s holds %s", name, s)
			}
		}
		return err
	})
	if err != nil || files < 3 {
		l.t.Errorf("%d files, %v", files, err)
	}
}
