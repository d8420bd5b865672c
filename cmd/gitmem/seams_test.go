package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// bench is a home in which verbs run one after another, each in a process, and one of them with a fault.
type bench struct {
	*dotfiles
	dir    string // of a project
	report string
}

// act is one verb and the word that it adds to memory; a search adds none.
type act struct{ verb, word string }

// acts returns the verbs of a short day: the index is built after the first note and refreshed at the end.
func acts() []act {
	return []act{{"note", "zorvax"}, {"search", ""}, {"note", "quellim"}, {"search", ""}, {"post-tool-use", "brintho"},
		{"post-tool-use", "ovinne"}, {"stop", ""}, {"archive", "tamblor"}, {"search", ""}}
}

func seamWays() []string {
	return []string{"EIO", "ENOSPC", "EROFS", "EACCES", "EINTR", "short", "kill", "read"}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if injectors() == nil {
		t.Skip("SKIPPED: system calls are made to fail on linux/amd64 only")
	}
	b := &bench{dotfiles: newDotfiles(t)}
	b.dir, b.report = b.path("work"), b.path("../report")
	b.run("work", "git", "init", "--quiet")
	b.run("work", "git", "add", "--all")
	b.run("work", "git", "commit", "--quiet", "--message", "Begin the pump")
	b.run("", "gitmem", "init")
	return b
}

// noteOf returns a note with a word. The two go to separate sections, so that each is a separate result.
func noteOf(word string) string {
	if word == "quellim" {
		return "Never paint the pump " + word
	}
	return "The pump is of " + word
}

const seamSession = "38c88b61-18be-494e-9c54-6e697febc51c"

// do runs an act, inside a wrapper if one is given, and reports whether it was acknowledged: a verb by its
// exit code, a hook by its trace.
func (b *bench) do(a act, wrapper ...string) (done bool, out string) {
	b.t.Helper()
	args, stdin := []string{"gitmem", "hook", a.verb}, ""
	switch a.verb {
	case "note":
		args = []string{"gitmem", "note", "--force", noteOf(a.word)}
	case "search":
		args = []string{"gitmem", "search", "--project", "all", "--json", "--limit", "50",
			"zorvax quellim brintho ovinne tamblor"}
	default:
		stdin = b.payload(a)
	}
	args = append(slices.Clone(wrapper), args...)
	traced := b.traced()
	out, err := b.start("work", stdin, args[0], args[1:]...)
	if a.verb == "note" || a.verb == "search" {
		return err == nil, out
	}
	return err == nil && b.traced() > traced, out
}

// traced counts the records of successful hooks.
func (b *bench) traced() int {
	text, err := os.ReadFile(b.path(".claude/gitmem/.index/trace/2026-11-20.jsonl"))
	if err != nil {
		return 0
	}
	return strings.Count(string(text), `"result":"written"`)
}

// payload returns the payload of a hook, with a transcript for the end of a session.
func (b *bench) payload(a act) string {
	b.t.Helper()
	line := func(kind string, message any) string {
		return b.json(map[string]any{"type": kind, "uuid": kind, "sessionId": seamSession,
			"timestamp": "2026-11-20T11:00:00Z", "cwd": b.dir, "promptSource": "typed", "message": message}) + "\n"
	}
	b.write("../session.jsonl",
		line("user", map[string]any{"role": "user", "content": "Paint the pump " + a.word + " and wire it"})+
			line("assistant", map[string]any{"role": "assistant",
				"content": []any{map[string]string{"type": "text", "text": "The driver is wired and the pump runs."}}}))
	return b.json(map[string]any{"session_id": seamSession, "cwd": b.dir, "tool_name": "Bash",
		"tool_input": map[string]string{"command": "echo " + a.word}, "transcript_path": b.path("../session.jsonl")})
}

