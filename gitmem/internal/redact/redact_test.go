package redact_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestPrivateBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"one line", "a <private>b</private> c", "a [redacted:private] c"},
		{"any case, many lines", "a <Private>b\nc</PRIVATE> d", "a [redacted:private] d"},
		{"unclosed", "a <private>b\nc", "a [redacted:private]"},
		{"two", "<private>a</private>b<private>c</private>", "[redacted:private]b[redacted:private]"},
		{"nested", "a <private>b<private>c</private>d</private> e", "a [redacted:private] e"},
		{"escaped", `{"a":"\u003cprivate\u003eb\u003c/private\u003e c"}`, `{"a":"[redacted:private] c"}`},
		{"around a secret", "<private>-----BEGIN PRIVATE KEY-----</private>", "[redacted:private]"},
		{"with an example in code", "<private>a `</private>` b</private> c", "[redacted:private] c"},
		{"none", "a private </private> word", "a private </private> word"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := redact.New().Clean(c.in).String(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
