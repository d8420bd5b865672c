package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gitmem/gitmem/cmd/internal/hook"
)

// hookWorld is an environment with a fault, for hooks as real processes.
type hookWorld struct {
	*hookBench
	name    string
	samples []sample
	m       *mutator
	wrap    []string      // words before the command
	alone   bool          // in separate namespaces
	budget  time.Duration // of a hook that the client waits for
	again   int           // how often a hook that took longer is repeated
	slowest map[string]time.Duration
	told    int
}

// newHookWorld creates an environment; the seed determines the changes to the payloads.
func newHookWorld(t *testing.T, seed uint64) *hookWorld {
	t.Helper()
	b := newHookBench(t)
	t.Cleanup(func() { settle(t, b.home) })
	// the client gives up after 10 s
	return &hookWorld{hookBench: b, name: t.Name(), samples: hookSamples(b.desk, b.transcript),
		m: newMutator(b.desk, seed), slowest: map[string]time.Duration{}, budget: 8 * time.Second}
}

func (w *hookWorld) command(s sample, stdin string) *exec.Cmd {
	words := append(w.wrap[:len(w.wrap):len(w.wrap)], w.bin, "hook", s.hook)
	c := exec.Command(words[0], words[1:]...)
	c.Dir, c.Env, c.Stdin = w.repo, w.env, strings.NewReader(stdin)
	if w.alone {
		inMounts(c)
	}
	return c
}

// call runs a hook as a process, and reports what a client would not accept.
func (w *hookWorld) call(s sample, stdin string) {
	w.tb.Helper()
	slow := w.once(s, stdin)
	for range w.again { // a delay of a busy machine does not occur every time
		if slow != "" {
			slow = w.once(s, stdin)
		}
	}
	if slow != "" {
		w.tb.Errorf("%s %s\n%.300q", s.name, slow, stdin)
	}
}

// once calls a hook and, in the nightly run, returns a message if it was too slow. It limits the waiting time
// strictly, but the working time by CPU time, because on a busy machine each CPU second takes several
// seconds.
func (w *hookWorld) once(s sample, stdin string) (slow string) {
	w.tb.Helper()
	const busy = 10
	var out, errs bytes.Buffer
	c := w.command(s, stdin)
	c.Stdout, c.Stderr = &out, &errs
	c.WaitDelay = time.Second
	began := time.Now()
	err := c.Run()
	took := time.Since(began)
	w.slowest[s.hook] = max(w.slowest[s.hook], took)
	if err != nil {
		w.tb.Errorf("%s: %v\n%.300s\n%.300q", s.name, err, errs.Bytes(), stdin)
	}
	if c.ProcessState == nil {
		return "does not start"
	}
	w.judge(s, stdin, out.Bytes(), errs.Bytes())
	budget := w.budget
	if hook.Background(s.hook) {
		budget *= 4 // nobody waits
	}
	if !isNightly() {
		return ""
	}
	if worked := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); worked > budget || took > budget+busy*worked {
		return fmt.Sprintf("takes %v, of which it works %v", took, worked)
	}
	return ""
}

// judge checks the output of a hook.
func (w *hookWorld) judge(s sample, stdin string, out, errs []byte) {
	w.tb.Helper()
	if complaint := judgeReply(s.event, out); complaint != "" {
		w.tb.Errorf("%s: %s\n%.300q", s.name, complaint, stdin)
	}
	if len(out) > 0 {
		w.told++
	}
	if bytes.Contains(errs, []byte("goroutine ")) || bytes.Contains(errs, []byte("panic")) {
		w.tb.Errorf("%s: %.600s", s.name, errs)
	}
}

// round calls every hook with each of its samples unchanged, and in the nightly run n times with changed
// ones.
func (w *hookWorld) round(n int) {
	w.tb.Helper()
	if !isNightly() {
		n = 0
	}
	for i := range len(w.samples) + n {
		s := w.samples[i%len(w.samples)]
		text := s.text
		if i >= len(w.samples) {
			s = pick(w.m, w.samples)
			text = w.m.mutate(s.text)
		}
		w.call(s, text)
	}
	w.report(len(w.samples) + n)
}

func (w *hookWorld) report(n int) {
	w.tb.Helper()
	for _, line := range w.panics() {
		w.tb.Errorf("a bug: %.600s", line)
	}
	w.tb.Logf("%d processes, %d of them told something, slowest %v", n, w.told, w.slowest)
}

