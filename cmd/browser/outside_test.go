package browser

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// No address shows a file outside memory and the repository.
func TestOutside(t *testing.T) {
	c := startChromium(t)
	w := newWorld(t, build(t))
	const secret = "a file of somebody else"
	outside := filepath.Join(filepath.Dir(w.repo), "outside.md")
	w.file(filepath.Dir(w.repo), "outside.md", "# Outside\n\n- "+secret+"\n")
	w.file(w.home, "private.md", secret)
	w.file(w.repo, "untracked.md", secret)
	s := w.browse(t, "--edit")
	b := c.tab(t)
	b.enter(s)
	for _, name := range []string{
		outside, "../outside.md", "..%2foutside.md", "./../outside.md", "docs/../../outside.md", `..\outside.md`,
		"file://" + outside, filepath.Join(w.home, "private.md"), "../home/private.md", "../../private.md",
		"../../../private.md", "../../../../private.md", "untracked.md", "HEAD:../outside.md",
		"--no-index /dev/null " + outside, "--output=" + outside,
	} {
		q := url.QueryEscape(name)
		for _, path := range []string{
			"/memory?tab=memory&file=" + q, "/memory?tab=rules&file=" + q + "&view=lines",
			"/memory?tab=archive&file=" + q + "&view=history", "/memory?tab=memory&id=" + q,
			"/memory?tab=memory&view=diff&since=" + q, "/memory/forget?what=" + q, "/repos?file=" + q,
			"/repos?commit=" + q, "/show?id=" + q, "/show?id=rules:" + q, "/show?id=rules:" + q + "%23outside",
			"/show?id=git:file:" + q, "/show?id=docs:" + q, "/show?id=memory:" + q,
			"/sessions/" + url.PathEscape(name), "/people?path=" + q, "/team?path=" + q, "/profile?asof=" + q,
		} {
			got := eval[string](b, `request(%s).then(async (r) => r.status + " " + await r.text())`, path)
			if strings.Contains(got, secret) {
				t.Errorf("%s: %s", path, clip(got, 300))
			}
			if strings.HasPrefix(got, "500") {
				t.Errorf("%s: %s", path, clip(got, 300))
			}
		}
	}
	status := eval[string](b, `request("/memory/line", {method: "POST",
		body: new URLSearchParams({file: %s, line: "3", was: %s, text: "gone"})}).
		then(async (r) => r.status + " " + await r.text())`, "../outside.md", "- "+secret)
	if strings.HasPrefix(status, "200") || strings.HasPrefix(status, "500") {
		t.Errorf("a line of a file outside: %s", clip(status, 300))
	}
}
