package ask_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

// busy returns a month in which two areas changed much, with other changes beside them.
func busy() *world {
	w := new(world)
	put := func(kind, author, title string, paths ...string) {
		w.commit(author, "2024-03-02", title, "", paths...)
		w.sources[len(w.sources)-1].Type = kind
	}
	const ada = "Ada <a@example.org>"
	for i := range 4 {
		put("feature", ada, fmt.Sprintf("Gauge %d", i), "lab/gauge.go")
	}
	put("fix", ada, "Revert \"Gauge 9\"", "lab/gauge.go")
	put("feature", ada, "lab: Deprecate the dial", "lab/dial.go")
	for i := range 3 {
		put("fix", ada, fmt.Sprintf("Parser %d", i), "parser/a.go", "parser/b.go", "lab/x.go")
	}
	put("docs", ada, "Manual", "doc/manual.md")
	put("feature", ada, "releaser: Prepare repository for 1.2.0", "lab/version.go")
	put("chore", "dependabot[bot] <d@example.org>", "Bump gauge from 1 to 2", "lab/go.mod")
	return w
}

func TestDigestByArea(t *testing.T) {
	t.Parallel()
	a := busy().ask(t, "what did we do in March 2024?")
	for _, want := range []string{
		"12 commits by Ada (11), 1 by bots.", "**lab** (6: 5 feature, 1 fix)\n- lab: Deprecate the dial",
		"**parser** (3: 3 fix)",
		"\n\nAnd 1 elsewhere (1 docs), 2 of upkeep.", "\n\nTaken back:\n- Revert \"Gauge 9\"",
	} {
		if !strings.Contains(a.Answer, want) {
			t.Errorf("no %q in:\n%s", want, a.Answer)
		}
	}
	if strings.Contains(a.Answer, "- releaser") || strings.Contains(a.Answer, "Mostly in") {
		t.Errorf("upkeep is named, or areas twice:\n%s", a.Answer)
	}
	sum := 0
	for _, m := range regexp.MustCompile(`\*\* \((\d+)|(\d+) elsewhere|(\d+) of upkeep`).FindAllStringSubmatch(a.Answer,
		-1) {
		n, err := strconv.Atoi(m[1] + m[2] + m[3])
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if sum != 12 {
		t.Errorf("the groups hold %d commits of 12:\n%s", sum, a.Answer)
	}
}

// TestDigestNamesReleases: the newest of many releases is named, and none if releases are unknown.
func TestDigestNamesReleases(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tags []string
		want string
	}{
		{nil, ""}, {[]string{"v1.0"}, " Released v1.0."}, {[]string{"v1", "v2", "v3", "v4", "v5", "v6"},
			" Released v2, v3, v4, v5, v6 and 1 earlier."},
	} {
		w := busy()
		w.released = test.tags
		e := w.engine()
		a, err := e.Ask(t.Context(), "what did we do in March 2024?", ask.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (test.want == "") == strings.Contains(a.Answer, "Released") || !strings.Contains(a.Answer, test.want) {
			t.Errorf("%v: no %q in:\n%s", test.tags, test.want, a.Answer)
		}
		if !slices.Equal(w.asked, []string{"2024-03-01 to 2024-03-31"}) {
			t.Errorf("asked for the releases of %s", w.asked)
		}
	}
}
