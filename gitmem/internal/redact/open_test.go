package redact_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestOpenBlock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "plain": 0, "a <private> b": 1, "<private></private>": 0, "</private> <Private >": 1, `\u003cprivate\u003e`: 1,
		"`<private>`": 0, "<private> <private> </private>": 1, "a < b \\ c <privat": 0,
	} {
		if got := redact.OpenBlock(text, 0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := redact.OpenBlock("</private> a", 2); got != 1 {
		t.Errorf("one of two was closed: %d are open", got)
	}
}

// TestReopenBlock has texts that follow one with an open private block.
func TestReopenBlock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", "a <private>b</private> c": "a <private>b</private> c",
		"`</private>` ends it":                  "`</private>` ends it",
		"b</private> c":                         "<private></private> c",
		"b</PRIVATE> c </private> d <private>e": "<private></private> d <private>e",
		`b\u003c/private\u003e c`:               "<private></private> c",
		"a <private>b</private> c</private> d":  "<private></private> d",
	} {
		if got := redact.ReopenBlock(text); got != want || redact.ReopenBlock(got) != got {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A text is hidden to its end if and only if a block is open there.
func FuzzOpenBlock(f *testing.F) {
	f.Add("a <private> b", "c")
	f.Add("</private>", "<private>")
	f.Fuzz(func(t *testing.T, s, behind string) {
		const word = " zebra"
		shown, _ := redact.New().Text(s + word)
		open := redact.OpenBlock(s+" ", 0) > 0
		if open && strings.HasSuffix(shown, word) && !strings.Contains(s, "[redacted:") {
			t.Errorf("%q is shown behind %q", word, s)
		}
		if got := redact.OpenBlock(behind, redact.OpenBlock(s+" ", 0)); got < 0 {
			t.Errorf("%d blocks are open", got)
		}
	})
}
