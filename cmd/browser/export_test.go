package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// An exported page is complete, runs nothing, loads nothing and links to no page of this machine.
func TestExport(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	b := c.tab(t)
	for i, tt := range []struct{ path, holds string }{
		{"/sessions/" + failing, "Why do the tests fail?"},
		{"/memory?tab=rules&file=hostile", "Always rule"},
		{"/repos?commit=" + w.sha("HEAD~1"), "docs: subject"},
		{"/graph", "valve"},
		{"/profile", "helix"},
		{"/?q=which+relay+does+the+pump+need", "relay"},
		{"which relay", "relay"},
	} {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("page%d.html", i))
		if err := in(w.repo, w.environ(), w.p.gitmem, "browse", "--export", file, tt.path); err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		b.visit("file://" + file)
		b.until(`document.readyState === "complete" && document.querySelector("main h1")`)
		b.settle()
		if text := eval[string](b, `document.querySelector("main").innerText`); !strings.Contains(text, tt.holds) {
			t.Errorf("%s: %s", tt.path, clip(text, 300))
		}
		const live = `"script, iframe, link, img, base, main style, main a[href^='/'], .hostile"`
		if n := eval[int](b, "document.querySelectorAll("+live+").length"); n > 0 {
			t.Errorf("%s has %d elements that run, load or lead back", tt.path, n)
		}
		if ran := eval[[]string](b, "hits.concat(stopped)"); len(ran) > 0 {
			t.Errorf("%s: %q", tt.path, ran)
		}
		if text := eval[string](b, "document.documentElement.outerHTML"); strings.Contains(text, "127.0.0.1") {
			t.Errorf("%s names the server", tt.path)
		}
	}
	for _, address := range b.foreign() {
		if !strings.HasPrefix(address, "file:") {
			t.Errorf("asked for %s", address)
		}
	}
}
