package archiving_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// keepers returns a memory that keeps transcripts and contains one session.
func keepers(t *testing.T) (m *memory, client, kept string) {
	t.Helper()
	m = newMemory(t)
	m.Configure("keep_transcripts: on\n")
	client = m.transcript(m.dir, sessionA, relayTurns()...)
	return m, client, m.InRoot("gitmem/transcripts/" + transcript.ProjectFolder(m.dir) + "/" + sessionA + ".jsonl")
}

func (m *memory) keep(session, file string) (did string) {
	m.t.Helper()
	m.in(m.dir, func(c call) {
		var err error
		if did, err = c.KeepTranscript(m.t.Context(), session, file); err != nil {
			m.t.Fatal(err)
		}
	})
	return did
}

// renew replaces a file through a temporary file and a rename.
func (m *memory) renew(name, text string) {
	m.t.Helper()
	if err := os.Rename(m.Write(name+".new", text), name); err != nil {
		m.t.Fatal(err)
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.Stat(b)
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}

func TestKeepIsALink(t *testing.T) {
	t.Parallel()
	m, client, kept := keepers(t)
	if did := m.keep(sessionA, client); did != "kept 1 transcript" {
		t.Errorf("KeepTranscript = %q", did)
	}
	if did := m.keep(sessionA, client); did != "" {
		t.Errorf("the second time KeepTranscript = %q", did)
	}
	if !sameFile(t, client, kept) {
		t.Error("the kept transcript is a copy: it takes space and lags")
	}
	before := m.Read(client)
	if err := os.Remove(client); err != nil {
		t.Fatal(err)
	}
	if m.Read(kept) != before {
		t.Error("the kept transcript lost something with the client's")
	}
	if info, err := os.Stat(m.InRoot("gitmem/transcripts")); err != nil || runtime.GOOS != "windows" &&
		info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is open to others: %v, %v", info.Mode(), err)
	}
}

// A transcript that others may read is copied, since a link would have the same permissions. The copy is updated.
func TestKeepCopies(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no permissions to copy for")
	}
	m, client, kept := keepers(t)
	if err := os.Chmod(client, 0o644); err != nil {
		t.Fatal(err)
	}
	m.keep(sessionA, client)
	for range 2 {
		info, err := os.Stat(kept)
		if err != nil || info.Mode().Perm() != 0o600 || sameFile(t, client, kept) {
			t.Errorf("%v, %v: want a copy that is closed to others", info, err)
		}
		if m.Read(kept) != m.Read(client) {
			t.Error("the copy lags")
		}
		m.appendTo(client, lines(t, m.dir, sessionA, turn{"user", "2025-03-09T16:00:00Z", "And now the range test"}))
		m.keep(sessionA, client)
	}
	if info, _ := os.Stat(client); info.Mode().Perm() != 0o644 {
		t.Errorf("the client's file was touched: %v", info.Mode())
	}
}

// If the client replaces its file, the new one replaces the kept one only if nothing is lost.
func TestKeepReplaced(t *testing.T) {
	t.Parallel()
	one := turn{"user", "2025-03-09T14:00:00Z", "Solder the thermistor to the board"}
	two := turn{"user", "2025-03-09T14:01:00Z", "Weld the bracket to the frame"}
	for name, tt := range map[string]struct {
		old, next   []turn
		want, older []turn
	}{
		"longer":   {[]turn{one}, []turn{one, two}, []turn{one, two}, nil},
		"shorter":  {[]turn{one, two}, []turn{one}, []turn{one, two}, nil},
		"the same": {[]turn{one}, []turn{one}, []turn{one}, nil},
		"another":  {[]turn{one}, []turn{two}, []turn{two}, []turn{one}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, client, kept := keepers(t)
			text := func(turns []turn) string { return lines(t, m.dir, sessionA, turns...) }
			m.renew(client, text(tt.old))
			m.keep(sessionA, client)
			m.renew(client, text(tt.next))
			m.keep(sessionA, client)
			m.keep(sessionA, client)
			if diff := cmp.Diff(text(tt.want), m.Read(kept)); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			older, err := os.ReadFile(strings.TrimSuffix(kept, ".jsonl") + "_1.jsonl")
			if tt.older == nil != (err != nil) || err == nil && string(older) != text(tt.older) {
				t.Errorf("the older version: %v\n%s", err, older)
			}
		})
	}
}

// Unsafe names do not become paths, and only the client's own transcripts are kept.
func TestKeepRefuses(t *testing.T) {
	t.Parallel()
	m, client, kept := keepers(t)
	outside := m.Write(filepath.Join(m.Home, "elsewhere", "x", sessionB+".jsonl"), m.Read(client))
	if did := m.keep(sessionB, outside); did != "" {
		t.Errorf("a file from elsewhere: %q", did)
	}
	m.in(m.dir, func(c call) {
		if did, err := c.KeepTranscript(t.Context(), "../../"+sessionA, client); err == nil || did != "" {
			t.Errorf("a session id with slashes: %q, %v", did, err)
		}
	})
	if runtime.GOOS != "windows" {
		link := filepath.Join(filepath.Dir(client), sessionB+".jsonl")
		if err := os.Symlink(outside, link); err != nil {
			t.Fatal(err)
		}
		if did := m.keep(sessionB, link); did != "" {
			t.Errorf("a link: %q", did)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(kept)); err == nil {
		t.Errorf("kept all the same: %v", entries)
	}
}

// A session whose transcript the client deleted before the session ended is archived from the kept copy.
func TestArchiveFromWhatWasKept(t *testing.T) {
	t.Parallel()
	m, client, _ := keepers(t)
	m.keep(sessionA, client)
	if err := os.Remove(client); err != nil {
		t.Fatal(err)
	}
	e := m.end(m.dir, sessionA, client)
	if !strings.Contains(m.Read(m.InRoot(e.File)), "ten ampere relay") {
		t.Errorf("End = %+v", e)
	}
}
