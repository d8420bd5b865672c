package curate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/curate"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
)

// TestNoteOfSeveralLines: the note is one item. Blame finds all of it by its citation, and the same note again is a
// duplicate.
func TestNoteOfSeveralLines(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, text := range []string{
		"Flush the valve\n- open it slowly\n\n## Afterwards\nclose the drain",
		"Grease the bearing\n```\nfence that stays open", "Turn the shaft\n<!-- comment that stays open\n\n\n    far below",
		"Look at\n\n- one gauge\n- another gauge ^i-aaaaaaaaaa",
	} {
		n, err := m.editor().Note(t.Context(), text, false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.editor().Blame(t.Context(), n.ID)
		if err != nil {
			t.Fatal(err)
		}
		var shown strings.Builder
		for _, l := range b.Lines {
			shown.WriteString(l.Text + "\n")
		}
		for line := range strings.Lines(text) {
			contains(t, n.ID, shown.String(), strings.TrimSpace(line))
		}
		_, err = m.editor().Note(t.Context(), text, false)
		if twin, ok := errors.AsType[*messages.Duplicate](err); !ok || twin.Line != n.Line {
			t.Errorf("%q again: %v, want one of line %d", text, err, n.Line)
		}
	}
	if _, err := m.editor().Note(t.Context(), "Flush the valve\n- open it quickly\n- wear gloves and goggles",
		false); err != nil {
		t.Errorf("another rest: %v", err)
	}
}

func TestNote(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	const intro = "# Pump\n\n## Known pitfalls\n\n- The door sticks\n\n## Notes\n"
	m.Write(m.InRoot(m.rel("MEMORY.md")), intro)
	for _, tt := range []struct {
		name, text, env string
		file, want      string // the file contains want
		trust           answer.Trust
	}{
		{name: "under a person's heading", text: "Never open the drain first", file: "MEMORY.md",
			want: "- The door sticks\n- Never open the drain first\n", trust: answer.Mine},
		{name: "under a new heading", text: "We use metric screws", file: "MEMORY.md",
			want: "## Conventions\n\n- We use metric screws\n", trust: answer.Mine},
		{name: "without a secret", text: "The token is " + secret, file: "MEMORY.md", want: "- The token is [redacted:",
			trust: answer.Mine},
		{name: "of a model", text: "The shaft is short", env: "1", file: "MEMORY.md", want: "- The shaft is short",
			trust: answer.Model},
	} {
		m.Env["CLAUDECODE"], m.Env["CLAUDE_CODE_SESSION_ID"] = tt.env, ""
		if tt.env != "" {
			m.Env["CLAUDE_CODE_SESSION_ID"] = "3f2a91c4-0000-4000-8000-000000000001"
		}
		n, err := m.editor().Note(t.Context(), tt.text, false)
		if err != nil || n.File != m.InRoot(m.rel(tt.file)) || n.Commit == "" || n.Trust != tt.trust {
			t.Errorf("%s: %+v, %v", tt.name, n, err)
			continue
		}
		text := m.Read(n.File)
		contains(t, tt.name, text, tt.want)
		if lines := strings.Split(text, "\n"); !strings.HasPrefix(lines[n.Line-1], "- "+strings.Fields(tt.text)[0]) {
			t.Errorf("%s: line %d is %q", tt.name, n.Line, lines[n.Line-1])
		}
	}
	for _, tt := range []struct {
		name, text string
		want       error
	}{
		{"empty", " \r\n\t", messages.ErrUsage},
		{"too long", strings.Repeat("a ", 4<<10+1), messages.ErrUsage},
		{"the same in other words", "never open the DRAIN first!", messages.ErrDuplicate},
	} {
		if _, err := m.editor().Note(t.Context(), tt.text, false); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := m.editor().Note(t.Context(), "Never open the drain first", true); err != nil {
		t.Errorf("the same by force: %v", err)
	}
}

// TestNoteBesideAFullFile: the note is written to the file of the month, which MEMORY.md names once.
func TestNoteBesideAFullFile(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Write(m.InRoot(m.rel("MEMORY.md")), "# Pump\n"+strings.Repeat("- A line\n", 200))
	for _, text := range []string{"The drain is behind the door", "The shaft is short"} {
		n, err := m.editor().Note(t.Context(), text, false)
		if err != nil || n.File != m.InRoot(m.rel("notes-2025-03.md")) {
			t.Fatalf("%+v, %v", n, err)
		}
		contains(t, "the file of the month", m.Read(n.File), "- "+text+"\n")
	}
	index := m.files()["MEMORY.md"]
	if !strings.HasPrefix(index, "# Pump\n\nMore notes: [notes-2025-03.md](notes-2025-03.md)\n") ||
		strings.Count(index, "notes-2025-03.md") != 2 {
		t.Errorf("MEMORY.md begins %.100q", index)
	}
}

// TestNoteThatOverflows: the result warns that the client does not load the note, also if only its own lines exceed the
// limit.
func TestNoteThatOverflows(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Write(m.InRoot(m.rel("MEMORY.md")), "# Pump\n"+strings.Repeat("- A line\n", 150))
	w, ed := m.open()
	var warned []string
	w.Options.Warn = func(text string) { warned = append(warned, text) }
	n, err := ed.Note(t.Context(), "The steps are\n"+strings.Repeat("turn\n", 40), false)
	if err != nil || n.File != m.InRoot(m.rel("notes-2025-03.md")) || len(warned) != 1 {
		t.Fatalf("%+v, %v, %q", n, err, warned)
	}
	contains(t, "the warning", warned[0], "notes-2025-03.md, which the client does not load by itself")
	if _, err := ed.Note(t.Context(), "The lid is blue", false); err != nil || len(warned) != 1 {
		t.Errorf("a note that fits: %v, %q", err, warned)
	}
	contains(t, "MEMORY.md", m.files()["MEMORY.md"], "- The lid is blue\n")
}

// TestNewMemoryHasNoFrontmatter: the client gives MEMORY.md none.
func TestNewMemoryHasNoFrontmatter(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	n, err := m.editor().Note(t.Context(), "The lid is blue", false)
	if text := m.files()["MEMORY.md"]; err != nil || text != "# Memory\n\n## Notes\n\n- The lid is blue\n" || n.Line != 5 {
		t.Errorf("line %d, %v:\n%s", n.Line, err, text)
	}
}

// TestNoteOfWhatWasForgotten: the note is refused; with force it is written and removed from the list.
func TestNoteOfWhatWasForgotten(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	list := tombstone.Header
	for _, line := range (tombstone.Builder{Day: "2025-03-01",
		Salt: "0123456789abcdef"}).Line("The cupboard opens with a coin") {
		list += line.String() + "\n"
	}
	m.Write(m.InRoot(tombstone.File), list)
	for _, text := range []string{"The cupboard opens with a coin", "TODO: The cupboard opens with a coin",
		"Decision: The cupboard opens with a coin"} {
		if _, err := m.editor().Note(t.Context(), text, false); !errors.Is(err, messages.ErrDuplicate) {
			t.Errorf("%s: %v", text, err)
		}
	}
	e, err := m.editor().Edit(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.editor().Save(t.Context(), e, []byte("# Pump\n\n- The cupboard opens with a coin\n"))
	refuses(t, "an edit", err, nil, "says again what was forgotten")
	if _, err := m.editor().Note(t.Context(), "The cupboard opens with a coin", true); err != nil {
		t.Fatal(err)
	}
	if text := m.Read(m.InRoot(tombstone.File)); text != tombstone.Header {
		t.Errorf("the list:\n%s", text)
	}
}

func TestNoteOfATaskOrDecision(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	task, err := m.editor().Note(t.Context(), "TODO: Measure the inrush", false)
	if err != nil || !strings.HasPrefix(task.ID, "task:") || task.Text != "Measure the inrush" {
		t.Fatalf("%+v, %v", task, err)
	}
	if _, err := m.editor().Note(t.Context(), "todo: Measure the inrush", false); !errors.Is(err, messages.ErrDuplicate) {
		t.Errorf("the task again: %v", err)
	}
	if _, err := m.editor().SetTask(t.Context(), tasks.Change{ID: task.ID, State: "done"}); err != nil {
		t.Fatal(err)
	}
	if again, err := m.editor().Note(t.Context(), "TODO: Measure the inrush", true); err != nil || again.ID != task.ID {
		t.Errorf("the task by force: %+v, %v", again, err)
	}
	open, err := m.editor().Tasks(t.Context(), false)
	if err != nil || len(open) != 1 || open[0].State != tasks.Pending {
		t.Errorf("open: %+v, %v", open, err)
	}
	d, err := m.editor().Note(t.Context(), "Decision: Use the big relay\nIt draws seven ampere.", false)
	if err != nil || d.ID != "decision:2025-03-10-use-the-big-relay" {
		t.Fatalf("%+v, %v", d, err)
	}
	contains(t, "the decision", m.Read(d.File), "# Use the big relay\n\n## Context\n\nIt draws seven ampere.\n")
	long := strings.Repeat("long ", 30)
	d, err = m.editor().Note(t.Context(), "Decision: "+long, false)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "a decision of a long line", m.Read(d.File), "## Context\n\n"+strings.TrimSpace(long))
}

func TestDecide(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	old, err := m.editor().Decide(t.Context(), curate.Decision{Title: "Use the gear pump"})
	if err != nil || old.Status != "accepted" || old.Trust != answer.Reviewed {
		t.Fatalf("%+v, %v", old, err)
	}
	d := curate.Decision{Title: "Use the gear pump!"}
	if _, err := m.editor().Decide(t.Context(), d); !errors.Is(err, messages.ErrDuplicate) {
		t.Errorf("the same: %v", err)
	}
	d.Force = true
	twin, err := m.editor().Decide(t.Context(), d)
	if err != nil || twin.ID != old.ID+"-2" {
		t.Errorf("by force: %+v, %v", twin, err)
	}
	for name, change := range map[string]func(*curate.Decision){
		"no title":        func(d *curate.Decision) { d.Title = " \n" },
		"no such status":  func(d *curate.Decision) { d.Status = "maybe" },
		"too long":        func(d *curate.Decision) { d.Why = strings.Repeat("a", 8<<10+1) },
		"unknown":         func(d *curate.Decision) { d.Supersedes = []string{"decision:none"} },
		"no such source":  func(d *curate.Decision) { d.Evidence = []string{"decision:none"} },
		"no such session": func(d *curate.Decision) { d.Evidence = []string{"no citation"} },
	} {
		d := curate.Decision{Title: "Use the membrane pump"}
		change(&d)
		if _, err := m.editor().Decide(t.Context(), d); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	d = curate.Decision{Title: "Use the membrane pump"}
	d.Why, d.Alternatives, d.Supersedes, d.Evidence = "The gear pump leaks.", "A larger gear pump",
		[]string{"[" + old.ID + "]"}, []string{twin.ID}
	m.Env["CLAUDECODE"] = "1"
	now, err := m.editor().Decide(t.Context(), d)
	if err != nil || now.Status != "proposed" {
		t.Fatalf("%+v, %v", now, err)
	}
	contains(t, "what it supersedes, before it is confirmed", m.Read(old.File), "status: accepted\n")
	_, err = m.editor().ConfirmDecision(t.Context(), now.ID)
	refuses(t, "a model confirms", err, messages.ErrUsage, "inside the client nothing is confirmed")
	m.Env["CLAUDECODE"] = ""
	if now, err = m.editor().ConfirmDecision(t.Context(), strings.TrimPrefix(now.ID, "decision:")); err != nil ||
		now.Status != "accepted" || now.Trust != answer.Reviewed {
		t.Errorf("confirmed: %+v, %v", now, err)
	}
	contains(t, "what it supersedes", m.Read(old.File), "status: superseded\n")
	text := m.Read(now.File)
	for _, want := range []string{"status: accepted\n", "## Why\n\nThe gear pump leaks.\n",
		"## Alternatives\n\nA larger gear pump\n", old.ID, twin.ID} {
		contains(t, "the decision", text, want)
	}
	_, err = m.editor().ConfirmDecision(t.Context(), "decision:none")
	refuses(t, "no decision", err, messages.ErrNotFound, "decision:none is no decision of this project")
}

func TestSetTask(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, tt := range []struct {
		name string
		c    tasks.Change
		want string // state, title and reason
		err  error
	}{
		{"new", tasks.Change{ID: "drain", Title: "Clean the\ndrain"}, "pending, Clean the drain, ", nil},
		{"another", tasks.Change{ID: "task:shaft", Title: "Cut the shaft", State: "wip"},
			"in_progress, Cut the shaft, ", nil},
		{"a state", tasks.Change{ID: "[task:drain]", State: "blocked", Reason: "no brush"},
			"blocked, Clean the drain, no brush", nil},
		{"no such state", tasks.Change{ID: "drain", State: "maybe"}, "", messages.ErrUsage},
		{"no id", tasks.Change{ID: "a b"}, "", messages.ErrUsage},
		{"nothing", tasks.Change{}, "", messages.ErrUsage},
		{"unknown", tasks.Change{ID: "none", State: "done"}, "", messages.ErrNotFound},
		{"too long", tasks.Change{Title: strings.Repeat("ä", 301)}, "", messages.ErrUsage},
		{"done", tasks.Change{ID: "drain", State: "completed"}, "completed, Clean the drain, ", nil},
	} {
		got, err := m.editor().SetTask(t.Context(), tt.c)
		if s := got.State + ", " + got.Title + ", " + got.Reason; !errors.Is(err, tt.err) || err == nil &&
			(s != tt.want || got.Commit == "" || got.Line == 0) {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
	var got []string
	for _, all := range []bool{false, true} {
		list, err := m.editor().Tasks(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range list {
			got = append(got, task.ID)
		}
	}
	if diff := cmp.Diff([]string{"task:shaft", "task:shaft", "task:drain"}, got); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}
	m.Env["CLAUDECODE"] = "1"
	_, err := m.editor().ConfirmTask(t.Context(), "shaft")
	refuses(t, "a model confirms", err, messages.ErrUsage, "inside the client")
}

// TestLinksOutOfTheRoot: links replace the files where memory is written.
func TestLinksOutOfTheRoot(t *testing.T) {
	t.Parallel()
	for _, folder := range []bool{false, true} {
		m := newMemory(t)
		outside := filepath.Join(m.Home, "outside", "MEMORY.md")
		m.Write(outside, "# Not ours\n")
		from, to := m.InRoot(m.rel("MEMORY.md")), outside
		if folder {
			from, to = filepath.Dir(from), filepath.Dir(to)
		}
		if err := os.MkdirAll(filepath.Dir(from), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, from); err != nil {
			t.Skipf("SKIPPED: no symbolic links here: %v", err)
		}
		if n, err := m.editor().Note(t.Context(), "The pump has a door", false); err == nil ||
			!strings.Contains(err.Error(), "memory") {
			t.Errorf("folder %v: noted %+v, %v", folder, n, err)
		}
		found, err := os.ReadDir(filepath.Dir(outside))
		if err != nil || len(found) != 1 || m.Read(outside) != "# Not ours\n" {
			t.Errorf("folder %v: outside lie %v, %v", folder, found, err)
		}
	}
}
