package gitmem_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// pair is two projects in one store, each with words that must not be visible in the other.
type pair struct {
	*lab
	alpha, beta *repo
}

func newPair(t testing.TB) *pair {
	t.Helper()
	p := &pair{lab: newLab(t)}
	p.alpha, p.beta = p.repo("alpha"), p.repo("beta")
	p.alpha.git("remote", "add", "origin", "https://github.com/acme/alpha.git")
	p.beta.git("remote", "add", "origin", "git@github.com:acme/beta.git")
	for _, x := range []struct {
		r       *repo
		session string
		word    string
	}{{p.alpha, sessionA, "turbine"}, {p.beta, sessionB, "boiler"}} {
		x.r.commit("2024-01-01", "Ada Example", "a.txt", "Balance the "+x.word+" blades")
		p.write(filepath.Join(x.r.dir, "CLAUDE.md"), "# Rules\n\nPaint every "+x.word+" blade blue.\n")
		turns := []turn{
			{role: "user", at: "2025-03-09T14:02:00Z", text: "Inspect the " + x.word + " blades for cracks"},
			{role: "assistant", at: "2025-03-09T14:03:00Z", text: "We decided to replace the " + x.word +
				" blades because two are cracked."},
		}
		p.endSession(x.r.dir, x.session, p.transcriptFile(x.r.dir, x.session, turns...))
		p.write(filepath.Join(p.root, "gitmem/projects/github.com/acme", filepath.Base(x.r.dir), "tasks.md"),
			"---\nformat: 1\nkind: tasks\n---\n\n# Tasks\n\n- [ ] "+x.word+"-1: Order new "+x.word+" blades (pending) ^task-"+
				x.word+"-1\n")
	}
	return p
}

func TestProjectsDoNotLeak(t *testing.T) {
	t.Parallel()
	const aboutWork = "what was I working on last week?"
	p := newPair(t)
	for _, x := range []struct{ at, own, other string }{{p.alpha.dir, "turbine", "boiler"},
		{p.beta.dir, "boiler", "turbine"}} {
		for _, q := range []string{x.other + " blades", "replace the " + x.other + " blades", "where did I leave off?",
			aboutWork, "what did we do in 2024?", "who knows about the " + x.other + "?", "blades",
			"how do we paint every blade?", "order new blades"} {
			for _, layer := range []string{"", "rules", "memory", "summaries", "transcripts", "team"} {
				a := p.ask(x.at, q, gitmem.Filter{Layer: layer, Limit: 20})
				own, others, listed := strings.Cut(a.Answer, "**Other projects**")
				if strings.Contains(own, x.other) || listed && (q != aboutWork || !strings.Contains(others, "\n  - in ")) {
					t.Errorf("in %s, layer %q: %s", x.own, layer, describe(a))
				}
				if listed { // a line for each other project, for a person's own work
					continue
				}
				for _, c := range a.Citations {
					if strings.Contains(asJSON(t, c), x.other) {
						t.Errorf("in %s, layer %q, %q cites %s: %s", x.own, layer, q, c.ID, c.Excerpt)
					}
				}
			}
		}
		r := p.search(x.at, "blades", gitmem.Filter{})
		if len(r.Hits) == 0 || strings.Contains(asJSON(t, r), x.other) {
			t.Errorf("hits in %s: %s", x.own, asJSON(t, r))
		}
	}
}

func TestProjectFilter(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	filter := gitmem.Filter{Layer: "memory,summaries,transcripts", Limit: 20}
	for name, want := range map[string][2]bool{
		"": {true, false}, "all": {true, true}, "alpha": {true, false}, "acme/beta": {false, true},
		"github.com/acme/beta": {false, true}, "Beta": {false, true}, "gamma": {false, false}, "eta": {false, false},
	} {
		filter.Project = name
		text := asJSON(t, p.search(p.alpha.dir, "blades", filter).Hits)
		equal(t, "project "+name+" shows alpha and beta", want,
			[2]bool{strings.Contains(text, "turbine"), strings.Contains(text, "boiler")})
	}
}

