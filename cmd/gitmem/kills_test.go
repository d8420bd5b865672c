package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// killed is a store whose writers are killed while git works in it too.
type killed struct {
	*storm
	rng   *rand.Rand
	dir   string // of a project
	spans map[string]time.Duration
	next  int

	kept  []string // acknowledged texts: once in HEAD
	tried []string // texts of killed processes: at most once in HEAD
	kills map[string]int
	deadLocks,
	retries int // retries of git after our next call
	waits []time.Duration
}

// TestKillsBesideGit kills processes of every writing verb at random times while a real git adds, commits,
// reads and packs in the same repository. The full form kills 200: go test ./cmd/gitmem -run KillsBesideGit
// -kills 200 -v
func TestKillsBesideGit(t *testing.T) {
	t.Parallel()
	nightly(t)
	if runtime.GOOS == "windows" {
		t.Skip("SIGKILL is not what ends processes on Windows")
	}
	n := numberFlag(t, "kills")
	k := &killed{storm: newStorm(t), rng: rand.New(rand.NewPCG(3, 5)), spans: map[string]time.Duration{},
		kills: map[string]int{}}
	k.dir = filepath.Join(k.home, "pump")
	k.must("git", "init", "--quiet", k.dir)
	k.must("git", "-C", k.dir, "commit", "--quiet", "--allow-empty", "--message", "first")
	for _, verb := range killVerbs() {
		k.measure(verb)
	}
	done := make(chan struct{})
	var gits sync.WaitGroup
	commits := 0
	gits.Go(func() { commits = k.gitAtWork(done) })
	for total := 0; total < n; {
		if k.kill(killVerbs()[k.rng.IntN(len(killVerbs()))]) {
			total++
		}
	}
	close(done)
	gits.Wait()
	k.finish()
	slices.Sort(k.waits)
	t.Logf("%d kills (%v), %d acknowledged, %d commits by git beside; after the next call of ours: %d dead locks, %d "+
		"tries of git more; git waited %v in the median and %v at most",
		n, k.kills, len(k.kept), commits, k.deadLocks, k.retries, k.waits[len(k.waits)/2].Round(time.Millisecond),
		k.waits[len(k.waits)-1].Round(time.Millisecond))
}

func killVerbs() []string { return []string{"note", "post-tool-use", "stop", "archive"} }

// text returns a unique text for one operation, by which it is found again.
func (k *killed) text(verb string) string {
	k.next++
	return fmt.Sprintf("kill %s %04d end", verb, k.next)
}

// session returns the id of one of a few sessions, so that logs are shared.
func (k *killed) session() string { return fmt.Sprintf("%08d-18be-494e-9c54-6e697febc51c", k.next%3) }

// prepare returns a process of a verb, and the text that is acknowledged if it succeeds, or is in HEAD then.
func (k *killed) prepare(verb string) (c *exec.Cmd, text string) {
	text = k.text(verb)
	switch verb {
	case "note":
		c = k.command("gitmem", "note", "--force", text)
	case "post-tool-use":
		c = k.hook(verb, map[string]any{"session_id": k.session(), "tool_name": "Bash",
			"tool_input": map[string]string{"command": text}})
	case "stop":
		k.observe(text)
		c = k.hook(verb, map[string]any{"session_id": k.session()})
	case "archive":
		id := fmt.Sprintf("e%07d-18be-494e-9c54-6e697febc51c", k.next)
		c = k.hook(verb, map[string]any{"session_id": id, "transcript_path": k.transcript(id, text)})
	}
	c.Dir = k.dir
	return c, text
}

func (k *killed) hook(name string, payload map[string]any) *exec.Cmd {
	k.t.Helper()
	payload["cwd"] = k.dir
	b, err := json.Marshal(payload)
	if err != nil {
		k.t.Fatal(err)
	}
	c := k.command("gitmem", "hook", name)
	c.Stdin = strings.NewReader(string(b))
	return c
}

