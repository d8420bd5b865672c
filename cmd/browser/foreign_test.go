package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A page of another server on this machine learns nothing from the pages, and can't trigger actions on them,
// although browsers treat both as the same site.
func TestForeignPages(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t, "--edit")
	own := c.tab(t)
	own.enter(s)
	token := eval[string](own, `localStorage.getItem("token")`)
	if len(token) < 26 || !strings.Contains(own.text(), "Ask") {
		t.Fatalf("not entered: %s", own.text())
	}
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><main id=main><p>evil</p></main>")
	}))
	defer evil.Close()
	for _, origin := range []string{evil.URL, strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)} {
		b := c.tab(t)
		b.visit(origin)
		if got := eval[string](b, `localStorage.getItem("token") || ""`); got != "" {
			t.Errorf("%s has the token", origin)
		}
		got := script[map[string]string](b, "attack.js", s.base)
		for name, result := range got {
			t.Logf("%s: %s: %s", origin, name, result)
			if !strings.HasPrefix(result, "nothing") {
				t.Errorf("%s: %s: %s", origin, name, result)
			}
		}
		if len(got) < 10 {
			t.Errorf("%s: %d attacks were made: %v", origin, len(got), got)
		}
		for _, path := range []string{"/", "/?q=which+relay", "/sessions", "/memory", "/assets/app.js"} {
			eval[bool](b, `(location.href = %s, true)`, s.base+path)
			b.until(`location.href.startsWith(%s) && document.readyState === "complete"`, s.base)
			if got := eval[string](b, "document.body.innerText.trim()"); got != "a foreign page is answered nothing" {
				t.Errorf("a link of %s to %s shows %q", origin, path, clip(got, 300))
			}
			b.visit(origin)
		}
	}
	// Another name for this address, as a foreign DNS server may return.
	b := c.tab(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(s.base, "http://"), ":")
	b.visit("http://rebound.example:" + port + "/")
	if got := eval[string](b, "document.body.innerText"); !strings.Contains(got, "no such name") {
		t.Errorf("by another name: %q", got)
	}
	// A code works once, even from the history of a browser.
	b.visit(s.address)
	b.until(`document.readyState === "complete" && document.body.innerText.includes("used before")`)
}
