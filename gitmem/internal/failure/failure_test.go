package failure_test

import (
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/failure"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func TestError(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, output string
		want               bool
	}{
		{"equal", "undefined: openCoil", "undefined: openCoil", true},
		{"positions", "./a/b.go:3:4: undefined: openCoil", "/home/x/a/b.go:77:1: undefined: openCoil", true},
		{"another name", "b.go:3:4: undefined: openCoil", "b.go:3:4: undefined: openCoils", false},
		{"another folder", "src/a/b.go:3:4: undefined: x", "src/c/b.go:3:4: undefined: x", false},
		{"columns in brackets", "a.ts(4,1): error TS2345: no string", "a.ts(41,12): error TS2345: no string", true},
		{"another code", "a.ts(4,1): error TS2345: no string", "a.ts(4,1): error TS2322: no string", false},
		{"addresses, hashes and times", "2026-01-02T03:04:05Z cannot map 0x1f00 of 3f2a91c4d5e6 after 3.2s",
			"2025-11-12T13:14:15Z cannot map 0xa0 of aa11bb22cc33 after 1m4s", true},
		{"temporary folders", "cannot stat /tmp/a8f3/x.c", "cannot stat /tmp/zz/q1/x.c", true},
		{"a port is no position", "cannot connect to 127.0.0.1:5432", "cannot connect to 127.0.0.1:6379", false},
		{"colours", "fatal: no such relay", "\x1b[31mfatal:\x1b[0m no such relay", true},
		{"a part of a line", "no such relay here", "relayd[7]: no such relay here", true},
		{"not within a word", "no such relay here", "no such relay heretofore", false},
		{"banners alone", "> app@1.0 test\nError: cannot open the valve",
			"> app@1.0 test\nError: cannot open the door", false},
		{"most lines", "error: no a\nerror: no b\nerror: no c and no d", "error: no a\nerror: no c and no d", true},
		{"few lines", "error: no a\nerror: no b\nerror: no c\nerror: no d and no e",
			"error: no a\nerror: no d and no e", false},
		{"another test", "--- FAIL: TestA (0.1s)\n    a_test.go:3: got 1, want 2",
			"--- FAIL: TestB (0.1s)\n    a_test.go:3: got 1, want 2",
			false},
		{"another result of a test", "--- FAIL: TestA (0.1s)\n    a_test.go:3: got 1, want 2",
			"--- FAIL: TestA (0.1s)\n    a_test.go:3: got 5, want 2", false},
		{"states only", "exit status 1\nmake: *** [all] Error 2", "exit status 1\nmake: *** [all] Error 2", false},
		{"a test without what it said", "--- FAIL: TestA (0.1s)\nFAIL", "--- FAIL: TestA (0.1s)\nFAIL", false},
		{"nothing", "", "", false},
		{"no word", "!!! ??? ***", "!!! ??? ***", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if said := failure.ReadError(tt.text).In(tt.output); (said != nil) != tt.want {
				t.Errorf("%q in %q: %q, want %t", tt.text, tt.output, said, tt.want)
			}
		})
	}
}

