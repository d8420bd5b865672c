package gitmem_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
)

const sessionC = "c0ffee00-0000-4000-8000-000000000003"

func (l *lab) greet(dir string, o gitmem.ContextOptions) (g gitmem.SessionContext) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		g, err = m.Sessions().Context(l.t.Context(), o)
		return err
	})
	return g
}

// start returns the context of a session that begins in a folder.
func (l *lab) start(dir, session string) gitmem.SessionContext {
	l.t.Helper()
	return l.greet(dir, gitmem.ContextOptions{Session: session, Source: "startup"})
}

func says(t *testing.T, g gitmem.SessionContext, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(g.Text, w) {
			t.Errorf("not told: %q in\n%s", w, g.Text)
		}
	}
}

func saysNot(t *testing.T, g gitmem.SessionContext, banned ...string) {
	t.Helper()
	for _, b := range banned {
		if strings.Contains(g.Text, b) {
			t.Errorf("told: %q in\n%s", b, g.Text)
		}
	}
}

// resolves looks up every citation of a session context, as a model would.
func (l *lab) resolves(dir string, g gitmem.SessionContext) {
	l.t.Helper()
	if len(g.Citations) == 0 {
		l.t.Error("the greeting cites nothing")
	}
	l.with(dir, func(m *gitmem.Memory) error {
		for _, id := range g.Citations {
			if !strings.Contains(g.Text, "["+id+" · ") {
				l.t.Errorf("citation %s does not stand in the text", id)
			}
			if src, err := m.Shown(l.t.Context(), id, gitmem.ShowOptions{}); err != nil || strings.TrimSpace(src.Text) == "" {
				l.t.Errorf("citation %s: %q, %v", id, src.Text, err)
			}
		}
		return nil
	})
}

func archiveDay(project, date, sections string) string {
	return "---\nformat: 1\nkind: sessions\nproject: " + project + "\ndate: " + date + "\n---\n\n# " + date +
		"\n" + sections
}

const relaySection = `
## Wire the relay board ^s-aaaa0000

session: aaaa0000-0000-4000-8000-00000000000a · 14:02–15:40 UTC · branch main · 42 messages · through: line 412 9c1e
read: docs/relay.md · wrote: firmware/relay.c, firmware/relay.h · tools: Edit 6, Bash 9

Chose 10 A relays after the pump measured 7 A. The range test is still open.

- [work] Wire the relay board (L1 14:02) ^i-aaaaaaaaaa
- [decision] Use 10 A relays: the pump draws 7 A (L124 14:22) ^i-81c2d0k7qa
- [failed] Optocoupler 4N25: too slow for the zero-cross detector (L201 14:40) ^i-failed4n25
- [lesson] Measure the inrush before choosing a relay (L233 14:51) ^i-inrushless
- [problem] The TCXO drifts below -10 °C (L140 14:25) ^i-90ab13c8tt
- [question] Which antenna goes on the roof? ^i-antennaqaa
- [solution] Calibrate at boot (L171 14:33) ^i-90ab14r2fd
  - answers [[#^i-90ab13c8tt]]
- [todo] Repeat the range test outdoors (L178 14:36) ^i-90ab20p5we
`

// pumpStore returns a repository with a store that knows it.
func pumpStore(l *lab) (r *repo, dir string) {
	r = l.repo("pump")
	r.commit("2025-03-01", "Ada Example", "a.txt", "Begin")
	r.git("remote", "add", "origin", "https://github.com/acme/pump.git")
	l.with(r.dir, func(m *gitmem.Memory) error { _, err := m.Init(l.t.Context()); return err })
	dir = "gitmem/projects/github.com/acme/pump"
	return r, dir
}

