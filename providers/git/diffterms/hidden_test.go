package diffterms_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git/diffterms"
)

// mask hides the text after "token:", on the same line or the next one, and the text in a block.
func mask(text string) string {
	lines := strings.SplitAfter(text, "\n")
	inBlock, after := false, false
	for i, line := range lines {
		inBlock = inBlock || strings.Contains(line, "<PRIVATE>") || strings.Contains(line, "-----BEGIN")
		value := strings.TrimSpace(line)
		at := strings.Index(line, "token:")
		switch {
		case inBlock, after:
		case at >= 0:
			value = strings.TrimSpace(line[at+len("token:"):])
		default:
			value = ""
		}
		after = at >= 0 && value == ""
		inBlock = inBlock && !strings.Contains(line, "</PRIVATE>") && !strings.Contains(line, "-----END")
		if value != "" {
			lines[i] = strings.Replace(line, value, "[hidden]", 1)
		}
	}
	return strings.Join(lines, "")
}

// TestSecretsAreHidden: the description of a change contains no secret, although a single word of it would
// not be recognised as one.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("plain words here\n", 40)
	for name, c := range map[string]struct{ before, after, want string }{
		"a new file":            {"", "relay: on\ntoken: walnut\n", "relay"},
		"one line":              {long + "token: walnut\n" + long, long + "token: walnutty\nrelay\n" + long, "relay"},
		"one word":              {long + "token: one walnut\n" + long, long + "token: one walnutty\n" + long, ""},
		"its name stands above": {"token:\n  walnut\n", "token:\n  walnutty\nrelay\n", "relay"},
		"in the middle of a block": {"<PRIVATE>\n" + long + "walnut\n</PRIVATE>\nrelay\n", "<PRIVATE>\n" + long +
			"walnutty\n</PRIVATE>\nvalve\n", "valve"},
		"in the middle of a key": {"-----BEGIN\n" + long + "walnut\n-----END\n", "-----BEGIN\n" + long +
			"walnutty\n-----END\nvalve\n", "valve"},
	} {
		e := edit{"a.txt", c.before, c.after}
		got := readWith(&diffterms.Reader{Hide: mask}, e)
		if told := got.Words + got.Summary; strings.Contains(told, "walnut") || !strings.Contains(told, c.want) {
			t.Errorf("%s: %q, %q", name, got.Words, got.Summary)
		}
		if open := read(e); !strings.Contains(open.Words+open.Summary, "walnut") {
			t.Errorf("%s: without hiding %q, %q", name, open.Words, open.Summary)
		}
	}
}