func TestCloneElsewhereSharesMemory(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	clone := p.repo("elsewhere/copy")
	clone.git("remote", "add", "origin", "ssh://git@github.com:22/acme/alpha/")
	equal(t, "project", p.status(p.alpha.dir).Project, p.status(clone.dir).Project)
	p.holds(p.ask(clone.dir, "why replace the turbine blades?", gitmem.Filter{}), "two are cracked")
	p.holds(p.ask(clone.dir, "order new turbine blades", gitmem.Filter{Layer: "memory"}), "Order new turbine blades")
	p.note(clone.dir, "The crane driver is called Otto")
	p.holds(p.ask(clone.dir, "what is the crane driver called?", gitmem.Filter{}), "Otto")
	p.lacks(p.ask(p.beta.dir, "what is the crane driver called?", gitmem.Filter{}), "Otto")
}

// TestNoteOfACloneIsSeenInTheOther asks in both, one after the other.
func TestNoteOfACloneIsSeenInTheOther(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	clone := p.repo("elsewhere/copy")
	clone.git("remote", "add", "origin", "ssh://git@github.com:22/acme/alpha/")
	p.note(clone.dir, "The crane driver is called Otto")
	p.holds(p.ask(clone.dir, "what is the crane driver called?", gitmem.Filter{}), "Otto")
	p.holds(p.ask(p.alpha.dir, "what is the crane driver called?", gitmem.Filter{}), "Otto")
}

func TestUserRulesAreSeenEverywhere(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.write(filepath.Join(p.root, "CLAUDE.md"), "# Mine\n\n## Units\n\nGive every pressure in pascal.\n")
	p.write(filepath.Join(p.root, "rules", "dates.md"), "# Dates\n\nWrite dates with the year first.\n")
	for _, dir := range []string{p.alpha.dir, p.beta.dir, p.base} {
		p.holds(p.ask(dir, "how do we give every pressure?", gitmem.Filter{}), "pascal")
		p.holds(p.ask(dir, "how do we write dates?", gitmem.Filter{}), "year first")
	}
}

// TestNotesOfTwoProjects asks from one project before the other one asks for its own notes.
func TestNotesOfTwoProjects(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.note(p.alpha.dir, "The turbine grease is stored in the cellar")
	p.note(p.beta.dir, "The boiler filter is changed in autumn")
	p.holds(p.ask(p.alpha.dir, "where is the turbine grease stored?", gitmem.Filter{}), "cellar")
	p.holds(p.ask(p.beta.dir, "when is the boiler filter changed?", gitmem.Filter{}), "autumn")
	p.holds(p.ask(p.base, "when is the boiler filter changed?", gitmem.Filter{}), "autumn")
	p.holds(p.ask(p.alpha.dir, "when is the boiler filter changed?", gitmem.Filter{Project: "beta"}), "autumn")
	p.lacks(p.ask(p.alpha.dir, "when is the boiler filter changed?", gitmem.Filter{}), "autumn")
}

// TestSameIDInTwoProjects has a task and a decision of one name in both.
func TestSameIDInTwoProjects(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for word, name := range map[string]string{"turbine": "alpha", "boiler": "beta"} {
		dir := filepath.Join(p.root, "gitmem/projects/github.com/acme", name)
		p.write(filepath.Join(dir, "tasks.md"), "# Tasks\n\n- [ ] feat-a: Lubricate the "+word+
			" shaft (pending) ^task-feat-a\n")
		p.write(filepath.Join(dir, "decisions/use-steel.md"),
			"---\nid: use-steel\ndate: 2025-01-01\nstatus: accepted\n---\n\n# Use steel for the "+word+" casing\n\nThe "+word+
				" casing is made of steel.\n")
	}
	p.holds(p.ask(p.alpha.dir, "lubricate the turbine shaft", gitmem.Filter{}), "turbine shaft")
	p.holds(p.ask(p.beta.dir, "lubricate the boiler shaft", gitmem.Filter{}), "boiler shaft")
	p.holds(p.ask(p.alpha.dir, "turbine casing made of steel", gitmem.Filter{}), "turbine casing")
	p.holds(p.ask(p.beta.dir, "boiler casing made of steel", gitmem.Filter{}), "boiler casing")
	for dir, word := range map[string]string{p.alpha.dir: "turbine", p.beta.dir: "boiler"} {
		p.with(dir, func(m *gitmem.Memory) error {
			s, err := m.Shown(t.Context(), "task:feat-a", gitmem.ShowOptions{})
			if !strings.Contains(s.Text, word) {
				t.Errorf("task:feat-a shown in %s: %s", dir, s.Text)
			}
			return err
		})
	}
}

