package gitmem_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// TestEndlessTranscript passes a device that is endless to read.
func TestEndlessTranscript(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("this system has no /dev/zero")
	}
	l := newLab(t)
	repo := l.repo("pump")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		l.with(repo.dir, func(m *gitmem.Memory) error {
			ended, err := m.Sessions().End(ctx, sessionA, "/dev/zero")
			if ended.File != "" {
				t.Errorf("archived in %s", ended.File)
			}
			done <- err
			return nil
		})
	}()
	select {
	case err := <-done:
		must(t, err)
	case <-ctx.Done():
		t.Fatal("the end of a session reads a device for ever")
	}
}

// TestObserveDisguised logs secrets in the forms in which other tools print them.
func TestObserveDisguised(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	repo := l.repo("pump")
	line := strings.Repeat("aB3dE5gH7jK9mN1p", 4)
	raw, err := json.Marshal([]map[string]string{{"text": "     1\t-----BEGIN RSA PRIVATE KEY-----\n     2\t" + line +
		"\n     3\t" + line + "\nof the pump"}})
	must(t, err)
	l.with(repo.dir, func(m *gitmem.Memory) error {
		for _, text := range []string{string(raw), "\x1b[1m\"password\"\x1b[0m:\x1b[32m \"Tr0ubadour7x\"\x1b[0m of the pump",
			`{"q":"gh\u0070_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5 of the pump"}`} {
			if _, err := m.Sessions().Observe(t.Context(), gitmem.Observation{Session: sessionA, Tool: "mcp__x__y", OK: true,
				Input: text, Output: text}); err != nil {
				return err
			}
		}
		return nil
	})
	all := ""
	for _, text := range filesBelow(t, filepath.Join(l.root, "gitmem", "projects")) {
		all += text
	}
	if strings.Count(all, "[redacted:") != 6 {
		t.Errorf("not 6 marks: %s", all)
	}
	for _, secret := range []string{line, "Tr0ubadour7x", "aB3dE5gH7jK9mN1pQ3", "\x1b", "[32m"} {
		if strings.Contains(all, secret) {
			t.Errorf("the log holds %q: %s", secret, all)
		}
	}
}
