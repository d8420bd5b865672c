//go:build e2e && linux

package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

const (
	runTime  = 90 * time.Second       // for one run of the client
	waitTime = 30 * time.Second       // for background work
	poll     = 20 * time.Millisecond  // between two checks
	quick    = 500 * time.Millisecond // for a process to begin or end
	theModel = "claude-sonnet-5"
)

// desk is a separate home with a project, in which the client and gitmem run.
type desk struct {
	t             *testing.T
	home, project string
	path          []string // folders before the usual ones
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir()}
	t.Cleanup(d.leave)
	d.project = d.repository("pump")
	return d
}

// repository creates a git repository with one commit in the home.
func (d *desk) repository(name string) string {
	d.t.Helper()
	dir := filepath.Join(d.home, "work", name)
	d.write(filepath.Join(dir, "README.md"), "# "+name+"\n\nA project about water.\n")
	d.run(dir, "git", "init", "--quiet", "--initial-branch=main")
	d.run(dir, "git", "remote", "add", "origin", "git@forge.example.org:acme/"+name+".git")
	d.run(dir, "git", "add", "--all")
	d.run(dir, "git", "commit", "--quiet", "--message", "Begin")
	return dir
}

// leave waits for background processes, so that the home can be removed.
func (d *desk) leave() {
	if d.t.Failed() {
		d.t.Logf("what the hooks did:\n%s", d.traces())
	}
	d.await("the end of gitmem's processes in the background", func() bool { return len(d.background()) == 0 })
}

// background returns gitmem's processes that work for this home.
func (d *desk) background() (running []string) {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		d.t.Fatal(err)
	}
	for _, name := range files {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, []byte("HOME="+d.home+"\x00")) {
			continue // it has ended, or belongs to somebody else
		}
		if exe, err := os.Readlink(filepath.Join(filepath.Dir(name), "exe")); err == nil && exe == os.Getenv(gitmemVar) {
			running = append(running, name)
		}
	}
	return running
}

// await polls a condition, and fails the test if it never becomes true.
func (d *desk) await(what string, so func() bool) {
	d.t.Helper()
	for end := time.Now().Add(waitTime); !so(); time.Sleep(poll) {
		if time.Now().After(end) {
			d.t.Errorf("waited %v in vain for %s", waitTime, what)
			return
		}
	}
}

func (d *desk) config(rel ...string) string {
	return filepath.Join(append([]string{d.home, ".claude"}, rel...)...)
}

// env returns the complete environment of a process.
func (d *desk) env(more ...string) []string {
	path := strings.Join(append(d.path[:len(d.path):len(d.path)], "/usr/local/bin", "/usr/bin", "/bin"), ":")
	return append([]string{
		"PATH=" + path, "HOME=" + d.home, "CLAUDE_CONFIG_DIR=" + d.config(), "TMPDIR=" + d.config("tmp"),
		"CLAUDE_CODE_TMPDIR=" + d.config("tmp"), "LANG=C.UTF-8", "TERM=dumb", "TZ=UTC",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada Example", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada Example",
		"GIT_COMMITTER_EMAIL=ada@example.org",
	}, more...)
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) read(name string) string {
	d.t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

// run runs a program that must succeed, and returns its standard output.
func (d *desk) run(dir, name string, args ...string) string {
	d.t.Helper()
	c := exec.CommandContext(d.t.Context(), name, args...)
	c.Dir, c.Env = dir, d.env()
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		d.t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out, exit.Stderr)
	} else if err != nil {
		d.t.Fatal(err)
	}
	return string(out)
}

// gitmem runs gitmem in the project.
func (d *desk) gitmem(args ...string) string {
	d.t.Helper()
	return d.run(d.project, os.Getenv(gitmemVar), args...)
}

// serve starts a stub of a model's API and returns its address.
func (d *desk) serve(m http.Handler) string {
	d.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.t.Fatal(err)
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: waitTime}
	go func() { _ = server.Serve(listener) }()
	d.t.Cleanup(func() { server.Close() })
	return "http://" + listener.Addr().String()
}

// clientEnv only lets the client connect to one stub.
func (d *desk) clientEnv(m *e2e.Model) []string {
	return d.env("ANTHROPIC_API_KEY=test", "ANTHROPIC_BASE_URL="+d.serve(m),
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
		"DISABLE_ERROR_REPORTING=1")
}

// command returns a headless run of the client.
func (d *desk) command(ctx context.Context, dir string, m *e2e.Model, args ...string) *exec.Cmd {
	args = append([]string{"-p", "--allowedTools", "Bash,Read,Write,Edit,Task,Agent,Skill", "--model", theModel,
		"--output-format", "json"}, args...)
	c := exec.CommandContext(ctx, os.Getenv(clientVar), args...)
	c.Dir, c.Env = dir, d.clientEnv(m)
	return c
}

