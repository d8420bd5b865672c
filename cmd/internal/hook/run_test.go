package hook_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

const edit = `{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"a.go"}}`

// runHook runs one hook and returns its trace, which must be one record.
func runHook(ctx context.Context, t *testing.T, name string, stdin io.Reader,
	open func(string) (*gitmem.Memory, error)) hook.Record {
	t.Helper()
	var records []hook.Record
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	hook.Run(ctx, name, hook.Env{
		Stdin: stdin, Dir: "/w", Open: open,
		Now:   func() time.Time { now = now.Add(3 * time.Millisecond); return now },
		Trace: func(r hook.Record) { records = append(records, r) },
	})
	if len(records) != 1 {
		t.Fatalf("%d trace records, want 1: %+v", len(records), records)
	}
	if r := records[0]; r.Hook != name || r.Time.IsZero() || r.MS <= 0 {
		t.Errorf("the record does not say which hook, when and how long: %+v", r)
	}
	return records[0]
}

// opener returns the memory of an empty home.
func opener(t *testing.T) (root string, open func(string) (*gitmem.Memory, error)) {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	return filepath.Join(home, ".claude"), func(string) (*gitmem.Memory, error) {
		return gitmem.Open(gitmem.Options{Dir: dir, Home: home, CacheDir: filepath.Join(home, "cache"), Now: time.Now})
	}
}

func mustNotOpen(t *testing.T) func(string) (*gitmem.Memory, error) {
	return func(string) (*gitmem.Memory, error) {
		t.Error("the memory was opened for a payload that says nothing")
		return nil, errors.New("opened")
	}
}

// TestTracesHoldNoSecret has a secret in all payload fields that a record uses.
func TestTracesHoldNoSecret(t *testing.T) {
	t.Parallel()
	_, fine := opener(t)
	secret := "ghp_" + strings.Repeat("aB3dE5", 6)
	failing := func(string) (*gitmem.Memory, error) { return nil, errors.New("open " + secret + ".md") }
	long := strings.Repeat("x ", 490) + secret // the limit is within the secret
	tests := []struct {
		name, hook, stdin string
		open              func(string) (*gitmem.Memory, error)
	}{
		{"session", "stop", `{"session_id":"` + secret + `"}`, fine},
		{"bad session", "post-tool-use", `{"session_id":"../` + secret + `"}`, fine},
		{"tool", "post-tool-use", `{"session_id":"s1","tool_name":"mcp__` + secret + `__x"}`, fine},
		{"long tool", "post-tool-use", `{"session_id":"s1","tool_name":"` + strings.Repeat("x ", 28) + secret + `"}`, fine},
		{"hook", secret, `{"session_id":"s1"}`, fine},
		{"error", "stop", `{"session_id":"s1"}`, failing},
		{"cut error", "stop", `{"session_id":"s1"}`, func(string) (*gitmem.Memory, error) { return nil, errors.New(long) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			hook.Run(t.Context(), tt.hook, hook.Env{
				Stdin: strings.NewReader(tt.stdin), Dir: "/w", Open: tt.open, Now: stopped(),
				Trace: func(r hook.Record) {
					if all := r.Hook + r.Session + r.Tool + r.Detail; strings.Contains(all, secret[:8]) {
						t.Errorf("the record holds it: %+v", r)
					}
				},
			})
		})
	}
}

func TestRunFaults(t *testing.T) {
	t.Parallel()
	failing := func(string) (*gitmem.Memory, error) { return nil, errors.New("disk on fire") }
	panicking := func(string) (*gitmem.Memory, error) { panic("a bug") }
	_, fine := opener(t)
	tests := []struct {
		name, hook string
		stdin      io.Reader
		open       func(string) (*gitmem.Memory, error)
		detail     string
	}{
		{"failing open", "post-tool-use", strings.NewReader(edit), failing, "disk on fire"},
		{"panicking open", "stop", strings.NewReader(edit), panicking, "panic: a bug"},
		{"failing reader", "post-tool-use", iotest.ErrReader(errors.New("pipe burst")), mustNotOpen(t),
			"read standard input: pipe burst"},
		{"reader that fails half way", "stop", io.MultiReader(strings.NewReader(edit[:20]),
			iotest.ErrReader(io.ErrUnexpectedEOF)), mustNotOpen(t), "unexpected EOF"},
		{"panicking reader", "stop", panicReader{}, mustNotOpen(t), "panic: reader"},
		{"nothing", "session-end", strings.NewReader(""), mustNotOpen(t), "standard input is empty"},
		{"malformed", "session-end", strings.NewReader("{"), mustNotOpen(t), "malformed JSON"},
		{"unknown hook", "no-such-hook", strings.NewReader(edit), fine, `unknown hook "no-such-hook"`},
		{"hostile session", "post-tool-use", strings.NewReader(`{"session_id":"../../x"}`), fine, "session id"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := runHook(t.Context(), t, tt.hook, tt.stdin, tt.open)
			if r.Result != "error" || !strings.Contains(r.Detail, tt.detail) {
				t.Errorf("traced %q %q, want error %q", r.Result, r.Detail, tt.detail)
			}
		})
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("reader") }

