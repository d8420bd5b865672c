package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/templates"
)

// TestTopics runs the console blocks of each help topic as one session in a clone of a repository of four
// commits, and compares the output. UPDATE_SCRIPTS=1 writes it to the topic.
func TestTopics(t *testing.T) {
	t.Parallel()
	for _, name := range templates.Topics() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := templates.Topic(name)
			if n := strings.Count(want, "\n```"); n%2 != 0 {
				t.Fatalf("%d fences", n)
			}
			var d *desk
			got := regexp.MustCompile("(?s)```console\n.*?\n```\n").ReplaceAllStringFunc(want, func(block string) string {
				if d == nil {
					d = newExampleDesk(t)
					if name == "sessions" {
						d.write("home/.claude/projects/-w-api/"+deskSession+".jsonl", timeoutTranscript(d.repo))
					}
				}
				return "```console\n" + d.session(block) + "```\n"
			})
			if os.Getenv("UPDATE_SCRIPTS") != "" {
				if err := os.WriteFile(filepath.Join("..", "..", "templates", "help", name+".md"), []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-topic +run, UPDATE_SCRIPTS=1 writes it:\n%s", diff)
			}
		})
	}
}

// TestTopicConfiguration parses the examples of the topic as a configuration.
func TestTopicConfiguration(t *testing.T) {
	t.Parallel()
	rest := templates.Topic("configuration")
	d := newExampleDesk(t)
	for _, name := range []string{"config.yaml", "local.yaml"} {
		_, text, _ := strings.Cut(rest, "```yaml\n")
		text, rest, _ = strings.Cut(text, "```\n")
		d.write("home/.claude/gitmem/"+name, text)
	}
	if r := d.run("", "status"); r.code != 0 || !strings.Contains(r.out, "forge:       git.acme.example/shop/api") {
		t.Errorf("exit code %d\n%s%s", r.code, r.err, r.out)
	}
	if r := d.run("", "model", "list"); r.code != 0 || r.err != "" {
		t.Errorf("exit code %d\n%s", r.code, r.err)
	}
}

// newExampleDesk is a desk whose repository is the one that .ci/session shows, too.
func newExampleDesk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.repo = filepath.Join(filepath.Dir(d.repo), "api")
	d.check(os.Mkdir(d.repo, 0o700))
	d.git(nil, "init", "--quiet", "--initial-branch=main")
	history, err := os.Open(filepath.Join("testdata", "api.fast-import"))
	d.check(err)
	defer history.Close()
	c := exec.Command("git", "fast-import", "--quiet")
	c.Dir, c.Env, c.Stdin = d.repo, d.env, history
	d.check(c.Run())
	d.git(nil, "reset", "--quiet", "--hard")
	d.git(nil, "remote", "add", "origin", "https://git.acme.example/shop/api.git")
	d.check(os.RemoveAll(filepath.Join(d.home, ".claude", "projects", "-w-repo")))
	return d
}

// timeoutTranscript is the session of deskTranscript about the timeout of payments.
func timeoutTranscript(cwd string) string {
	return strings.NewReplacer("Choose a relay for the pump and wire it", "Choose a timeout for payments",
		"use the ten ampere relay because the pump draws seven ampere",
		"use a timeout of ten seconds because the payment service takes seven at peak load").Replace(deskTranscript(cwd))
}

