package gitmem_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
)

func (l *lab) capture(dir string) (c gitmem.Capture) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		c, err = m.Capture(l.t.Context())
		return err
	})
	return c
}

// A linked work tree belongs to the excluded repository, at any path, and so does a folder in it.
func TestExcludeReachesWorkTrees(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("secret/pump")
	r.commit("2024-01-01", "Ada Example", "sub/a.txt", "Begin")
	linked := filepath.Join(l.base, "linked")
	r.git("worktree", "add", "--quiet", linked)
	l.configure("exclude: ['" + filepath.Join(l.base, "secret") + "/**']\n")
	for _, dir := range []string{r.dir, filepath.Join(r.dir, "sub"), linked} {
		if c := l.capture(dir); c.State != gitmem.CaptureExcluded {
			t.Errorf("%s: %+v", dir, c)
		}
	}
	if c := l.capture(l.base); c.State != gitmem.CaptureOn {
		t.Errorf("above the excluded folder: %+v", c)
	}
	l.transcriptFile(linked, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z", text: "Tune the theremin"})
	if r := l.search(l.base, "theremin", gitmem.Filter{}); len(r.Hits) != 0 || l.indexed("theremin") {
		t.Errorf("a session in the linked work tree is searched: %v", r.Hits)
	}
}

// A rule about remotes applies as soon as a repository has that remote, and the index loses what it contained by then.
func TestExcludeByRemoteThatComesLater(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin")
	l.configure("exclude: [github.com/acme/*]\n")
	l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z", text: "Tune the theremin"})
	l.note(r.dir, "The glockenspiel is out of tune")
	if len(l.search(r.dir, "theremin", gitmem.Filter{}).Hits) == 0 || !l.indexed("theremin") ||
		!l.indexed("glockenspiel") {
		t.Fatal("nothing is excluded yet, and nothing is found")
	}
	r.git("remote", "add", "origin", "ssh://git@github.com:22/Acme/pump.git")
	for word := range map[string]bool{"theremin": true, "glockenspiel": true} {
		if hits := l.search(l.base, word, gitmem.Filter{}).Hits; len(hits) != 0 || l.indexed(word) {
			t.Errorf("%s is still searched: %v", word, hits)
		}
	}
	r.git("remote", "remove", "origin")
	if len(l.search(r.dir, "theremin", gitmem.Filter{}).Hits) == 0 {
		t.Error("without the remote it is not back")
	}
}

// The client's memory of a folder that no project.md lists is identified by its name alone.
func TestExcludedMemoryFolder(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.mkdir(filepath.Join(l.root, "gitmem"))
	for _, folder := range []string{"/srv/clients/acme", "/srv/open"} {
		l.write(filepath.Join(l.root, "projects", munge(folder), "memory", "MEMORY.md"),
			"# Memory\n\n## Music\n\n- The bassoon of "+filepath.Base(folder)+"\n")
	}
	l.configure("exclude: ['**/clients/*']\n")
	hits := l.search(l.base, "bassoon", gitmem.Filter{}).Hits
	if len(hits) != 1 || !strings.Contains(hits[0].Excerpt, "open") {
		t.Errorf("hits: %+v", hits)
	}
	// The names are equal: a transcript shows that this folder is another one.
	l.transcriptFile("/srv-clients/acme", sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z", text: "Play on"})
	if hits := l.search(l.base, "bassoon", gitmem.Filter{}).Hits; len(hits) != 2 {
		t.Errorf("the folder /srv-clients/acme is taken for an excluded one: %+v", hits)
	}
}

// The graph of ideas contains none of an excluded project, in its own folder either.
func TestExcludedIdeas(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin")
	ideas := func() (list []gitmem.Idea) {
		l.with(r.dir, func(m *gitmem.Memory) (err error) {
			list, err = m.Data().Ideas(t.Context(), gitmem.IdeaFilter{})
			return err
		})
		return list
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		_, err := m.Tasks().Set(t.Context(), gitmem.TaskChange{Title: "Tune the theremin"})
		return err
	})
	if list := ideas(); len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	l.configure("exclude: ['" + r.dir + "']\n")
	if list := ideas(); len(list) != 0 {
		t.Errorf("shown are %+v", list)
	}
}

// One Memory may be open for long: a pause and a rule apply at its next call.
func TestPolicyIsReadAnew(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.transcriptFile(l.base, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z", text: "Tune the theremin"})
	m := l.open(l.base)
	found := func() int {
		r, err := m.Search(t.Context(), "theremin", gitmem.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Hits)
	}
	if found() == 0 {
		t.Fatal("not found")
	}
	l.configure("exclude: ['" + l.base + "']\n")
	if found() != 0 {
		t.Error("a rule made meanwhile does not count")
	}
	if _, err := m.Sessions().Observe(t.Context(), gitmem.Observation{Session: sessionA, Tool: "Bash"}); err == nil {
		t.Error("Observe appends in an excluded folder")
	}
	l.configure("")
	if found() == 0 {
		t.Error("an empty file still excludes")
	}
}

func TestGrowthAndSizes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin")
	for _, days := range []int{-60, -20, -3, 0} {
		l.now = fixedNow().AddDate(0, 0, days)
		l.note(r.dir, "Day "+l.now.Format(time.DateOnly)+" went well")
	}
	st := l.status(r.dir)
	line := int64(len("- Day 2025-03-10 went well\n"))
	if diff := cmp.Diff([]gitmem.Growth{{Days: 7, Commits: 2, Bytes: 2 * line}, {Days: 30, Commits: 3, Bytes: 3 * line}},
		st.Growth); diff != "" {
		t.Errorf("growth (-want +got):\n%s", diff)
	}
	loose := 0
	for name := range filesBelow(t, filepath.Join(st.Repository, "objects")) {
		if filepath.Base(filepath.Dir(name)) != "info" && filepath.Base(filepath.Dir(name)) != "pack" {
			loose++
		}
	}
	if st.LooseObjects != loose || st.RepositoryBytes == 0 {
		t.Errorf("%d loose objects in %d bytes, want %d objects", st.LooseObjects, st.RepositoryBytes, loose)
	}
	key := "sk-ant-" + "api03-" + strings.Repeat("Ab3dE9", 15) + "AA"
	l.appendTo(filepath.Join(l.root, "projects", munge(r.dir), "memory", "MEMORY.md"), "- The key is "+key+"\n")
	if st = l.status(r.dir); len(st.Held) != 1 || strings.Contains(asJSON(t, st), key) {
		t.Errorf("held: %q", st.Held)
	}
}