// observe appends to the current session's log, so that a stop has something to commit.
func (k *killed) observe(text string) {
	k.t.Helper()
	c := k.hook("post-tool-use", map[string]any{"session_id": k.session(), "tool_name": "Bash",
		"tool_input": map[string]string{"command": text}})
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		k.t.Fatalf("observe: %v\n%s", err, out)
	}
	k.kept = append(k.kept, text)
}

// transcript writes a separate session whose prompt is the text.
func (k *killed) transcript(id, text string) string {
	k.t.Helper()
	stamp := time.Now().UTC().Format(time.RFC3339)
	line := func(kind, uuid string, message any) string {
		b, err := json.Marshal(map[string]any{"type": kind, "uuid": uuid, "sessionId": id, "timestamp": stamp, "cwd": k.dir,
			"promptSource": "typed", "message": message})
		if err != nil {
			k.t.Fatal(err)
		}
		return string(b) + "\n"
	}
	content := line("user", "u", map[string]any{"role": "user", "content": text}) +
		line("assistant", "a", map[string]any{"role": "assistant",
			"content": []any{map[string]string{"type": "text",
				"text": "We decided to use the ten ampere relay because the pump draws seven ampere."}}})
	name := filepath.Join(k.home, id+".jsonl")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		k.t.Fatal(err)
	}
	return name
}

// measure runs a verb to its end, to find its duration on this machine.
func (k *killed) measure(verb string) {
	k.t.Helper()
	c, text := k.prepare(verb)
	began := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		k.t.Fatalf("%s: %v\n%s", verb, err, out)
	}
	k.spans[verb] = time.Since(began)
	k.acknowledge(verb, text)
}

func (k *killed) acknowledge(verb, text string) {
	if verb != "stop" { // the text of stop is added by observe
		k.kept = append(k.kept, text)
	}
}

// kill runs a verb, kills it at a random time and reports whether it was killed. Afterwards our next call
// runs, and then git must get its lock.
func (k *killed) kill(verb string) bool {
	k.t.Helper()
	c, text := k.prepare(verb)
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	after := time.Duration(k.rng.Int64N(int64(k.spans[verb]) * 5 / 4))
	timer := time.AfterFunc(after, func() { _ = c.Process.Kill() })
	err := c.Wait()
	timer.Stop()
	var exit *exec.ExitError
	switch {
	case err == nil:
		k.acknowledge(verb, text)
		return false
	case !errors.As(err, &exit) || exit.ExitCode() != -1:
		k.t.Fatalf("%s: %v", verb, err)
	}
	k.kills[verb]++
	if verb != "stop" {
		k.tried = append(k.tried, text)
	}
	k.afterwards()
	return true
}

// afterwards runs our next call, and lets git take its lock.
func (k *killed) afterwards() {
	k.t.Helper()
	began := time.Now()
	verb := []string{"note", "stop", "archive"}[k.rng.IntN(3)]
	c, text := k.prepare(verb)
	if out, err := c.CombinedOutput(); err != nil || verb != "note" && len(out) > 0 {
		k.t.Errorf("%s after a kill: %v\n%s", verb, err, out)
	}
	k.acknowledge(verb, text)
	k.deadLocks += len(k.ownLocks())
	for {
		out, err := k.command("git", "-C", k.root(), "commit", "--quiet", "--allow-empty", "--message",
			"still going").CombinedOutput()
		if err == nil {
			break
		}
		k.retries++
		if own := k.ownLocks(); len(own) > 0 || time.Since(began) > 30*time.Second {
			k.t.Fatalf("git does not get its lock beside %q: %v\n%s", own, err, out)
		}
	}
	k.waits = append(k.waits, time.Since(began))
}

