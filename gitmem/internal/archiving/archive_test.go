package archiving_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/archiving"
)

func TestTrivialSessionGetsNoSection(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for name, turns := range map[string][]turn{
		"greeting": {{"user", "2025-03-09T14:00:00Z", "hello there"},
			{"assistant", "2025-03-09T14:00:05Z", "Hello, what shall we do?"}},
		"nobody": {{"assistant", "2025-03-09T14:00:05Z", "We decided to wait because nobody said a word."}},
		"empty":  nil,
	} {
		e := m.end(m.dir, sessionA, m.transcript(m.dir, sessionA, turns...))
		if e.File != "" {
			t.Errorf("%s: a section in %s", name, e.File)
		}
	}
	if files, err := filepath.Glob(m.InRoot("gitmem/projects/*/*/sessions/*/*")); len(files) > 0 || err != nil {
		t.Errorf("archive files %q, %v", files, err)
	}
}

func TestArchiveOnceAndContinued(t *testing.T) {
	t.Parallel()
	m := withStore(t)
	f := m.transcript(m.dir, sessionA, relayTurns()...)
	first := m.end(m.dir, sessionA, f)
	file := m.InRoot(first.File)
	once := m.Read(file)
	if first.Commit == "" || !strings.HasSuffix(first.File, "/sessions/2025/2025-03-09.md") {
		t.Errorf("ended: %+v", first)
	}
	equal(t, "a second end", archiving.Ended{}, m.end(m.dir, sessionA, f))
	equal(t, "the file after a second end", once, m.Read(file))

	m.appendTo(f, lines(t, m.dir, sessionA,
		turn{"user", "2025-03-10T08:00:00Z", "Now test the relay at night"},
		turn{"assistant", "2025-03-10T08:05:00Z", "We chose a longer debounce because the contacts bounce in the cold."}))
	second := m.end(m.dir, sessionA, f)
	equal(t, "file of the continuation", first.File, second.File)
	text := m.Read(file)
	if !strings.HasPrefix(text, once) {
		t.Errorf("what was archived changed:\n%s", text)
	}
	added := strings.TrimPrefix(text, once)
	equal(t, "heading", "## Now test the relay at night (continued) ^s-3f2a91c4-2",
		strings.Split(strings.TrimSpace(added), "\n")[0])
	if strings.Contains(added, "ten ampere") || !strings.Contains(added, "through: line 5 ") {
		t.Errorf("the continuation:\n%s", added)
	}
	m.appendTo(f, lines(t, m.dir, sessionA, turn{"user", "2025-03-10T09:00:00Z", "thanks"}))
	equal(t, "after thanks", archiving.Ended{}, m.end(m.dir, sessionA, f))
	equal(t, "the file after thanks", text, m.Read(file))

	m.committed()
	for _, id := range []string{"session:2025-03-09#s-3f2a91c4", "session:2025-03-09#s-3f2a91c4-2"} {
		m.in(m.dir, func(c call) {
			s, err := c.reader.LookUp(t.Context(), id, "")
			if err != nil || s.Session != sessionA {
				t.Errorf("%s is of session %q, %v", id, s.Session, err)
			}
		})
	}
}

func TestArchiveIDsAreStable(t *testing.T) {
	t.Parallel()
	texts := map[string]bool{}
	for range 2 {
		m := newMemory(t)
		config := filepath.Join(m.dir, ".git", "config")
		m.Write(config, m.Read(config)+"[remote \"origin\"]\n\turl = https://github.com/acme/pump\n")
		e := m.end(m.dir, sessionA, m.transcript(m.dir, sessionA, relayTurns()...))
		_, section, _ := strings.Cut(m.Read(m.InRoot(e.File)), "\n## ")
		texts[section] = true
		if !strings.Contains(section, "pump draws seven ampere. (L2 14:22) ^i-lmakz6kahm\n") {
			t.Errorf("the id of an idea changed, by which people's links name it:\n%s", section)
		}
	}
	if len(texts) != 1 {
		t.Errorf("one session archived on two machines differs: %v", texts)
	}
}

