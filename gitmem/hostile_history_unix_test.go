//go:build unix

package gitmem_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestSecretWorkingFolder has a record that names a folder with a secret, in a transcript without one.
func TestSecretWorkingFolder(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	secret := "ghp_" + strings.Repeat("aB3dE5fG7h", 4)[:36]
	l.write(filepath.Join(l.root, "projects", "-w-pump", sessionA+".jsonl"), `{"type":"user","sessionId":"`+sessionA+
		`","uuid":"u1","timestamp":"2025-11-20T10:00:00Z","cwd":"/w/`+secret+
		`","message":{"role":"user","content":"the xylophone"}}`+"\n")
	if hits := l.search(dir, "xylophone", gitmem.Filter{Project: "all"}).Hits; len(hits) != 0 {
		t.Errorf("found: %+v", hits)
	}
	l.noSecretInIndex(secret)
}

// TestHostilePromptHistory has a prompt history of a folder with a secret in its name, and then a pipe without a
// writer.
func TestHostilePromptHistory(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	file := filepath.Join(l.root, "history.jsonl")
	secret := "ghp_" + strings.Repeat("aB3dE5fG7h", 4)[:36]
	line := `{"display":"the xylophone","timestamp":1763600000000,"project":"/w/` + secret + `","sessionId":"` +
		sessionA + `"}` + "\n"
	if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	if hits := l.search(dir, "xylophone", gitmem.Filter{Project: "all"}).Hits; len(hits) != 0 {
		t.Errorf("found: %+v", hits)
	}
	l.noSecretInIndex(secret)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip(err)
	}
	l.with(dir, func(m *gitmem.Memory) error {
		if _, err := m.Shown(t.Context(), "prompt:"+sessionA+":1", gitmem.ShowOptions{}); !errors.Is(err,
			gitmem.ErrNotFound) {
			t.Errorf("a pipe: %v", err)
		}
		return nil
	})
}

// noSecretInIndex searches every file of the indexes.
func (l *lab) noSecretInIndex(secret string) {
	l.t.Helper()
	kept, err := filepath.Glob(filepath.Join(l.root, "gitmem", ".index", "shards", "*", "g*", "*"))
	if err != nil || len(kept) == 0 {
		l.t.Fatalf("no index: %v", err)
	}
	for _, f := range kept {
		if b, err := os.ReadFile(f); err != nil || strings.Contains(string(b), secret) {
			l.t.Errorf("%s holds the secret, or: %v", f, err)
		}
	}
}
