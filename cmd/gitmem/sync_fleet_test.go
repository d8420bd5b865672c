package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// fleet is several machines whose memories are synchronised through one remote repository. Everything that
// happens on them is determined by a seed.
type fleet struct {
	t        *testing.T
	base     string
	remote   string // a path or an address
	seed     uint64
	rng      *rand.Rand
	clock    time.Time // the true time, from which each machine's clock differs
	by       exchange
	kills    killing
	env      []string // additional variables, for all processes
	machines []*machine
	mu       sync.Mutex // protects the fields below if machines work concurrently
	ledger
	broken bool           // something was lost, or a command failed that must not
	failed map[string]int // failed commands, by operation
	log    []string       // of the operations
}

// machine is a computer with a home, a clock that may be wrong, and a clone of memory.
type machine struct {
	*fleet
	name   string
	home   string
	root   string            // of memory
	dir    string            // a checkout of the project
	rng    *rand.Rand        // the fleet's, unless machines work concurrently
	skew   time.Duration     // of its clock
	away   int               // number of operations of the fleet until it can reach the remote again
	files  map[string]string // of memory, after its last operation
	tokens map[string]int    // number of occurrences of each
	ended  []string          // sessions that it archived
}

// exchange is a way to synchronise memories.
type exchange struct {
	name string
	// strict is set if it must lose nothing. For others, losses are counted.
	strict bool
	join   func(m *machine) // gives a new machine the memory of the remote
	sync   func(m *machine) error
}

// killing is how processes are killed while they work.
type killing int

const (
	killNone   killing = iota
	killCalls          // one in twenty at one of its system calls that change a file
	killTimers         // one in four at some time
)

// fleetBegin returns a time before those that files get from the system, so that no time proves a file
// unchanged.
func fleetBegin() time.Time { return time.Date(2025, 3, 3, 8, 0, 0, 0, time.UTC) }

// newFleet creates machines and a bare repository. The last machine has its checkout of the project at
// another path than the others. serve returns the address of the remote, nil for its path.
func newFleet(t *testing.T, by exchange, seed uint64, machines int, serve func(f *fleet) string) *fleet {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed: nothing to sync with")
	}
	if testing.Short() {
		t.Skip("SKIPPED in short mode: each command is a process of its own")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{
		t: t, base: base, remote: filepath.Join(base, "remote.git"), seed: seed, rng: rand.New(rand.NewPCG(seed, 46)),
		clock: fleetBegin(), by: by, ledger: ledger{}, failed: map[string]int{},
	}
	f.git(base, "init", "--quiet", "--bare", "--initial-branch=main", f.remote)
	if serve != nil {
		f.remote = serve(f)
	}
	for i := range machines {
		m := &machine{fleet: f, rng: f.rng, name: string(rune('a' + i))}
		m.home, m.dir = filepath.Join(base, "home"+strconv.Itoa(i)), filepath.Join(base, "pump")
		if i > 0 {
			m.skew = time.Duration(f.rng.Int64N(int64(10*24*time.Hour))) - 5*24*time.Hour
		}
		if i > 1 && i == machines-1 {
			m.dir = filepath.Join(base, "elsewhere", "pump")
		}
		m.root = filepath.Join(m.home, ".claude")
		f.checkout(m.dir)
		f.must(os.MkdirAll(m.home, 0o700))
		f.machines = append(f.machines, m)
		by.join(m)
		m.look()
	}
	t.Cleanup(func() {
		for _, m := range f.machines {
			settle(t, m.home)
		}
	})
	return f
}

func (f *fleet) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// checkout creates a checkout of the project.
func (f *fleet) checkout(dir string) {
	f.t.Helper()
	if _, err := os.Stat(dir); err == nil {
		return
	}
	f.must(os.MkdirAll(dir, 0o700))
	f.git(dir, "init", "--quiet", "--initial-branch=main")
	f.git(dir, "remote", "add", "origin", "https://git.example/acme/pump")
	f.git(dir, "commit", "--quiet", "--allow-empty", "--message", "Begin")
}

func (f *fleet) environ(home string) []string {
	var env []string
	for _, kv := range os.Environ() {
		of := func(prefix string) bool { return strings.HasPrefix(kv, prefix) }
		if !slices.ContainsFunc([]string{"GIT_", "GITMEM_", "CLAUDE", "XDG_"}, of) {
			env = append(env, kv)
		}
	}
	stamp := fleetBegin().Format(time.RFC3339)
	return append(append(env, f.env...),
		"HOME="+home, "USERPROFILE="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "TZ=UTC",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(f.base),
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE="+stamp, "GIT_COMMITTER_DATE="+stamp, "GIT_EDITOR=true", "GIT_TERMINAL_PROMPT=0",
		"GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1", "GITMEM_TEST_WAIT=5m")
}

// git runs git outside of the machines.
func (f *fleet) git(dir string, args ...string) string {
	f.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = dir, f.environ(f.base)
	out, err := c.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// now returns the time on the clock of a machine.
func (m *machine) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock.Add(m.skew)
}

// command returns a program that runs on a machine, in the project.
func (m *machine) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = m.dir
	c.Env = append(m.environ(m.home), "GITMEM_TEST_NOW="+m.now().Format(time.RFC3339))
	return c
}

