package hook_test

import (
	"slices"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/hook"
)

func TestRegistered(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range hook.Registered() {
		if !slices.Contains(hook.Names(), r.Name) || hook.Background(r.Name) {
			t.Errorf("%s calls %s, which is no hook of the client", r.Event, r.Name)
		}
		if seen[r.Event] {
			t.Errorf("%s is registered twice", r.Event)
		}
		if seen[r.Event] = true; r.Timeout < 1 || r.Timeout > 60 {
			t.Errorf("%s may take %d s", r.Event, r.Timeout)
		}
	}
	for _, event := range []string{
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
	} {
		if !seen[event] {
			t.Errorf("nothing is registered for %s", event)
		}
	}
}
