package browse

import (
	"net/http"
	"strings"
	"testing"
)

// TestProfileDecays: the confidence of a value is half after 30 days, and a quarter after 60.
func TestProfileDecays(t *testing.T) {
	t.Parallel()
	p := newPages(t, true) // 60 days after the value was set
	s := &site{m: p.m, now: p.access.now}
	for asOf, want := range map[string]struct {
		sure string
		left int32
	}{"": {"0.25", 40}, "2025-03-31": {"0.50", 70}, "2025-03-01": {"1.00", 100}} {
		v, err := s.profile(t.Context(), asOf)
		if err != nil || len(v.Values) != 1 {
			t.Fatalf("%q: %+v, %v", asOf, v.Values, err)
		}
		got := v.Values[0]
		page := p.get("/profile?asof=" + asOf)
		shows(t, asOf, page, `<td class="number">`+want.sure+"</td>", "tools.editor: Neovim "+want.sure+
			", until 2025-06-09", `role="img"`)
		if got.Vanishes != "2025-06-09" || got.DaysLeft > want.left || got.DaysLeft < want.left-1 {
			t.Errorf("%q: %+v, want %+v", asOf, got, want)
		}
		if forms := strings.Contains(page, `method="post"`); forms != (asOf == "") {
			t.Errorf("%q: forms %v", asOf, forms)
		}
	}
	shows(t, "before", p.get("/profile?asof=2025-02-01"), "Nothing is known as of 2025-02-01")
	_, body := p.post("/profile", "path", "tools.editor", "op", "pin")
	shows(t, "pin", body, "pin tools.editor", "In commit")
	shows(t, "pinned", p.get("/profile"), "0.25, pinned", `value="unpin"`)
	_, body = p.post("/memory/undo", "commit", fieldOf(t, body, "commit"))
	shows(t, "undo", body, "undid: profile: pin tools.editor")
	_, body = p.post("/profile", "path", "tools.editor", "op", "remove")
	shows(t, "remove", body, "remove tools.editor Neovim")
	for _, form := range [][]string{{"path", "", "op", "remove"}, {"path", "tools.editor", "op", "x"},
		{"path", "no.such", "op", "pin"}} {
		if status, body := p.post("/profile", form...); status < http.StatusBadRequest {
			t.Errorf("%v: %d\n%s", form, status, body)
		}
	}
}
