package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

// startWorld is a home with a session that can be summarised.
type startWorld struct {
	home, dir string
	fail      error // of starting any process
	started   []string
}

func newStartWorld(t *testing.T) *startWorld {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &startWorld{home: filepath.Join(base, "home"), dir: filepath.Join(base, "proj")}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, w.dir)
	cwd, err := json.Marshal(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"type":"user","uuid":"u1","sessionId":"aaaaaaaa-0000-4000-8000-000000000001",` +
		`"timestamp":"2026-11-18T11:00:00.000Z","cwd":` + string(cwd) +
		`,"promptSource":"typed","message":{"role":"user","content":"Measure the pump and tell what it draws"}}` + "\n"
	w.write(t, filepath.Join(w.home, ".claude/projects", name, "aaaaaaaa-0000-4000-8000-000000000001.jsonl"), line)
	w.write(t, filepath.Join(w.dir, "README.md"), "A pump.\n")
	return w
}

func (w *startWorld) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs the hook for a source and returns its output, and the trace.
func (w *startWorld) run(t *testing.T, source string) (out string, rec hook.Record) {
	t.Helper()
	w.started = nil
	payload, err := json.Marshal(map[string]string{
		"session_id": "66f4fd00-240a-447d-96c1-db9c5fa9231c", "transcript_path": filepath.Join(w.dir, "none.jsonl"),
		"cwd":             w.dir,
		"hook_event_name": "SessionStart", "source": source,
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	hook.Run(t.Context(), "session-start", hook.Env{
		Stdin: bytes.NewReader(payload), Stdout: &b, Dir: w.dir, Now: time.Now,
		Open: func(dir string) (*gitmem.Memory, error) {
			return gitmem.Open(gitmem.Options{Dir: dir, Home: w.home, CacheDir: filepath.Join(w.home, "cache"), Now: time.Now})
		},
		Detach: func(_ *gitmem.Memory, stdin []byte, args ...string) error {
			if !json.Valid(stdin) || !strings.Contains(string(stdin), `"session_id":"66f4fd00-`) {
				t.Errorf("%v is started with %q", args, stdin)
			}
			w.started = append(w.started, strings.Join(args, " "))
			return w.fail
		},
		Index: func(*gitmem.Memory) error { w.started = append(w.started, "index"); return w.fail },
		Trace: func(r hook.Record) { rec = r },
	})
	return b.String(), rec
}

func TestSessionStart(t *testing.T) {
	t.Parallel()
	w := newStartWorld(t)
	upkeep := []string{"index"}
	if slices.Contains(hook.Names(), "sweep") {
		upkeep = []string{"hook sweep", "index"}
	}
	for _, source := range []string{"startup", "resume", "clear", "fork", "compact", ""} {
		out, rec := w.run(t, source)
		if !strings.Contains(out, `"hookEventName":"SessionStart","additionalContext":"gitmem: `) ||
			!strings.Contains(out, "Measure the pump") || !json.Valid([]byte(out)) {
			t.Errorf("%s: the client is told %q", source, out)
		}
		if rec.Result != "written" || rec.Chars == 0 || !strings.HasPrefix(rec.Detail, "sessions 1") &&
			rec.Detail != "as before" {
			t.Errorf("%s: traced %+v", source, rec)
		}
		want := upkeep
		if source == "compact" {
			want = nil
		}
		if diff := cmp.Diff(want, w.started); diff != "" {
			t.Errorf("%s: started in the background (-want +got):\n%s", source, diff)
		}
	}
}

// A failure to start a process is traced, and the session still gets its context.
func TestSessionStartWithoutABackground(t *testing.T) {
	t.Parallel()
	w := newStartWorld(t)
	w.fail = errors.New("no processes left")
	out, rec := w.run(t, "startup")
	if !strings.Contains(out, "Measure the pump") || rec.Result != "written" ||
		!strings.Contains(rec.Detail, "indexer not started: no processes left") {
		t.Errorf("told %q, traced %+v", out, rec)
	}
}

// If nothing is captured, nothing is started either.
func TestSessionStartRespectsPolicy(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, config, out, result string }{
		{"off", "capture: off\n", "Measure the pump", "written"},
		{"excluded", "exclude: ['**/proj']\n", "", "nothing"},
		{"unreadable", "exclude: [\n", `{"systemMessage":"gitmem: nothing is captured`, "written"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newStartWorld(t)
			w.write(t, filepath.Join(w.home, ".claude/gitmem/local.yaml"), tt.config)
			out, rec := w.run(t, "startup")
			if !strings.Contains(out, tt.out) || (tt.out == "") != (out == "") || rec.Result != tt.result || len(w.started) > 0 {
				t.Errorf("told %q, traced %+v, started %v", out, rec, w.started)
			}
		})
	}
}
