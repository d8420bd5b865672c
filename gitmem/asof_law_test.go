package gitmem_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// stopped is a workspace that changes at known times and is copied as a whole after each change: the copy is the best
// reference for a past moment.
type stopped struct {
	*lab
	repo    *repo
	rng     *rand.Rand
	stops   []stop
	side    bool // there is a branch beside the main line
	fetched bool // there is a remote branch
	live    int  // number of the current session
	turns   int
}

// stop is a moment with its copy.
type stop struct {
	what string
	at   time.Time
	copy string
	revs []string // commits made at the moment, in the repository or in the store
}

func newStopped(t testing.TB, seed uint64) *stopped {
	t.Helper()
	w := &stopped{lab: newLab(t), rng: rand.New(rand.NewPCG(seed, 7))}
	w.now = time.Date(2024, 3, 1, 8, 0, 0, 0, time.UTC)
	w.repo = w.lab.repo("pump")
	if seed%2 == 0 {
		w.repo.git("remote", "add", "origin", "git@github.com:acme/pump.git")
	}
	return w
}

// words draws from few words, so that later text shares words with earlier text, and would change its ranking if it
// were visible.
func (w *stopped) words(n int) string {
	all := strings.Fields("relay fuse inrush oscillator antenna range telemetry driver parser pump")
	var out []string
	for range n {
		out = append(out, all[w.rng.IntN(len(all))])
	}
	return strings.Join(out, " ")
}

func (w *stopped) author() string {
	return []string{"Ada Example", "Bo Example", "Cy Example"}[w.rng.IntN(3)]
}

// commitAt commits everything in a repository now.
func (w *stopped) commitAt(dir, author, message string, args ...string) string {
	date := w.now.Format(time.RFC3339)
	w.git(dir, identity(author, date),
		append([]string{"commit", "--quiet", "--allow-empty", "--message", message}, args...)...)
	return strings.TrimSpace(w.git(dir, nil, "rev-parse", "HEAD"))
}

func (w *stopped) change(file, text string) string {
	name := filepath.Join(w.repo.dir, filepath.FromSlash(file))
	old, _ := os.ReadFile(name) // a new file has none
	w.write(name, string(old)+text+"\n")
	w.repo.git("add", "--all")
	return name
}

func (w *stopped) commitRepo(file, message string) []string {
	w.change(file, message)
	return w.commitMain(w.author(), message)
}

// commitMain commits what is staged. Once there is a remote branch, a commit alone is less than the state at its time,
// and is not tested.
func (w *stopped) commitMain(author, message string) []string {
	id := w.commitAt(w.repo.dir, author, message)
	if w.fetched {
		return nil
	}
	return []string{id}
}

// storeHead returns the newest commit of memory's own repository.
func (w *stopped) storeHead() []string {
	return []string{strings.TrimSpace(w.git(w.root, nil, "rev-parse", "HEAD"))}
}

func (w *stopped) session() string {
	return fmt.Sprintf("%08x-0000-4000-8000-000000000001", 0xa0+w.live)
}

func (w *stopped) say(text string) {
	w.turns++
	role := []string{"user", "assistant"}[w.turns%2]
	line := transcriptText(w.t, w.repo.dir, w.session(), turn{role: role, at: w.now.Format(time.RFC3339), text: text})
	file := filepath.Join(w.root, "projects", munge(w.repo.dir), w.session()+".jsonl")
	if _, err := os.Stat(file); err != nil {
		w.write(file, "")
	}
	w.appendTo(file, line)
}

type step struct {
	what string
	do   func(w *stopped) []string
}

// steps returns everything that changes results. Each step returns the commits that it made.
func steps() []step { return append(repositorySteps(), memorySteps()...) }

