package browse

import (
	"io/fs"
	"regexp"
	"testing"

	"github.com/gitmem/gitmem/templates"
)

func TestAnswerLeadsToPlaces(t *testing.T) {
	t.Parallel()
	a := askAnswer{AskView: AskView{Answer: "- Use relays [idea:i-a]\n  - Also in [session:2026-08-04#s-a]",
		Citations: []AskCitation{{Source: "idea:i-a", Also: []string{"session:2026-08-04#s-a"}}}}}
	const want = "- Use relays [\\[1\\]](#source-0)\n  - Also in " +
		"[session:2026-08-04#s-a](/show?id=session%3A2026-08-04%23s-a)"
	if got := a.Linked(); got != want {
		t.Errorf("linked is %s, want %s", got, want)
	}
	if got := suggestion("q",
		"Session of 2026-08-04: Choose (a) relay (transcript:a:1)").Page; got != "/show?id=transcript%3Aa%3A1" {
		t.Errorf("a session that is suggested has the page %q", got)
	}
	if got := suggestion("q", "Try fewer words (or others)").Page; got != "" {
		t.Errorf("a suggestion that names nothing has the page %q", got)
	}
}

// TestScriptsShareNoName: the scripts of the pages share one scope, and a script that redeclares a name does
// not run at all.
func TestScriptsShareNoName(t *testing.T) {
	t.Parallel()
	names, _ := fs.Glob(templates.Web(), "*.js")
	in := map[string]string{}
	for _, name := range names {
		b, err := fs.ReadFile(templates.Web(), name)
		if err != nil {
			t.Fatal(err)
		}
		declared := regexp.MustCompile(`(?m)^(?:let|const|class|(?:async )?function\*?) (\w+)`)
		for _, m := range declared.FindAllStringSubmatch(string(b), -1) {
			if other := in[m[1]]; other != "" {
				t.Errorf("%s and %s both declare %s", other, name, m[1])
			}
			in[m[1]] = name
		}
	}
	if in["main"] == "" {
		t.Errorf("no script declares main: %v", in)
	}
}