func TestGreetFromTheArchive(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	l.write(filepath.Join(l.root, dir, "sessions/2025/2025-03-08.md"), archiveDay("github.com/acme/pump", "2025-03-08",
		relaySection))
	l.write(filepath.Join(l.root, dir, "tasks.md"),
		"# Tasks\n\n- [ ] feat-a: Relay driver (in_progress) ^task-feat-a\n- [x] feat-b: Pump driver ^task-feat-b\n")
	g := l.start(r.dir, sessionC)
	says(t, g, "“github.com/acme/pump”",
		"2025-03-08 14:02–15:40 UTC: “Wire the relay board”, wrote “firmware/relay.c, firmware/relay.h” "+
			"[session:2025-03-08#s-aaaa0000 · mine]",
		"Chose 10 A relays", "task: “feat-a: Relay driver (in_progress)” [task:feat-a · mine]",
		"todo 2025-03-08: “Repeat the range test outdoors” [idea:i-90ab20p5we · untrusted]",
		"“Which antenna goes on the roof?”", "failed 2025-03-08: “Optocoupler 4N25", "decision 2025-03-08: “Use 10 A relays",
		"lesson 2025-03-08")
	saysNot(t, g, "Pump driver", "TCXO", "not archived")
	l.resolves(r.dir, g)
	if len(g.Skipped) > 0 {
		t.Errorf("skipped %v", g.Skipped)
	}
	if diff := cmp.Diff(g.Text, l.start(r.dir, sessionB).Text); diff != "" {
		t.Errorf("another session is told something else:\n%s", diff)
	}
	if g := l.start(r.dir, "aaaa0000-0000-4000-8000-00000000000a"); strings.Contains(g.Text, "s-aaaa0000") {
		t.Errorf("a session is told of itself:\n%s", g.Text)
	}
}

// TestGreetAheadOfTheClock checks that a session dated years ahead by a wrong clock is not the newest for years.
func TestGreetAheadOfTheClock(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	l.write(filepath.Join(l.root, dir, "sessions/2025/2025-03-08.md"), archiveDay("github.com/acme/pump", "2025-03-08",
		relaySection))
	l.write(filepath.Join(l.root, dir, "sessions/2031/2031-01-02.md"), archiveDay("github.com/acme/pump", "2031-01-02", `
## Paint the pump ^s-bbbb0000

session: bbbb0000-0000-4000-8000-00000000000b · 10:00–10:40 UTC · branch main · 4 messages · through: line 12 9c1e

Painted it blue.
`))
	g := l.start(r.dir, sessionC)
	says(t, g, "Wire the relay board", "Paint the pump")
	if strings.Index(g.Text, "Paint the pump") < strings.Index(g.Text, "Wire the relay board") {
		t.Errorf("the session of 2031 is the first:\n%s", g.Text)
	}
}

// TestGreetTellsWhatIsOpen checks that open items are shown until something closes them, however many sessions follow,
// and that omitted ones are counted.
func TestGreetTellsWhatIsOpen(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	archive := func(day int, ideas string) {
		date := time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		l.write(filepath.Join(l.root, dir, "sessions/2024", date+".md"),
			archiveDay("github.com/acme/pump", date, fmt.Sprintf("\n## Paint board %d ^s-%08d\n\nPainted.\n\n"+
				"- [work] Paint board %[1]d (L1 14:02) ^i-work%06[1]d\n%[3]s\n"+
				"messages: 4 · last prompt: line 1 · 14:02–15:40 UTC\nsession: %08[2]d-0000-4000-8000-00000000000a · through: "+
				"line 4 9c1e\n", day, day, ideas)))
	}
	archive(1, "- [todo] Measure the inrush current (L2 14:03) ^i-inrush0001\n"+
		"- [todo] Order a fuse (L2 14:03) ^i-fuse000001\n"+
		"- [question] Open question: who owns the backups? (L2 14:03) ^i-backups001\n"+
		"- [question] Do we want green or red? (L2 14:03) ^i-colour0001\n"+
		"- [x] [todo] Call the client (L2 14:03) ^i-client0001\n")
	for day := range 30 {
		archive(day+2, "")
	}
	archive(20, "- [solution] The fuse is ordered (L2 14:03) ^i-ordered001\n  - answers [[2024-01-01#^i-fuse000001]]\n")
	g := l.start(r.dir, sessionC)
	says(t, g, "todo 2024-01-01: “Measure the inrush current” [idea:i-inrush0001 · untrusted]",
		"“Open question: who owns the backups?”", "“Do we want green or red?”")
	saysNot(t, g, "“Order a fuse”", "Call the client", "gitmem ideas --open")
	l.resolves(r.dir, g)

	for day := range 60 {
		archive(day+40, fmt.Sprintf("- [todo] Paint %s on board %d (L2 14:03) ^i-paint%05d\n",
			strings.Repeat("a very long line ", 6), day, day))
	}
	g = l.start(r.dir, sessionB)
	says(t, g, "on board 59”")
	told := strings.Count(g.Text, "- todo ")
	says(t, g, fmt.Sprintf("… %d more todos, 2 questions: gitmem ideas --open\n", 60+1-told))
	if g.Characters > 9000 || told < 10 {
		t.Errorf("%d todos in %d characters", told, g.Characters)
	}
}

