package gitmem_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// keepers returns a lab that keeps transcripts, with one session.
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
	return l.write(filepath.Join(l.root, "gitmem", "local.yaml"), text)
}

func (l *lab) keep(dir, session, file string) (did string) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		did, err = m.Sessions().KeepTranscript(l.t.Context(), session, file)
		return err
	})
	return did
}

// renew rewrites a file by a rename, as some programs do.
func (l *lab) renew(name, text string) {
	l.t.Helper()
	beside := l.write(name+".new", text)
	if err := os.Rename(beside, name); err != nil {
		l.t.Fatal(err)
	}
}

// Both versions answer questions after the client's file is deleted.
func TestKeptVersionsAnswer(t *testing.T) {
	t.Parallel()
	l, dir, client, _ := keepers(t)
	turns := []turn{
		{role: "user", at: "2025-03-09T14:00:00Z", text: "Solder the thermistor to the board"},
		{role: "user", at: "2025-03-09T14:01:00Z", text: "Weld the bracket to the frame"},
	}
	for _, tn := range turns {
		l.renew(client, transcriptText(t, dir, sessionA, tn))
		l.keep(dir, sessionA, client)
	}
	if err := os.RemoveAll(filepath.Dir(client)); err != nil {
		t.Fatal(err)
	}
	for _, tn := range turns {
		l.holds(l.ask(dir, tn.text, gitmem.Filter{}), tn.text)
	}
}