// spaces is infinite white space.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// The clock is that of the synctest bubble: on a busy machine, reading the largest payload may take longer
// than the limit.
func TestRunTooLarge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := runHook(t.Context(), t, "post-tool-use", io.LimitReader(spaces{}, 64<<20+1), mustNotOpen(t))
		if want := "larger than 64 MiB"; r.Result != "error" || !strings.Contains(r.Detail, want) {
			t.Errorf("traced %q %q, want error %q", r.Result, r.Detail, want)
		}
	})
}

// slowReader returns one byte per second.
type slowReader struct{ rest []byte }

func (s *slowReader) Read(p []byte) (int, error) {
	time.Sleep(time.Second)
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	p[0], s.rest = s.rest[0], s.rest[1:]
	return 1, nil
}

// A hook whose client disconnected still writes its record.
func TestRunCancelledWhileReading(t *testing.T) {
	t.Parallel()
	root, open := opener(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		r := runHook(ctx, t, "stop", &slowReader{rest: []byte(edit)}, open)
		if ctx.Err() == nil {
			t.Error("the context did not end while the reader was at it")
		}
		if r.Session != "s1" && r.Result != "error" {
			t.Errorf("traced %+v, want the session or an error", r)
		}
		time.Sleep(time.Duration(len(edit)+1) * time.Second) // of the bubble's time: the reader reaches its end
	})
	if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
		t.Error("a hook made a repository")
	}
}

// TestRunLeavesAnOpenPipe lets a client write half a payload and never close its end.
func TestRunLeavesAnOpenPipe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		go func() { _, _ = out.Write([]byte(edit[:20])) }()
		start := time.Now()
		r := runHook(t.Context(), t, "post-tool-use", in, mustNotOpen(t))
		if took := time.Since(start); took > 10*time.Second || r.Result != "error" ||
			!strings.Contains(r.Detail, "no whole JSON value") {
			t.Errorf("traced %+v after %v, want an error after 10 s", r, took)
		}
		if err := out.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestRunBeforeTheEnd lets a client write a payload, followed by nothing or other text, and keep its end
// open: the hook does its work and ends. The clock is the bubble's.
func TestRunBeforeTheEnd(t *testing.T) {
	t.Parallel()
	for _, rest := range []string{"", "\n", " \n{", "x"} {
		_, open := opener(t)
		synctest.Test(t, func(t *testing.T) {
			in, out := io.Pipe()
			go func() { _, _ = out.Write([]byte(edit + rest)) }() // fails once nobody reads
			if r := runHook(t.Context(), t, "post-tool-use", in, open); r.Result != "written" || r.Session != "s1" {
				t.Errorf("followed by %q: %+v", rest, r)
			}
			if err := errors.Join(in.Close(), out.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}

// The record of a hook is short for any payload: a trace line must be one small write, because hooks write to
// one file concurrently.
func TestRunKeepsTheTraceShort(t *testing.T) {
	t.Parallel()
	_, open := opener(t)
	long := strings.Repeat("x", 1<<20)
	r := runHook(t.Context(), t, "post-tool-use", strings.NewReader(`{"session_id":"`+long+`"}`), open)
	if n := len(r.Session) + len(r.Detail); n > 4000 {
		t.Errorf("session and detail have %d bytes", n)
	}
	failing := func(dir string) (*gitmem.Memory, error) { return nil, errors.New("open " + dir + ": name too long") }
	r = runHook(t.Context(), t, "post-tool-use", strings.NewReader(`{"session_id":"s1","cwd":"`+long+`"}`), failing)
	if n := len(r.Session) + len(r.Detail); n > 4000 || r.Result != "error" {
		t.Errorf("%s: session and detail have %d bytes", r.Result, n)
	}
}

func TestRunResults(t *testing.T) {
	t.Parallel()
	root, open := opener(t)
	var dirs []string
	noting := func(dir string) (*gitmem.Memory, error) { dirs = append(dirs, dir); return open(dir) }
	var got []string
	for _, step := range []struct{ hook, stdin string }{
		{"stop", edit}, // no repository: nothing to commit
		{"post-tool-use", strings.Replace(edit, "{", `{"cwd":"/elsewhere",`, 1)},
		{"session-end", edit}, // no transcript: nothing to archive
	} {
		r := runHook(t.Context(), t, step.hook, strings.NewReader(step.stdin), noting)
		got = append(got, r.Result)
		if r.Result == "error" {
			t.Errorf("%s: %s", step.hook, r.Detail)
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(r.Detail))); r.Result == "written" && err != nil {
			t.Errorf("%s: the trace names %q: %v", step.hook, r.Detail, err)
		}
	}
	if diff := cmp.Diff([]string{"nothing", "written", "nothing"}, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/w", "/elsewhere", "/w"}, dirs); diff != "" {
		t.Errorf("opened folders (-want +got):\n%s", diff)
	}
}

// stopped returns a clock that does not advance, so that the output of a hook does not depend on the
// machine's load.
func stopped() func() time.Time {
	now := time.Now()
	return func() time.Time { return now }
}