func (b *bench) json(v any) string {
	b.t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// hits counts for each word the search results that contain it.
func (b *bench) hits() (map[string]int, error) {
	done, out := b.do(act{verb: "search"})
	if !done && !strings.Contains(out, `"hits": []`) {
		return nil, fmt.Errorf("search: %s", out)
	}
	counts, _ := countHits(out)
	return counts, nil
}

// countHits also reports whether the search printed a problem.
func countHits(out string) (counts map[string]int, told bool) {
	var found struct {
		Hits    []struct{ Excerpt, Title string }
		Caveats []string
	}
	counts = map[string]int{}
	if at := strings.IndexByte(out, '{'); at < 0 || json.NewDecoder(strings.NewReader(out[at:])).Decode(&found) != nil {
		return counts, strings.Contains(out, "gitmem: ")
	}
	for _, h := range found.Hits {
		for _, a := range acts() {
			if a.word != "" && strings.Contains(h.Title+"\n"+h.Excerpt, a.word) {
				counts[a.word]++
			}
		}
	}
	return counts, len(found.Caveats) > 0 || strings.Contains(out, "gitmem: ")
}

// lines counts the lines in HEAD that contain each word.
func (b *bench) lines() map[string]int {
	b.t.Helper()
	counts := map[string]int{}
	for _, a := range acts() {
		if a.word != "" {
			// exit 1: none
			out, _ := b.start("", "", "git", "-C", b.path(".claude"), "grep", "-h", a.word, "HEAD", "--", "gitmem", "projects")
			counts[a.word] = strings.Count(out, "\n")
		}
	}
	return counts
}

// save and restore copy the home before an act, and back.
func (b *bench) save(n int) { b.copy(b.home, b.saved(n)) }

func (b *bench) restore(n int) {
	b.t.Helper()
	if err := os.RemoveAll(b.home); err != nil {
		b.t.Fatal(err)
	}
	b.copy(b.saved(n), b.home)
}

func (b *bench) saved(n int) string {
	return filepath.Join(filepath.Dir(b.home), "saved"+strconv.Itoa(n))
}

func (b *bench) copy(from, to string) {
	b.t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		b.t.Fatalf("%v: %s", err, out)
	}
}

// failing runs an act whose k-th seam fails, and returns the number of seams and the first one that failed.
func (b *bench) failing(a act, way string, k int) (done bool, seams int, failed, out string) {
	b.t.Helper()
	done, out = b.do(a, "inject", way, strconv.Itoa(k), b.path(".claude")+"/", b.report)
	text, err := os.ReadFile(b.report)
	if err != nil {
		b.t.Fatal(err)
	}
	number, failed, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if seams, err = strconv.Atoi(number); err != nil || strings.Contains(out, "inject:") {
		b.t.Fatalf("%v: %s", err, out)
	}
	return done, seams, failed, out
}

// TestEverySeam makes system calls of every verb fail, each in one of eight ways, and checks the result: text
// that was acknowledged is found by a search, as often as without a fault, and is once in HEAD; other text is
// there in the same way or not at all; git finds no error. It takes a sample of the seams, because each case
// is a dozen processes; all of them with go test ./cmd/gitmem -run EverySeam -seams 1 -timeout 2h -v
func TestEverySeam(t *testing.T) {
	t.Parallel()
	nightly(t)
	b := newBench(t)
	seams := map[string]int{} // by act and class
	for i, a := range acts() {
		b.save(i)
		_, n, _, _ := b.failing(a, "EIO", 0)
		seams[fmt.Sprint(i, " ", a.verb)] = n
		b.restore(i)
		_, n, _, _ = b.failing(a, "read", 0)
		seams[fmt.Sprint(i, " ", a.verb, " reading")] = n
	}
	wantHits, err := b.hits()
	if err != nil {
		t.Fatal(err)
	}
	wantLines := b.lines()
	for _, a := range acts() {
		if a.word != "" && (wantHits[a.word] == 0 || wantLines[a.word] == 0) {
			t.Fatalf("without a fault: hits %v, lines %v", wantHits, wantLines)
		}
	}
	changing, reading, cases, step := 0, 0, 0, numberFlag(t, "seams")
	fired := map[string]int{}
	for i, a := range acts() {
		for w, way := range seamWays() {
			n := seams[fmt.Sprint(i, " ", a.verb)]
			if way == "read" {
				n = seams[fmt.Sprint(i, " ", a.verb, " reading")]
				reading += n
			} else if w == 0 {
				changing += n
			}
			// Each seam fails in one way, the next seam in another one.
			stride, first := step*(len(seamWays())-1), w*step
			if way == "read" {
				stride, first = step*7, (i*13)%n
			}
			for k := 1 + first; k <= n; k += stride {
				cases++
				fired[way] += b.seam(i, a, way, k, wantHits, wantLines)
			}
		}
	}
	t.Logf("%d seams that change and %d that read, by act %v; %d cases, of which reached %v", changing, reading,
		seams, cases, fired)
}

