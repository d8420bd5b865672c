package gitmem_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/markdown"
)

// TestForgottenSessionOfTwoAlike forgets the section of one of two sessions whose ids share eight characters: in each
// case it does not come back and the other one stays, archived before or after.
func TestForgottenSessionOfTwoAlike(t *testing.T) {
	t.Parallel()
	const alike = "3f2a91c4-77aa-4000-8000-000000000002"
	for name, tt := range map[string]struct {
		sessions []string // archived first
		forget   string
		gone     string
		back     string // ids of the remaining sections, and their sessions
	}{
		"the first of two": {[]string{sessionA, alike}, "session:2025-03-09#s-3f2a91c4", sessionA,
			"session:2025-03-09#s-3f2a91c4-2"},
		"the second of two": {[]string{sessionA, alike}, "session:2025-03-09#s-3f2a91c4-2", alike,
			"session:2025-03-09#s-3f2a91c4"},
		"before the other came": {[]string{sessionA}, "session:2025-03-09#s-3f2a91c4", sessionA,
			"session:2025-03-09#s-3f2a91c4-2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			l.note(r.dir, "The pump has a door")
			files := map[string]string{sessionA: l.transcriptFile(r.dir, sessionA, relayTurns()...),
				alike: l.transcriptFile(r.dir, alike,
					turn{role: "user", at: "2025-03-09T15:00:00Z", text: "Choose a hose for the pump"},
					turn{role: "assistant", at: "2025-03-09T15:05:00Z",
						text: "We chose the rubber hose because the pump shakes in winter."})}
			for _, s := range tt.sessions {
				l.endSession(r.dir, s, files[s])
			}
			l.forget(r.dir, false, tt.forget)
			for s, f := range files {
				l.appendTo(f, transcriptText(t, r.dir, s, turn{role: "user", at: "2025-03-09T16:00:00Z",
					text: "Now test it at night"},
					turn{role: "assistant", at: "2025-03-09T16:05:00Z", text: "We chose a second lamp because it is dark there."}))
				l.endSession(r.dir, s, f)
			}
			archives, err := filepath.Glob(filepath.Join(l.root, "gitmem/projects/*/*/sessions/*/*"))
			if err != nil || len(archives) != 1 {
				t.Fatalf("archive files %q, %v", archives, err)
			}
			text := l.read(archives[0])
			for s := range files {
				if n := strings.Count(text, "\nsession: "+s+" "); (n == 0) != (s == tt.gone) {
					t.Errorf("%d sections of %s:\n%s", n, s, text)
				}
			}
			blocks := regexp.MustCompile(`(?m)\^s-\S+$`).FindAllString(text, -1)
			if slices.Sort(blocks); len(slices.Compact(slices.Clone(blocks))) != len(blocks) {
				t.Errorf("block ids %q", blocks)
			}
			l.with(r.dir, func(m *gitmem.Memory) error {
				s, err := m.Shown(t.Context(), tt.back, gitmem.ShowOptions{})
				if s.Session == tt.gone {
					t.Errorf("%s is of the session that was forgotten", tt.back)
				}
				return err
			})
		})
	}
}

// TestForgottenSessionOfAnOlderList checks that a list with only the block id is respected.
func TestForgottenSessionOfAnOlderList(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, relayTurns()...)
	file := filepath.Join(l.root, l.endSession(r.dir, sessionA, f).File)
	project, _, _ := strings.Cut(strings.SplitAfter(l.read(file), "project: ")[1], "\n")
	stone := tombstone.Builder{Day: "2025-03-10", Salt: "0123456789abcdef"}.Unit("session:2025-03-09#s-3f2a91c4", project)
	l.write(filepath.Join(l.root, tombstone.File), tombstone.Header+stone.String()+"\n")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if e := l.endSession(r.dir, sessionA, f); e.File != "" {
		t.Errorf("archived again:\n%s", l.read(file))
	}
}