// inMemory runs git in the memory of a machine.
func (m *machine) inMemory(args ...string) (string, error) {
	out, err := m.command("git", append([]string{"-C", m.root}, args...)...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// errKilled means that the test killed a process. What it had written counts.
var errKilled = errors.New("killed")

// gitmem runs the program. Depending on the fleet, it is killed sometimes.
func (m *machine) gitmem(stdin string, args ...string) error {
	args = append([]string{"gitmem"}, args...)
	name, at := m.dying()
	if name == "call" && injectors() != nil {
		report := filepath.Join(m.base, "report")
		args = append([]string{"inject", "kill", strconv.Itoa(at), m.root + "/", report}, args...)
	}
	c := m.command(args[0], args[1:]...)
	c.Stdin = strings.NewReader(stdin)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	m.must(c.Start())
	if name == "time" {
		defer time.AfterFunc(time.Duration(at)*time.Millisecond, func() { _ = c.Process.Kill() }).Stop()
	}
	err := c.Wait()
	var exit *exec.ExitError
	if name != "" {
		settle(m.t, m.home) // its child processes continue without it
		if errors.As(err, &exit) && (exit.ExitCode() == 137 || exit.ExitCode() == -1) {
			m.say("  %s killed at %s %d: %s", m.name, name, at, strings.Join(args, " "))
			return errKilled
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out.String())
	}
	return nil
}

// dying returns whether the next process is killed, and at which system call, or time in milliseconds.
func (m *machine) dying() (what string, at int) {
	switch {
	case m.kills == killCalls && m.rng.IntN(20) == 0:
		return "call", 1 + m.rng.IntN(120)
	case m.kills == killTimers && m.rng.IntN(4) == 0:
		return "time", m.rng.IntN(150)
	}
	return "", 0
}

// say adds a message to the log of operations.
func (f *fleet) say(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, fmt.Sprintf(format, args...))
}

// recent returns the end of the log, for a report.
func (f *fleet) recent(lines int) string {
	return strings.Join(f.log[max(0, len(f.log)-lines):], "\n")
}

// path returns the path of a file of memory.
func (m *machine) path(rel string) string { return filepath.Join(m.root, filepath.FromSlash(rel)) }

// read reads a file of memory, "" if it does not exist.
func (m *machine) read(rel string) string {
	b, err := os.ReadFile(m.path(rel))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		m.t.Fatal(err)
	}
	return string(b)
}

// write writes a file like an editor.
func (m *machine) write(rel, text string) {
	m.t.Helper()
	m.must(os.MkdirAll(filepath.Dir(m.path(rel)), 0o700))
	m.must(os.WriteFile(m.path(rel), []byte(text), 0o600))
}

// memory returns the folder in which the client stores memory of the project.
func (m *machine) memory() string { return "projects/" + munged(m.dir) + "/memory/" }

// project returns the folder of the project's memory.
func (m *machine) project() string { return "gitmem/projects/git.example/acme/pump/" }

// munged returns the client's name for the folder of a working folder.
func munged(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

// look reads all files of memory.
func (m *machine) look() {
	m.t.Helper()
	m.files = map[string]string{}
	m.below("gitmem")
	projects, err := filepath.Glob(filepath.Join(m.root, "projects", "*", "memory"))
	m.must(err)
	for _, dir := range projects {
		m.below(strings.TrimPrefix(filepath.ToSlash(dir), filepath.ToSlash(m.root)+"/"))
	}
	m.tokens = map[string]int{}
	for _, text := range m.files {
		for tok := range tokensOf(text) {
			m.tokens[tok]++
		}
	}
}

// below reads the files of memory below a folder: Markdown and the configuration.
func (m *machine) below(dir string) {
	entries, err := os.ReadDir(m.path(dir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		m.t.Fatal(err)
	}
	for _, e := range entries {
		rel := dir + "/" + e.Name()
		switch {
		case strings.HasPrefix(e.Name(), ".") || rel == "gitmem/pending":
		case e.IsDir():
			m.below(rel)
		case strings.HasSuffix(rel, ".md") || rel == "gitmem/config.yaml":
			m.files[rel] = m.read(rel)
		}
	}
}

// sorted returns the file names for which takes returns true.
func (m *machine) sorted(takes func(rel string) bool) []string {
	var names []string
	for rel := range m.files {
		if takes(rel) {
			names = append(names, rel)
		}
	}
	slices.Sort(names)
	return names
}

// oneOf returns a random element.
func oneOf[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// whereIs returns the lines of a machine that contain a token.
func (m *machine) whereIs(tok string) string {
	var b bytes.Buffer
	for _, rel := range m.sorted(func(rel string) bool { return strings.Contains(m.files[rel], tok) }) {
		n := 0
		for line := range strings.Lines(m.files[rel]) {
			if n++; strings.Contains(line, tok) {
				fmt.Fprintf(&b, "  %s %s:%d: %.160q\n", m.name, rel, n, strings.TrimSpace(line))
			}
		}
	}
	return cmp.Or(b.String(), "  "+m.name+": nowhere\n")
}

// pass advances the time.
func (f *fleet) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clock = f.clock.Add(d)
}