// outcome is the output of a headless run.
type outcome struct {
	Session string `json:"session_id"`
	Result  string `json:"result"`
	Subtype string `json:"subtype"`
	IsError bool   `json:"is_error"`
}

// ask runs the client headless in the project, to its end.
func (d *desk) ask(m *e2e.Model, args ...string) outcome {
	d.t.Helper()
	return d.askIn(d.project, m, args...)
}

func (d *desk) askIn(dir string, m *e2e.Model, args ...string) outcome {
	d.t.Helper()
	got, err := d.tryIn(dir, m, args...)
	if err != nil {
		d.t.Fatal(err)
	}
	return got
}

// tryIn is askIn for several goroutines.
func (d *desk) tryIn(dir string, m *e2e.Model, args ...string) (got outcome, err error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), runTime)
	defer cancel()
	c := d.command(ctx, dir, m, args...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err == nil && (got.IsError || got.Subtype != "success") {
		err = errors.New("the client failed")
	}
	if err != nil {
		return got, fmt.Errorf("claude %s: %w\n%s%s", strings.Join(args, " "), err, out, errs.String())
	}
	return got, nil
}

// files returns the text of all of gitmem's files of a kind: sessions or observations.
func (d *desk) files(kind string) string {
	d.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(d.config("gitmem", "projects"), func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() || !strings.Contains(filepath.ToSlash(name), "/"+kind) || strings.HasSuffix(name, ".tmp") {
			return err // a file that is about to be renamed is not part of the store yet
		}
		b, err := os.ReadFile(name)
		fmt.Fprintf(&all, "<!-- %s -->\n%s\n", name, b)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all.String()
}

// transcript returns the text of the transcripts of sessions whose id has this prefix.
func (d *desk) transcript(session string) string {
	d.t.Helper()
	names, err := filepath.Glob(d.config("projects", "*", session+"*.jsonl"))
	if err != nil {
		d.t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		all.WriteString(d.read(name))
	}
	return all.String()
}

// archived waits until the archive contains a text.
func (d *desk) archived(text string) {
	d.t.Helper()
	d.await(fmt.Sprintf("%q in the archive", text), func() bool { return strings.Contains(d.files("sessions"), text) })
}

// committed waits until all of gitmem's files are committed, and returns the log.
func (d *desk) committed() string {
	d.t.Helper()
	d.await("a clean store", func() bool { return d.run(d.config(), "git", "status", "--porcelain") == "" })
	return d.run(d.config(), "git", "log", "--stat=200", "--format=%s%n%b")
}

// traces returns the traces of hooks.
func (d *desk) traces() string {
	files, err := filepath.Glob(d.config("gitmem", ".index", "trace", "*.jsonl"))
	if err != nil {
		d.t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range files {
		b, err := os.ReadFile(name)
		fmt.Fprintf(&all, "%s", b)
		if err != nil {
			fmt.Fprintln(&all, err)
		}
	}
	return all.String()
}

// record is one line of a trace.
type record struct {
	Hook    string  `json:"hook"`
	Session string  `json:"session"`
	Result  string  `json:"result"`
	Detail  string  `json:"detail"`
	MS      float64 `json:"ms"`
	Chars   int     `json:"chars"`
}

func (d *desk) records() (all []record) {
	d.t.Helper()
	for line := range strings.Lines(d.traces()) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			d.t.Fatalf("trace: %v: %s", err, line)
		}
		all = append(all, r)
	}
	return all
}

// ran checks that hooks ran, and that none reported an error.
func (d *desk) ran(hooks ...string) {
	d.t.Helper()
	seen := map[string]int{}
	for _, r := range d.records() {
		seen[r.Hook]++
		if r.Result == "error" {
			d.t.Errorf("hook %s: %s", r.Hook, r.Detail)
		}
	}
	for _, h := range hooks {
		if seen[h] == 0 {
			d.t.Errorf("hook %s did not run; there were %v", h, seen)
		}
	}
}

// told checks that a request to the model contains texts.
func (d *desk) told(r e2e.Request, texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.Conversation(), text) {
			d.t.Errorf("the model is not told %q:\n%s", text, r.Conversation())
		}
	}
}

// notTold checks that it does not contain them.
func (d *desk) notTold(r e2e.Request, texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(r.Conversation(), text) {
			d.t.Errorf("the model is told %q:\n%s", text, r.Conversation())
		}
	}
}