// sound checks that the store is intact after the fault ended.
func (w *hookWorld) sound() {
	w.tb.Helper()
	settle(w.tb, w.home)
	s := w.samples[slices.IndexFunc(w.samples, func(s sample) bool { return s.hook == "stop" })]
	w.wrap, w.alone = nil, false
	w.call(s, s.text)
	if r := w.desk.run("", "doctor"); r.code != 0 || strings.Contains(r.out, "!!") {
		w.tb.Errorf("the store is not sound afterwards: exit %d\n%s%s", r.code, r.out, r.err)
	}
	w.git(nil, "-C", filepath.Join(w.home, ".claude"), "fsck", "--strict")
}

// canMount skips a test if namespaces can't be created.
func (w *hookWorld) canMount() {
	w.tb.Helper()
	c := exec.Command("mounted", "probe", w.home)
	inMounts(c)
	if out, err := c.CombinedOutput(); err != nil {
		w.tb.Skipf("no namespaces can be made here: %v %s", err, out)
	}
}

func TestHookWorlds(t *testing.T) {
	t.Parallel()
	root := func(w *hookWorld, rel ...string) string {
		return filepath.Join(append([]string{w.home, ".claude"}, rel...)...)
	}
	worlds := []struct {
		name  string
		runs  int
		make  func(*testing.T, *hookWorld)
		sound bool // checked after the fault
	}{
		{"nothing wrong", 60, func(*testing.T, *hookWorld) {}, true},
		{"no store", 30, func(t *testing.T, w *hookWorld) { w.check(os.RemoveAll(root(w))) }, false},
		{"no transcripts", 20, func(t *testing.T, w *hookWorld) { w.check(os.RemoveAll(root(w, "projects"))) }, true},
		{"no index", 20, func(t *testing.T, w *hookWorld) { w.check(os.RemoveAll(root(w, "gitmem", ".index"))) }, true},
		{"read-only store", 30, func(t *testing.T, w *hookWorld) {
			w.canMount()
			w.wrap, w.alone = []string{"mounted", "readonly", root(w)}, true
		}, true},
		{"full store", 20, func(t *testing.T, w *hookWorld) {
			w.canMount()
			w.wrap, w.alone = []string{"mounted", "full", root(w)}, true
		}, true},
		{"no room for any byte", 20, func(t *testing.T, w *hookWorld) { w.wrap = []string{"filelimit", "0"} }, true},
		{"files for folders", 20, func(t *testing.T, w *hookWorld) {
			w.check(os.RemoveAll(root(w, "gitmem", "projects")))
			w.write("home/.claude/gitmem/projects", "a file\n")
		}, false},
	}
	for i, tt := range worlds {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newHookWorld(t, uint64(100+i))
			tt.make(t, w)
			w.round(tt.runs)
			if tt.sound {
				w.sound()
			}
		})
	}
}

// TestHooksWithHeldLocks: another process holds every lock, ours and git's, while the hooks run.
func TestHooksWithHeldLocks(t *testing.T) {
	t.Parallel()
	nightly(t)
	w := newHookWorld(t, 200)
	w.env = append(w.env, "GITMEM_TEST_WAIT=")
	// less than the background's wait for a busy store; the locks are held all the time
	w.budget, w.again = 4*time.Second, 2
	w.call(w.samples[0], w.samples[0].text) // creates the lock files
	settle(w.tb, w.home)
	index := filepath.Join(w.home, ".claude", "gitmem", ".index")
	var releases []func()
	w.check(filepath.WalkDir(index, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.Contains(strings.ToLower(e.Name()), "lock") {
			releases = append(releases, holdLock(t, name))
		}
		return err
	}))
	if len(releases) == 0 {
		t.Fatal("no lock was found")
	}
	w.write("home/.claude/.git/index.lock", "")
	for _, s := range w.samples {
		w.call(s, s.text)
	}
	w.report(len(w.samples))
	t.Logf("%d locks were held", len(releases))
	for _, release := range releases {
		release()
	}
	w.check(os.Remove(filepath.Join(w.home, ".claude", ".git", "index.lock")))
	w.sound()
}

