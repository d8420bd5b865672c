package hook

import (
	"bytes"
	"strings"
	"testing"
)

func TestReplies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   reply
		want string
	}{
		{"nothing", reply{detail: "done"}, ""},
		{"context", reply{context: "a <b>"},
			`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a \u003cb\u003e"}}` + "\n"},
		{"message", reply{message: "m"}, `{"systemMessage":"m"}` + "\n"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		if err := tt.in.write(&out, "SessionStart"); err != nil || out.String() != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, out.String(), err, tt.want)
		}
	}
}

// The client passes a text of 10,000 characters to the model and no longer one.
func TestRepliesAreNotTooLong(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := (reply{context: strings.Repeat("é", 10_000)}).write(&out, "Stop"); err != nil || out.Len() == 0 {
		t.Errorf("10,000 characters: %v", err)
	}
	out.Reset()
	if err := (reply{context: strings.Repeat("é", 10_001)}).write(&out, "Stop"); err == nil || out.Len() > 0 {
		t.Errorf("10,001 characters are written: %d bytes", out.Len())
	}
}
