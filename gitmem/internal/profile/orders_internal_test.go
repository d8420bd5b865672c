package profile

import (
	"strings"
	"testing"
)

// TestOddMessages checks that little of a text without sentences is examined, and the sentences around it are.
func TestOddMessages(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]string{
		"numbers": strings.Repeat("12, 34, ", 2000), "words": strings.Repeat("a and ", 3000),
		"brackets": strings.Repeat("(a", 6000),
		"Chinese":  strings.Repeat("我们，", 2000), "short": strings.Repeat("a, b, c, d, e, f, g, h. ", 500),
		"bytes": "never push, \xff\xffx",
		"intro": strings.Repeat("so ", 300) + ":\n" + strings.Repeat("a\n", 3000),
	} {
		n := 0
		for _, c := range orderRules().clauses(say).list {
			n += len(c.features)
		}
		if n > 300_000 {
			t.Errorf("%s: %d features", name, n)
		}
	}
	if got := Orders(strings.Repeat("12, 34, ", 500) + ".\nNever push to main in this repo."); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}
