package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// A deep link shows its target, at any position of its page.
func TestDeepLinks(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t)
	b := c.tab(t)
	b.size(1200, "light")
	b.enter(s)
	b.see(s, "/sessions/"+failing)
	anchors := eval[[]string](b, `[...document.querySelectorAll("main [id^=msg-]")].map((e) => e.id)`)
	if len(anchors) < 50 {
		t.Fatalf("the session shows %d messages: %s", len(anchors), clip(b.text(), 500))
	}
	for _, anchor := range []string{anchors[0], anchors[len(anchors)/2], "msg-150", "msg-250"} {
		b.blank()
		b.see(s, "/sessions/"+failing+"#"+anchor)
		b.until(`document.getElementById(%s)?.classList.contains("target")`, anchor)
		b.settle()
		if !eval[bool](b, `(() => { const r = document.getElementById(%s).getBoundingClientRect();
			return r.bottom > 60 && r.top < innerHeight; })()`, anchor) {
			t.Errorf("%s is not in the window", anchor)
		}
		if n := eval[int](b, `document.querySelectorAll(".target").length`); n != 1 {
			t.Errorf("%s: %d elements are marked", anchor, n)
		}
	}
	// A missing anchor shows the page, and an invalid one does no harm.
	for _, anchor := range []string{"msg-99999", "%", "%E0%A4%A", "main", "x'\"><b>"} {
		b.blank()
		b.see(s, "/sessions/"+failing+"#"+anchor)
		if text := b.text(); !strings.Contains(text, "Transcript") {
			t.Errorf("#%s: %s", anchor, clip(text, 200))
		}
	}
	for path, holds := range map[string]string{
		"/memory?tab=rules&file=api":           "Every handler checks the tenant.",
		"/repos?commit=" + w.sha("HEAD~3"):     "closes in time",
		"/search?q=inrush":                     "inrush",
		"/profile?asof=" + w.dayOf(50):         "vim",
		"/show?id=git:commit:" + w.sha("HEAD"): "rules",
	} {
		b.see(s, path)
		if text := b.text(); !strings.Contains(text, holds) {
			t.Errorf("%s: %s", path, clip(text, 400))
		}
	}
	// A citation on the command line opens its page.
	own := w.browse(t, rewound)
	b.enter(own)
	b.until(`location.pathname.startsWith("/sessions/")`)
	b.until(shown)
	if text := b.text(); !strings.Contains(text, "Which relay does the pump need") {
		t.Errorf("gitmem browse %s: %s", rewound, clip(text, 300))
	}
}

// dayOf returns the date some days ago.
func (w *world) dayOf(ago int) string { return w.day(ago).Format(time.DateOnly) }

// The steps of a question are shown before its answer.
func TestLiveQuestion(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t)
	b := c.tab(t)
	b.enter(s)
	b.see(s, "/")
	eval[bool](b, `(window.seen = [], new MutationObserver(() => {
		const steps = document.querySelectorAll("#trail li").length, answer = !!document.querySelector("main .verdict h2");
		const last = seen[seen.length - 1];
		if (!last || last[0] !== steps || last[1] !== answer) seen.push([steps, answer]);
	}).observe(document.getElementById("main"), {childList: true, subtree: true}), true)`)
	eval[bool](b, `(document.querySelector("main input[name=q]").focus(), true)`)
	b.key("which relay does the pump need?")
	b.key(kb.Enter)
	b.until(`document.querySelector("main .verdict h2")`)
	seen := eval[[][2]any](b, "seen")
	before := 0
	for _, s := range seen {
		if steps, ok := s[0].(float64); ok && s[1] == false {
			before = max(before, int(steps))
		}
	}
	if before < 2 {
		t.Errorf("%d steps were shown before the answer: %v", before, seen)
	}
	t.Logf("steps and answer: %v", seen)
	if text := b.text(); !strings.Contains(text, "ampere") {
		t.Errorf("the answer: %s", clip(text, 600))
	}
	if !eval[bool](b, `!!document.querySelector("main .verdict").closest("[role=status], [aria-live]")`) {
		t.Error("a screen reader is not told of the answer")
	}
	b.harmless()
	// The address of the answer asks the question again.
	b.see(s, eval[string](b, "location.pathname + location.search"))
	b.until(`document.querySelector("main .verdict h2")`)
}

