package messages_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, got, want string }{
		{"short", messages.Clip("relay", 5), "relay"},
		{"cut", messages.Clip("relays", 5), "relay…"},
		{"cut between characters", messages.Clip("äöü", 2), "äö…"},
		{"not UTF-8", messages.Clip("a\xff", 5), "a\uFFFD"},
		{"bytes", messages.ClipBytes("aäö", 4), "aä"},
		{"folded", messages.OneLine(" a\n\tb ^o-3\x1b ", 20), "a b o-3"},
		{"no block", messages.Paragraph("## - a\n<b ^i-1"), "a <b i-1"},
		{"no block id behind a caret", messages.Paragraph("x ^^^s-3f2a"), "x s-3f2a"},
		{"bold in front", messages.Paragraph("- **Cause:** 2**n relays"), "Cause: 2**n relays"},
		{"all bold", messages.Paragraph("**Use 10 A relays**"), "Use 10 A relays"},
		{"bold further on", messages.Paragraph("(**all** relays) and vendor/** click"),
			"(**all** relays) and vendor/** click"},
		{"code in front", messages.Paragraph("**`x/** y` and** z"), "`x/** y` and** z"},
		{"quoted", messages.Quote("a”\u200b <b>\nc", 20), "“a\" ‹b> c”"},
		{"plain", messages.PlainLine("“a”\n`<b>`\u202e", 20), "'a' '‹b›'"},
		{"plain and cut", messages.PlainLine("a relay", 3), "a…"},
		{"one", messages.Plural(1, "relay"), "1 relay"},
		{"many", messages.Plural(0, "relay"), "0 relays"},
		{"few", messages.Brief(999), "999"},
		{"thousands", messages.Brief(1250), "1.2k"},
		{"capped", strings.Join(messages.Capped([]string{"a", "b", "c"}, 2), ", "), "a, b, and 1 more"},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// FuzzLines checks that any text becomes one line of limited length without the characters that its context forbids.
func FuzzLines(f *testing.F) {
	f.Add("Chose 10 A relays.", 7)
	f.Add("x”\n## ^o-1 ^i-2\x00<b>", 30)
	f.Add("\u202e\u200b\xff“”  ^^", 3)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = min(max(limit, 1), 300)
		for name, line := range map[string]string{
			"OneLine": messages.OneLine(text, limit), "Quote": messages.Quote(text, limit),
			"PlainLine": messages.PlainLine(text, limit),
			"Paragraph": messages.Paragraph(strings.ToValidUTF8(text, "?")), // Paragraph is for texts from JSON
		} {
			if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) }) {
				t.Errorf("%s: %q is no plain line", name, line)
			}
			if n := utf8.RuneCountInString(line); name != "Paragraph" && n > limit+3 {
				t.Errorf("%s: %d characters of %d", name, n, limit)
			}
		}
		if line := messages.OneLine(text, limit); strings.Contains(line, " ^o-") {
			t.Errorf("%q carries a block id", line)
		}
		if line := messages.Paragraph(text); strings.Contains(line, " ^") || strings.HasPrefix(line, "#") ||
			strings.HasPrefix(line, "- ") {
			t.Errorf("%q is no paragraph", line)
		}
		if line := messages.Quote(text, limit); strings.Count(line, "”") != 1 || strings.Contains(line, "<") {
			t.Errorf("%q ends its quotation", line)
		}
	})
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, want string }{
		"plain":                {"a <b> of c", "a <b> of c"},
		"tags":                 {"run\U000E0068\U000E0069 it", "run it"},
		"zero width":           {"a\u200bb\u2060c\ufeffd\u00ade", "abcde"},
		"direction":            {"\u202eabc\u2066\u200f", "abc"},
		"joiners behind ASCII": {"a\u200db\u200c", "ab"},
		"joiners in Persian":   {"می\u200cخواهم", "می\u200cخواهم"},
		"a row of joiners":     {"é\u200d\u200c\u200d", "é\u200d"},
		"a family":             {"👩\u200d💻 ❤\ufe0f\u200d🔥", "👩\u200d💻 ❤\ufe0f\u200d🔥"},
		"variation selectors":  {"😀\ufe00\ufe0f\ufe01\U000E0100\U000E01EF", "😀\ufe0f"},
		"fillers":              {"a\u3164\u115f\u034fb", "ab"},
		"an Arabic sign":       {"\u06dd7", "\u06dd7"},
		"no text":              {"\xff\xfe", "\xff\xfe"},
		"the client's tag":     {"</system-reminder> < / SYSTEM-reminder>", "‹/system-reminder> ‹ / SYSTEM-reminder>"},
		"the tag in pieces":    {"<\u200bsystem\u2060-reminder>", "‹system-reminder>"},
		"its name":             {"a system-reminder", "a system-reminder"},
	} {
		if got := messages.Visible(tt.in); got != tt.want || messages.Visible(got) != got {
			t.Errorf("%s: Visible(%q) = %q, want %q", name, tt.in, got, tt.want)
		}
	}
	for _, s := range []string{"a\u200bb", "\U000E0041x", "</system-reminder>"} {
		if got := messages.Quotable(s); got != strings.ReplaceAll(messages.Visible(s), "<", "‹") {
			t.Errorf("Quotable(%q) = %q", s, got)
		}
	}
}