// TestGreetThanks checks that thanks do not answer a question, but the next message does.
func TestGreetThanks(t *testing.T) {
	t.Parallel()
	for last, open := range map[string]bool{"thanks, bye": true, "JSON in production, text elsewhere": false} {
		l := newLab(t)
		r := l.repo("pump")
		r.commit("2025-03-01", "Ada Example", "a.txt", "Begin")
		l.transcriptFile(r.dir, sessionA,
			turn{role: "user", at: "2025-03-09T14:02:00Z", text: "Add request ids to all log lines"},
			turn{role: "assistant", at: "2025-03-09T14:22:00Z",
				text: "All log lines have request ids now. Do we want JSON logs in production, or is text enough there?"},
			turn{role: "user", at: "2025-03-09T14:23:00Z", text: last})
		if g := l.start(r.dir, sessionC); strings.Contains(g.Text,
			"- question 2025-03-09: “Do we want JSON logs in production, or is text enough there?”") != open {
			t.Errorf("behind %q is told:\n%s", last, g.Text)
		}
	}
}

// TestGreetTellsDecisions checks that the decisions of the last session precede those of older ones, and that a session
// that continued on another day keeps its open items.
func TestGreetTellsDecisions(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	section := func(day string, decisions int, other string) {
		ideas := other
		for n := range decisions {
			ideas += fmt.Sprintf("- [decision] On %s we chose relay number %d (L2 14:03) ^i-%s%02d\n", day, n,
				strings.ReplaceAll(day, "-", ""), n)
		}
		l.write(filepath.Join(l.root, dir, "sessions/2025", day+".md"),
			archiveDay("github.com/acme/pump", day, "\n## Choose relays ^s-aaaa0000\n\nChosen.\n\n"+ideas+
				"\nmessages: 4 · 14:02–15:40 UTC\nsession: "+map[bool]string{true: "aaaa0000", false: "bbbb0000"}[decisions > 5]+
				"-0000-4000-8000-00000000000a · through: line 4 9c1e\n"))
	}
	section("2025-03-06", 6, "- [todo] Measure the inrush current (L2 14:03) ^i-inrush0001\n")
	section("2025-03-07", 4, "")
	section("2025-03-08", 6, "")
	g := l.start(r.dir, sessionC)
	for n := range 6 {
		says(t, g, fmt.Sprintf("“On 2025-03-08 we chose relay number %d”", n))
	}
	says(t, g, "“On 2025-03-07 we chose relay number 0”", "“Measure the inrush current”")
	if strings.Index(g.Text, "2025-03-08 we chose relay number 5") > strings.Index(g.Text, "2025-03-07 we chose") {
		t.Errorf("the last session's decisions come later:\n%s", g.Text)
	}
}

// On the first day the context contains transcripts from before there was a store.
func TestGreetWithoutAStore(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2025-03-01", "Ada Example", "a.txt", "Begin")
	l.mkdir(filepath.Join(r.dir, "sub"))
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.transcriptFile(filepath.Join(r.dir, "sub"), sessionB, turn{role: "user", at: "2025-03-10T08:00:00Z",
		text: "Paint the enclosure of the pump green"})
	g := l.start(r.dir, sessionC)
	says(t, g, "Choose a relay for the pump", "The relay board is wired", "[transcript:"+sessionA+":1 · mine]",
		"[transcript:"+sessionA+":3 · untrusted]",
		"(not archived yet)", "Paint the enclosure", "decision 2025-03-09",
		"todo 2025-03-09: “The range test is still open and needs a field.”")
	l.resolves(r.dir, g)
	if diff := cmp.Diff(g.Text, l.start(filepath.Join(r.dir, "sub"), "").Text); diff != "" {
		t.Errorf("a subfolder is told something else:\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(l.root, "gitmem")); err == nil {
		t.Error("a greeting made a store")
	}
}

func TestGreetNothing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2025-03-01", "Ada Example", "a.txt", "Begin")
	other := l.repo("other")
	l.transcriptFile(other.dir, sessionA, relayTurns()...)
	l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-10T08:00:00Z", text: "hi"})
	for _, dir := range []string{r.dir, l.base} {
		if g := l.start(dir, sessionC); g.Text != "" || g.Notice != "" || g.String() != "" {
			t.Errorf("%s: told %q, %q", dir, g.Text, g.String())
		}
	}
}

