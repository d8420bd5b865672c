package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOfferedClients: a person at a terminal is asked once which of the installed clients should get gitmem,
// too, and no other client gets it.
func TestOfferedClients(t *testing.T) {
	t.Parallel()
	a, out := installer(t)
	for _, dir := range []string{".codex", ".gemini", ".pi/agent"} {
		if err := os.MkdirAll(filepath.Join(a.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	master, slave := openPty(t)
	run := func(answer string, args ...string) string {
		t.Helper()
		out.Reset()
		if _, err := master.WriteString(answer + "n\nn\nn\nn\n"); err != nil { // the rest answers other questions
			t.Fatal(err)
		}
		if code := a.run(t.Context(), args); code != exitOK {
			t.Fatalf("%v: %d %s", args, code, out)
		}
		if err := unix.IoctlSetInt(int(slave.Fd()), unix.TCFLSH, unix.TCIFLUSH); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	const also = "also here: Codex CLI (gitmem install --client codex), Gemini CLI (gitmem install --client gemini), pi " +
		"(gitmem install --client pi)"
	if shown := run("", "install"); !strings.Contains(shown, also) || strings.Contains(shown, "Which of them") {
		t.Errorf("without a terminal: %s", shown)
	}
	a.in, a.outTTY = slave, true
	if shown := run("none\n", "install"); strings.Count(shown, "Which of them") != 1 ||
		strings.Contains(shown, "also here:") {
		t.Errorf("none: %s", shown)
	}
	if _, err := os.Stat(filepath.Join(a.home, ".codex", "config.toml")); err == nil {
		t.Error("none was answered, and Codex got it")
	}
	shown := run("pi, codex\n", "install")
	for path, want := range map[string]bool{".codex/config.toml": true, ".codex/hooks.json": true,
		".pi/agent/mcp.json": true, ".gemini/settings.json": false} {
		if _, err := os.Stat(filepath.Join(a.home, path)); (err == nil) != want {
			t.Errorf("%s: %v\n%s", path, err, shown)
		}
	}
	if shown := run("\n", "install"); !strings.Contains(shown, "Also here: Gemini CLI. ") {
		t.Errorf("once more: %s", shown)
	}
	if shown := run("", "uninstall"); !strings.Contains(shown,
		"it stays in other clients: Codex CLI (gitmem uninstall --client codex), pi (gitmem uninstall --client pi)") {
		t.Errorf("uninstalled: %s", shown)
	}
}
