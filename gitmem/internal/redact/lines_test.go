package redact_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestLinesKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	r := redact.New()
	in := "one\n<private>\ntwo\n### three\n</private>\nfour\n"
	out := r.Lines(in)
	if want := "one\n[redacted:private]\n\n\n\nfour\n"; out != want {
		t.Errorf("Lines = %q, want %q", out, want)
	}
	if strings.Count(out, "\n") != strings.Count(in, "\n") {
		t.Error("a line end was lost")
	}
	if clean := "nothing\nto hide\n"; r.Lines(clean) != clean {
		t.Error("clean text must stay as it is")
	}
}
