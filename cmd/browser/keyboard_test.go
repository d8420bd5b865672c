package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// focused is a short description of the focused element.
const focused = `(() => {
  const e = document.activeElement;
  if (e === document.body) return "body";
  return [e.tagName.toLowerCase(), e.id && "#" + e.id, e.textContent.trim().slice(0, 30)].filter(Boolean).join(" ");
})()`

// Everything is reachable with the keyboard.
func TestKeyboard(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t)
	b := c.tab(t)
	b.size(1200, "light")
	b.enter(s)
	t.Run("tab order", func(t *testing.T) {
		b.t = t
		b.see(s, "/sessions")
		want := []string{"Skip to the page", "Ask", "Sessions", "Memory", "Profile", "People", "Graph", "Team", "Stats"}
		for _, name := range want {
			b.key(kb.Tab)
			if got := eval[string](b, "document.activeElement.textContent.trim()"); got != name {
				t.Errorf("the focus is on %q, not on %q", got, name)
			}
		}
		b.key(kb.Tab)
		if !eval[bool](b, `document.activeElement.matches("header input[type=search]")`) {
			t.Errorf("after the pages the focus is on %s", eval[string](b, focused))
		}
		var seen []string
		for range 40 {
			b.key(kb.Tab)
			here := eval[string](b, focused)
			if slices.Contains(seen, here) || here == "body" {
				break
			}
			seen = append(seen, here)
			if hidden := script[string](b, "unseen.js", ""); hidden != "" {
				t.Errorf("the focus on %s: %s", here, hidden)
			}
		}
		if len(seen) < 10 {
			t.Errorf("%d places to go to: %q", len(seen), seen)
		}
		for range 30 { // and back, where the header could cover it
			b.key("k")
			if hidden := script[string](b, "unseen.js", ""); hidden != "" {
				t.Errorf("back on %s: %s", eval[string](b, focused), hidden)
			}
		}
	})
	t.Run("skip link", func(t *testing.T) {
		b.t = t
		b.see(s, "/sessions")
		b.key(kb.Tab)
		b.key(kb.Enter)
		b.until(`document.activeElement.id === "main"`)
	})
	t.Run("entries", func(t *testing.T) {
		b.t = t
		b.see(s, "/sessions")
		entry := func() int {
			return eval[int](b, `[...document.querySelectorAll("[data-entry]")].indexOf(document.activeElement)`)
		}
		for i, key := range []string{"j", "j", "j", "k"} {
			b.key(key)
			if want := []int{0, 1, 2, 1}[i]; entry() != want {
				t.Errorf("after %s number %d: entry %d, not %d", key, i+1, entry(), want)
			}
		}
		first := eval[string](b, `document.activeElement.querySelector("a").pathname`)
		b.key(kb.Enter)
		b.until(`location.pathname === %s`, first)
		b.until(shown)
		b.key("j")
		if entry() != 0 {
			t.Errorf("in the session j leads to entry %d", entry())
		}
		eval[bool](b, `(history.back(), true)`)
		b.until(`location.pathname === "/sessions"`)
		b.until(shown)
	})
	t.Run("pages", func(t *testing.T) {
		b.t = t
		b.see(s, "/sessions")
		for i, path := range []string{"/", "/sessions", "/memory", "/profile", "/people", "/graph", "/team", "/stats"} {
			b.key(string(rune('1' + i)))
			b.until(`location.pathname === %s && document.activeElement.id === "main"`, path)
			b.until(shown)
			current := `document.querySelector("nav[aria-label=Pages] [aria-current=page]")?.getAttribute("href") || ""`
			if got := eval[string](b, current); got != path {
				t.Errorf("%s is shown as %q", path, got)
			}
		}
	})
	t.Run("search", func(t *testing.T) {
		b.t = t
		b.see(s, "/sessions")
		b.key("/")
		b.until(`document.activeElement.matches("header input[type=search]")`)
		b.key("relay j k 1 ?")
		if got := eval[string](b, "document.activeElement.value"); got != "relay j k 1 ?" {
			t.Errorf("typed: %q", got)
		}
		b.until(`location.pathname === "/search" && new URL(location.href).searchParams.get("q").startsWith("relay j")`)
		b.key(kb.Escape)
		b.until(`!document.activeElement.matches("input")`)
	})
	t.Run("keys", func(t *testing.T) {
		b.t = t
		b.see(s, "/sessions")
		b.key("?")
		b.until(`document.getElementById("keys").open`)
		text := eval[string](b, `document.getElementById("keys").innerText`)
		for _, key := range []string{"/", "1 … 8", "j, k", "Enter", "?"} {
			if !strings.Contains(text, key) {
				t.Errorf("%q is not told: %s", key, text)
			}
		}
		b.key(kb.Escape)
		b.until(`!document.getElementById("keys").open`)
		b.key("?")
		b.until(`document.getElementById("keys").open`)
		b.key(kb.Enter) // Close has the focus
		b.until(`!document.getElementById("keys").open && location.pathname === "/sessions"`)
	})
}
