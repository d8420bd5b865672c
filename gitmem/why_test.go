package gitmem_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// why asks a lab with a forge for reasons.
func (f *forge) why(l *lab, dir, what string) (w gitmem.Why) {
	l.t.Helper()
	f.in(l, dir, nil, func(m *gitmem.Memory) (err error) {
		w, err = m.Team().Why(l.t.Context(), gitmem.WhyQuestion{What: what})
		return err
	})
	return w
}

func reasonOf(w gitmem.Why, id string) (gitmem.Citation, bool) {
	i := slices.IndexFunc(w.Reasons, func(c gitmem.Citation) bool { return strings.HasPrefix(c.ID, id) })
	if i < 0 {
		return gitmem.Citation{}, false
	}
	return w.Reasons[i], true
}

// The pull request of a commit provides its reason, and so does the issue that it closes.
func TestWhyFollowsThePullRequest(t *testing.T) {
	t.Parallel()
	list := pumpForge()
	list[1].Text = "At 4 bar the gear pump leaks because its seal is too soft for hot water."
	l, r, f := forged(t, list...)
	sha := r.commit("2024-05-14", "Ada Example", "pump.c", "Choose the membrane pump (#12)")
	w := f.why(l, r.dir, "pump.c:1")
	if !w.Recorded || len(w.Commits) != 1 || w.Commits[0].ID != "git:commit:"+sha || w.Commits[0].Via != "github:pr:12" {
		t.Fatalf("%+v", w)
	}
	for id, words := range map[string]string{"github:pr:12": "because the gear pump leaked at 4 bar",
		"github:issue:3": "its seal is too soft"} {
		if c, ok := reasonOf(w, id); !ok || !strings.Contains(c.Excerpt, words) || c.Status != "holds" {
			t.Errorf("%s: %+v of %+v", id, c, w.Reasons)
		}
	}
}
