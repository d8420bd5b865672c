package gitmem_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// A question whether somebody reported something is answered by issues and pull requests, with their state.
func TestReportedIssuesComeFirst(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t, issue(41, "Valve leaks when cold", "Seen below zero."),
		pr(7, "Heat the valve", "The valve leaks when it is cold."))
	r.commit("2024-02-01", "Ada Example", "b.txt", "Stop the valve that leaks when cold")
	r.commit("2024-02-02", "Ada Example", "c.txt", "Paint the gauge of the relay green")
	for question, first := range map[string]string{
		"has anybody reported that the valve leaks when cold?": "Valve leaks when cold (closed) (Grace Example, " +
			"2024-05-14) [github:issue:41]",
		"is there a pull request about a valve heater?": "Heat the valve (merged) (Grace Example, 2024-05-08) " +
			"[github:pr:7]",
		"why does the valve leak when cold?": "",
	} {
		a := f.asked(l, r.dir, question, nil)
		if got := strings.Index(a.Answer, "- "+first); first != "" && (got < 0 || got != strings.Index(a.Answer, "- ")) {
			t.Errorf("%s: %s", question, a.Answer)
		}
		if strings.Contains(strings.Join(a.Caveats, " "), "were not fetched") {
			t.Errorf("%s: %q", question, a.Caveats)
		}
	}
	a := f.asked(l, r.dir, "any bug about the gauge of the relay?", nil)
	if a.Verdict != "closest" {
		t.Errorf("a commit that names no issue is told as one: %+v", a)
	}
}

// If none was fetched, the answer says so, and how to fetch them.
func TestReportsWithoutForge(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-02-01", "Ada Example", "b.txt", "Stop the valve that leaks when cold (fixes #41)")
	a := l.ask(r.dir, "known bug with the valve that leaks when cold?", gitmem.Filter{})
	if a.Verdict != "answered" || len(a.Citations) == 0 ||
		!strings.Contains(strings.Join(a.Caveats, " "), "gitmem index fetches") {
		t.Errorf("%+v", a)
	}
}
