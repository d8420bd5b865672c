package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHooksExitZero calls hooks like a client of another version, or a hand-written setting: the exit code 2
// would block the client, and any other one is shown as an error.
func TestHooksExitZero(t *testing.T) {
	t.Parallel()
	p := newParallelHooks(t)
	payload := `{"session_id":"3f2a91c4-18be-494e-9c54-6e697febc51c","cwd":"` + p.dir + `","source":"startup"}`
	for _, tt := range []struct{ args, stdin, says string }{
		{"hook", payload, "gitmem hook"},
		{"hook stop --newflag", payload, "--newflag"},
		{"hook --newflag stop", payload, "--newflag"},
		{"hook stop another", payload, "another"},
		{"hook stop --agent nobody", payload, ""},
		{"hook stop --agent codex --newflag", payload, "--newflag"},
		{"hook stop --agent", payload, "--agent"},
		{"hook stop --debug=perhaps", payload, "perhaps"},
		{"hook no-such-event", payload, ""},
		{"hook no-such-event --newflag", payload, "--newflag"},
		{"hook stop", "", ""},
		{"hook stop", "[]", ""},
		{"hook --help", "", ""},
	} {
		c := p.command("gitmem", strings.Fields(tt.args)...)
		c.Stdin = strings.NewReader(tt.stdin)
		var stderr strings.Builder
		c.Stderr = &stderr
		out, err := c.Output()
		if help := tt.args == "hook --help"; err != nil ||
			help != strings.Contains(string(out), "A hook always exits with") {
			t.Errorf("%s: %v, says %q and %q", tt.args, err, out, stderr.String())
		}
		if !strings.Contains(stderr.String(), tt.says) {
			t.Errorf("%s: nothing is said of %q but %q", tt.args, tt.says, stderr.String())
		}
	}
	if log := p.must("gitmem", "stats", "--cost", "--json"); !strings.Contains(log, `"stop"`) {
		t.Errorf("a known event with an unknown flag does no work:\n%s", log)
	}
}

// TestHooksWithoutStreams runs hooks with closed standard streams.
func TestHooksWithoutStreams(t *testing.T) {
	t.Parallel()
	p := newParallelHooks(t)
	payload := `{"session_id":"3f2a91c4-18be-494e-9c54-6e697febc51c","cwd":"` + p.dir + `","source":"startup"}`
	p.must("gitmem", "note", "The pump has a door")
	for _, name := range []string{"session-start", "user-prompt-submit", "post-tool-use", "stop", "session-end",
		"stop another"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := p.command("gitmem", append([]string{"hook"}, strings.Fields(name)...)...)
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(payload), w, w
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if err := c.Run(); err != nil {
			t.Errorf("%s with nobody to tell: %v", name, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out, err := p.command("sh", "-c", "gitmem hook "+name+" <&- >&- 2>&-").CombinedOutput(); err != nil {
			t.Errorf("%s with closed streams: %v\n%s", name, err, out)
		}
	}
}

// TestOpenPipe runs commands that read the client's JSON while the client keeps its end open. A hook of the
// plugin reads it even if the settings call the same hook.
func TestOpenPipe(t *testing.T) {
	t.Parallel()
	p := newParallelHooks(t)
	p.must("gitmem", "install")
	payload := `{"session_id":"3f2a91c4-18be-494e-9c54-6e697febc51c","cwd":"` + p.dir +
		`","tool_name":"Bash","tool_input":{"command":"ls"}}`
	run := func(open bool, stdin, plugin string, args ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, "gitmem", args...)
		c.Env, c.Dir = append(p.env[:len(p.env):len(p.env)], "GITMEM_PLUGIN="+plugin), p.home
		var out strings.Builder
		c.Stdout, c.Stderr = &out, &out
		in, err := c.StdinPipe()
		if err == nil {
			err = c.Start()
		}
		if err == nil {
			_, err = io.WriteString(in, stdin)
		}
		if !open {
			err = errors.Join(err, in.Close())
		}
		if err = errors.Join(err, c.Wait()); err != nil { // Wait closes the pipe after the process has ended
			t.Errorf("%q: %v\n%s", args, err, out.String())
		}
		return out.String()
	}
	for _, plugin := range []string{"1", ""} {
		if out := run(true, payload, plugin, "hook", "post-tool-use"); out != "" {
			t.Errorf("the hook says %q", out)
		}
	}
	traces, err := filepath.Glob(filepath.Join(p.root(), "gitmem", ".index", "trace", "*.jsonl"))
	if err != nil || len(traces) != 1 {
		t.Fatalf("traces %v, %v", traces, err)
	}
	if b, err := os.ReadFile(traces[0]); err != nil || strings.Count(string(b), `"written"`) != 1 ||
		strings.Contains(string(b), `"error"`) {
		t.Errorf("%v\n%s", err, b)
	}
	if err := os.WriteFile(filepath.Join(p.root(), "gitmem", "local.yaml"), []byte("exclude: [\"~/pump\"]\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	open, closed := run(true, payload, "", "statusline"), run(false, payload, "", "statusline")
	if open != closed || !strings.Contains(open, "excluded") {
		t.Errorf("the status line is %q, and %q with a closed pipe", open, closed)
	}
}

// TestHooksWithALongFolder has a folder name that is too long for any system, in the payload and in the
// records of a transcript.
func TestHooksWithALongFolder(t *testing.T) {
	t.Parallel()
	p := newParallelHooks(t)
	long := strings.Repeat("/a", 50<<10)
	config := filepath.Join(p.root(), "gitmem", "local.yaml")
	transcript := filepath.Join(p.home, "t.jsonl")
	record := `{"type":"user","uuid":"u1","sessionId":"3f2a91c4-18be-494e-9c54-6e697febc51c",` +
		`"timestamp":"2026-11-20T11:00:00.000Z","cwd":"` + long +
		`","promptSource":"typed","message":{"role":"user","content":"Choose a relay for the pump and wire it"}}` + "\n"
	if err := errors.Join(os.WriteFile(config, []byte("exclude: [\"~/work/**\"]\n"), 0o600),
		os.WriteFile(transcript, []byte(record), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, cwd string }{{"post-tool-use", long}, {"session-start", long}, {"archive", p.dir},
		{"stop", p.dir}} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		c := exec.CommandContext(ctx, "gitmem", "hook", tt.name)
		c.Env, c.Dir = p.env, p.home
		c.Stdin = strings.NewReader(`{"session_id":"3f2a91c4-18be-494e-9c54-6e697febc51c","tool_name":"Bash",` +
			`"transcript_path":"` + transcript + `","cwd":"` + tt.cwd + `"}`)
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%.1000s", tt.name, err, out)
		}
		cancel()
	}
	traces, err := filepath.Glob(filepath.Join(p.root(), "gitmem", ".index", "trace", "*.jsonl"))
	if err != nil || len(traces) == 0 {
		t.Fatalf("traces %v, %v", traces, err)
	}
	if b, err := os.ReadFile(traces[0]); err != nil || strings.Count(string(b), "longer than any folder's name") != 2 {
		t.Errorf("%v\n%.3000s", err, b)
	}
}