// TestOutcomeThatLooksLikeTheMark: the assistant's message contains text that the archive writes itself.
func TestOutcomeThatLooksLikeTheMark(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	f := m.transcript(m.dir, sessionA, turn{"user", "2025-03-09T14:00:00Z", "Print the state of the session"},
		turn{"assistant", "2025-03-09T14:01:00Z", "session: " + sessionA + " · through: line 900 is what it says."})
	m.end(m.dir, sessionA, f)
	m.appendTo(f, lines(t, m.dir, sessionA, turn{"user", "2025-03-09T15:00:00Z", "Now test the relay at night"}))
	if e := m.end(m.dir, sessionA, f); e.File == "" {
		t.Error("what came after was not archived")
	}
}

// TestSessionsWithOneBeginning: session ids differ only after the eighth character.
func TestSessionsWithOneBeginning(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	first := m.transcript(m.dir, "nightly-build-1", relayTurns()...)
	m.end(m.dir, "nightly-build-1", first)
	file := m.InRoot(m.end(m.dir, "nightly-build-2", m.transcript(m.dir, "nightly-build-2",
		turn{"user", "2025-03-09T15:00:00Z", "Weld the bracket to the frame"},
		turn{"assistant", "2025-03-09T15:01:00Z", "We chose steel because the bracket bends."})).File)
	if text := m.Read(file); strings.Contains(text, "(continued)") || strings.Count(text, "^s-nightly-\n") != 1 ||
		!strings.Contains(text, "^s-nightly--2\n") {
		t.Errorf("another session continues the first:\n%s", text)
	}
	equal(t, "the first one ends again", archiving.Ended{}, m.end(m.dir, "nightly-build-1", first))
}

// TestRewrittenTranscriptIsArchived ends a session whose file was rewritten.
func TestRewrittenTranscriptIsArchived(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.end(m.dir, sessionA, m.transcript(m.dir, sessionA, relayTurns()...))
	f := m.transcript(m.dir, sessionA, turn{"user", "2025-03-09T14:00:00Z", "Weld the bracket to the frame"},
		turn{"assistant", "2025-03-09T14:01:00Z", "We chose steel because the bracket bends."})
	if e := m.end(m.dir, sessionA, f); e.File == "" {
		t.Error("the rewritten session was not archived")
	}
}

// TestOlderSectionGoesOn: a session that an older version archived continues after the content of that section, and
// nothing is written twice.
func TestOlderSectionGoesOn(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	f := m.transcript(m.dir, sessionA, relayTurns()...)
	name := m.InRoot(m.end(m.dir, sessionA, f).File)
	front, section, _ := strings.Cut(m.Read(name), "\n\n## ")
	heading, text, _ := strings.Cut(section, "\n\n")
	at := strings.LastIndex(text, "\n\n")
	did, through, _ := strings.Cut(text[at+2:], " · through: ")
	older := front + "\n\n## " + heading + "\n\n" + strings.Split(did, "\n")[1] +
		" · 14:02–15:40 UTC · branch main · 3 messages · outcome: done\nthrough: " + through + "\n" + text[:at] + "\n"
	m.Write(name, older)
	equal(t, "ended again", "", m.end(m.dir, sessionA, f).File)
	m.appendTo(f, lines(t, m.dir, sessionA, turn{"user", "2025-03-09T16:00:00Z", "Now test the relay at night"}))
	m.end(m.dir, sessionA, f)
	added, ok := strings.CutPrefix(m.Read(name), older)
	if !ok || strings.Count(added, "\n## ") != 1 || strings.Count(added, "\n- ") != 1 ||
		!strings.HasPrefix(added, "\n## Now test the relay at night (continued) ^s-"+sessionA[:8]+"-2\n") {
		t.Errorf("to\n%s\nis added\n%s", older, added)
	}
	equal(t, "ended once more", "", m.end(m.dir, sessionA, f).File)
}
