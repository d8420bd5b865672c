package transcript_test

import (
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func TestFolderOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/s/rollout.jsonl/@codex/%2Fhome%2Fada%2Fpump-/01a2/codex-01a2.jsonl":   "-home-ada-pump",
		"/s/chat.jsonl/@gemini/-/3a21/gemini-3a21.jsonl":                        "",
		"/home/ada/.claude/projects/-home-ada-pump/5f0c.jsonl":                  "no",
		"/s/rollout.jsonl/@nobody/%2Fhome%2Fada%2Fpump-/01a2/nobody-01a2.jsonl": "no",
	} {
		folder, ok := transcript.FolderOf(filepath.FromSlash(path))
		if !ok {
			folder = "no"
		}
		if folder != want {
			t.Errorf("%s: %q, want %q", path, folder, want)
		}
	}
}
