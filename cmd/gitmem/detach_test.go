package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// lab is a memory root without a store, with transcripts, on which processes work.
type lab struct {
	t    *testing.T
	home string
	env  []string
}

func newLab(t *testing.T) *lab {
	t.Helper()
	home := t.TempDir()
	return &lab{t: t, home: home, env: append(os.Environ(), "HOME="+home, "USERPROFILE="+home,
		"XDG_CACHE_HOME="+filepath.Join(home, "cache"), "LocalAppData="+filepath.Join(home, "cache"), "GITMEM_TEST_NOW=",
		"GITMEM_TEST_WAIT=5m", "GITMEM_HOME=", "CLAUDE_CONFIG_DIR=")}
}

func (l *lab) command(args ...string) *exec.Cmd {
	c := exec.Command("gitmem", args...)
	c.Dir, c.Env = l.home, l.env
	return c
}

func (l *lab) must(args ...string) string {
	l.t.Helper()
	out, err := l.command(args...).Output()
	if err != nil {
		l.t.Fatalf("gitmem %s: %v\n%s%s", strings.Join(args, " "), err, out, stderrOf(err))
	}
	return string(out)
}

func stderrOf(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}

// say appends messages to the transcript of a session.
func (l *lab) say(session string, texts ...string) {
	l.t.Helper()
	dir := filepath.Join(l.home, ".claude", "projects", "-work-pump")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		l.t.Fatal(err)
	}
	var b strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&b,
			`{"type":"user","sessionId":%q,"cwd":"/work/pump","timestamp":"2026-01-02T03:04:05.000Z","uuid":"%s-%d",`+
				`"message":{"role":"user","content":%q}}`+"\n", session, text, i, text)
	}
	f, err := os.OpenFile(filepath.Join(dir, session+".jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(b.String())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

// shard returns the state of one index.
func (l *lab) shard(name string) gitmem.ShardStatus {
	l.t.Helper()
	var all []gitmem.ShardStatus
	if err := json.Unmarshal([]byte(l.must("index", "status", "--json")), &all); err != nil {
		l.t.Fatal(err)
	}
	for _, s := range all {
		if s.Name == name {
			return s
		}
	}
	l.t.Fatalf("no index %s in %v", name, all)
	return gitmem.ShardStatus{}
}

// until polls a condition, because nothing signals the end of a detached process.
func (l *lab) until(what string, done func() bool) {
	l.t.Helper()
	deadline := time.Now().Add(5 * time.Minute)
	for !done() {
		if time.Now().After(deadline) {
			l.t.Fatalf("waited in vain until %s", what)
		}
		runtime.Gosched()
	}
}

// indexDir returns the folder of the indexes of a root without a store.
func (l *lab) indexDir() string {
	l.t.Helper()
	var st gitmem.Status
	if err := json.Unmarshal([]byte(l.must("status", "--json")), &st); err != nil {
		l.t.Fatal(err)
	}
	return st.IndexDir
}

// indexerEnds waits for the line that a background indexer writes at its end.
func (l *lab) indexerEnds() (log string) {
	l.t.Helper()
	file := filepath.Join(l.indexDir(), "indexer.log")
	l.until("the indexer has ended", func() bool {
		b, err := os.ReadFile(file)
		log = string(b)
		return err == nil && strings.HasSuffix(log, "\n")
	})
	return log
}

func many(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("valve %d of the pump leaks at pressure p%d", i, i%97)
	}
	return texts
}

// TestDetachedIndexer starts an indexer, which must outlive its starting command, keep none of its files open
// and build a complete index.
func TestDetachedIndexer(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for n := range 4 {
		l.say(fmt.Sprintf("s%d", n), many(500)...)
	}
	busy := filepath.Join(l.indexDir(), "shards", "rules-user")
	if err := os.MkdirAll(busy, 0o700); err != nil {
		t.Fatal(err)
	}
	release := holdLock(t, filepath.Join(busy, "lock")) // the lock that the indexer waits for, for seconds
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := l.command("index", "--detach", "--json")
	if runtime.GOOS != "windows" {
		c.ExtraFiles = []*os.File{w} // like a client that leaves them open, with a reader that waits for the end
	}
	var out strings.Builder
	c.Stdout = &out // reads until all processes that inherited it have ended
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(strings.ReplaceAll(out.String(), "\n", "")) != `{  "started": true}` {
		t.Errorf("said %q", out.String())
	}
	_ = w.Close()
	if _, err := io.ReadAll(r); err != nil {
		t.Error(err)
	}
	// On a busy machine the indexer may have given up waiting for the lock and ended.
	if b, _ := os.ReadFile(filepath.Join(l.indexDir(), "indexer.log")); isNightly() && len(b) > 0 {
		t.Errorf("a file of the client's was open as long as the indexer ran, which has said %s", b)
	}
	release()
	l.until("everything is indexed", func() bool {
		s := l.shard("transcripts")
		return s.State == "current" && s.Docs == 2000 && !s.Busy
	})
	if log := l.indexerEnds(); !strings.Contains(log, `"docs":2000`) {
		t.Errorf("the indexer said %q", log)
	}
	if hits := l.must("search", "valve 1234 pressure"); !strings.Contains(hits, "valve") {
		t.Errorf("nothing found: %s", hits)
	}
}

// TestDetachedIndexerOnce holds the lock of a running indexer: no second one may start.
func TestDetachedIndexerOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.say("s", "the pump leaks")
	l.must("index")
	release := holdLock(t, filepath.Join(l.indexDir(), "indexer.lock"))
	if out := l.must("index", "--detach", "--json"); !strings.Contains(out, "false") {
		t.Errorf("beside a running one: %s", out)
	}
	out, err := l.command("index").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitLocked {
		t.Errorf("index beside a running one: %v\n%s", err, out)
	}
	release()
	if out := l.must("index", "--detach", "--json"); !strings.Contains(out, "true") {
		t.Errorf("alone: %s", out)
	}
	l.indexerEnds()
}

