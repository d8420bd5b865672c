package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// longHistory makes the home a repository with this many commits, each of which adds a name to one of a few
// files.
func (l *lab) longHistory(n int) {
	l.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		l.t.Skip("git is not installed")
	}
	var b strings.Builder
	files := map[int]string{}
	for i := range n {
		files[i%40] += fmt.Sprintf("func gauge%d() {}\n", i)
		fmt.Fprintf(&b,
			"commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata <<.\nChange the meter\n.\n"+
				"M 644 inline f%d.go\ndata <<.\n%s.\n", 1_700_000_000+60*i, i%40, files[i%40])
	}
	for _, args := range [][]string{{"init", "--quiet", "--initial-branch=main"}, {"fast-import", "--quiet"}} {
		c := exec.Command(git, args...)
		c.Dir, c.Env, c.Stdin = l.home, append(l.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull),
			strings.NewReader(b.String())
		if out, err := c.CombinedOutput(); err != nil {
			l.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// TestQuestionsLeaveTheRestToTheBackground: the part of the index that a question does not wait for is built
// in the background, unless that is forbidden. It needs more commits than are read at once.
func TestQuestionsLeaveTheRestToTheBackground(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.longHistory(2100)
	allowed := l.env
	l.env = append(l.env, noBackground+"=1")
	const caveat = "older ones are not indexed yet"
	if out, err := l.command("search", "meter").Output(); err != nil || !strings.Contains(string(out), caveat) {
		t.Errorf("the first answer has no caveat: %v\n%s", err, out)
	}
	waiting := l.shard("history").Pending
	if waiting < 100 || waiting >= 2100 {
		t.Errorf("%d of 2100 commits wait, want 100 or what a slow machine leaves", waiting)
	}
	if out := l.must("index", "status"); !strings.Contains(out,
		fmt.Sprintf(", %d older commits are not indexed yet", waiting)) {
		t.Errorf("status says\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(l.indexDir(), "indexer.log")); err == nil {
		t.Error("an indexer was started although that is forbidden")
	}
	l.env = allowed
	l.must("search", "meter")
	if log := l.indexerEnds(); strings.Contains(log, "pending") || !strings.Contains(log, `"docs":2100`) {
		t.Errorf("the indexer said %s", log)
	}
	if out := l.must("search", "gauge7"); !strings.Contains(out, "Change the meter") || strings.Contains(out, caveat) {
		t.Errorf("what the eighth commit does is not found:\n%s", out)
	}
}
