package gitmem_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// paintedDay writes a day of the archive with a session that has some ideas.
func paintedDay(l *lab, dir string, day int, ideas string) {
	date := time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	l.write(filepath.Join(l.root, dir, "sessions/2024", date+".md"),
		archiveDay("github.com/acme/pump", date, fmt.Sprintf("\n## Paint board %d ^s-%08[1]d\n\nPainted.\n\n"+
			"- [work] Paint board %[1]d (L1 14:02) ^i-work%06[1]d\n%[2]s\nmessages: 4 · last prompt: line 1 · 14:02–15:40 UTC\n"+
			"session: %08[1]d-0000-4000-8000-00000000000a · through: line 40 9c1e\n", day, ideas)))
}

// TestGreetTellsReasons checks that a conclusion in the turn of one decision follows it, and with two decisions is on
// its own line.
func TestGreetTellsReasons(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	paintedDay(l, dir, 1,
		"- [decision] We use PostgreSQL for orders. (L2 14:03) ^i-postgres01\n"+
			"- [conclusion] Orders and stock change in one transaction. (L2 14:03) ^i-onechange1\n"+
			"- [decision] We use Caddy. (L4 14:05) ^i-caddy00001\n- [decision] We use goose. (L4 14:05) ^i-goose00001\n"+
			"- [conclusion] The old proxy leaked. (L4 14:05) ^i-leaked0001\n"+
			"- [decision] We use Redis. (L6 14:07) ^i-redis00001\n- [conclusion] It is fast. (L6 14:07) ^i-fast000001\n"+
			"- [decision] We use no Redis. (L8 14:07) ^i-noredis001\n  - supersedes [[#^i-redis00001]]\n")
	g := l.start(r.dir, sessionC)
	says(t, g, "- decision 2024-01-01: “We use PostgreSQL for orders.” [idea:i-postgres01 · untrusted]; “Orders and "+
		"stock change in one transaction.” [idea:i-onechange1 · untrusted]\n",
		"- conclusion 2024-01-01: “The old proxy leaked.” [idea:i-leaked0001 · untrusted]\n",
		"- conclusion 2024-01-01: “It is fast.”", "“We use goose.” [idea:i-goose00001 · untrusted]\n")
	saysNot(t, g, "“We use Redis.”")
	l.resolves(r.dir, g)
}

// TestGreetUsesItsRoom checks that the available space is used for the valid decisions of all sessions, and for other
// learnt facts, newest sessions first.
func TestGreetUsesItsRoom(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	ideas := func(kind string, n int) (out string) {
		for i := range n {
			out += fmt.Sprintf("- [%s] The %s number %d (L%d 14:03) ^i-%.6s%04d\n", kind, kind, i, 2+i, kind, i)
		}
		return out
	}
	paintedDay(l, dir, 1, ideas("decision", 9)+ideas("failed", 5)+ideas("lesson", 4))
	for day := range 24 {
		paintedDay(l, dir, day+2, "")
	}
	paintedDay(l, dir, 12,
		"- [decision] Number 3 is used no more (L2 14:03) ^i-nomore0001\n  - supersedes [[2024-01-01#^i-decisi0003]]\n")
	g := l.start(r.dir, sessionC)
	for i := range 9 {
		if i != 3 {
			says(t, g, fmt.Sprintf("“The decision number %d”", i))
		}
	}
	says(t, g, "“The failed number 0”", "“The lesson number 0”")
	saysNot(t, g, "“The decision number 3”", "gitmem search 'intent:")
	if newer, older := strings.Index(g.Text, "Number 3 is used no more"),
		strings.Index(g.Text, "The decision number"); newer > older {
		t.Errorf("an older session's decisions come first:\n%s", g.Text)
	}
	l.resolves(r.dir, g)
}

// TestGreetCountsWhatHasNoRoom checks that one line counts omitted decisions and learnt facts by kind, also those of
// sessions that are not read.
func TestGreetCountsWhatHasNoRoom(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	for day := range 150 {
		paintedDay(l, dir, day+1,
			fmt.Sprintf("- [decision] Board %d is painted in %s (L2 14:03) ^i-decis%05[1]d\n"+
				"- [failed] Red on board %[1]d (L3 14:04) ^i-faile%05[1]d\n"+
				"- [question] Open question: is board %[1]d dry? (L4 14:05) ^i-quest%05[1]d\n", day,
				strings.Repeat("many colours ", 6)))
	}
	paintedDay(l, dir, 151,
		"- [decision] Board 3 is replaced (L2 14:03) ^i-replaced01\n  - supersedes [[2024-01-04#^i-decis00003]]\n")
	g := l.start(r.dir, sessionC)
	if g.Characters > 9000 || g.Characters < 8000 {
		t.Errorf("%d characters", g.Characters)
	}
	for _, tt := range []struct {
		kind, left string
		all        int
	}{{"- decision ", `(\d+) (?:more )?decisions`, 150}, {"- failed ", `(\d+) (?:more )?failures`, 150},
		{"- question ", `(\d+) more questions: gitmem ideas --open`, 150}} {
		told := strings.Count(g.Text, tt.kind)
		m := regexp.MustCompile(`(?m)^… .*?` + tt.left).FindStringSubmatch(g.Text)
		if m == nil {
			t.Fatalf("no %s in\n%s", tt.left, g.Text)
		}
		if left, _ := strconv.Atoi(m[1]); told+left != tt.all || told < 8 {
			t.Errorf("%s: %d told, %d counted of %d", tt.kind, told, left, tt.all)
		}
	}
}