// TestIndexersOfTwoRepositories: whichever of two processes comes first, neither is refused nor waits for the
// other, and only one refreshes their common indexes.
func TestIndexersOfTwoRepositories(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.say("s", many(300)...)
	index := func(repo string) *exec.Cmd {
		c := l.command("index", "--json")
		c.Dir = filepath.Join(l.home, repo)
		return c
	}
	for _, repo := range []string{"crane", "pump"} {
		dir := filepath.Join(l.home, repo)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit",
			"-q", "--allow-empty", "-m", "Mend the " + repo}} {
			c := exec.Command("git", args...)
			c.Dir, c.Env = dir, l.env
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	dir := l.indexDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	release := holdLock(t, filepath.Join(dir, "indexer-sessions.lock"))
	out, err := index("crane").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "left to it") {
		t.Errorf("beside an indexer of another repository: %v\n%s", err, out)
	}
	release()
	if state := l.shard("transcripts"); state.Docs > 0 {
		t.Errorf("transcripts were indexed by two: %+v", state)
	}
	both := []*exec.Cmd{index("crane"), index("pump")}
	said := make([]strings.Builder, len(both))
	for i, c := range both {
		c.Stdout, c.Stderr = &said[i], &said[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range both {
		if err := c.Wait(); err != nil || !strings.Contains(said[i].String(), `"history"`) {
			t.Errorf("%s: %v\n%s", c.Dir, err, said[i].String())
		}
	}
	if state := l.shard("transcripts"); state.Docs != 300 {
		t.Errorf("after both: %+v", state)
	}
}

// TestDetachedIndexerKilled kills indexers at random times: the results of the next question are correct, and
// the next indexer starts.
func TestDetachedIndexerKilled(t *testing.T) {
	t.Parallel()
	nightly(t)
	if runtime.GOOS == "windows" {
		t.Skip("SIGKILL is not what ends processes on Windows")
	}
	l := newLab(t)
	docs := 0
	for round := range 6 {
		l.say(fmt.Sprintf("s%d", round), many(300)...)
		docs += 300
		c := l.command("index", "--background")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(round*25)*time.Millisecond, func() { _ = c.Process.Kill() })
		_ = c.Wait() // it was killed, or had ended before
		timer.Stop()
		word := fmt.Sprintf("zebra%d", round)
		l.say("last", word)
		docs++
		if out := l.must("search", word); !strings.Contains(out, word) {
			t.Fatalf("round %d: %s is not found:\n%s", round, word, out)
		}
		if s := l.shard("transcripts"); s.State != "current" || s.Docs != docs {
			t.Fatalf("round %d: %+v, want %d documents", round, s, docs)
		}
	}
}
