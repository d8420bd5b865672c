package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// openerName is the program that opens a file in the browser; here one that stores its content.
const openerName = "xdg-open"

// keepOpened copies the file that a browser would show to $GITMEM_TEST_OPENED.
func keepOpened() {
	at, err := url.Parse(os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	b, err := os.ReadFile(at.Path)
	name := os.Getenv("GITMEM_TEST_OPENED")
	if info, statErr := os.Stat(at.Path); err != nil || statErr != nil || info.Mode().Perm() != 0o600 ||
		os.WriteFile(name+".part", b, 0o600) != nil || os.Rename(name+".part", name) != nil {
		os.Exit(1)
	}
}

// browsing starts gitmem browse, and returns its first line of output and a function that ends it.
func (d *desk) browsing(args ...string) (line string, end func()) {
	d.tb.Helper()
	c := exec.Command(d.bin, append([]string{"browse"}, args...)...)
	c.Dir, c.Env, c.Stderr = d.repo, d.env, os.Stderr
	out, err := c.StdoutPipe()
	d.check(err)
	d.check(c.Start())
	line, err = bufio.NewReader(out).ReadString('\n')
	d.check(err)
	return strings.TrimSpace(line), func() {
		_ = c.Process.Signal(syscall.SIGINT)
		_ = c.Wait()
	}
}

// reply returns the status and the text of a server's response to a request.
func (d *desk) reply(r *http.Request) (int, string) {
	d.tb.Helper()
	res, err := http.DefaultClient.Do(r)
	d.check(err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	d.check(err)
	return res.StatusCode, string(b)
}

var pageField = regexp.MustCompile(`(?:name="(\w+)" value|data-(\w+))="([^"]*)"`)

// fieldsOf returns the form fields of a page, by name.
func fieldsOf(page string) url.Values {
	all := url.Values{}
	for _, m := range pageField.FindAllStringSubmatch(page, -1) {
		all.Set(m[1]+m[2], m[3])
	}
	return all
}

// TestBrowseOpens: the browser gets a file, not an address with a secret; the code in it opens the pages
// once. Other commands print the addresses of pages until the server ends.
func TestBrowseOpens(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the browser is started by another program there")
	}
	d := newDesk(t)
	kept := filepath.Join(filepath.Dir(d.repo), "opened.html")
	d.env = append(d.env, "GITMEM_TEST_OPENED="+kept)
	line, end := d.browsing("/memory?tab=rules&file=go")
	defer end()
	address, _, _ := strings.Cut(strings.TrimPrefix(line, "Memory is shown at "), "/ until")
	var file []byte
	for ; file == nil; time.Sleep(20 * time.Millisecond) {
		file, _ = os.ReadFile(kept)
	}
	form := fieldsOf(string(file))
	if form.Get("to") != "/memory?tab=rules&amp;file=go" {
		t.Fatalf("the browser was given:\n%s", file)
	}
	form.Set("to", "/stats")
	post := func() (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/open", strings.NewReader(form.Encode()))
		d.check(err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "null") // as from a file
		return d.reply(r)
	}
	code, page := post()
	got := fieldsOf(page)
	if code != http.StatusOK || got.Get("token") == "" || got.Get("edits") != "" || got.Get("to") != "/stats" {
		t.Fatalf("the code opens %d:\n%s", code, page)
	}
	if code, page := post(); code != http.StatusForbidden || !strings.Contains(page, "run gitmem browse again") {
		t.Errorf("a used code opens %d:\n%s", code, page)
	}
	for _, args := range [][]string{{"search", "redis"}, {"ask", "why did we drop redis?"},
		{"show", "/sessions/" + deskSession}} {
		if got := d.run("", args...); !strings.Contains(got.out, address+"/") {
			t.Errorf("gitmem %s prints no address of a page:\n%s%s", args[0], got.out, got.err)
		}
	}
	end()
	if got := d.run("", "search", "redis"); strings.Contains(got.out, "http://127.0.0.1") {
		t.Errorf("an address of a page that is closed is printed:\n%s", got.out)
	}
	err := filepath.WalkDir(filepath.Join(filepath.Dir(d.repo), "cache", "gitmem", "browse"),
		func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				t.Errorf("%s is left behind", path)
			}
			return err
		})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestBrowseRunFile: a run file only counts while the server that wrote it answers.