// Folders with equal client names, and repositories inside another one, are other projects; work trees and folders
// without a repository get their own content.
func TestGreetPlaces(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2025-03-01", "Ada Example", "a.txt", "Begin")
	linked := filepath.Join(l.base, "linked")
	r.git("worktree", "add", "--quiet", linked)
	nested := l.repo("pump/vendor/valve")
	alike := l.repo("pump.vendor.coil")
	plain, spare := filepath.Join(l.base, "ørken 日本"), filepath.Join(l.base, "pump.spare")
	l.mkdir(plain)
	l.mkdir(spare)
	say := func(dir, session, text string) {
		l.transcriptFile(dir, session, turn{role: "user", at: "2025-03-10T08:00:00Z", text: text})
	}
	say(linked, "11111111-0000-4000-8000-000000000001", "Tune the theremin in the linked tree")
	say(nested.dir, "22222222-0000-4000-8000-000000000002", "Grease the valve of the nested one")
	say(alike.dir, "33333333-0000-4000-8000-000000000003", "Wind the coil of the other one")
	say(spare, "55555555-0000-4000-8000-000000000005", "Count the washers that are left")
	say(plain, "44444444-0000-4000-8000-000000000004", "Map the dunes of the desert")
	for _, dir := range []string{r.dir, linked} {
		g := l.start(dir, "")
		says(t, g, "theremin")
		saysNot(t, g, "valve", "coil", "dunes", "washers")
	}
	says(t, l.start(nested.dir, ""), "valve")
	says(t, l.start(plain, ""), "dunes", "“ørken 日本”")
	saysNot(t, l.start(plain, ""), "theremin")
}

func TestGreetTellsMemoryOfOtherFolders(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	l.write(filepath.Join(l.root, dir, "project.md"),
		"---\nformat: 1\nkind: project\nproject: github.com/acme/pump\nremotes:\n  - github.com/acme/pump\nfolders:\n"+
			"  - bench: "+r.dir+"\n  - laptop: /home/ada/src/pump\n---\n")
	memory := func(folder, text string) {
		l.write(filepath.Join(l.root, "projects", munge(folder), "memory/MEMORY.md"), text)
	}
	memory(r.dir, "# Pump\n\n- The pump draws 7 A\n")
	memory("/home/ada/src/pump",
		"# Pump\n\n* the pump draws  7 A\n- The serial port is /dev/ttyACM0\n\n## Bench\n\n"+
			"The bench key hangs at the door.\n")
	memory("/home/ada/src/other", "# Other\n\n- The theremin is out of tune\n")
	g := l.start(r.dir, sessionC)
	says(t, g, "“The serial port is /dev/ttyACM0”", "“The bench key hangs at the door.”",
		"[memory:-home-ada-src-pump#pump · mine]")
	saysNot(t, g, "draws", "theremin")
	if n := strings.Count(g.Text, "[memory:-home-ada-src-pump#pump · mine]"); n != 1 {
		t.Errorf("the heading stands there %d times", n)
	}
	l.resolves(r.dir, g)
	l.configure("exclude: ['/home/ada/**']\n")
	saysNot(t, l.start(r.dir, sessionB), "ttyACM0")
}

