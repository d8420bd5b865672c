package markdown_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

// TestWithoutComments: the text of a comment is blank, line by line; text in code that looks like a comment,
// and a comment without an end, are kept.
func TestWithoutComments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"none", "# A\n\nText.\n", "# A\n\nText.\n"},
		{"block", "# A\n\n<!-- not\n\n# this -->\nText.\n", "# A\n\n\n\n\nText.\n"},
		{"behind it", "<!-- not --> but this\n", " but this\n"},
		{"inline", "Keep <!-- not this --> that.\n", "Keep  that.\n"},
		{"inline, two lines", "Keep <!-- not\nthis --> that.\n", "Keep \n that.\n"},
		{"heading", "# Keep <!-- not -->\n", "# Keep \n"},
		{"item", "- Keep\n  <!-- not -->\n- <!-- not --> that\n", "- Keep\n\n-  that\n"},
		{"html", "<details>\n<!-- not -->\n<b>this</b>\n</details>\n", "<details>\n\n<b>this</b>\n</details>\n"},
		{"code span", "Write `<!-- this -->` there.\n", "Write `<!-- this -->` there.\n"},
		{"escaped", "Write \\<!-- this --> and \\` <!-- not --> `.\n", "Write \\<!-- this --> and \\`  `.\n"},
		{"open span", "Write ` <!-- not --> and `` <!-- not -->\\\nthat.\n", "Write `  and `` \\\nthat.\n"},
		{"fence", "```html\n<!-- this -->\n```\n", "```html\n<!-- this -->\n```\n"},
		{"indented", "Text:\n\n    <!-- this -->\n", "Text:\n\n    <!-- this -->\n"},
		{"open", "<!-- this\n\n# A\n", "<!-- this\n\n# A\n"},
		{"frontmatter", "---\na: <!-- this -->\n---\nKeep.<!-- not -->\r\nThat.\r\n",
			"---\na: <!-- this -->\n---\nKeep.\r\nThat.\r\n"},
		{"deep", strings.Repeat("> ", 90) + "Keep <!-- not --> it.\n", strings.Repeat("> ", 90) + "Keep  it.\n"},
	} {
		got := markdown.WithoutComments([]byte(c.text))
		if len(got) != len(c.text) || strings.Count(string(got), "\n") != strings.Count(c.text, "\n") {
			t.Errorf("%s: %q of another shape", c.name, got)
		}
		if fold(string(got)) != fold(c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// fold collapses white space within the lines of a text and removes it at their ends.
func fold(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}