// TestArchiveOutlivesTheTranscript deletes the transcript, as the client does.
func TestArchiveOutlivesTheTranscript(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, relayTurns()...)
	log := l.observe(r.dir, gitmem.Observation{Session: sessionA, Call: "toolu_01", Tool: "Bash", OK: false,
		Input: "make flash", Output: "avrdude: programmer is not responding"})
	e := l.endSession(r.dir, sessionA, f)

	found := gitmem.Filter{Layer: "transcripts"}
	if a := l.ask(r.dir, "avrdude programmer is not responding", found); a.Confidence != gitmem.None {
		t.Errorf("an observation is found beside its transcript: %s", describe(a))
	}
	if err := os.Remove(f); err != nil {
		t.Fatal(err)
	}
	a := l.ask(r.dir, "avrdude programmer is not responding", found)
	equal(t, "observation", []string{"observation:" + sessionA + ":" + markdown.ContentID("toolu_01")}, citations(a))
	if !strings.Contains(l.read(log), a.Citations[0].Excerpt) {
		t.Errorf("%q is not in the log", a.Citations[0].Excerpt)
	}
	l.holds(l.ask(r.dir, "where did I leave off?", gitmem.Filter{}), "relay")
	ideas := regexp.MustCompile(`\((L\d+) \d\d:\d\d\) \^(i-[a-z0-9]{10})\n`).
		FindAllStringSubmatch(l.read(filepath.Join(l.root, e.File)), -1)
	if len(ideas) < 4 {
		t.Fatalf("ideas of the section: %q", ideas)
	}
	for _, i := range ideas {
		l.with(r.dir, func(m *gitmem.Memory) error {
			s, err := m.Shown(t.Context(), "idea:"+i[2], gitmem.ShowOptions{})
			equal(t, "source of "+i[2], []string{"idea", sessionA}, []string{s.Source, s.Session})
			return err
		})
	}
	a = l.ask(r.dir, "why the ten ampere relay?", gitmem.Filter{Layer: "summaries"})
	l.holds(a, "because the pump draws seven ampere")
	if !strings.HasPrefix(a.Citations[0].ID, "idea:i-") {
		t.Errorf("the first citation is %s", a.Citations[0].ID)
	}
}

func TestStopCommitsTheLog(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	stop := func() (commit string) {
		l.with(r.dir, func(m *gitmem.Memory) (err error) {
			commit, err = m.Sessions().Stop(t.Context(), sessionA)
			return err
		})
		return commit
	}
	l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Read", OK: true})
	equal(t, "stop without a repository", "", stop())
	if _, err := os.Lstat(filepath.Join(l.root, ".git")); !os.IsNotExist(err) {
		t.Errorf("a hook made a repository: %v", err)
	}
	l.note(r.dir, "The pump has a door")
	l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Edit", OK: true})
	if stop() == "" {
		t.Error("nothing was committed")
	}
	equal(t, "a second stop", "", stop())
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
}

func TestStopAfterMidnight(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Edit", OK: true})
	l.now = l.now.AddDate(0, 0, 1)
	l.with(r.dir, func(m *gitmem.Memory) error {
		_, err := m.Sessions().Stop(t.Context(), sessionA)
		return err
	})
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
}

func TestContinueSkipsTrivialSessions(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-10T11:00:00Z", text: "hello"})
	l.holds(l.ask(r.dir, "where did I leave off?", gitmem.Filter{}), "relay")
}

// TestLogsOfSessionsWithOneBeginning checks that sessions with a common id prefix have separate logs.
func TestLogsOfSessionsWithOneBeginning(t *testing.T) {
	t.Parallel()
	gap(t, "logs and the search for live transcripts know a session by the first eight characters of its id")
	l := newLab(t)
	r := l.repo("pump")
	for _, session := range []string{"nightly-build-1", "nightly-build-2"} {
		l.observe(r.dir, gitmem.Observation{Session: session, Tool: "Bash", OK: true, Input: "make " + session})
	}
	logs, err := filepath.Glob(filepath.Join(l.root, "gitmem/projects/*/*/observations/*/*"))
	if len(logs) != 2 || err != nil {
		t.Errorf("logs %q, %v", logs, err)
	}
}