// The slider shows a page as of an earlier day, using only the keyboard.
func TestSlider(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t)
	b := c.tab(t)
	b.size(1200, "light")
	b.enter(s)
	for _, tt := range []struct{ path, now, then string }{
		{"/?q=which+relay+does+the+pump+need", "", ""},
		{"/memory?tab=memory", "data sheet", ""},
		{"/profile", "helix", ""},
		{"/graph", "", ""},
	} {
		t.Run(tt.path, func(t *testing.T) {
			b.t = t
			b.see(s, tt.path)
			b.until(`document.querySelector("form.asof input[type=range]")`)
			before := b.text()
			if !strings.Contains(before, tt.now) {
				t.Errorf("%q is not in: %s", tt.now, clip(before, 600))
			}
			eval[bool](b, `(document.querySelector("form.asof input").focus(), true)`)
			b.key(kb.Home)
			b.until(`/^\d{4}-\d\d-\d\d$/.test(new URL(location.href).searchParams.get("asof") || "")`)
			b.until(shown)
			b.until(`document.querySelector("form.asof input[type=range]")`)
			first := eval[string](b, `new URL(location.href).searchParams.get("asof")`)
			if got := eval[string](b, `document.querySelector("form.asof output").textContent`); got != first {
				t.Errorf("as of %s the slider says %q", first, got)
			}
			then := b.text()
			if tt.now != "" && strings.Contains(then, tt.now) {
				t.Errorf("as of %s it still holds %q: %s", first, tt.now, clip(then, 800))
			}
			if then == before {
				t.Errorf("as of %s the page is as it is today", first)
			}
			b.harmless()
			b.until(`document.activeElement.matches("form.asof input")`)
			b.key(kb.End)
			b.until(`!new URL(location.href).searchParams.has("asof")`)
			b.until(shown)
		})
	}
}

// A line is edited in place, and the change is undone.
func TestEdit(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t, "--edit")
	b := c.tab(t)
	b.size(1200, "light")
	b.enter(s)
	b.line("The pump draws 7 A")
	b.until(`document.querySelector("main textarea[name=text]")`)
	b.harmless()
	change := func(to string) {
		eval[bool](b, `(() => { const f = document.querySelector("main textarea[name=text]");
			f.value = f.value.replace("7 A", %s); f.form.querySelector("button").focus(); return true; })()`, to)
		b.key(kb.Enter)
	}
	change("8 A <b>x</b>")
	b.until(`[...document.querySelectorAll("main button")].some((e) => e.textContent === "Undo")`)
	b.harmless()
	if text := w.remembered("MEMORY.md"); !strings.Contains(text, "The pump draws 8 A <b>x</b>") {
		t.Fatalf("not written: %s", clip(text, 600))
	}
	eval[bool](b, `([...document.querySelectorAll("main button")].find((e) => e.textContent === "Undo").focus(), true)`)
	b.key(kb.Enter)
	b.until(shown)
	for range 200 {
		if strings.Contains(w.remembered("MEMORY.md"), "The pump draws 7 A") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.until(shown)
	if text := w.remembered("MEMORY.md"); !strings.Contains(text, "The pump draws 7 A") {
		t.Fatalf("not taken back: %s\n%s", clip(b.text(), 400), clip(text, 600))
	}
	// Without --edit there are no edit controls, and nothing is changed.
	plain := w.browse(t)
	b.enter(plain)
	for _, path := range []string{"/memory?tab=memory", "/memory?tab=decisions", "/profile"} {
		b.see(plain, path)
		if n := eval[int](b, `document.querySelectorAll("main form[method=post]").length`); n != 0 {
			t.Errorf("%s has %d forms that change", path, n)
		}
	}
	status := eval[int](b, `fetch("/memory/line", {method: "POST",
		body: new URLSearchParams({file: "MEMORY.md", line: "3", text: "x"}),
		headers: {Authorization: "Bearer " + localStorage.getItem("token"), "X-Gitmem-Edit": ""}}).then((r) => r.status)`)
	if status != 403 {
		t.Errorf("a change without --edit: %d", status)
	}
}