// session are messages from lines such as "! go test ./a > output" for a command that failed, "$ make > " for one
// that succeeded, "edit a.go old > new", "say words", "use name" and "back".
func session(lines ...string) iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		back := false
		for i, l := range lines {
			kind, rest, _ := strings.Cut(l, " ")
			head, out, _ := strings.Cut(rest, " > ")
			call := transcript.ToolUse{ID: "t", Name: kind}
			switch kind {
			case "say":
				yield(transcript.Message{Line: i + 1, Role: transcript.RoleUser, Prompt: true, Text: rest}, nil)
				continue
			case "back":
				back = !back
				continue
			case "use":
				call.Name = rest
			case "edit":
				file, old, _ := strings.Cut(head, " ")
				call.Name, call.Writes, call.Paths = "Edit", true, []string{file}
				call.Input, _ = json.Marshal(map[string]string{"file_path": file, "old_string": old, "new_string": out})
			default:
				call.Name, call.Command = "Bash", head
				call.Input, _ = json.Marshal(map[string]any{"command": head, "run_in_background": kind == "&"})
			}
			m := transcript.Message{Line: i + 1, Role: transcript.RoleAssistant, Tools: []transcript.ToolUse{call},
				TakenBack: back}
			r := transcript.Message{Line: i + 1, Role: transcript.RoleTool, TakenBack: back,
				Results: []transcript.ToolResult{{ID: "t", Text: out, Error: kind == "!"}}}
			if !yield(m, nil) || !yield(r, nil) {
				return
			}
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	const wrong, text = " > a.go:3:1: undefined: openCoil", "a.go:9:1: undefined: openCoil"
	fail := "! go build ./..." + wrong
	const none, again, open = "none", "again", "open"
	tests := []struct {
		name  string
		lines []string
		want  string // the path or the command of the first change
	}{
		{"an edit", []string{fail, "edit a.go x > y", "$ go build ./... > "}, "a.go"},
		{"a command", []string{fail, "$ go generate ./... > ", "$ go build ./... > "}, "go generate ./..."},
		{"the file that the error names first", []string{fail, "edit /r/a.go x > y", "edit b.md x > y",
			"$ go build ./... > "}, "/r/a.go"},
		{"the last change else", []string{fail, "edit b.go x > y", "edit c.go x > y", "$ go build ./... > "}, "c.go"},
		{"what was changed before the error changed", []string{fail, "edit b.go x > y", "! go build ./... > c.go:1:1: no y",
			"edit c.go x > y", "$ go build ./... > "}, "b.go"},
		{"tried in vain first", []string{fail, "edit b.go x > y", fail, "edit c.go x > y", "$ go build ./... > "}, "c.go"},
		{"another form of the command", []string{fail, "$ go build -tags=relay ./... > "}, "go build -tags=relay ./..."},
		{"a form that fails otherwise", []string{fail, "! go build -tags=relay ./... > b.go:1:1: no y", "edit b.go x > y",
			"$ go build -tags=relay ./... > "}, "go build -tags=relay ./..."},
		{"within the line that succeeds", []string{fail, "$ go mod tidy && go build ./... > "},
			"go mod tidy && go build ./..."},
		{"run again", []string{fail, "$ cat a.go > x", "$ go build ./... > "}, again},
		{"run again with the output cut", []string{fail, "$ go build ./... 2>&1 | tail -3 > "}, again},
		{"never again", []string{fail, "edit a.go x > y"}, open},
		{"another target", []string{"! go test ./a" + wrong, "edit a.go x > y", "$ go test ./b > ok"}, open},
		{"a target of the same name", []string{"! pytest a/x.py" + wrong, "edit a.go x > y", "$ pytest b/x.py > ok"}, open},
		{"an address above", []string{"! gh api a/b/c" + wrong, "edit a.go x > y", "$ gh api a/b > ok"}, open},
		{"more than the target", []string{"! go test ./a" + wrong, "edit a.go x > y", "$ go test ./... > ok"}, "a.go"},
		{"another subcommand", []string{fail, "edit a.go x > y", "$ go env > "}, open},
		{"a filter that hides", []string{fail, "edit a.go x > y", "$ go build ./... | grep -c error > 1"}, open},
		{"an output that names a failure", []string{fail, "edit a.go x > y",
			"$ go build ./... | tail > b.go:1:1: no y"}, open},
		{"a failure behind a pipe", []string{"$ go build ./... | tail" + wrong, "edit a.go x > y",
			"$ go build ./... > "}, "a.go"},
		{"a log that is read", []string{"$ cat build.log | tail" + wrong, "edit a.go x > y", "$ cat build.log > "}, none},
		{"a text in a file", []string{"$ cat build.log" + wrong, "edit a.go x > y", "$ go build ./... > "}, none},
		{"interrupted", []string{fail + "\n[Request interrupted by user for tool use]", "edit a.go x > y",
			"$ go build ./... > "}, none},
		{"a command that was refused", []string{fail, "! rm -rf build > denied", "$ go build ./... > "}, none},
		{"taken back", []string{fail, "back", "edit a.go x > y", "$ go build ./... > ", "back", "say no"}, open},
		{"failed on a branch taken back", []string{"back", fail, "edit a.go x > y", "back", "$ go build ./... > "}, none},
		{"a tool that nobody knows", []string{fail, "use mcp__x__do", "$ go build ./... > "}, none},
		{"a tool that nobody knows, and an edit", []string{fail, "use mcp__x__do", "edit a.go x > y",
			"$ go build ./... > "}, "a.go"},
		{"an edit for another error", []string{fail + "\nb.go:1:1: no y", "edit b.go x > y", "$ go build ./... > "}, none},
		{"a program in the background", []string{fail, "& make serve", "$ go build ./... > "}, none},
		{"a script of unknown effect", []string{fail, "$ python3 - > ", "$ go build ./... > "}, none},
		{"a line that failed behind a change", []string{fail, "! go mod tidy && go vet ./x > no x",
			"$ go build ./... > "}, none},
		{"a conflict", []string{"! git merge x > a.go:3:1: undefined: openCoil\nCONFLICT in a.go", "edit a.go x > y",
			"$ git merge x > ok"}, open},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := failure.Find(failure.ReadError(text), session(tt.lines...))
			if err != nil {
				t.Fatal(err)
			}
			if first := first(got); first != tt.want {
				t.Errorf("got %q, want %q", first, tt.want)
			}
		})
	}
}

// first is what ended the first of some failures.
func first(got []*failure.Episode) string {
	switch {
	case len(got) == 0:
		return "none"
	case got[0].Ended.Block == "":
		return "open"
	case len(got[0].Changes) == 0:
		return "again"
	}
	return got[0].Changes[0].Path + got[0].Changes[0].Command
}

// FuzzError: an error text never panics, and is the same as itself.
func FuzzError(f *testing.F) {
	f.Add("a/b.go:3:4: undefined: x")
	f.Add("--- FAIL: TestA (0.1s)\n\xff\x00 error: /tmp/ \\ (1,2)")
	f.Fuzz(func(t *testing.T, text string) {
		e := failure.ReadError(text)
		if e.Literal() != "" && len(text) < 2000 && len(e.Lines()) > 0 && e.In(text) == nil {
			t.Errorf("%q is not the same error as itself", text)
		}
	})
}
