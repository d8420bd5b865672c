//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestProviderEnds: child processes of a provider's command end with the question, too.
func TestProviderEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	file := filepath.Join(filepath.Dir(d.repo), "pid")
	name := d.defineProvider("command: sh\nargs: [-c, 'tracker stays "+file+"; true']\nallowed_tools: [find]\n", "")
	d.withModel(t, "openai", "", []step{{Call: "mcp__tracker__find", Args: map[string]any{}}, {Answer: nothingRecorded()}})
	d.run("", "provider", "allow", name)
	d.run("", "ask", "--agent", "did anybody want Redis back?")
	b, err := os.ReadFile(file)
	d.check(err)
	pid, err := strconv.Atoi(string(b))
	d.check(err)
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(10 * time.Millisecond) // it stays a zombie until its new parent has waited for it
	}
	t.Errorf("the process %d is left", pid)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}
