package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A page of another server of this machine learns nothing from the pages, and makes them do
// nothing, although a browser counts both for one site.
func TestForeignPages(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t, &built{dir: t.TempDir()}))
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
		got := eval[map[string]string](b, attack, s.base)
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
			if got := eval[string](b, "document.body.innerText"); got != "a foreign page is answered nothing\n" && strings.TrimSpace(got) != "a foreign page is answered nothing" {
				t.Errorf("a link of %s to %s shows %q", origin, path, clip(got, 300))
			}
			b.visit(origin)
		}
	}
	// Another name for this address, as a foreign DNS may give one.
	b := c.tab(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(s.base, "http://"), ":")
	b.visit("http://rebound.example:" + port + "/")
	if got := eval[string](b, "document.body.innerText"); !strings.Contains(got, "no such name") {
		t.Errorf("by another name: %q", got)
	}
	// A code works once, also from the history of a browser.
	b.visit(s.address)
	b.until(`document.readyState === "complete" && document.body.innerText.includes("used before")`)
}

// attack is what a foreign page may try; each answer begins with nothing if it got nothing.
const attack = `(async (base) => {
  const out = {};
  const attempt = async (name, f) => {
    try { out[name] = "" + await Promise.race([f(), new Promise((done) => setTimeout(() => done("nothing within 3 s"), 3000))]); }
    catch (e) { out[name] = "nothing: " + e.message; }
  };
  const read = async (options, path = "/sessions") => { const r = await fetch(base + path, options); return r.type === "opaque" ? "nothing: opaque" : r.status + " " + await r.text(); };
  const element = (tag, set) => new Promise((done) => {
    const e = Object.assign(document.createElement(tag), set);
    e.onload = () => done("loaded " + tag); e.onerror = () => done("nothing: not loaded");
    document.body.append(e);
  });
  await attempt("fetch", () => read({}));
  await attempt("fetch with a token", () => read({headers: {Authorization: "Bearer x"}}));
  await attempt("fetch without cors", () => read({mode: "no-cors"}));
  await attempt("post without cors", () => read({mode: "no-cors", method: "POST", body: "text=x"}, "/memory/line"));
  await attempt("open by post", () => read({method: "POST", body: new URLSearchParams({code: "x"})}, "/open"));
  await attempt("ask by GraphQL", () => read({method: "POST", headers: {"Content-Type": "text/plain"}, body: '{"query":"{__typename}"}'}, "/graphql"));
  await attempt("script", () => element("script", {src: base + "/assets/app.js"}));
  await attempt("picture", () => element("img", {src: base + "/assets/icon.svg"}));
  await attempt("style", () => element("link", {rel: "stylesheet", href: base + "/assets/app.css"}));
  await attempt("frame", async () => {
    const f = Object.assign(document.createElement("iframe"), {src: base + "/"});
    document.body.append(f);
    await new Promise((done) => { f.onload = done; });
    try { return f.contentDocument ? "nothing: " + f.contentDocument.body.innerText.slice(0, 0) : f.contentWindow.length ? "frames" : "nothing: no document"; }
    catch { return "nothing: apart"; }
  });
  await attempt("stream", () => new Promise((done) => { const e = new EventSource(base + "/"); e.onopen = () => done("opened"); e.onerror = () => done("nothing: error"); }));
  await attempt("socket", () => new Promise((done) => { const w = new WebSocket(base.replace("http", "ws") + "/"); w.onopen = () => done("opened"); w.onerror = () => done("nothing: error"); }));
  await attempt("beacon", async () => { navigator.sendBeacon(base + "/memory/line", "text=x"); return "nothing can be read"; });
  return out;
})(%s)`
