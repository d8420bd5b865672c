package gitmem_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
)

// keepers is a lab that keeps transcripts, with one session in it.
func keepers(t *testing.T) (l *lab, dir, client, kept string) {
	t.Helper()
	l = newLab(t)
	dir = filepath.Join(l.base, "pump")
	l.mkdir(dir)
	l.configure("keep_transcripts: on\n")
	client = l.transcriptFile(dir, sessionA, relayTurns()...)
	kept = filepath.Join(l.root, "gitmem", "transcripts", munge(dir), sessionA+".jsonl")
	return l, dir, client, kept
}

func (l *lab) configure(text string) string {
	l.t.Helper()
	return l.write(filepath.Join(l.root, "gitmem", "config.yaml"), text)
}

func (l *lab) keep(dir, session, file string) (did string) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		did, err = m.Sessions().KeepTranscript(l.t.Context(), session, file)
		return err
	})
	return did
}

// renew writes a file anew, as programs do that write beside and rename.
func (l *lab) renew(name, text string) {
	l.t.Helper()
	beside := l.write(name+".new", text)
	if err := os.Rename(beside, name); err != nil {
		l.t.Fatal(err)
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
	l, dir, client, kept := keepers(t)
	if did := l.keep(dir, sessionA, client); did != "kept 1 transcript" {
		t.Errorf("KeepTranscript = %q", did)
	}
	if did := l.keep(dir, sessionA, client); did != "" {
		t.Errorf("the second time KeepTranscript = %q", did)
	}
	if !sameFile(t, client, kept) {
		t.Error("the kept transcript is a copy: it takes space and lags")
	}
	before := l.read(client)
	if err := os.Remove(client); err != nil {
		t.Fatal(err)
	}
	if l.read(kept) != before {
		t.Error("the kept transcript lost something with the client's")
	}
	if info, err := os.Stat(filepath.Join(l.root, "gitmem", "transcripts")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is open to others: %v, %v", info.Mode(), err)
	}
}

// A transcript that others may read is copied, since a link would be as open, and
// the copy follows.
func TestKeepCopies(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no permissions to copy for")
	}
	l, dir, client, kept := keepers(t)
	if err := os.Chmod(client, 0o644); err != nil {
		t.Fatal(err)
	}
	l.keep(dir, sessionA, client)
	for range 2 {
		info, err := os.Stat(kept)
		if err != nil || info.Mode().Perm() != 0o600 || sameFile(t, client, kept) {
			t.Errorf("%v, %v: want a copy that is closed to others", info, err)
		}
		if l.read(kept) != l.read(client) {
			t.Error("the copy lags")
		}
		l.appendTo(client, transcriptText(t, dir, sessionA, turn{role: "user", at: "2025-03-09T16:00:00Z", text: "And now the range test"}))
		l.keep(dir, sessionA, client)
	}
	if info, _ := os.Stat(client); info.Mode().Perm() != 0o644 {
		t.Errorf("the client's file was touched: %v", info.Mode())
	}
}

// What the client replaces its file by takes the place of what is kept only when
// nothing is lost by that.
func TestKeepReplaced(t *testing.T) {
	t.Parallel()
	one := turn{role: "user", at: "2025-03-09T14:00:00Z", text: "Solder the thermistor to the board"}
	two := turn{role: "user", at: "2025-03-09T14:01:00Z", text: "Weld the bracket to the frame"}
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
			l, dir, client, kept := keepers(t)
			text := func(turns []turn) string { return transcriptText(t, dir, sessionA, turns...) }
			l.renew(client, text(tt.old))
			l.keep(dir, sessionA, client)
			l.renew(client, text(tt.next))
			l.keep(dir, sessionA, client)
			l.keep(dir, sessionA, client)
			if diff := cmp.Diff(text(tt.want), l.read(kept)); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			older, err := os.ReadFile(strings.TrimSuffix(kept, ".jsonl") + "_1.jsonl")
			if tt.older == nil != (err != nil) || err == nil && string(older) != text(tt.older) {
				t.Errorf("the older version: %v\n%s", err, older)
			}
			if err := os.RemoveAll(filepath.Dir(client)); err != nil {
				t.Fatal(err)
			}
			for _, turns := range [][]turn{tt.want, tt.older} {
				for _, tn := range turns {
					l.holds(l.ask(dir, tn.text, gitmem.Filter{}), tn.text)
				}
			}
		})
	}
}

// Names from outside become no paths, and only the client's own transcripts are kept.
func TestKeepRefuses(t *testing.T) {
	t.Parallel()
	l, dir, client, kept := keepers(t)
	outside := l.write(filepath.Join("elsewhere", "x", sessionB+".jsonl"), l.read(client))
	if did := l.keep(dir, sessionB, outside); did != "" {
		t.Errorf("a file from elsewhere: %q", did)
	}
	m := l.open(dir)
	if did, err := m.Sessions().KeepTranscript(t.Context(), "../../"+sessionA, client); err == nil || did != "" {
		t.Errorf("a session id with slashes: %q, %v", did, err)
	}
	if runtime.GOOS != "windows" {
		link := filepath.Join(filepath.Dir(client), sessionB+".jsonl")
		if err := os.Symlink(outside, link); err != nil {
			t.Fatal(err)
		}
		if did := l.keep(dir, sessionB, link); did != "" {
			t.Errorf("a link: %q", did)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(kept)); err == nil {
		t.Errorf("kept all the same: %v", entries)
	}
}

// A session whose transcript the client deleted before its end is archived from
// what was kept.
func TestArchiveFromWhatWasKept(t *testing.T) {
	t.Parallel()
	l, dir, client, _ := keepers(t)
	l.keep(dir, sessionA, client)
	if err := os.Remove(client); err != nil {
		t.Fatal(err)
	}
	e := l.endSession(dir, sessionA, client)
	if !strings.Contains(l.read(filepath.Join(l.root, filepath.FromSlash(e.File))), "ten ampere relay") {
		t.Errorf("Sessions.End = %+v", e)
	}
}
