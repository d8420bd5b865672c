package hook_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

const sessionEnd = `{"session_id":"s1","transcript_path":"/none/s1.jsonl","cwd":"/w","prompt_id":"p","hook_event_name":"SessionEnd","reason":"clear"}`

// TestEndIsLeftToTheBackground hands over what the hook there has to know.
func TestEndIsLeftToTheBackground(t *testing.T) {
	t.Parallel()
	for name, detach := range map[string]error{"detached": nil, "no process": errors.New("no process left")} {
		_, open := opener(t)
		var got map[string]string
		var args []string
		var rec hook.Record
		hook.Run(t.Context(), "session-end", hook.Env{
			Stdin: strings.NewReader(sessionEnd), Dir: "/w", Open: open, Now: time.Now,
			Trace: func(r hook.Record) { rec = r },
			Detach: func(_ *gitmem.Memory, stdin []byte, a ...string) error {
				args = a
				return errors.Join(detach, json.Unmarshal(stdin, &got))
			},
		})
		want := map[string]string{"session_id": "s1", "transcript_path": "/none/s1.jsonl", "cwd": "/w", "hook_event_name": "SessionEnd", "reason": "clear"}
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