// TestDotfilesRepository has a root inside somebody's repository.
func TestDotfilesRepository(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dotfiles := l.repo("home/.claude")
	l.write(filepath.Join(l.root, "settings.json"), "{}\n")
	dotfiles.commit("2024-01-01", "Ada Example", "CLAUDE.md", "Keep my settings")
	head, objects := dotfiles.git("rev-parse", "HEAD"), dotfiles.git("count-objects", "-v")
	config := l.read(filepath.Join(l.root, ".git", "config"))
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")

	n := l.note(r.dir, "The spare fuses lie in the attic")
	l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true})
	l.endSession(r.dir, sessionA, l.transcriptFile(r.dir, sessionA, relayTurns()...))
	l.holds(l.ask(r.dir, "where do the spare fuses lie?", gitmem.Filter{}), "attic")

	equal(t, "HEAD of the dotfiles", head, dotfiles.git("rev-parse", "HEAD"))
	equal(t, "objects of the dotfiles", objects, dotfiles.git("count-objects", "-v"))
	equal(t, "configuration of the dotfiles", config, l.read(filepath.Join(l.root, ".git", "config")))
	equal(t, "refs of the dotfiles", 1, strings.Count(dotfiles.git("for-each-ref"), "\n"))
	if _, err := os.Stat(filepath.Join(l.root, ".gitignore")); !os.IsNotExist(err) {
		t.Errorf("a .gitignore was put into the dotfiles: %v", err)
	}
	inner := filepath.Join(l.root, "gitmem", ".git")
	equal(t, "git directory", inner, l.status(r.dir).Repository)
	if out := l.git(l.root, nil, "--git-dir="+inner, "cat-file", "-t", n.Commit); strings.TrimSpace(out) != "commit" {
		t.Errorf("the note's commit in gitmem/.git: %s", out)
	}
	equal(t, "a root that is a repository is a project", "", l.status(l.root).Project)
	// The user decides whether the client's files below projects/ are ignored or tracked.
	equal(t, "status of the dotfiles", "", dotfiles.git("status", "--porcelain", "--untracked-files=all", "--", ".",
		":!projects"))
}

// TestDotfilesDoNotShowMemory checks the notes, which are in the client's folder.
func TestDotfilesDoNotShowMemory(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dotfiles := l.repo("home/.claude")
	r := l.repo("pump")
	l.note(r.dir, "The spare fuses lie in the attic")
	equal(t, "status of the dotfiles", "", dotfiles.git("status", "--porcelain", "--untracked-files=all"))
}

// TestNoteSeenFromTheRoot asks in the project first, then from a folder of no project.
func TestNoteSeenFromTheRoot(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The spare fuses lie in the attic")
	l.holds(l.ask(r.dir, "where do the spare fuses lie?", gitmem.Filter{}), "attic")
	l.holds(l.ask(l.root, "where do the spare fuses lie?", gitmem.Filter{}), "attic")
}

// TestPromptOutsideARepository asks in the folder above a project.
func TestPromptOutsideARepository(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	l.transcriptFile(r.dir, sessionA,
		turn{role: "user", at: "2025-03-09T14:02:00Z", text: "Configure the anemometer on the Modbus"},
		turn{role: "assistant", at: "2025-03-09T14:03:00Z",
			text: "We decided to configure the anemometer on the Modbus with 4800 baud, because the cable is long."})
	l.search(l.base, "anemometer", gitmem.Filter{}) // it indexes the note
	if got := l.recall(r.dir, "", anemometer); !told(got, "4800 baud") {
		t.Errorf("in the project: %q", got.Text)
	}
	if got := l.recall(l.base, "", anemometer).Text; got != "" {
		t.Errorf("above it: %s", got)
	}
}