func repositorySteps() []step {
	return []step{
		{"commit", func(w *stopped) []string {
			return w.commitRepo("firmware/"+w.words(1)+".c", "Add the "+w.words(3)+"\n\nIt is there because the "+
				w.words(3)+" needs it.")
		}},
		{"rules", func(w *stopped) []string {
			return w.commitRepo(".claude/rules/go.md", "\n## Rule "+w.words(1)+fmt.Sprint(w.rng.IntN(100))+"\n\nWrap the "+
				w.words(3)+" in an error.")
		}},
		{"rules rewritten", func(w *stopped) []string {
			w.write(filepath.Join(w.repo.dir, "AGENTS.md"), "# Agents\n\nName the "+w.words(3)+" after its data sheet.\n")
			_ = os.Symlink("AGENTS.md", filepath.Join(w.repo.dir, "CLAUDE.md")) // made once; missing if links don't work
			w.repo.git("add", "--all")
			return w.commitMain("Ada Example", "docs: rules for the "+w.words(2))
		}},
		{"mailmap", func(w *stopped) []string {
			return w.commitRepo(".mailmap", fmt.Sprintf("Robert Renamed%d <bo@example.org>", w.rng.IntN(100)))
		}},
		{"branch", func(w *stopped) []string {
			w.repo.git("checkout", "--quiet", "-B", "side")
			w.commitRepo("side/"+w.words(1)+".c", "Try the "+w.words(3)+" on a branch")
			w.repo.git("checkout", "--quiet", "main")
			w.side = true
			return nil // it is not on the main line yet
		}},
		{"merge", func(w *stopped) []string {
			if !w.side {
				return w.commitRepo("docs/range.md", "docs: describe the "+w.words(3))
			}
			w.side = false
			w.repo.git("merge", "--quiet", "--no-commit", "--no-ff", "-X", "ours", "side")
			return w.commitMain("Cy Example", "Merge the "+w.words(2))
		}},
		{"fetch", func(w *stopped) []string {
			w.repo.git("checkout", "--quiet", "--detach", map[bool]string{true: "origin/main", false: "HEAD"}[w.fetched])
			w.fetched = true
			w.commitRepo("far/"+w.words(1)+".c", "Far away the "+w.words(4))
			w.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
			w.repo.git("checkout", "--quiet", "main")
			return nil
		}},
	}
}

func memorySteps() []step {
	return []step{
		{"note", func(w *stopped) []string {
			w.lab.with(w.repo.dir, func(m *gitmem.Memory) error {
				_, err := m.Note(w.t.Context(), "Measure the "+w.words(4)+" before "+w.words(2), true)
				return err
			})
			return w.storeHead()
		}},
		{"decision", func(w *stopped) []string {
			dirs, _ := filepath.Glob(filepath.Join(w.root, "gitmem/projects/*/*"))
			project := filepath.Join(w.root, "gitmem/projects/github.com/acme/pump")
			if i := slices.IndexFunc(dirs, func(d string) bool { return strings.Contains(d, "local") }); i >= 0 {
				project = dirs[i]
			}
			status := []string{"proposed", "accepted", "superseded"}[w.rng.IntN(3)]
			w.write(filepath.Join(project, "decisions/2024-03-01-use.md"),
				strings.Replace(strings.ReplaceAll(decisionLora, "LoRa", w.words(1)), "accepted", status, 1))
			w.write(filepath.Join(project, "tasks.md"),
				"---\nformat: 1\nkind: tasks\n---\n\n# Tasks\n\n- [ ] feat-a: Repeat the "+w.words(3)+" ^task-feat-a\n")
			return w.commitStore()
		}},
		{"own rules", func(w *stopped) []string {
			w.commitStore()
			w.write(filepath.Join(w.root, "CLAUDE.md"), "# Mine\n\nAnswer about the "+w.words(2)+" in short sentences.\n")
			w.git(w.root, nil, "add", "--sparse", "--force", "CLAUDE.md")
			return []string{w.commitAt(w.root, "Ada Example", "Keep my rules")}
		}},
		{"talk", func(w *stopped) []string {
			w.say("Look at the " + w.words(3))
			w.say("We decided to use the " + w.words(2) + " because the " + w.words(2) + " is slow. The " + w.words(1) +
				" test is still open.")
			return nil
		}},
		{"new session", func(w *stopped) []string {
			w.live++
			w.say("Begin with the " + w.words(3))
			return nil
		}},
		{"end of session", func(w *stopped) []string {
			w.say("Finish the " + w.words(3))
			w.say("We decided to keep the " + w.words(3) + " because it works.")
			w.endSession(w.repo.dir, w.session(), filepath.Join(w.root, "projects", munge(w.repo.dir), w.session()+".jsonl"))
			w.live++
			return nil
		}},
		{"client's memory", func(w *stopped) []string {
			w.write(filepath.Join(w.root, "projects", munge(w.repo.dir), "memory/parts.md"), "---\nname: parts\n---\n\nThe "+
				w.words(5)+" came by post.\n")
			return w.commitStore()
		}},
		{"observation", func(w *stopped) []string {
			w.live++ // its transcript comes later
			w.observe(w.repo.dir, gitmem.Observation{Session: w.session(), Tool: "Edit", Input: "the " + w.words(2),
				Output: "ok"})
			return w.commitStore()
		}},
	}
}

