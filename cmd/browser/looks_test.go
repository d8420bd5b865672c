package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// form is a way of viewing pages.
type form struct {
	name   string
	width  int64
	scheme string
}

func forms() []form {
	return []form{{"light", 1200, "light"}, {"dark", 1200, "dark"}, {"narrow", 390, "light"}}
}

// finding is a result of axe-core for a page.
type finding struct{ ID, Impact, Help, Where, Why string }

// TestPages checks each page with different displays and assistive technologies: everything is accessible,
// nothing is wider than a phone, and hostile text is shown as text.
func TestPages(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t, "--edit")
	b := c.tab(t)
	b.enter(s)
	axe := os.Getenv("AXE")
	if axe == "" {
		t.Log("SKIPPED: the look for what keeps people out of the pages needs axe-core: AXE names axe.min.js")
	}
	for _, f := range forms() {
		b.size(f.width, f.scheme)
		for _, p := range w.places() {
			t.Run(f.name+"/"+p.name, func(t *testing.T) {
				b.t = t
				b.see(s, p.path)
				b.until(`!document.querySelector("[data-ask]") || document.querySelector("main .verdict")`)
				eval[bool](b, `(document.querySelectorAll("main details").forEach((d) => { d.open = true; }), true)`)
				b.settle()
				b.whole(p)
				b.harmless()
				if over := script[[]string](b, "wide.js", ""); f.width < 500 && len(over) > 0 {
					t.Errorf("wider than %d: %q", f.width, over)
				}
				b.shoot(f.name + "-" + p.name)
				if axe != "" {
					b.accessible(axe)
				}
			})
		}
	}
	b.t = t
	if found := b.foreign(); len(found) > 0 {
		t.Errorf("asked for elsewhere: %q", found)
	}
}

// whole fails if a page is missing, or has no proper heading or title.
func (b *tab) whole(p place) {
	b.t.Helper()
	text := b.text()
	missing := strings.Contains(text, "there is no page") || strings.Contains(text, "can't be made")
	if missing != (p.name == "nowhere") || !strings.Contains(text, p.holds) {
		b.t.Errorf("%q is not in: %s", p.holds, clip(text, 500))
	}
	if n := eval[int](b, `document.querySelectorAll("main h1").length`); n != 1 {
		b.t.Errorf("%d headings of the first level", n)
	}
	if title := eval[string](b, "document.title"); !strings.HasSuffix(title, " · gitmem") {
		b.t.Errorf("title %q", title)
	}
}

// harmless fails if hostile text had any effect, or the policy had to block something.
func (b *tab) harmless() {
	b.t.Helper()
	for _, found := range script[[]string](b, "hurt.js", "") {
		b.t.Errorf("hostile text: %s", found)
	}
	for _, found := range eval[[]string](b, "stopped") {
		b.t.Errorf("the policy stopped: %s", found)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.dialogs)+len(b.errors) > 0 {
		b.t.Errorf("dialogs %q, scripts failed: %q", b.dialogs, b.errors)
	}
	b.errors = nil
}

// accessible fails for serious or critical findings of axe-core. The policy is disabled for its script only,
// in a separate load of the page.
func (b *tab) accessible(axe string) {
	b.t.Helper()
	text, err := os.ReadFile(axe)
	if err != nil {
		b.t.Fatal(err)
	}
	call(b, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
	defer call(b, page.SetBypassCSP, page.SetBypassCSPParams{})
	eval[bool](b, string(text)+"\n;true")
	for _, f := range script[[]finding](b, "axe.js", "") {
		if f.Impact == "serious" || f.Impact == "critical" {
			b.t.Errorf("%s (%s): %s: %s: %s", f.ID, f.Impact, f.Help, f.Where, f.Why)
		} else {
			b.t.Logf("%s (%s): %s: %s", f.ID, f.Impact, f.Help, f.Where)
		}
	}
}

// shoot takes a screenshot of the whole page, if SHOTS names a folder.
func (b *tab) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("SHOTS")
	if dir == "" {
		return
	}
	width := eval[int64](b, "innerWidth")
	height := min(eval[int64](b, "document.documentElement.scrollHeight"), 6000)
	whole := emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1}
	whole.Mobile = width < 500
	call(b, emulation.SetDeviceMetricsOverride, whole)
	b.settle()
	shot := call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	whole.Height = 900
	call(b, emulation.SetDeviceMetricsOverride, whole)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), shot.Data, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
