package transcript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

// promptsAt writes a transcript with a prompt at each minute, and returns its file.
func promptsAt(t *testing.T, name string, prompts ...int) string {
	t.Helper()
	var b strings.Builder
	for _, minute := range prompts {
		fmt.Fprintf(&b,
			`{"type":"user","uuid":"%s-%d","sessionId":"%s","timestamp":"2025-03-09T12:%02d:00Z","message":{"role":"user",`+
				`"content":"prompt %d"}}`+"\n",
			name, minute, name, minute, minute)
	}
	file := filepath.Join(t.TempDir(), name+".jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSharedWithOlder checks that messages shared by two transcripts belong to the one that continued first, whatever
// the ids in a copy.
func TestSharedWithOlder(t *testing.T) {
	t.Parallel()
	first, fork, alone := promptsAt(t, "first", 1, 2, 3), promptsAt(t, "fork", 1, 2, 5), promptsAt(t, "alone", 2, 3)
	begun := promptsAt(t, "begun", 1, 2) // it has no other messages, and so shares all
	stems := map[string]string{}
	for _, file := range []string{first, fork, alone} {
		stem, err := transcript.FirstMessageKey(file)
		if err != nil {
			t.Fatal(err)
		}
		stems[file] = stem
	}
	if stems[first] != stems[fork] || stems[first] == stems[alone] || stems[first] == "" {
		t.Errorf("stems: %v", stems)
	}
	for _, tt := range []struct {
		file, other string
		want        int
	}{{fork, first, 2}, {first, fork, 0}, {begun, first, 0}, {first, begun, 2}} {
		got, err := transcript.SharedWithOlder(tt.file, tt.other)
		if err != nil || len(got) != tt.want {
			t.Errorf("%s shares %d with %s, %v; want %d", filepath.Base(tt.file), len(got),
				filepath.Base(tt.other), err, tt.want)
		}
	}
}

// TestUpTo cuts at the first message with a later date.
func TestUpTo(t *testing.T) {
	t.Parallel()
	file := promptsAt(t, "s", 1, 5, 3)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var got []int
	for msg, err := range transcript.Until(transcript.NewReader(f, transcript.Position{}).All(),
		time.Date(2025, 3, 9, 12, 4, 0, 0, time.UTC)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, msg.Line)
	}
	if diff := cmp.Diff([]int{1}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestCopyOfOrigin checks that messages repeated by a fork count in the original session, as long as it exists.
func TestCopyOfOrigin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fork, err := os.ReadFile("testdata/records/branch.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a5c7a221-a991-4b30-a73d-bd5b3a6a5d3d.jsonl")
	if err := os.WriteFile(file, fork, 0o600); err != nil {
		t.Fatal(err)
	}
	prompts := func() (list []string) {
		for m, err := range transcript.Conversation(file) {
			if err != nil {
				t.Fatal(err)
			}
			if m.Prompt {
				list = append(list, m.Text)
			}
		}
		return list
	}
	if diff := cmp.Diff([]string{"Which relay?", "Which fuse?"}, prompts()); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(filepath.Join(dir, "f762eb4e-3021-4ca7-80dd-c33ee7fd201c.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Which fuse?"}, prompts()); diff != "" {
		t.Error(diff)
	}
}