// What would be forgotten is shown first, and then deleted.
func TestForget(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t, "--edit")
	b := c.tab(t)
	b.size(1200, "light")
	b.enter(s)
	b.see(s, `/memory/forget?what=%22coffee+machine%22`)
	if text := b.text(); !strings.Contains(text, "coffee machine is broken") {
		t.Fatalf("the plan: %s", clip(text, 600))
	}
	b.harmless()
	if text := w.remembered("MEMORY.md"); !strings.Contains(text, "coffee machine") {
		t.Fatal("it went before anybody said so")
	}
	eval[bool](b, `([...document.querySelectorAll("main form[method=post] button")].
		find((e) => /forget/i.test(e.textContent)).focus(), true)`)
	b.key(kb.Enter)
	b.until(`!document.querySelector("main form[action='/memory/forget']")`)
	b.until(shown)
	if text := w.remembered("MEMORY.md"); strings.Contains(text, "coffee machine") {
		t.Errorf("it is still there: %s", clip(text, 600))
	}
	b.see(s, "/search?q=coffee+machine+broken")
	if text := b.text(); strings.Contains(text, "is broken") {
		t.Errorf("it is still found: %s", clip(text, 600))
	}
}

// line opens the edit page of a line of memory.
func (b *tab) line(text string) {
	b.t.Helper()
	b.until(shown)
	base := eval[string](b, "location.origin")
	b.see(&server{base: base}, "/memory?tab=memory")
	b.until(`[...document.querySelectorAll("main a")].some((e) => e.textContent === "Lines")`)
	eval[bool](b, `([...document.querySelectorAll("main a")].find((e) => e.textContent === "Lines").click(), true)`)
	b.until(`document.querySelector("table.blame")`)
	b.harmless()
	const change = `[...document.querySelectorAll("table.blame tr")].find((r) => r.textContent.includes(%s))?.
		querySelector("a[href*='view=edit']")`
	if !b.soon(10*time.Second, change, text) {
		b.t.Fatalf("%q can't be changed: %s", text, clip(b.text(), 800))
	}
	eval[bool](b, "("+change+".click(), true)", text)
}

// remembered returns the text of the project's memory file.
func (w *world) remembered(name string) string {
	w.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(w.home, ".claude"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == name {
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all.String()
}

// The browser is started with a file that contains the code, which is in no list of processes.
func TestOpensByFile(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	bin := t.TempDir()
	told := filepath.Join(bin, "told")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + told + ".new && mv " + told + ".new " + told + "\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(w.p.gitmem, "browse", "/profile")
	cmd.Dir, cmd.Env, cmd.Stderr = w.repo, append(w.environ(), "PATH="+bin+":"+os.Getenv("PATH")), os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	var address string
	for range 1000 {
		text, _ := os.ReadFile(told) // until it exists
		if address = strings.TrimSpace(string(text)); address != "" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !strings.HasPrefix(address, "file:///") || strings.Contains(address, "#") {
		t.Fatalf("the browser is to open %q", address)
	}
	b := c.tab(t)
	b.visit(address)
	b.until(`location.pathname === "/profile"`)
	b.until(shown)
	if text := b.text(); !strings.Contains(text, "helix") {
		t.Errorf("the file opens: %s", clip(text, 300))
	}
	again := c.tab(t) // as from the browser history
	again.visit(address)
	again.until(`document.body.innerText.includes("used before") || document.body.innerText.includes("not found")`)
}
