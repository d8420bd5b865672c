package hook_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gitmem/gitmem/cmd/internal/hook"
)

// Of a long text the beginning and the end are kept, regardless of the positions of escapes and multi-byte
// characters; a shorter one is unchanged.
func TestClipped(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string]string{
		"words": "pump relay ", "no spaces": "relay", "backslashes": `\`, "quotes": `"" `, "lines": "\n", "control": "\x01 ",
		"two bytes": "ä", "three bytes": "水", "four bytes": "🌊", "mixed": "\\\"\x01ä水🌊\u2028 x", "replacement": "\ufffd",
	} {
		for _, n := range []int{1, 100, 60_000, 70_000, 300_000} {
			text := strings.Repeat(unit, n/len(unit)+1)
			b, err := json.Marshal("first words " + text + " last words")
			if err != nil {
				t.Fatal(err)
			}
			var got hook.Clipped
			if err := json.Unmarshal(b, &got); err != nil {
				t.Errorf("%s, %d: %v", name, n, err)
				continue
			}
			s := string(got)
			if !strings.HasPrefix(s, "first words ") || !strings.HasSuffix(s, " last words") || !utf8.ValidString(s) {
				t.Errorf("%s, %d: %.20q … %.20q", name, n, s, s[max(0, len(s)-20):])
			}
			if whole := len(b) <= 64<<10; whole != (s == "first words "+text+" last words") || len(s) > 64<<10+10 {
				t.Errorf("%s, %d: %d bytes of %d", name, n, len(s), len(text)+23)
			}
		}
	}
}

// FuzzClipped: any JSON string is accepted, and nothing is added.
func FuzzClipped(f *testing.F) {
	f.Add(`"a\\\"b"`, 9000)
	f.Add(`"\ud83c\udf0a "`, 6000)
	f.Add(`"\ud83c"`, 20_000)
	f.Add(`7`, 1)
	f.Add("\"\xff \"", 20_000)
	f.Fuzz(func(t *testing.T, unit string, n int) {
		if n < 1 || n > 1<<18/(len(unit)+1) {
			return
		}
		if s, ok := strings.CutPrefix(unit, `"`); ok {
			s = strings.TrimSuffix(s, `"`)
			unit = `"` + strings.Repeat(s, n) + `"`
		}
		var whole *string
		var got *hook.Clipped
		want, err := json.Unmarshal([]byte(unit), &whole), json.Unmarshal([]byte(unit), &got)
		if (want == nil) != (err == nil) {
			t.Fatalf("%v, want %v", err, want)
		}
		if err != nil || whole == nil {
			return
		}
		if s := string(*got); len(unit) <= 64<<10 && s != *whole || len(s) > 3*64<<10 || !utf8.ValidString(s) {
			t.Errorf("%.40q of %.40q", s, *whole)
		}
	})
}