// session runs the commands of a console block and returns the block with what they
// print now, both streams of each in the order of their kind.
func (d *desk) session(block string) string {
	d.tb.Helper()
	var b strings.Builder
	for line := range strings.Lines(block) {
		typed, ok := strings.CutPrefix(line, "$ gitmem ")
		if !ok {
			continue
		}
		b.WriteString(line)
		typed, code := strings.CutSuffix(strings.TrimSpace(typed), "; echo $?")
		var args []string
		for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`).FindAllStringSubmatch(typed, -1) {
			args = append(args, m[1]+m[2]+m[3])
		}
		r := d.run("", args...)
		b.WriteString(d.alike(r.err + r.out))
		if code {
			fmt.Fprintln(&b, r.code)
		}
	}
	return b.String()
}

// alike replaces text that differs between runs.
func (d *desk) alike(text string) string {
	base := filepath.Dir(d.repo)
	real, err := filepath.EvalSymlinks(base)
	d.check(err)
	home := string(filepath.Separator) + "home"
	text = strings.NewReplacer(real+home, "~", base+home, "~", real, "~", base, "~", `\`, "/").Replace(text)
	text = regexp.MustCompile(`(^|[^-:0-9a-f])[0-9a-f]{12}\b`).ReplaceAllString(text, "${1}HASH")
	text = regexp.MustCompile(`(?m) +$`).ReplaceAllString(text, "")
	return regexp.MustCompile(`projects/[^/]+/memory`).ReplaceAllString(text, "projects/PROJECT/memory")
}

// TestPageOnTerminal shows headings and code in colour on a terminal, with a limited width.
func TestPageOnTerminal(t *testing.T) {
	t.Parallel()
	a := &app{outTTY: true, width: func() int { return 300 }, getenv: func(string) string { return "" }}
	long := strings.Repeat("word ", 30)
	want := "\x1b[1mPumps\x1b[0m\n\n" + strings.TrimSpace(long[:100]) + "\n" + strings.TrimSpace(long[100:]) +
		"\n\n- use \x1b[36mgitmem\x1b[0m\n\n    a `b`\n"
	if diff := cmp.Diff(want, a.page("# Pumps\n\n"+long+"\n\n- use\n  `gitmem`\n\n```sh\na `b`\n```\n")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("1. do\n2. \x1b[36mgo\x1b[0m\n", a.page("1. do\n2. `go`\n")); diff != "" {
		t.Error(diff)
	}
}

// TestTable aligns the columns of a table, breaks the text of cells at the width, and lists the
// rows where not even their longest words have room.
func TestTable(t *testing.T) {
	t.Parallel()
	const table = "| page | shows |\n|---|---|\n| Ask | a `small question` and its answer, with citations |\n" +
		"| Stats | |\n\nMore.\n"
	rule := "-----  ---------------------------------"
	for _, c := range []struct {
		name, terminal string
		width          int
		table, want    string
	}{
		{"wide", "dumb", 80, table, "page   shows\n" + rule + "----------------\n" +
			"Ask    a `small question` and its answer, with citations\nStats\n\nMore.\n"},
		{"wrapped", "dumb", 40, table, "page   shows\n" + rule + "\n" +
			"Ask    a `small question` and its\n       answer, with citations\nStats\n\nMore.\n"},
		{"colour", "xterm", 40, table, "page   shows\n" + rule + "\n" +
			"Ask    a \x1b[36msmall question\x1b[0m and its\n       answer, with citations\nStats\n\nMore.\n"},
		{"narrow", "dumb", 40, strings.Replace(table, "Ask", "a/page/with/a/very/long/name.md", 1),
			"- page: a/page/with/a/very/long/name.md\n  shows: a `small question` and its\n" +
				"  answer, with citations\n- page: Stats\n\nMore.\n"},
	} {
		a := &app{outTTY: true, width: func() int { return c.width }, getenv: func(name string) string {
			return map[string]string{"TERM": c.terminal}[name]
		}}
		if diff := cmp.Diff(c.want, a.page(c.table)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}

// TestHelpNamesEveryHook: the list of hooks is text that nothing else keeps complete.
func TestHelpNamesEveryHook(t *testing.T) {
	t.Parallel()
	long, _ := templates.Command("gitmem hook")
	for _, name := range hook.Names() {
		if !strings.Contains(long, "\n  "+name+" ") {
			t.Errorf("the help of gitmem hook lacks %s", name)
		}
	}
}
