package transcript_test

import (
	"encoding/json"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

// TestAgentsReport checks that the report of an agent is attributed to it, whether the session waited for it or
// received it later, and that the client's text about it is not.
func TestAgentsReport(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]transcript.Quote{
		"helper.jsonl": {Line: 4, Text: "The flash tool bricks boards with old bootloaders.", By: transcript.Agent,
			Block: "result"},
		"agent.jsonl":    {Line: 18, Text: "The README says the deploy key is stored in vault seven.", By: transcript.Agent},
		"teammate.jsonl": {Line: 17, Text: "I found the relay is 5V.", By: transcript.Agent},
	} {
		d := digestOf(t, file)
		found := false
		for _, q := range d.Said {
			found = found || q.Line == want.Line && q.Text == want.Text && q.By == want.By && q.Block == want.Block
			if q.By == transcript.Agent && q.Line != want.Line && file == "helper.jsonl" {
				t.Errorf("%s: an agent says %q", file, q.Text)
			}
		}
		if !found {
			t.Errorf("%s: nobody says %+v: %+v", file, want, d.Said)
		}
	}
}

func digestOf(t *testing.T, file string) transcript.Digest {
	t.Helper()
	d, err := transcript.Summarise(transcript.Conversation("testdata/records/" + file))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLeft checks that a session leaves the commands that never succeeded and the open tasks.
func TestLeft(t *testing.T) {
	t.Parallel()
	d := digestOf(t, "helper.jsonl")
	if diff := cmp.Diff([]string{"in_progress Wire the relay board (todo)", "pending Measure the inrush current (todo)"},
		tasksOf(d)); diff != "" {
		t.Error(diff)
	}
	d.Leave()
	got := map[string][]string{}
	for _, intent := range []string{"failed", "todo"} {
		for _, q := range d.Quotes[intent] {
			got[intent] = append(got[intent], q.Text)
		}
	}
	want := map[string][]string{
		"failed": {
			"`sh -c 'echo error: relay.c:12: undefined reference to pump_on >&2; exit 2'`: error: relay.c:12: undefined " +
				"reference to pump_on",
			"`cat nosuchfile && echo yes`: cat: nosuchfile: No such file or directory",
		},
		"todo": {"Wire the relay board", "Measure the inrush current"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// tasksOf returns the tasks that a session left, each with its status and its block.
func tasksOf(d transcript.Digest) (list []string) {
	for _, task := range d.Tasks {
		list = append(list, task.Status+" "+task.Text+" ("+task.Block+")")
	}
	return list
}

// TestFailedCommands checks that a command that succeeded later does not count as failed, even in another folder or
// with less output.
func TestFailedCommands(t *testing.T) {
	t.Parallel()
	type run struct {
		command, result string
		failed          bool
	}
	for name, c := range map[string]struct {
		runs []run
		want []string
	}{
		"to the end": {[]run{{"make", "ok", false},
			{"make", "Exit code 2\ncc relay.c\nrelay.c:3: error\nmake: *** [all] Error 2", true}},
			[]string{"`make`: cc relay.c … make: *** [all] Error 2"}},
		"mended": {[]run{{"make all", "Exit code 2\nerror", true}, {"cd /pump && make all 2>&1 | tail -3", "ok", false}},
			nil},
		"another one": {[]run{{"make all", "Exit code 2\nerror", true}, {"make test", "ok", false}},
			[]string{"`make all`: error"}},
		"found nothing": {[]run{{"grep relay *.c", "Exit code 1", true}}, nil},
		"refused":       {[]run{{"rm -r /", "The user doesn't want to proceed with this tool use.", true}}, nil},
		"twice, two lines": {[]run{{"make", "Exit code 2\nfirst", true}, {"make", "Exit code 2\n\nsecond\n", true}},
			[]string{"`make`: second"}},
	} {
		var msgs []transcript.Message
		for i, r := range c.runs {
			id := string(rune('a' + i))
			msgs = append(msgs, transcript.Message{Line: 2*i + 1, Role: transcript.RoleAssistant,
				Tools: []transcript.ToolUse{{ID: id, Name: "Bash", Command: r.command}}},
				transcript.Message{Line: 2*i + 2, Role: transcript.RoleTool,
					Results: []transcript.ToolResult{{ID: id, Text: r.result, Error: r.failed}}})
		}
		d, err := transcript.Summarise(messages(msgs...))
		var got []string
		for _, q := range d.Failed {
			got = append(got, q.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s (%v):\n%s", name, err, diff)
		}
	}
}

// TestTodoWrite checks that an older client writes its whole list each time, that an empty one clears it, and that a
// refused one changes nothing.
func TestTodoWrite(t *testing.T) {
	t.Parallel()
	write := func(todos string) transcript.Message {
		return transcript.Message{Line: 1, Role: transcript.RoleAssistant,
			Tools: []transcript.ToolUse{{ID: "t", Name: "TodoWrite", Input: json.RawMessage(`{"todos":` + todos + `}`)}}}
	}
	d, err := transcript.Summarise(messages(write(`[{"content":"Wire it","status":"in_progress"},{"content":"Test it",` +
		`"status":"completed"}]`)))
	if diff := cmp.Diff([]string{"in_progress Wire it (todo)", "completed Test it (todo)"}, tasksOf(d)); diff != "" ||
		err != nil {
		t.Error(diff, err)
	}
	d, err = transcript.Summarise(messages(write(`[{"content":"Wire it","status":"in_progress"}]`), write(`[]`)))
	if err != nil || len(d.Tasks) > 0 {
		t.Errorf("%+v (%v), want no task", d.Tasks, err)
	}
	second := write(`[{"content":"Test it","status":"in_progress"}]`)
	second.Tools[0].ID = "u"
	refused := transcript.Message{Line: 2, Role: transcript.RoleTool,
		Results: []transcript.ToolResult{{ID: "u", Text: "InputValidationError", Error: true}}}
	d, err = transcript.Summarise(messages(write(`[{"content":"Wire it","status":"in_progress"}]`), second, refused))
	if diff := cmp.Diff([]string{"in_progress Wire it (todo)"}, tasksOf(d)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestRemains checks that a session of greetings is not archived whatever the reply, and a program's run only if it
// changed or decided something.
func TestRemains(t *testing.T) {
	t.Parallel()
	prompt := func(by transcript.Speaker, text string) transcript.Message {
		return transcript.Message{Role: transcript.RoleUser, Prompt: true, Speaker: by, Text: text}
	}
	answer := func(text string, tools ...transcript.ToolUse) transcript.Message {
		return transcript.Message{Role: transcript.RoleAssistant, Text: text, Tools: tools}
	}
	read, write := transcript.ToolUse{Name: "Read", Paths: []string{"a.c"}},
		transcript.ToolUse{Name: "Write", Paths: []string{"a.c"}, Writes: true}
	triage := prompt(transcript.Program, "triage issue 12 of the pump")
	for name, c := range map[string]struct {
		msgs []transcript.Message
		want bool
	}{
		"greeting": {[]transcript.Message{prompt(transcript.Person, "hi"),
			answer("Hello! The pump runs on a ten ampere relay since we decided to use it.")}, false},
		"greeting, with a look": {[]transcript.Message{prompt(transcript.Person, "Hello!"), answer("", read),
			answer("Hello! What shall we do?")}, false},
		"greeting, with work": {[]transcript.Message{prompt(transcript.Person, "Hello!"), answer("", write)}, true},
		"how are you": {[]transcript.Message{prompt(transcript.Person, "hi, how are you?"),
			answer("I am fine, thank you.")}, false},
		"program, nothing changed": {[]transcript.Message{triage, answer("", read),
			answer("The build is broken by the pump's header.")}, false},
		"program, a file": {[]transcript.Message{triage, answer("", write)}, true},
		"program, a decision": {[]transcript.Message{triage, answer("We decided to use CAN because RS485 lost frames.")},
			true},
		"program that a person led": {[]transcript.Message{triage, answer("", read),
			prompt(transcript.Person, "what breaks the pump's build?"), answer("", read)}, true},
	} {
		d, err := transcript.Summarise(messages(c.msgs...))
		if got := d.Remains(); err != nil || got != c.want {
			t.Errorf("%s: %v, want %v (%v)", name, got, c.want, err)
		}
	}
}
