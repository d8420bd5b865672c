package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run the program: the test binary is the command, in a separate process.
func TestMain(m *testing.M) {
	flag.Int("storm", 4, "notes of each of the 8 writers in the storm tests")
	flag.Int("kills", 40, "processes that TestKillsBesideGit kills")
	flag.Int("parallelcalls", 5, "tool calls of each of the 8 workers in TestParallelHooks")
	flag.Int("readers", 3, "processes at a time that search in TestReadersAndIndexers")
	flag.Int("indexers", 2, "processes at a time that index in it")
	flag.Int("seconds", 2, "how long it takes")
	flag.Int("seams", 61, "TestEverySeam takes one in n of the system calls")
	flag.Int("mutations", 100, "payloads that TestMutations changes")
	flag.Int("seed", 1, "of their changes, and of what machines do that sync")
	flag.Int("machines", 3, "machines that sync in TestMachines")
	flag.Int("operations", 30, "operations of each of them")
	flag.Int("seeds", 1, "times that TestMachines runs, each from a seed of its own")
	flag.Int("pairs", 15, "pairs of edits in TestPullsWithTheMergeDriver")
	stayOffline()
	commands := map[string]func(){
		"gitmem":    func() { os.Exit(start(testClock(), testWait(), models{})) },
		"mcpclient": mcpClient,
		"claude":    fakeClaude,
		"tracker":   tracker,
		openerName:  keepOpened,
		"empty":     func() {},
	}
	maps.Copy(commands, wrappers())
	maps.Copy(commands, injectors())
	testscript.Main(m, commands)
}

// stayOffline prevents every program that a test starts from contacting a forge, unless the test allows it.
func stayOffline() {
	if _, said := os.LookupEnv("GITMEM_OFFLINE"); said {
		return
	}
	if err := os.Setenv("GITMEM_OFFLINE", "1"); err != nil {
		panic(err)
	}
}

// testClock returns the real clock unless a script has set a time. Only the test binary uses it.
func testClock() func() time.Time {
	s := os.Getenv("GITMEM_TEST_NOW")
	if s == "" {
		return time.Now
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic("GITMEM_TEST_NOW: " + err.Error())
	}
	return func() time.Time { return t }
}

// testWait returns how long to wait for a busy store, also in hooks, if a test sets it: on a busy machine
// many writers may take longer than a person waits. Only the test binary uses it.
func testWait() time.Duration {
	s := os.Getenv("GITMEM_TEST_WAIT")
	if s == "" {
		return 0
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		panic("GITMEM_TEST_WAIT: " + err.Error())
	}
	return d
}

// scripts returns all scripts; in short mode, which the race detector uses, only those of commands with
// concurrency: each command is a process, and with the detector it takes a second.
func scripts(t *testing.T) []string {
	t.Helper()
	patterns := []string{"*"}
	if testing.Short() {
		patterns = []string{"ask_*", "hook_lock", "index", "interrupt", "sessions"}
	}
	var files []string
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join("testdata", "script", p+".txtar"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no scripts %s: %v", p, err)
		}
		files = append(files, found...)
	}
	return files
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:               isolate,
		Condition: func(c string) (bool, error) {
			if c != "nightly" {
				return false, fmt.Errorf("unknown condition %s", c)
			}
			return isNightly(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"clock":      cmdClock,
			"commit":     cmdCommit,
			"numbers":    cmdNumbers,
			"keepmtime":  cmdKeepMtime,
			"fill":       cmdFill,
			"clientname": cmdClientName,
			"damage":     cmdDamage,
			"bytes":      cmdBytes,
			"hostile":    cmdHostile,
			"indexed":    cmdIndexed,
			"capture":    cmdCapture,
			"append":     cmdAppend,
			"nowhere":    cmdNowhere,
			"model":      cmdModel,
		},
	})
}

// isolate gives a script its own home and a git without other settings.
func isolate(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	for _, dir := range []string{home, filepath.Join(e.WorkDir, "cache")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	for k, v := range map[string]string{
		"HOME": home, "USERPROFILE": home, "XDG_CACHE_HOME": filepath.Join(e.WorkDir, "cache"),
		"LocalAppData":    filepath.Join(e.WorkDir, "cache"),
		"XDG_CONFIG_HOME": filepath.Join(home, ".config"), "TMPDIR": e.WorkDir, "TZ": "UTC",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": filepath.Dir(e.WorkDir),
		"GITMEM_TEST_NOW": "2026-11-20T12:00:00Z", "GITMEM_TEST_WAIT": "5m", "GITMEM_OFFLINE": "1",
	} {
		e.Setenv(k, v)
	}
	return nil
}

// cmdClock sets the time for the program: clock 2026-11-20T12:00:00Z.
func cmdClock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: clock <RFC 3339 time>")
	}
	ts.Setenv("GITMEM_TEST_NOW", args[0])
}

// cmdCommit commits everything in the current folder with the real git, and creates the repository first:
// commit <date> <author> <message>.
func cmdCommit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: commit <date> <author> <message>")
	}
	dir := ts.MkAbs(".")
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		git(ts, dir, nil, "init", "--quiet", "--initial-branch=main")
	}
	mail := strings.ToLower(strings.Fields(args[1])[0]) + "@example.org"
	env := []string{
		"GIT_AUTHOR_NAME=" + args[1], "GIT_AUTHOR_EMAIL=" + mail, "GIT_AUTHOR_DATE=" + args[0],
		"GIT_COMMITTER_NAME=" + args[1], "GIT_COMMITTER_EMAIL=" + mail, "GIT_COMMITTER_DATE=" + args[0],
	}
	git(ts, dir, env, "add", "--all")
	git(ts, dir, env, "commit", "--quiet", "--allow-empty", "--message", strings.ReplaceAll(args[2], `\n`, "\n"))
}

func git(ts *testscript.TestScript, dir string, env []string, args ...string) {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	c.Env = append(c.Env, env...)
	if out, err := c.CombinedOutput(); err != nil {
		ts.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// cmdNumbers writes a file of n numbered lines: numbers <file> <n> <text>.
func cmdNumbers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: numbers <file> <n> <text>")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", args[2], i+1)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o600))
}

// cmdKeepMtime replaces text in a file with other text of the same length and restores the old modification
// time, as some editors do: keepmtime <file> <old> <new>.
func cmdKeepMtime(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || len(args[1]) != len(args[2]) {
		ts.Fatalf("usage: keepmtime <file> <old> <new of the same length>")
	}
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s matches %d files", args[0], len(found))
	}
	name := found[0]
	info, err := os.Stat(name)
	ts.Check(err)
	b, err := os.ReadFile(name)
	ts.Check(err)
	changed := strings.Replace(string(b), args[1], args[2], 1)
	if changed == string(b) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(name, []byte(changed), 0o600))
	ts.Check(os.Chtimes(name, info.ModTime(), info.ModTime()))
}