// TestResumedOnAnotherDay checks that the section stays in the file of its first day, with the later day.
func TestResumedOnAnotherDay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-08T23:50:00Z",
		text: "Choose a relay for the pump"},
		turn{role: "assistant", at: "2025-03-09T00:10:00Z", text: "We chose ten ampere because it draws seven."})
	l.endSession(r.dir, sessionA, f)
	says(t, l.start(r.dir, sessionC), "- 2025-03-08 23:50–2025-03-09 00:10 UTC: “Choose a relay for the pump”")
	l.endSession(r.dir, sessionB,
		l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-09T08:00:00Z",
			text: "Weld the bracket to the frame"},
			turn{role: "assistant", at: "2025-03-09T08:10:00Z", text: "It is welded with steel because it bends."}))
	l.appendTo(f, transcriptText(t, r.dir, sessionA, turn{role: "user", at: "2025-03-10T07:00:00Z",
		text: "Now test the relay at night"},
		turn{role: "assistant", at: "2025-03-10T07:05:00Z", text: "We chose a longer debounce because the contacts bounce."}))
	file := l.endSession(r.dir, sessionA, f).File
	if text := l.read(filepath.Join(l.root, file)); !strings.Contains(text, " · 2025-03-10 07:00–07:05 UTC\n") {
		t.Errorf("the continuation has no day:\n%s", text)
	}
	g := l.start(r.dir, sessionC)
	says(t, g, "newest first\n- 2025-03-10 07:00–07:05 UTC: “Now test the relay at night (continued)”",
		"→ “We chose a longer debounce",
		"- decision 2025-03-10: “We chose a longer debounce because the contacts bounce.” [idea:",
		"- decision 2025-03-08: “We chose ten ampere")
	saysNot(t, g, "through: line", "asked in it: “Now test")
	if i := strings.Index(g.Text, "decision 2025-03-10"); !strings.Contains(g.Text[i:i+120], " · untrusted]") {
		t.Errorf("an assistant's words are the user's:\n%s", g.Text)
	}
}

// TestLowValueTurns checks that greetings and agreement are neither titles nor work, but do answer the assistant's
// questions.
func TestLowValueTurns(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-08T09:00:00Z", text: "hi there"},
		turn{role: "assistant", at: "2025-03-08T09:01:00Z", text: "Hello."},
		turn{role: "user", at: "2025-03-08T09:02:00Z", text: "Choose a relay for the pump"},
		turn{role: "assistant", at: "2025-03-08T09:10:00Z", text: "Should we use the ten ampere relay for the pump?"},
		turn{role: "user", at: "2025-03-08T09:11:00Z", text: "ja, mach bitte weiter"},
		turn{role: "assistant", at: "2025-03-08T09:12:00Z", text: "session: " + sessionB +
			" is done. We chose ten ampere because it draws seven."})
	text := l.read(filepath.Join(l.root, l.endSession(r.dir, sessionA, f).File))
	_, section, _ := strings.Cut(text, "\n## ")
	for _, want := range []string{"Choose a relay for the pump ^s-", "\n\nThe session: " + sessionB,
		"\n- [work] Choose a relay for the pump (L3", "\n\nmessages: 6 · last prompt: line 5 · branch "} {
		if !strings.Contains(section, want) {
			t.Errorf("the section lacks %q:\n%s", want, section)
		}
	}
	if !strings.Contains(section, "\nsession: "+sessionA+" · through: line 6 ") || strings.Count(section, "[work]") != 1 {
		t.Errorf("the head or the work is wrong:\n%s", section)
	}
	if told := l.start(r.dir, sessionC).Text; strings.Contains(told, "Should we use") ||
		!strings.Contains(told, "Choose a relay for the pump") {
		t.Errorf("a question that was answered is open, or the session is missing:\n%s", told)
	}
	again := l.endSession(r.dir, sessionA, f)
	if again.File != "" {
		t.Errorf("archived twice: %+v", again)
	}
}

