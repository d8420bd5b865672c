package browser

import "testing"

func TestPages(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	s := w.browse(t)
	b := c.tab(t)
	b.enter(s)
	if found := script[[]string](b, "hurt.js", ""); len(found) > 0 {
		t.Errorf("hostile content: %q", found)
	}
	if found := b.foreign(); len(found) > 0 {
		t.Errorf("asked for elsewhere: %q", found)
	}
}
