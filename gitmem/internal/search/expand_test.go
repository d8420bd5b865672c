package search_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/templates"
)

func groups(t *testing.T, text string) search.Thesaurus {
	t.Helper()
	g, faults := search.ReadGroups(text, false)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return search.Thesaurus{Groups: g}
}

const words = "acronym: PR | pull request\nacronym: auth | authentication | authorization\n" +
	"synonym: bug | issue | defect\n"

func TestExpansionAddsWhatStandsForTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query string
		by    search.Expansion
		want  string // added terms as term*weight→expanded term
	}{
		{"template of a PR", search.ExpandMinimal, "pull*0.25→pr request*0.25→pr"},
		{"template of a pr", search.ExpandNone, ""},
		{"pull requests of bots", search.ExpandMinimal, "pr*0.50→pull"},
		{"pull the request", search.ExpandMinimal, "pr*0.50→pull"}, // stop words don't split a phrase
		{"request a pull", search.ExpandMinimal, ""},
		{"authenticate", search.ExpandMinimal, "auth*0.50→authent author*0.50→authent"},
		{"PR or pull request", search.ExpandMinimal, ""}, // both are there
		{"bug", search.ExpandMinimal, ""},
		{"bugs of the PR", search.ExpandFull, "pull*0.25→pr request*0.25→pr issu*0.30→bug defect*0.30→bug"},
		{"", search.ExpandFull, ""},
	} {
		terms := search.PlainTerms(index.QueryTerms(c.query))
		out := groups(t, words).Expand(terms, c.by)
		var added []string
		for _, x := range out[min(len(terms), len(out)):] {
			added = append(added, fmt.Sprintf("%s*%.2f→%s", x.Text, x.Weight, out[x.For].Text))
		}
		if got := strings.Join(added, " "); got != c.want {
			t.Errorf("%q by %s: added %q, want %q", c.query, c.by, got, c.want)
		}
		if out != nil {
			if diff := cmp.Diff(terms, out[:len(terms)]); diff != "" {
				t.Errorf("%q: the query's own terms changed:\n%s", c.query, diff)
			}
		}
	}
}

func TestAnAcronymIsNoNameInCapitals(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]int{"why did we choose NATS?": 0, "why so many NATs": 3, "the NAT": 3, "nats": 3} {
		terms := search.PlainTerms(index.QueryTerms(query))
		all := groups(t, "acronym: NAT | network address translation\n").For(query)
		if got := max(0, len(all.Expand(terms, search.ExpandFull))-len(terms)); got != want {
			t.Errorf("%q: %d terms added, want %d", query, got, want)
		}
	}
}

func TestReadGroupsTellsWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	const list = "# Mine\n\nacronym: HIL\nabbreviation: x | y\nsynonym: a | | b\n" +
		"- acronym: UPS | uninterruptible power supply\nsynonym: relay | contactor\n"
	got, faults := search.ReadGroups(list, false)
	if len(got) != 1 || got[0].Line != 7 || got[0].Acronym {
		t.Errorf("plain: %+v", got)
	}
	var lines []int
	for _, f := range faults {
		lines = append(lines, f.Line)
	}
	if diff := cmp.Diff([]int{3, 4, 5, 6}, lines); diff != "" {
		t.Errorf("plain: lines of faults (-want +got):\n%s", diff)
	}
	got, faults = search.ReadGroups(list, true)
	if len(got) != 1 || got[0].Line != 6 || !got[0].Acronym || len(faults) != 0 {
		t.Errorf("in Markdown: %+v, faults %v", got, faults)
	}
	for _, c := range []struct {
		sides []string
		bad   bool
	}{
		{[]string{"relay", "contactor"}, false}, {[]string{"enable", "turn on"}, true}, {[]string{"relay", "--"}, true},
		{[]string{"get rid of", "remove"}, false},
	} {
		if g := (search.Group{Sides: c.sides}); (g.Fault() != "") != c.bad {
			t.Errorf("%v: fault %q", c.sides, g.Fault())
		}
	}
}

func TestTheListOfSynonymsIsSound(t *testing.T) {
	t.Parallel()
	got, faults := search.ReadGroups(templates.Synonyms(), false)
	for _, f := range faults {
		t.Errorf("line %d: %s", f.Line, f.Reason)
	}
	acronyms, seen := 0, map[string]int{}
	for _, g := range got {
		if f := g.Fault(); f != "" {
			t.Errorf("line %d: %s", g.Line, f)
		}
		if g.Acronym {
			acronyms++
		}
		key := fmt.Sprint(g.Acronym, strings.ToLower(g.Sides[0]))
		if other := seen[key]; other != 0 {
			t.Errorf("lines %d and %d both begin with %s", other, g.Line, g.Sides[0])
		}
		seen[key] = g.Line
	}
	if acronyms < 150 || len(got)-acronyms < 200 {
		t.Errorf("%d acronyms and %d synonyms", acronyms, len(got)-acronyms)
	}
}

// A hit that only an expansion finds ranks above one that shares a common word.
func TestTheExpandedLegFindsTheOtherName(t *testing.T) {
	t.Parallel()
	docs := []index.Doc{doc("long", "", "a pull request needs one approval before the merge")}
	for i := range 30 {
		docs = append(docs,
			doc(fmt.Sprintf("n%02d", i), "", fmt.Sprintf("the approval of invoice %d waits for the office", i)))
	}
	snaps := []*index.Snapshot{build(t, docs)}
	q := search.Query{Text: "PR approval"}
	q.Terms = search.PlainTerms(index.QueryTerms(q.Text))
	q.Expanded = groups(t, words).Expand(q.Terms, search.ExpandMinimal)
	leg, ok := search.Expanded(snaps, q)
	if !ok {
		t.Fatal("no expansion")
	}
	res, _, err := search.RunLegs(t.Context(), q, []search.Leg{search.Direct(snaps), leg}, time.Minute, time.Now)
	if err != nil || res.Hits[0].Doc.ID != "long" {
		t.Errorf("first is %s, error %v", res.Hits[0].Doc.ID, err)
	}
	if _, ok := search.Expanded(snaps, search.Query{Text: "relay"}); ok {
		t.Error("a query without an expansion has an expanded leg")
	}
}
