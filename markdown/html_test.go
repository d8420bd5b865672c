package markdown_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

func TestHTMLLoadsAndRunsNothing(t *testing.T) {
	t.Parallel()
	html, err := markdown.HTML("# Relay\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) ![logo](https://x.example/p.png) <img src=x onerror=alert(1)>\n\n" +
		"[![b](https://x.example/b.png)](https://x.example/)\n\n| a |\n|---|\n| b |\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "javascript:", "<img"} {
		if strings.Contains(html, bad) {
			t.Errorf("%q is in %s", bad, html)
		}
	}
	for _, want := range []string{"<h1>Relay</h1>", `<a href="https://x.example/p.png">logo</a>`, "<td>b</td>",
		"<pre>&lt;script&gt;alert(1)&lt;/script&gt;\n</pre>", "&lt;img src=x onerror=alert(1)&gt;"} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is not in %s", want, html)
		}
	}
}