// seam tests one case. It returns 1 if the seam was reached.
func (b *bench) seam(i int, a act, way string, k int, wantHits, wantLines map[string]int) int {
	b.t.Helper()
	b.restore(i)
	done, _, failed, out := b.failing(a, way, k)
	what := fmt.Sprintf("%d %s, %s at seam %d (%s)", i, a.verb, way, k, failed)
	kept := map[string]bool{}
	for _, before := range acts()[:i] {
		kept[before.word] = true
	}
	if a.verb == "search" {
		if got, told := countHits(out); done && !told {
			for word := range kept {
				if word != "" && got[word] == 0 {
					b.t.Errorf("%s: %s is not found and nothing is said:\n%s", what, word, out)
				}
			}
		}
	}
	kept[a.word] = done
	hits, err := b.hits()
	if err != nil {
		b.t.Errorf("%s: afterwards: %v", what, err)
		return 0
	}
	end := act{"archive", "tamblor"}
	if done, out := b.do(end); !done && i < len(acts())-2 {
		b.t.Errorf("%s: the end of the session afterwards: %s", what, out)
	}
	if done, out := b.do(act{"note", "finish"}); !done {
		b.t.Errorf("%s: a note afterwards: %s", what, out)
	}
	b.sound(what)
	lines := b.lines()
	for word, want := range wantLines {
		if word == "tamblor" { // a later act archived the session's end, regardless of the fault
			kept[word] = true
		} else if kept[word] && hits[word] != wantHits[word] {
			b.t.Errorf("%s: %s was acknowledged and is found %d times, not %d", what, word, hits[word], wantHits[word])
		}
		if lines[word] != want && (kept[word] || lines[word] != 0) {
			b.t.Errorf("%s: %s stands in %d lines of HEAD, not in %d (acknowledged: %v)", what, word, lines[word],
				want, kept[word])
		}
	}
	again, err := b.hits()
	if err != nil || again["tamblor"] != wantHits["tamblor"] {
		b.t.Errorf("%s: after the end: %v, %v, want %v", what, again, err, wantHits)
	}
	if failed == "" {
		return 0
	}
	return 1
}

// sound runs git's checks, and looks for truncated lines in logs.
func (b *bench) sound(what string) {
	b.t.Helper()
	whole := regexp.MustCompile(`^- \d\d:\d\d:\d\d .* \^o-\w+$`)
	// exit 1: none
	logs, _ := b.start("", "", "git", "-C", b.path(".claude"), "grep", "-h", "^-.*:", "HEAD", "--",
		"gitmem/projects/*/observations/*")
	for line := range strings.Lines(logs) {
		if !whole.MatchString(strings.TrimSuffix(line, "\n")) {
			b.t.Errorf("%s: torn line %q", what, line)
		}
	}
	for _, args := range [][]string{{"fsck", "--strict", "--no-dangling", "--no-progress"}, {"status", "--porcelain"}} {
		if out, err := b.start("", "", "git", append([]string{"-C", b.path(".claude")}, args...)...); err != nil ||
			out != "" {
			b.t.Errorf("%s: git %s: %v\n%s", what, args[0], err, out)
		}
	}
}
