package browser

import (
	"fmt"
	"testing"
)

// TestPictures: a chain shows replacements, a picture can be moved and zoomed with keys and buttons, and its
// elements link to pages.
func TestPictures(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	for ago, answer := range map[int]string{
		7: "We decided to cache the sessions in Redis because it is fast.",
		6: "We switched from Redis to PostgreSQL because the cache needs joins.",
	} {
		s := w.session(fmt.Sprintf("44444444-0000-4000-8000-%012d", ago), ago)
		s.user("Where do the sessions go?")
		s.says(said(answer))
		s.write()
	}
	w.at(4, "backfill")
	s := w.browse(t)
	b := c.tab(t)
	b.enter(s)
	b.see(s, "/graph")
	if !eval[bool](b, `document.querySelector("svg.picture").textContent.includes("replaced by")`) {
		t.Errorf("no chain: %s", clip(b.text(), 2000))
	}
	const view = `document.querySelector("[data-zoom] svg").getAttribute("viewBox")`
	whole := eval[string](b, view)
	for _, act := range []string{
		`document.querySelector("[data-zoom] [data-by='0.8']").click()`,
		`document.querySelector("[data-zoom]").dispatchEvent(new KeyboardEvent("keydown", {key: "-", bubbles: true}))`,
		`document.querySelector("[data-zoom]").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: ` +
			`true}))`,
	} {
		before := eval[string](b, view)
		eval[bool](b, act+", true")
		if after := eval[string](b, view); after == before {
			t.Errorf("%s changes nothing", act)
		}
	}
	eval[bool](b, `document.querySelector("[data-zoom] [data-by='0']").click(), true`)
	if now := eval[string](b, view); now != whole {
		t.Errorf("all is %s, was %s", now, whole)
	}
	eval[bool](b,
		`document.querySelector("[data-zoom] a.entity").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: `+
			`true})), true`)
	b.until(`location.search.startsWith("?entity=")`)
}