// commitStore commits memory, as a user does by hand, and creates its repository if there is none.
func (w *stopped) commitStore() []string {
	if _, err := os.Stat(filepath.Join(w.root, ".git")); err != nil {
		w.lab.with(w.repo.dir, func(m *gitmem.Memory) error {
			_, err := m.Init(w.t.Context())
			return err
		})
		return w.storeHead()
	}
	w.git(w.root, nil, "add", "--all")
	return []string{w.commitAt(w.root, "Ada Example", "Keep what was written")}
}

// run executes n steps, those of first and then random ones, and makes a copy after each.
func (w *stopped) run(n int, first ...string) {
	w.t.Helper()
	all := steps()
	for i := range n {
		s := all[w.rng.IntN(len(all))]
		if i < len(first) {
			s = all[slices.IndexFunc(all, func(s step) bool { return s.what == first[i] })]
		}
		w.now = w.now.Add(time.Duration(7+w.rng.IntN(90)) * time.Hour)
		revs := s.do(w)
		at := stop{what: fmt.Sprintf("%d %s", i, s.what), at: w.now, copy: filepath.Join(w.base, fmt.Sprintf("stop%02d", i)),
			revs: revs}
		for _, part := range []string{"home", "pump"} {
			if err := os.CopyFS(filepath.Join(at.copy, part), os.DirFS(filepath.Join(w.base, part))); err != nil {
				w.t.Fatal(err)
			}
		}
		w.stops = append(w.stops, at)
	}
}

