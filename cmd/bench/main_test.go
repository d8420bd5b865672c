package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMain lets the test binary act as the program, which runs itself for parts of its work.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		main()
		return
	}
	dir, err := os.MkdirTemp("", "gitmem-bench-test-")
	if err != nil {
		panic(err)
	}
	if program = os.Getenv("GITMEM_BIN"); program == "" {
		program = filepath.Join(dir, "gitmem.exe")
		s := &setup{env: os.Environ(), tell: func(string) {}}
		if err := s.build(context.Background(), program, "build", "./cmd/gitmem"); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// program is the measured program: GITMEM_BIN, or built from this checkout.
var program string

// bench runs a verb and returns its output.
func bench(t *testing.T, verb string, args ...string) (out, errs string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	err = run(t.Context(), append([]string{verb, "-gitmem", program}, args...), &o, &e)
	return o.String(), e.String(), err
}

// says runs a verb and checks that its output matches all of these expressions.
func says(t *testing.T, args []string, want ...string) {
	t.Helper()
	out, errs, err := bench(t, args[0], args[1:]...)
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out, errs)
	}
	for _, w := range want {
		if !regexp.MustCompile("(?m)" + w).MatchString(out) {
			t.Errorf("%v: no %s in\n%s", args, w, out)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want string }{
		{"", "index|history|hooks|storm|servers|sync|ask|publish|questions|corpus"},
		{"speed", "index|history"},
		{"index -messages 3 -sessions 4", "-messages 3 -sessions 4: each session needs one message"},
		{"index -only speed", "the figures are build, memory, size"},
		{"index -rounds 0", "-rounds and -queries are 1 at least"},
		{"hooks -runs 0", "-runs is 1 at least"},
		{"history", "folders of repositories"},
		{"sync -files 0", "-files, -commits and -rounds are 1 at least"},
		{"history -rounds 0 .", "1 round at least"},
		{"ask", "-questions names a file"},
		{"ask -repo jq", "expected name=folder"},
		{"corpus", "bench corpus DIR"},
		{"index -messages 4 -nothing", "not defined"},
	} {
		err := run(t.Context(), strings.Fields(tt.args), &bytes.Buffer{}, &bytes.Buffer{})
		if !errors.Is(err, errUsage) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("bench %s: %v, want %q", tt.args, err, tt.want)
		}
	}
}

// TestSync measures a small memory once.
func TestSync(t *testing.T) {
	t.Parallel()
	says(t, []string{"sync", "-files", "20", "-commits", "3", "-rounds", "1", "-dir", t.TempDir()},
		`^memory of 20 files, 3 commits on each side, git [0-9].*, medians of 1$`,
		`^ratio +[0-9.]+ +limit 1\.1: (kept|missed)$`,
		`^gitmem sync with nothing to do +[0-9.]+ ms`,
		`^beyond git fetch, in gitmem version +-?[0-9.]+ +limit 1\.5: (kept|missed)$`)
}

// TestIndex measures everything that needs no Go benchmark, and leaves the sessions unchanged.
func TestIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := []string{"index", "-messages", "400", "-rounds", "1", "-queries", "3", "-dir", dir, "-only",
		"index,cold,cold p95,refresh,deletes"}
	says(t, args,
		`^400 messages in 2 sessions, 0\.[0-9] MB of text, 0\.[0-9] MB of it indexed, 3 queries, medians of 1$`,
		`^gitmem index of all transcripts, CPU +[0-9.]+ s `,
		`^search as a process, wall p95 +[0-9.]+ ms .* 100 ms +40 ms +(aim|limit|missed)`,
		`^gitmem index of 200 new messages, wall +[0-9.]+ ms `,
		`^gitmem index without a session, wall +[0-9.]+ ms .* of [0-9]+ messages`)
	before, err := os.ReadFile(filepath.Join(dir, "large", "messages"))
	if err != nil {
		t.Fatal(err)
	}
	clean := t.TempDir()
	says(t, []string{"corpus", "-messages", "400", filepath.Join(clean, "client")},
		`^400 messages in 2 sessions: [0-9.]+ MB of text`)
	want, _ := transcripts(home{dir: clean})
	if len(want) != 2 {
		t.Errorf("%d transcripts", len(want))
	}
	for _, name := range want {
		rel, _ := filepath.Rel(clean, name)
		a, _ := os.ReadFile(name)
		b, err := os.ReadFile(filepath.Join(dir, "large", rel))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not what it was: %v", rel, err)
		}
	}
	out, errs, err := bench(t, "index", append(args[1:len(args)-1:len(args)-1], "index", "-json")...)
	var rep indexReport
	if err := errors.Join(err, json.Unmarshal([]byte(out), &rep)); err != nil || len(rep.Rows) != 1 ||
		rep.Rows[0].Gitmem == nil {
		t.Errorf("%v: %s%s", err, out, errs)
	}
	if strings.Contains(errs, "write 400") {
		t.Error("a corpus that is there was written anew")
	}
	if after, err := os.ReadFile(filepath.Join(dir, "large", "messages")); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the messages changed: %v", err)
	}
}