// ownLocks returns the locks in the repository that a process of ours took: each is a hard link to a record.
// No such process runs when this is called.
func (k *killed) ownLocks() []string {
	records, err := filepath.Glob(filepath.Join(k.root(), "gitmem", ".index", "locks", "*@*"))
	if err != nil {
		k.t.Fatal(err)
	}
	var own []string
	for _, lock := range []string{"index.lock", "HEAD.lock", "packed-refs.lock", "refs/heads/main.lock"} {
		lock = filepath.Join(k.root(), ".git", filepath.FromSlash(lock))
		info, err := os.Lstat(lock)
		if err != nil {
			continue
		}
		for _, r := range records {
			if other, err := os.Lstat(r); err == nil && os.SameFile(info, other) {
				own = append(own, lock)
			}
		}
	}
	return own
}

// gitAtWork adds, commits, reads and packs until done is closed.
func (k *killed) gitAtWork(done <-chan struct{}) (commits int) {
	dir := filepath.Join(k.root(), "projects", "-git", "memory")
	file := filepath.Join(dir, "topic.md")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		k.t.Error(err)
		return 0
	}
	for n := 0; ; n++ {
		select {
		case <-done:
			return commits
		default:
		}
		if err := os.WriteFile(file, fmt.Appendf(nil, "round %d\n", n), 0o600); err != nil {
			k.t.Error(err)
			return commits
		}
		if k.command("git", "-C", k.root(), "add", file).Run() == nil &&
			k.command("git", "-C", k.root(), "commit", "--quiet", "--message", fmt.Sprint("git ", n), "--", file).Run() == nil {
			commits++
		}
		// refreshes the index, which takes its lock
		_ = k.command("git", "-C", k.root(), "status", "--porcelain").Run()
		if n%8 == 0 {
			_ = k.command("git", "-C", k.root(), "-c", "gc.auto=40", "-c", "gc.autoDetach=false", "gc", "--auto",
				"--quiet").Run()
		}
	}
}

// finish commits the rest, and counts.
func (k *killed) finish() {
	k.t.Helper()
	k.measure("archive")
	k.must("git", "-C", k.root(), "add", "projects")
	k.must("git", "-C", k.root(), "commit", "--quiet", "--allow-empty", "--message", "last round")
	if k.deadLocks > 0 {
		k.t.Errorf("%d dead locks were left by the next call of ours", k.deadLocks)
	}
	k.must("git", "-C", k.root(), "fsck", "--strict")
	if out := k.must("git", "-C", k.root(), "status", "--porcelain"); out != "" {
		k.t.Errorf("git status is not clean:\n%s", out)
	}
	if out := k.must("gitmem", "doctor"); strings.Contains(out, "!!") {
		k.t.Errorf("doctor found trouble:\n%s", out)
	}
	head := k.must("git", "-C", k.root(), "grep", "-h", "", "HEAD", "--", "projects", "gitmem")
	seen := map[string]int{}
	whole := regexp.MustCompile(`^- (kill note \d+ end|\[work\] kill archive \d+ end \(.*\^i-\w+` +
		`|\d\d:\d\d:\d\d Bash ok · in: kill [a-z-]+ \d+ end \^o-\w+)$|^## kill archive \d+ end \^s-e\d+$`)
	for line := range strings.Lines(head) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.Contains(line, "kill") {
			continue
		}
		if !whole.MatchString(line) {
			k.t.Errorf("torn line: %q", line)
		}
		if at := strings.Index(line, "kill "); !strings.HasPrefix(line, "## ") { // a section has its text in the heading, too
			text, _, _ := strings.Cut(line[at:], " end")
			seen[text+" end"]++
		} else {
			text, _, _ := strings.Cut(line[at:], " end")
			seen["## "+text+" end"]++
		}
	}
	for _, text := range k.kept {
		if seen[text] != 1 || seen["## "+text] > 1 {
			k.t.Errorf("%q was acknowledged and is there %d times", text, seen[text])
		}
	}
	for _, text := range k.tried {
		if seen[text] > 1 || seen["## "+text] > 1 {
			k.t.Errorf("%q is there %d times", text, seen[text])
		}
	}
}