func TestBrowseRunFile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	line, end := d.browsing("--no-open")
	defer end()
	address, _, _ := strings.Cut(line, "/open#")
	runs, err := filepath.Glob(filepath.Join(filepath.Dir(d.repo), "cache", "gitmem", "browse", "*.json"))
	if err != nil || len(runs) != 1 {
		t.Fatalf("run files: %q, %v", runs, err)
	}
	if got := d.run("", "search", "redis"); !strings.Contains(got.out, address+"/repos?commit=") {
		t.Errorf("no address is printed:\n%s%s", got.out, got.err)
	}
	b, err := os.ReadFile(runs[0])
	d.check(err)
	d.check(os.WriteFile(runs[0], []byte(strings.Replace(string(b), `"key":"`, `"key":"x`, 1)), 0o600))
	if got := d.run("", "search", "redis"); strings.Contains(got.out, address) {
		t.Errorf("a server that does not know the key counts:\n%s", got.out)
	}
}

// TestBrowseEditsNothingForAModel: pages that can change memory are not started inside an agent.
func TestBrowseEditsNothingForAModel(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, variable := range []string{"CLAUDECODE=1", "CODEX_THREAD_ID=x", "GEMINI_CLI=1"} {
		e := *d
		e.env = append(d.env[:len(d.env):len(d.env)], variable)
		if got := e.run("", "browse", "--edit", "--no-open"); got.code != exitUsage ||
			!strings.Contains(got.err, "terminal of your own") {
			t.Errorf("with %s: exit code %d:\n%s%s", variable, got.code, got.out, got.err)
		}
	}
}

// TestBrowseExports writes pages to files that load nothing and contain no secret.
func TestBrowseExports(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	token := "ghp_" + strings.Repeat("Ab1", 12)
	d.write("home/.claude/projects/-w-repo/"+deskSession+".jsonl", strings.ReplaceAll(deskTranscript(d.repo), "wire it",
		"wire it with "+token))
	for what, want := range map[string]string{deskSession: "ten ampere relay",
		"drop redis": "Redis was only kept for sessions"} {
		name := filepath.Join(d.home, url.PathEscape(what)+".html")
		got := d.run("", "browse", "--export", name, what)
		b, err := os.ReadFile(name)
		if got.code != exitOK || err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: exit code %d, %v:\n%s%s\n%s", what, got.code, err, got.out, got.err, b)
		}
		for _, bad := range []string{token, "<script", `href="/`, "src="} {
			if strings.Contains(string(b), bad) {
				t.Errorf("%s: the file holds %q", what, bad)
			}
		}
		if again := d.run("", "browse", "--export", name, what); again.code != exitError {
			t.Errorf("%s: a file that is there is written over: exit code %d", what, again.code)
		}
	}
	if got := d.run("", "browse", "--export", filepath.Join(d.home, "x.html"),
		"git:commit:0000000000000"); got.code != exitNotFound {
		t.Errorf("a commit that is not there: exit code %d:\n%s", got.code, got.err)
	}
}

// TestBrowseStops: the server ends at a signal even during a request.
func TestBrowseStops(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	line, end := d.browsing("--no-open")
	address, _, _ := strings.Cut(strings.TrimPrefix(line, "http://"), "/open#")
	c, err := net.Dial("tcp", address)
	d.check(err)
	defer c.Close()
	_, err = io.WriteString(c, "POST /open HTTP/1.1\r\nHost: "+address+"\r\nContent-Length: 100\r\n\r\n")
	d.check(err)
	end()
}