func TestGreetRespectsPauseAndExclusion(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2025-03-01", "Ada Example", "a.txt", "Begin")
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.with(r.dir, func(m *gitmem.Memory) error {
		_, err := m.Pause(t.Context(), gitmem.PauseOptions{For: "2h"})
		return err
	})
	g := l.start(r.dir, sessionC)
	if want := "gitmem: capture paused until 2025-03-10 14:00 UTC or gitmem resume"; g.Text != want || g.Notice != want {
		t.Errorf("paused: %q, %q", g.Text, g.Notice)
	}
	l.with(r.dir, func(m *gitmem.Memory) error { _, err := m.Resume(t.Context(), false); return err })
	says(t, l.start(r.dir, sessionC), "Choose a relay")
	l.configure("exclude: ['" + r.dir + "/**']\n")
	m := l.open(r.dir)
	for _, source := range []string{"startup", "resume", "fork"} {
		if g, err := m.Sessions().Context(t.Context(),
			gitmem.ContextOptions{Session: sessionC, Source: source}); err == nil || g.Text != "" {
			t.Errorf("excluded, %s: %q, %v", source, g.Text, err)
		}
	}
	l.configure("exclude: [\n")
	if g := l.start(r.dir, sessionC); g.Text != "" || !strings.Contains(g.Notice, "nothing is captured") {
		t.Errorf("unreadable rules: %q, %q", g.Text, g.Notice)
	}
}

// A continued session gets the same text while nothing changed, and any other state in a text that it never had: the
// client drops a text that equals an earlier one of the conversation.
func TestGreetAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2025-03-01", "Ada Example", "a.txt", "Begin")
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	first := l.start(r.dir, sessionC)
	compact := l.greet(r.dir, gitmem.ContextOptions{Session: sessionC, Source: "compact"})
	if compact.Text != first.Text || compact.Again {
		t.Errorf("nothing changed, and after a compaction something else is said:\n%s", cmp.Diff(first.Text, compact.Text))
	}
	resume := func(session, source string) gitmem.SessionContext {
		return l.greet(r.dir, gitmem.ContextOptions{Session: session, Source: source})
	}
	if g := resume(sessionC, "resume"); g.Text != first.Text || !g.Again {
		t.Errorf("nothing changed, and on resume something else is said:\n%s", cmp.Diff(first.Text, g.Text))
	}
	const fork = "ffffffff-0000-4000-8000-00000000000f"
	if g := resume(fork, "fork"); g.Text != first.Text || !g.Again {
		t.Errorf("nothing changed, and a fork gets something else:\n%s", cmp.Diff(first.Text, g.Text))
	}
	paint := l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-10T08:00:00Z",
		text: "Paint the enclosure of the pump green"})
	l.transcriptFile(r.dir, sessionC, turn{role: "user", at: "2025-03-10T09:00:00Z", text: "My own words in this session"})
	second := resume(sessionC, "resume")
	says(t, second, "Paint the enclosure")
	saysNot(t, second, "My own words")
	if g := resume(sessionC, "resume"); g.Text != second.Text || !g.Again {
		t.Errorf("the second state was said in other words:\n%s", cmp.Diff(second.Text, g.Text))
	}
	if err := os.Remove(paint); err != nil {
		t.Fatal(err)
	}
	third := resume(sessionC, "resume")
	saysNot(t, third, "Paint the enclosure")
	if third.Text == first.Text || third.Again || !strings.HasSuffix(third.Text, first.Text) {
		t.Errorf("the first state, which holds again, is not in a text of its own:\n%s", third.Text)
	}
	g := l.greet(r.dir, gitmem.ContextOptions{Session: "eeeeeeee-0000-4000-8000-00000000000e", Source: "clear"})
	says(t, g, "My own words")
}

// The part of its own MEMORY.md after what the client loads may also be in another folder's file.
func TestGreetBehindWhatTheClientLoads(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	l.write(filepath.Join(l.root, dir, "project.md"),
		"---\nformat: 1\nkind: project\nproject: github.com/acme/pump\nfolders:\n  - laptop: /home/ada/src/pump\n---\n")
	own := "# Pump\n\n- The serial port is /dev/ttyACM0\n- " + strings.Repeat("x", 25<<10) +
		"\n- The bench key hangs at the door\n"
	l.write(filepath.Join(l.root, "projects", munge(r.dir), "memory/MEMORY.md"), own)
	l.write(filepath.Join(l.root, "projects/-home-ada-src-pump/memory/MEMORY.md"),
		"# Pump\n\n- The serial port is /dev/ttyACM0\n- The bench key hangs at the door\n")
	g := l.start(r.dir, sessionC)
	says(t, g, "The bench key hangs")
	saysNot(t, g, "serial port")
}
