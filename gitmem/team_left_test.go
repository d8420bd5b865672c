package gitmem_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// What a commit says to have removed and what stands on behind it is no answer to why it
// was removed.
func TestEndsAreLookedUpInWhatChanged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("yard")
	commit := func(day, message string, files map[string]string) {
		for name, text := range files {
			l.write(r.dir+"/"+name, text)
		}
		r.git("add", "--all")
		r.git("commit", "--quiet", "--date="+day+"T12:00:00Z", "-m", message)
	}
	commit("2024-02-01", "Begin the yard", map[string]string{
		"crane.go": "func lift_load() { lift_load(1) }\nfunc tow_line() {}\n", "fork-lift.sh": "drive\n", "CHANGES.md": "tow_line came\n",
	})
	commit("2024-02-02", "Remove the lift_load signature with heights\n\nIt was hard to read which height of the load was meant.",
		map[string]string{"crane.go": "func lift_load() { lift_load() }\nfunc tow_line() {}\n"})
	commit("2024-02-03", "Remove tow_line\n\nNobody calls it since the winch of the yard is there.",
		map[string]string{"crane.go": "func lift_load() { lift_load() }\n", "CHANGES.md": "tow_line came, and tow_line went\n"})
	r.git("rm", "--quiet", "fork-lift.sh")
	commit("2024-02-04", "Remove fork-lift.sh\n\nNobody has been able to drive it since the yard was paved.", nil)
	m := l.open(r.dir)
	for question, want := range map[string]bool{
		"why was lift_load removed?":          false,
		"why was tow_line removed?":           true,
		"why was fork-lift.sh removed?":       true,
		"when did the fork-lift.sh disappear": true,
	} {
		a, err := m.Ask(t.Context(), question, gitmem.Filter{})
		if err != nil || (a.Confidence != "none") != want {
			t.Errorf("%q: %s, want an answer: %t (%v)\n%s", question, a.Confidence, want, err, a.Answer)
		}
	}
}