// TestOwnSummary checks that a session's own summary begins its section, and appears once.
func TestOwnSummary(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	at := l.now.UTC()
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: at.Add(-time.Minute).Format(time.RFC3339),
		text: "Choose a relay for the pump"},
		turn{role: "assistant", at: at.Add(time.Minute).Format(time.RFC3339),
			text: "We chose ten ampere because it draws seven."})
	const summary = "The relay is chosen; the driver is next."
	for _, text := range []string{"An earlier one.", summary} {
		if err := l.open(r.dir).Sessions().Leave(t.Context(), sessionA, gitmem.SummaryEntry, text); err != nil {
			t.Fatal(err)
		}
	}
	text := l.read(filepath.Join(l.root, l.endSession(r.dir, sessionA, f).File))
	if !strings.Contains(text, " ^s-"+sessionA[:8]+"\n\n"+summary+"\n\nWe chose ten ampere") {
		t.Errorf("the section does not begin with it:\n%s", text)
	}
	if told := l.start(r.dir, sessionC).Text; strings.Count(told, summary) != 1 {
		t.Errorf("it is told %d times:\n%s", strings.Count(told, summary), told)
	}
}

// TestNothingAsked checks that a session with work, but without a substantial prompt, gets its outcome as title, and
// that this is not attributed to the user.
func TestNothingAsked(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	edit := map[string]any{"type": "tool_use", "id": "t1", "name": "Edit",
		"input": map[string]any{"file_path": filepath.Join(r.dir, "relay.c")}}
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-08T09:00:00Z", text: "mach weiter"},
		turn{role: "assistant", at: "2025-03-08T09:01:00Z", text: "The contacts of the relay are debounced now.", tool: edit})
	const title = "“The contacts of the relay are debounced now.”"
	live := l.start(r.dir, sessionC)
	says(t, live, "(not archived yet): "+title+", wrote “relay.c” [transcript:"+sessionA+":2 · untrusted]")
	saysNot(t, live, "weiter", "→")
	text := l.read(filepath.Join(l.root, l.endSession(r.dir, sessionA, f).File))
	if !strings.Contains(text, "\n## The contacts of the relay are debounced now. ^s-") ||
		strings.Contains(text, "[work]") {
		t.Errorf("the section is\n%s", text)
	}
	archived := l.start(r.dir, sessionC)
	says(t, archived, title+", wrote “relay.c” [session:2025-03-08#s-"+sessionA[:8]+" · untrusted]")
	saysNot(t, archived, "weiter", "→")
}

// TestOlderSections checks older sections, which list agreement as work and may have it as title: the title is
// nevertheless the first prompt with content, and agreement answers questions.
func TestOlderSections(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, dir := pumpStore(l)
	const id = "aaaa0000-0000-4000-8000-00000000000a"
	l.write(filepath.Join(l.root, dir, "sessions/2025/2025-03-08.md"), archiveDay("github.com/acme/pump", "2025-03-08", `
## hi there ^s-aaaa0000

session: `+id+` · 14:02–15:40 UTC · branch main · 8 messages · outcome: done
wrote: relay.c · through: line 8 9c1e

Chose 10 A relays after the pump measured 7 A.

- [work] hi there (L1 14:02) ^i-aaaaaaaaaa
- [work] Wire the relay board (L3 14:04) ^i-aaaaaaaaab
- [work] Use a coil for five volt (L5 14:10) ^i-aaaaaaaaac
- [work] yes, do it (L7 14:30) ^i-aaaaaaaaad
- [question] Shall I order ten of them? (L6 14:20) ^i-aaaaaaaaae
`))
	g := l.start(r.dir, sessionC)
	says(t, g, "“Wire the relay board”, wrote “relay.c” [session:2025-03-08#s-aaaa0000 · mine] → “Chose 10 A relays",
		"- asked in it: “Use a coil")
	saysNot(t, g, "hi there", "yes, do it", "Shall I order")
}

// TestLateFirstPrompt checks that the title of a long unarchived session is the first prompt with content, at any
// position.
func TestLateFirstPrompt(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	long := strings.Repeat("The relay clicks. ", 6000)
	l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-08T09:00:00Z", text: "hi there"},
		turn{role: "assistant", at: "2025-03-08T09:01:00Z", text: long},
		turn{role: "user", at: "2025-03-08T09:02:00Z", text: "Wire the relay board"},
		turn{role: "assistant", at: "2025-03-08T09:03:00Z", text: long},
		turn{role: "user", at: "2025-03-08T09:04:00Z", text: "Order a spare fuse as well"})
	says(t, l.start(r.dir, sessionC), "“Wire the relay board” [transcript:"+sessionA+":3 · mine]",
		"- asked in it: “Order a spare fuse as well”")
}
