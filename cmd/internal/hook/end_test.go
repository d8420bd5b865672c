package hook_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

const sessionEnd = `{"session_id":"s1","transcript_path":"/none/s1.jsonl","cwd":"/w","prompt_id":"p",` +
	`"hook_event_name":"SessionEnd","reason":"clear"}`

// TestEndIsLeftToTheBackground passes the required data to the background hook.
func TestEndIsLeftToTheBackground(t *testing.T) {
	t.Parallel()
	for name, detach := range map[string]error{"detached": nil, "no process": errors.New("no process left")} {
		_, open := opener(t)
		var got map[string]string
		var args []string
		var rec hook.Record
		hook.Run(t.Context(), "session-end", hook.Env{
			Stdin: strings.NewReader(sessionEnd), Dir: "/w", Open: open, Now: stopped(),
			Trace: func(r hook.Record) { rec = r },
			Detach: func(_ *gitmem.Memory, stdin []byte, a ...string) error {
				args = a
				return errors.Join(detach, json.Unmarshal(stdin, &got))
			},
		})
		want := map[string]string{"session_id": "s1", "transcript_path": "/none/s1.jsonl", "cwd": "/w",
			"hook_event_name": "SessionEnd", "reason": "clear"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff([]string{"hook", "archive"}, args); diff != "" || rec.Result == "error" {
			t.Errorf("%s: %s, trace %+v", name, diff, rec)
		}
		if left := rec.Detail == "left to the background"; left != (detach == nil) {
			t.Errorf("%s: traced %+v", name, rec)
		}
	}
}

// TestEndAsksAModelInTheBackground: a hook that the client waits for calls no model.
func TestEndAsksAModelInTheBackground(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int32{"session-end": 0, "archive": 1} {
		var asked atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.WriteHeader(http.StatusBadRequest)
		}))
		home, dir := t.TempDir(), t.TempDir()
		const session = "3f2a91c4-18be-494e-9c54-6e697febc51c"
		file := filepath.Join(home, ".claude", "projects", "-w", session+".jsonl")
		line := `{"type":"user","uuid":"u1","timestamp":"2026-11-19T11:00:00.000Z","promptSource":"typed","sessionId":"` +
			session + `","cwd":` + string(must(json.Marshal(dir))) +
			`,"message":{"role":"user","content":"Choose a relay for the pump and wire it"}}` + "\n"
		for name, text := range map[string]string{file: line,
			filepath.Join(home, ".claude", "gitmem", "local.yaml"): "agent: {backend: openai, model: m, endpoint: '" +
				server.URL + "', summaries: on}\n",
		} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		hook.Run(t.Context(), name, hook.Env{
			Stdin: strings.NewReader(fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,`+
				`"hook_event_name":"SessionEnd"}`, session, file, dir)), Dir: dir, Now: stopped(),
			Open: func(dir string) (*gitmem.Memory, error) {
				return gitmem.Open(gitmem.Options{Dir: dir, Home: home, CacheDir: filepath.Join(home, "cache"), Now: time.Now})
			},
			Trace: func(r hook.Record) {
				if r.Result != "written" || !strings.Contains(r.Detail, "/sessions/2026/2026-11-19.md") ||
					strings.Contains(r.Detail, "no summary") != (want > 0) {
					t.Errorf("%s: %+v", name, r)
				}
			},
		})
		if n := asked.Load(); n != want {
			t.Errorf("%s: the model was asked %d times", name, n)
		}
		server.Close()
	}
}
