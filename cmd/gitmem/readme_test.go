package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// fenced returns the lines of the README's code blocks in one language.
func fenced(t *testing.T, language string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	in := false
	for sc := bufio.NewScanner(f); sc.Scan(); {
		switch line := sc.Text(); {
		case strings.HasPrefix(line, "```"):
			in = line == "```"+language
		case in:
			lines = append(lines, line)
		}
	}
	return lines
}

// TestReadmeFirstCommand runs the README's command on this clone, with the go command and an empty home.
func TestReadmeFirstCommand(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("short: builds the program once more")
	}
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", top, "log", "--oneline", "--", "markdown").Output(); err != nil ||
		len(out) == 0 {
		t.Skip("this is no clone with the history of markdown/: nothing to ask")
	}
	want := `go run ./cmd/gitmem ask "who knows markdown/?"`
	if !strings.Contains(strings.Join(fenced(t, "sh"), "\n"), want+"\ngo test -timeout 20m ./...") {
		t.Fatalf("the README must show %s and go test -timeout 20m ./...", want)
	}
	home := t.TempDir()
	c := exec.Command("go", "run", "./cmd/gitmem", "ask", "who knows markdown/?")
	c.Dir = top
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GITMEM_HOME=", "CLAUDE_CONFIG_DIR=", "CLAUDECODE=")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} { // their default is below HOME
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		c.Env = append(c.Env, name+"="+strings.TrimSpace(string(out)))
	}
	// No forge is contacted, and no process continues indexing after the folder was removed.
	c.Env = append(c.Env, "GITMEM_OFFLINE=1", noBackground+"=1", "HOME="+home, "USERPROFILE="+home, "XDG_CACHE_HOME="+
		filepath.Join(home, "cache"), "LocalAppData="+filepath.Join(home, "cache"))
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !regexp.MustCompile(`(?s)^- \*\*.+markdown/.+\[git:commit:[0-9a-f]{12}\].*verdict: answered`).Match(out) {
		t.Errorf("nobody who knows markdown/ was named:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(home, ".claude")); err == nil {
		t.Error("asking made a store")
	}
}

// TestReadmePicture regenerates the picture of the README's session.
func TestReadmePicture(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("the script that draws it wants bash")
	}
	program, err := exec.LookPath("gitmem")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(bash, filepath.Join("..", "..", ".ci", "session"), "-check",
		program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
