package gitmem_test

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// why asks a lab with a forge for the reasons of something.
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

// The pull request of a commit gives its reason, and so does the issue that it closes.
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
	for id, words := range map[string]string{"github:pr:12": "because the gear pump leaked at 4 bar", "github:issue:3": "its seal is too soft"} {
		if c, ok := reasonOf(w, id); !ok || !strings.Contains(c.Excerpt, words) || c.Status != "holds" {
			t.Errorf("%s: %+v of %+v", id, c, w.Reasons)
		}
	}
}

// A merge brings what was done on a branch, and may say more than its commits.
func TestWhyNamesTheMerge(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t)
	r.git("switch", "--quiet", "--create", "valve")
	r.commit("2024-02-02", "Bob Example", "valve.c", "Add the valve")
	r.git("switch", "--quiet", "main")
	r.commit("2024-02-03", "Ada Example", "b.txt", "Elsewhere")
	r.git("merge", "--quiet", "--no-ff", "--message", "Merge the valve\n\nIt is closed in order to keep the pressure.", "valve")
	merge := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	w := f.why(l, r.dir, "valve.c")
	if len(w.Commits) != 1 || w.Commits[0].Via != "git:commit:"+merge || w.Commits[0].Part != "added" {
		t.Fatalf("%+v", w.Commits)
	}
	if _, ok := reasonOf(w, "git:commit:"+merge); !ok {
		t.Errorf("%+v", w.Reasons)
	}
}

// What a session says of a file counts, and what it says of another one does not.
func TestWhyFindsMentions(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t)
	r.commit("2024-02-02", "Bob Example", "src/debounce.c", "Add a file")
	l.transcriptFile(r.dir, sessionA,
		turn{role: "user", at: "2025-03-09T14:02:00Z", text: "Why do we wait in src/debounce.c at all?"},
		turn{role: "assistant", at: "2025-03-09T14:03:00Z", text: "In debounce.c we wait 20 ms because the contacts of the relay bounce. The heater.c file sleeps because it has to cool down."},
	)
	w := f.why(l, r.dir, "src/debounce.c:1")
	c, ok := reasonOf(w, "transcript:"+sessionA)
	if !ok || !strings.Contains(c.Excerpt, "the contacts of the relay bounce") || c.Trust != "untrusted" {
		t.Errorf("%+v", w.Reasons)
	}
	for _, c := range w.Reasons {
		if strings.Contains(c.Excerpt, "heater") || strings.HasSuffix(c.Excerpt, "?") {
			t.Errorf("%q is no reason", c.Excerpt)
		}
	}
}

// A path with a secret in a commit's message does not show it.
func TestWhyIsRedacted(t *testing.T) {
	t.Parallel()
	const secret = "ghp_9dKq3Zr7Wm2Xt5Vb8Nc1Lf4Hs6Jy0Pa3Tg7Q"
	l, r, f := forged(t)
	r.commit("2024-02-02", "Bob Example", "a.env", "Use the token "+secret+" because the old one expired")
	if w := f.why(l, r.dir, "a.env:1"); strings.Contains(asJSON(t, w), secret) || len(w.Commits) != 1 {
		t.Errorf("%+v", w)
	}
}

func TestWhyOutsideARepository(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.base + "/empty"
	l.mkdir(dir)
	_, err := l.open(dir).Team().Why(t.Context(), gitmem.WhyQuestion{What: "a"})
	var refused *gitmem.Refusal
	if !errors.As(err, &refused) || !errors.Is(err, gitmem.ErrNotFound) || refused.Advice == "" {
		t.Errorf("%v", err)
	}
	r := l.repo("fresh")
	if _, err := l.open(r.dir).Team().Why(t.Context(), gitmem.WhyQuestion{What: "a"}); !errors.Is(err, gitmem.ErrNotFound) {
		t.Errorf("no commits: %v", err)
	}
	r.commit("2024-02-02", "Bob Example", "a", "Start")
	for _, q := range []gitmem.WhyQuestion{{}, {What: "a", Rev: "nothing"}} {
		if _, err := l.open(r.dir).Team().Why(t.Context(), q); !errors.Is(err, gitmem.ErrUsage) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// Lines of a file have an answer whatever the file is called, and no id shows a secret.
func TestWhyOfOddNames(t *testing.T) {
	t.Parallel()
	const secret = "ghp_9dKq3Zr7Wm2Xt5Vb8Nc1Lf4Hs6Jy0Pa3Tg7Q"
	l, r, f := forged(t)
	names := []string{"a b", secret}
	if runtime.GOOS != "windows" { // which has no such names
		names = append(names, "esc\x1b[31m", "two\nlines")
	}
	for i, name := range names {
		sha := r.commit("2024-02-02", "Bob Example", name, "Add it because it is needed")
		w := f.why(l, r.dir, name+":1")
		id := "git:commit:" + sha
		if i == 0 {
			id = "git:blame:a b:1@" + sha
		}
		if len(w.Lines) != 1 || w.Lines[0].ID != id || w.Lines[0].Commit != sha || w.Lines[0].Text == "" || !w.Recorded || strings.Contains(asJSON(t, w), secret) {
			t.Errorf("%q: %+v", name, w)
		}
	}
}

// The last commit of a shallow clone did not write what it is said to have written.
func TestWhyTellsOfAShallowClone(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t)
	r.commit("2024-02-02", "Bob Example", "pump.c", "Add the pump")
	sha := r.commit("2024-02-03", "Ada Example", "valve.c", "Add the valve")
	if w := f.why(l, r.dir, "pump.c:1"); len(w.Caveats) != 0 {
		t.Errorf("whole: %q", w.Caveats)
	}
	dir := filepath.Join(l.base, "shallow")
	r.git("clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(r.dir), dir)
	for _, what := range []string{"pump.c:1", "pump.c"} {
		w := f.why(l, dir, what)
		if len(w.Caveats) != 1 || !strings.Contains(w.Caveats[0], "ends at git:commit:"+sha) {
			t.Errorf("%s: %q", what, w.Caveats)
		}
	}
}