// TestHooks counts the results of hooks; without the go command there is no empty program.
func TestHooks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	says(t, []string{"hooks", "-messages", "400", "-runs", "2", "-dir", dir},
		`^400 messages in 2 sessions, medians of 2 processes, wall; an empty Go program: `,
		`^post-tool-use +5,000 calls are logged already +[0-9.]+ ms `,
		`^stop +200 new lines of transcript +[0-9.]+ ms `,
		`^user-prompt-submit +the first prompts, index being built +[0-9.]+ ms `)
	logs, _ := filepath.Glob(filepath.Join(dir, "hooks", "client", "gitmem", "projects", "*", "*", "observations", "*",
		"*-"+longSession+".md"))
	if len(logs) != 1 {
		t.Fatalf("logs of the long session: %v", logs)
	}
	if b, _ := os.ReadFile(logs[0]); bytes.Count(b, []byte("go test")) < loggedCalls {
		t.Errorf("the log holds %d calls", bytes.Count(b, []byte("go test")))
	}
}

func TestStorm(t *testing.T) {
	t.Parallel()
	says(t, []string{"storm", "-messages", "400", "-for", "1s", "-readers", "3", "-pace", "100ms"},
		`^3 readers beside 2 indexers for 1 s on 400 messages$`, `^[1-9][0-9]* searches: p50 `,
		`^[0-9]+ waited longer than 1000 ms, 0 failed, `,
		`^[1-9][0-9]* times 20 new messages were indexed`)
}

// repository creates a repository of two commits.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git",
			append([]string{"-c", "user.name=Ada Example", "-c", "user.email=ada@example.org"}, args...)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for i, subject := range []string{"Drop Redis: sessions fit in memory", "Wire the relay driver"} {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".go"), []byte("package a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", subject, "-m", "Redis was only kept for sessions.")
	}
	return dir
}

func TestHistory(t *testing.T) {
	t.Parallel()
	says(t, []string{"history", "-rounds", "1", repository(t)},
		`, git [0-9.]+.*, medians of 1$`,
		`^first answer +1 +1 +[0-9]+ ms .* 5000 ms +kept`,
		`^index, nothing new +1 +0 +[0-9]+ ms `,
		`^index, new commits +1 +1 +[0-9]+ ms .* nothing new `,
		`^walk in one process, beside git log +2 +2 +[0-9]+ ms .* (kept|missed)`,
		`^index from nothing, beside git log +2 +2 +[0-9]+ ms +[0-9]+ ms +wall [0-9.]+ ×, CPU [0-9.]+ ×`,
		`^2 commits with 2 changed files compared: all equal$`, `^2 commits are indexed$`)
}

func TestAsk(t *testing.T) {
	t.Parallel()
	questions := filepath.Join(t.TempDir(), "judged.json")
	if err := os.WriteFile(questions,
		[]byte(`[{"id":"1","repo":"acme/pump","kind":"why","words":"own",
"question":"why did we drop Redis?","gold":["commit:1234567"]},
{"id":"2","repo":"acme/pump","question":"why did we choose zorvax?","none":true,"nameless":"zorvax"}]`),
		0o600); err != nil {
		t.Fatal(err)
	}
	says(t, []string{"ask", "-rows", "-questions", questions, "-repo", "acme/pump=" + repository(t)},
		`^1 +answered +(high|medium) +rank 0 +why did we drop Redis\?$`, `^2 +none +none +rank 0 `,
		`^all +1 +0 +0 \(0 %\) +0$`,
		`^of 1 that never happened 0 answered; of 0 reversed 0 told as such; of 1 with a name that occurs nowhere 1 not `+
			`recorded; median [0-9.]+ ms$`)
	if _, _, err := bench(t, "ask", "-questions", questions, "-repo", "acme/lamp=."); !errors.Is(err, errUsage) ||
		!strings.Contains(err.Error(), "-repo acme/pump=DIR") {
		t.Errorf("a repository without a folder: %v", err)
	}
}

func TestSideBySide(t *testing.T) {
	t.Parallel()
	s := scanRecords(strings.NewReader(recordMark + strings.Join([]string{"a", "one  two", "Ada", "5",
		"\x00\nf\x00g h\x00"}, fieldMark) + recordMark + strings.Join([]string{"b", "", "Ada", "6", "\x00"}, fieldMark)))
	var got []string
	for s.Scan() {
		hash, r := parseRecord(s.Text())
		got = append(got, hash+" "+r.subject+" "+strings.Join(r.files, ","))
	}
	if strings.Join(got, ";") != "a one two f,g h;b  " {
		t.Errorf("%q", got)
	}
}
