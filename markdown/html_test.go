package markdown_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

func TestHTMLLoadsAndRunsNothing(t *testing.T) {
	t.Parallel()
	html, err := markdown.HTML("# Relay\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) " +
		"![logo](https://x.example/p.png) <img src=x onerror=alert(1)>\n\n" +
		"![x](javascript:alert(1)) [![b](https://x.example/b.png)](https://x.example/)\n\n| a | c |\n|---|:-:|\n" +
		"| b | <b>\"d |\n\nnext")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "javascript:", "<img"} {
		if strings.Contains(html, bad) {
			t.Errorf("%q is in %s", bad, html)
		}
	}
	for _, want := range []string{"<h1>Relay</h1>", `<a href="https://x.example/p.png">logo</a>`,
		"<tr><th>a</th><th>c</th></tr>\n<tr><td>b</td><td>&lt;b&gt;&quot;d</td></tr>\n</table>\n<p>next</p>",
		"<pre>&lt;script&gt;alert(1)&lt;/script&gt;\n</pre>", "&lt;img src=x onerror=alert(1)&gt;"} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is not in %s", want, html)
		}
	}
}

// Somebody else's text must not block a page or fill the memory.
func TestHTMLOfHostileText(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"nested":   strings.Repeat("> ", 51) + "deep",
		"lists":    strings.Repeat("1. ", 51) + "deep",
		"brackets": strings.Repeat("[a] ", 5_001),
		"long":     strings.Repeat("word ", 250_000),
	} {
		html, err := markdown.HTML(src)
		if err != nil || !strings.HasPrefix(html, "<pre>") || len(html) > 6*len(src) {
			t.Errorf("%s: %d bytes of %d, begins %.20q, %v", name, len(html), len(src), html, err)
		}
	}
	for _, src := range []string{
		strings.Repeat("- [a](b) c\n", 4_000), strings.Repeat("-", 200), "a\n" + strings.Repeat("=", 200),
		strings.Repeat("* ", 40),
		"|a|b|\n|-|-|\n" + strings.Repeat("|||\n", 1_000), "a|b\n-|-\n1|2", "2026.11.30 1.2.3.4 ----- text",
		"> > - 1. * deep",
	} {
		if html, err := markdown.HTML(src); err != nil || strings.HasPrefix(html, "<pre>") {
			t.Errorf("%.20q is not rendered: %.80q, %v", src, html, err)
		}
	}
}
