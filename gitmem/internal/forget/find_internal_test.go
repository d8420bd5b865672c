package forget

import "testing"

func TestHoldsWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, literal string
		quoted, want  bool
	}{
		{"The Door sticks", "sticks door", false, true},
		{"The Door sticks", "sticks drain", false, false},
		{"The Door sticks", "door sticks", true, true},
		{"The Door sticks", "sticks door", true, false},
		{"The door\n  sticks", "door sticks", true, true},
		{"", "door", false, false},
	} {
		if got := holdsWords(tt.text, tt.literal, tt.quoted); got != tt.want {
			t.Errorf("%q holds %q, quoted %v: %v", tt.text, tt.literal, tt.quoted, got)
		}
	}
}

// TestWithoutWords removes from a citation what may be words of the text.
func TestWithoutWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"decision:2025-03-10-the-code-of-bob": "decision", "task:the-code-of-bob": "task",
		"memory:MEMORY.md#the-code-of-bob": "memory:MEMORY.md", "idea:i-aaaaaaaaaa": "idea:i-aaaaaaaaaa",
		"no citation": "no citation",
	} {
		if got := withoutWords(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestKindsOfCitation(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]bool{
		"github:pr:12": {true, false}, "jira:ABC-1": {true, false}, "git:commit:abc": {}, "github:": {}, "github": {},
		"transcript:3f2a91c4": {false, true}, "transcript:3f2a91c4:7": {}, "transcript:": {}, "transcript:../x": {},
		"memory:a.md": {},
	} {
		if got := [2]bool{isForeign(in), isWholeTranscript(in)}; got != want {
			t.Errorf("%s: foreign and transcript %v, want %v", in, got, want)
		}
	}
}