// TestHooksWithBrokenIndex damages files of the indexes before each hook.
func TestHooksWithBrokenIndex(t *testing.T) {
	t.Parallel()
	nightly(t)
	w := newHookWorld(t, 300)
	rng := rand.New(rand.NewPCG(300, 7))
	var files []string
	w.check(filepath.WalkDir(filepath.Join(w.home, ".claude", "gitmem", ".index"),
		func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && !strings.Contains(name, "trace") {
				files = append(files, name)
			}
			return err
		}))
	whole := map[string][]byte{}
	for _, name := range files {
		b, err := os.ReadFile(name)
		w.check(err)
		whole[name] = b
	}
	const runs = 60
	for range runs {
		for range 1 + rng.IntN(3) {
			w.damage(rng, files[rng.IntN(len(files))], whole)
		}
		s := pick(w.m, w.samples)
		w.call(s, s.text)
	}
	w.report(runs)
	settle(w.tb, w.home)
	if r := w.desk.run("", "ask", "why did we drop Redis?"); r.code != 0 {
		t.Errorf("no answer after the damage: %+v", r)
	}
}

// damage changes bytes of a file, truncates, empties or removes it, or restores it.
func (w *hookWorld) damage(rng *rand.Rand, name string, whole map[string][]byte) {
	w.tb.Helper()
	b := slices.Clone(whole[name])
	switch n := rng.IntN(6); {
	case n == 0:
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.tb.Fatal(err)
		}
		return
	case n == 1:
		b = nil
	case n == 2 && len(b) > 0:
		b = b[:rng.IntN(len(b))]
	case n < 5 && len(b) > 0:
		for range 8 {
			b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
		}
	}
	if err := os.WriteFile(name, b, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.tb.Fatal(err)
	}
}

// TestHooksAfterKills kills hooks at random times, and calls them again.
func TestHooksAfterKills(t *testing.T) {
	t.Parallel()
	nightly(t)
	w := newHookWorld(t, 400)
	const runs = 60
	span := 60 * time.Millisecond
	killed := 0
	for range runs {
		s := pick(w.m, w.samples)
		c := w.command(s, s.text)
		w.check(c.Start())
		timer := time.AfterFunc(time.Duration(w.m.rng.Int64N(int64(span))), func() { _ = c.Process.Kill() })
		began := time.Now()
		err := c.Wait()
		timer.Stop()
		if err != nil {
			killed++
		} else {
			span = max(span/2, time.Since(began))
		}
		w.call(s, s.text)
	}
	w.report(2 * runs)
	t.Logf("%d were killed", killed)
	w.sound()
}

// TestHooksWithOddInput: empty, incomplete, and huge input.
func TestHooksWithOddInput(t *testing.T) {
	t.Parallel()
	w := newHookWorld(t, 500)
	long := 5 << 20
	if isNightly() {
		long = 50 << 20
	}
	filler := strings.Repeat("seven ampere ", long/13)
	w.samples = slices.CompactFunc(w.samples, func(a, b sample) bool { return a.hook == b.hook })
	for _, s := range w.samples {
		body, _ := strings.CutSuffix(strings.TrimSpace(s.text), "}")
		half := long / 26 * 13
		for _, text := range []string{
			"", "\n", "null", s.text[:len(s.text)/2], s.text + s.text, "\xff\xfe\x00" + s.text, filler,
			body + fmt.Sprintf(`,"prompt":%q,"tool_response":{"stdout":%q},"compact_summary":"b"}`, filler[half:],
				filler[:half]),
		} {
			w.call(s, text)
		}
	}
	w.report(len(w.samples))
	w.odd()
	w.sound()
}

// odd uses paths of transcripts that are folders, pipes or endless devices.
func (w *hookWorld) odd() {
	w.tb.Helper()
	pipe := filepath.Join(w.home, "pipe.jsonl")
	w.check(syscall.Mkfifo(pipe, 0o600))
	w.write("home/nul.jsonl", strings.Repeat("\x00", 1<<20))
	w.write("home/line.jsonl", `{"type":"user","message":"`+strings.Repeat("x", 8<<20))
	for _, name := range []string{w.home, pipe, "/dev/zero", "/dev/full", "/proc/self/mem",
		filepath.Join(w.home, "missing.jsonl"), filepath.Join(w.home, "nul.jsonl"), filepath.Join(w.home, "line.jsonl"),
		w.repo + "\x00"} {
		for _, s := range w.samples {
			if !strings.HasPrefix(s.event, "PostToolUse") { // it reads none
				w.call(s, strings.ReplaceAll(strings.ReplaceAll(s.text, quoted(w.transcript)+".agent", quoted(name)),
					quoted(w.transcript), quoted(name)))
			}
		}
	}
}