// swap exchanges a copy with the workspace, so that paths are the same in both.
func (w *stopped) swap(s stop) {
	w.t.Helper()
	for _, part := range []string{"home", "pump"} {
		for _, names := range [][2]string{{part, "aside"}, {s.copy[len(w.base)+1:] + "/" + part, part},
			{"aside", s.copy[len(w.base)+1:] + "/" + part}} {
			if err := os.Rename(filepath.Join(w.base, names[0]), filepath.Join(w.base, names[1])); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// found contains the results of all questions and searches at one moment.
type found struct {
	Answers map[string]gitmem.Answer
	Results map[string]gitmem.Results
}

func (w *stopped) questions() []question {
	return []question{
		{"where did I leave off?", gitmem.Filter{}},
		{"what was I working on last week?", gitmem.Filter{}},
		{"what did we do last week?", gitmem.Filter{}},
		{"what happened recently?", gitmem.Filter{}},
		{"who knows about the relay driver?", gitmem.Filter{}},
		{"who works here?", gitmem.Filter{}},
		{"why is the relay there?", gitmem.Filter{}},
		{"why did we decide to use the fuse?", gitmem.Filter{}},
		{"when was the inrush added?", gitmem.Filter{}},
		{"how do we wrap the relay in an error?", gitmem.Filter{}},
		{"short sentences about the pump", gitmem.Filter{Layer: "rules"}},
		{"oscillator antenna range", gitmem.Filter{Project: "all", Limit: 20}},
		{"why did we buy a nuclear submarine?", gitmem.Filter{}},
	}
}

func (w *stopped) searches() []question {
	return []question{
		{"relay fuse inrush telemetry", gitmem.Filter{Limit: 100}},
		{"driver parser last month", gitmem.Filter{Limit: 100}},
		{"pump", gitmem.Filter{Project: "all", Limit: 100, Since: "3d"}},
		{"range antenna", gitmem.Filter{BySession: true}},
	}
}

// all runs all questions; asOf is "" for the present.
func (w *stopped) all(asOf string) found {
	w.t.Helper()
	f := found{map[string]gitmem.Answer{}, map[string]gitmem.Results{}}
	w.with(w.repo.dir, func(m *gitmem.Memory) error {
		for _, q := range w.questions() {
			q.filter.AsOf = asOf
			a, err := m.Ask(w.t.Context(), q.text, q.filter)
			if err != nil {
				return fmt.Errorf("%s: %w", q.text, err)
			}
			if (a.AsOf != "") != (asOf != "") {
				w.t.Errorf("%s as of %q: as_of is %q", q.text, asOf, a.AsOf)
			}
			a = timeless(a)
			a.AsOf, a.Caveats = "", ofThePast(a.Caveats)
			f.Answers[q.text] = a
		}
		for _, q := range w.searches() {
			q.filter.AsOf = asOf
			r, err := m.Search(w.t.Context(), q.text, q.filter)
			if err != nil {
				return fmt.Errorf("%s: %w", q.text, err)
			}
			r.AsOf, r.Strategies, r.Caveats = "", nil, ofThePast(r.Caveats)
			f.Results[q.text] = r
		}
		return nil
	})
	return f
}

// ofThePast removes the caveats that only a question about the past has.
func ofThePast(caveats []string) []string {
	own := []string{
		"Transcripts are those that are still on disk", "Memory's own history begins later",
		"The history of this repository begins after",
		"Your own rules in", "Memory in ", " of memory differ from the last commit",
		" names a commit of this repository and one of memory's",
	}
	return slices.DeleteFunc(slices.Clone(caveats), func(c string) bool {
		return slices.ContainsFunc(own, func(o string) bool { return strings.Contains(c, o) })
	})
}

// beginnings returns the first steps of each run: what comes before the first commit of the repository, the first note
// and the first session determines the names of projects.
func beginnings() [][]string {
	return [][]string{
		{"client's memory", "talk", "observation", "commit", "note", "talk", "branch", "own rules", "rules", "end of session",
			"merge", "fetch", "mailmap", "rules rewritten"},
		{"note", "observation", "commit", "rules rewritten", "talk", "decision", "own rules", "fetch", "commit", "mailmap",
			"end of session", "branch", "decision", "talk", "merge"},
	}
}

// TestAsOfEqualsAStoppedCopy is the law of --as-of: its result at a moment is that of a copy from that moment. It takes
// some seconds, since every moment is indexed twice, and so checks one moment in three; the nightly run checks all.
func TestAsOfEqualsAStoppedCopy(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED under -short: it indexes a world a few dozen times")
	}
	t.Parallel()
	for seed := range uint64(len(beginnings())) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			w := newStopped(t, seed)
			w.run(18, beginnings()[seed]...)
			end := w.now
			evidence := 0
			for i, s := range w.stops {
				if i%3 != int(seed) && i < len(w.stops)-1 && len(s.revs) == 0 && !isNightly() {
					continue
				}
				w.now = s.at
				w.swap(s)
				want := w.all("")
				w.swap(s)
				w.now = end
				names := append([]string{s.at.Format(time.RFC3339)}, s.revs...)
				for _, name := range names {
					if i == len(w.stops)-1 {
						w.now = end.AddDate(1, 0, 0) // otherwise the last moment would be the present
					}
					equal(t, fmt.Sprintf("after step %s, as of %s", s.what, name), want, w.all(name))
					w.now = end
				}
				for _, a := range want.Answers {
					evidence += len(a.Citations)
				}
				if t.Failed() {
					return
				}
			}
			if evidence < 150 {
				t.Errorf("only %d citations in all answers: the law says little", evidence)
			}
		})
	}
}
