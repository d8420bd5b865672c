package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestForgeAwaited lets the indexer wait for a server that stops answering after its first pages: a terminal
// shows what it waits for, and an interrupt keeps the received data.
func TestForgeAwaited(t *testing.T) {
	t.Parallel()
	repo := forgedRepository(t)
	stuck := make(chan struct{}, 100)
	f := newHostileForge(t, func(f *hostileForge, w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Query().Get("page") > "1":
			stuck <- struct{}{}
			silence(f, w, r)
		case strings.HasSuffix(r.URL.Path, "/issues"):
			next := fmt.Sprintf("<%s%s?page=2>; rel=\"next\"", f.URL, r.URL.Path)
			plainly(200, `[{"number":7,"title":"The gear pump leaks","body":"At 4 bar it leaks.","state":"open",`+
				`"user":{"login":"ada"},"created_at":"2024-01-02T03:04:05Z","updated_at":"2024-01-02T03:04:05Z"}]`, "Link",
				next)(f, w, r)
		default:
			plainly(200, "[]")(f, w, r)
		}
	})
	l := newLab(t)
	l.env = append(l.env, "GITMEM_OFFLINE=", stoppedClock(), "GH_ENTERPRISE_TOKEN="+forgeToken, "TERM=xterm")
	l.configure(fmt.Sprintf("forges: [{host: git.example.org, kind: github, api: '%s/api'}]\n", f.URL))
	master, slave := openPty(t)
	c := l.command("index")
	c.Dir, c.Stderr = repo, slave
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	shown := make(chan string, 1)
	go func() { shown <- readTerminal(master) }()
	<-stuck
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); !errors.As(err, new(*exec.ExitError)) || c.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("the indexer ended with %v", err)
	}
	if text := <-shown; !strings.Contains(text, "waiting for git.example.org/acme/pump") ||
		!strings.Contains(text, "(Ctrl-C ends it and loses nothing)") {
		t.Errorf("the terminal showed %q", text)
	}
	l.env = append(l.env, "GITMEM_OFFLINE=1")
	c = l.command("search", "gear pump leaks")
	c.Dir = repo
	if out, err := c.Output(); err != nil || !strings.Contains(string(out), "github:issue:7") {
		t.Errorf("what came before the interrupt: %v\n%s%s", err, out, stderrOf(err))
	}
}
