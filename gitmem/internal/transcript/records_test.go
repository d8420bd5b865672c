package transcript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

// TestRecords reads sessions written by version 2.1.332 of the client, shortened, and compares the speaker of each
// text, and what was taken back, with a list reviewed by people.
func TestRecords(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/records/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var b strings.Builder
	for _, file := range files {
		fmt.Fprintf(&b, "%s\n", filepath.Base(file))
		for m, err := range transcript.Conversation(file) {
			if err != nil {
				t.Fatal(err)
			}
			marks := ""
			if m.Prompt {
				marks += " prompt"
			}
			if m.TakenBack {
				marks += " taken-back"
			}
			text := []rune(strings.Join(strings.Fields(m.Text), " "))
			fmt.Fprintf(&b, "%4d %s%s: %s\n", m.Line, cmpOr(string(m.Role), string(m.Speaker)), marks,
				string(text[:min(len(text), 90)]))
		}
	}
	const golden = "testdata/records.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

// cmpOr returns a role with its speaker if they differ.
func cmpOr(role, speaker string) string {
	if role == speaker {
		return role
	}
	return role + "/" + speaker
}
