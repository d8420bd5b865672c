package tasks_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/markdown"
)

func TestUpdate(t *testing.T) {
	t.Parallel()
	const list = "# Tasks\n\nOf the pump.\n\n- [ ] feat-a: Relay driver (in_progress; blocked by the board) " +
		"^task-feat-a\n- [x] Test board (blocked)\n- [ ] [todo] Range test #tech/lora (L12 14:03) ^task-range\n\n" +
		"## Later\n\ntext\n"
	const byModel = "# Tasks\n\n- [ ] A (blocked: x) (by a model) ^task-a\n"
	for name, tt := range map[string]struct {
		src    string
		change tasks.Change
		was    string // the changed line, "" for a new one
		is     string
		id     string
	}{
		"state": {list, tasks.Change{ID: "feat-a", State: tasks.Blocked, Reason: "no board (yet)"},
			"feat-a: Relay driver (in_progress; blocked by the board) ^task-feat-a",
			"feat-a: Relay driver (blocked: no board (yet)) ^task-feat-a", "feat-a"},
		"done": {list, tasks.Change{ID: "feat-a", State: tasks.Completed},
			"[ ] feat-a: Relay driver (in_progress; blocked by the board) ^", "[x] feat-a: Relay driver ^", "feat-a"},
		"title": {list, tasks.Change{ID: "feat-a", Title: "Driver"},
			"feat-a: Relay driver (in_progress; blocked by the board)", "Driver (in_progress: blocked by the board)", "feat-a"},
		"marks stay": {list, tasks.Change{ID: "range", State: tasks.InProgress}, "[todo] Range test #",
			"[todo] Range test (in_progress) #", "range"},
		"by title, reopens": {list, tasks.Change{Title: "test BOARD", State: tasks.Pending}, "[x] Test board (blocked)",
			"[ ] Test board ^task-" + markdown.ContentID("Test board"), markdown.ContentID("Test board")},
		"new": {list, tasks.Change{Title: "Range test 2!"}, "", "- [ ] Range test 2! ^task-range-test-2\n",
			"range-test-2"},
		"new, id taken": {list, tasks.Change{Title: "Feat A"}, "", "- [ ] Feat A ^task-feat-a-2\n", "feat-a-2"},
		"new, with a state": {list, tasks.Change{Title: "泵", State: tasks.Blocked, Reason: "x"}, "",
			"- [ ] 泵 (blocked: x) ^task-" + markdown.ContentID("泵") + "\n", markdown.ContentID("泵")},
		"by a model": {list, tasks.Change{Title: "Buy boards", State: tasks.Blocked, Reason: "no money",
			By: answer.Model}, "", "- [ ] Buy boards (blocked: no money) (by a model) ^task-buy-boards\n", "buy-boards"},
		"a model's reason": {list, tasks.Change{ID: "range", State: tasks.Blocked, Reason: "rain", By: answer.Model},
			"[todo] Range test #", "[todo] Range test (blocked: rain) (by a model) #", "range"},
		"its state": {byModel, tasks.Change{ID: "a", State: tasks.Completed}, "- [ ] A (blocked: x) (by a model) ^",
			"- [x] A (by a model) ^", "a"},
		"another title": {byModel, tasks.Change{ID: "a", Title: "B"}, "- [ ] A (blocked: x) (by a model) ^",
			"- [ ] B (blocked: x) ^", "a"},
		"confirmed": {byModel, tasks.Change{ID: "a", Confirm: true}, "- [ ] A (blocked: x) (by a model) ^",
			"- [ ] A (blocked: x) ^", "a"},
		"box half done": {"- [/] A\n- [ ] B\n", tasks.Change{Title: "B", State: tasks.Blocked}, "- [ ] B\n",
			"- [ ] B (blocked) ^task-" + markdown.ContentID("B") + "\n", markdown.ContentID("B")},
		"half done, reason": {"- [/] A ^a\n", tasks.Change{ID: "a", State: tasks.InProgress, Reason: "x"}, "- [/] A ^a",
			"- [/] A (in_progress: x) ^a", "a"},
		"half done, title": {"- [/] A ^a\n", tasks.Change{ID: "a", Title: "C"}, "- [/] A ^a", "- [/] C ^a", "a"},
		"half done, done":  {"- [/] A ^a\n", tasks.Change{ID: "a", State: tasks.Completed}, "- [/] A ^a", "- [x] A ^a", "a"},
		"half done, open":  {"- [/] A ^a\n", tasks.Change{ID: "a", State: tasks.Pending}, "- [/] A ^a", "- [ ] A ^a", "a"},
		"a person's own id": {"- [ ] A ^my-id\n", tasks.Change{ID: "my-id", State: tasks.Completed}, "- [ ] A ^my-id",
			"- [x] A ^my-id", "my-id"},
		"first":      {"---\nformat: 1\n---\n\n# Tasks\n", tasks.Change{Title: "A"}, "", "\n- [ ] A ^task-a\n", "a"},
		"empty file": {"", tasks.Change{Title: "A"}, "", "- [ ] A ^task-a\n", "a"},
		"CRLF":       {"# T\r\n\r\n- [ ] A ^task-a\r\n", tasks.Change{Title: "B"}, "", "- [ ] B ^task-b\r\n", "b"},
	} {
		d := markdown.Parse([]byte(tt.src))
		edit, task := tasks.Update(d, tt.change)
		got, err := markdown.Apply(d.Source, edit)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(tt.src, tt.was, tt.is, 1)
		if tt.was == "" {
			want = strings.Replace(string(got), tt.is, "", 1)
			if want != tt.src {
				t.Errorf("%s: more than a line is new:\n%s", name, got)
			}
			want = string(got)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" || task.ID != tt.id || !strings.Contains(string(got), tt.is) {
			t.Errorf("%s: id %q (-want +got):\n%s\n%s", name, task.ID, diff, got)
		}
		known := false
		for _, again := range tasks.Read(markdown.Parse(got)) {
			known = known || again.ID == task.ID && again.Text() == task.Text() && again.State == task.State &&
				again.By == task.By
		}
		if !known {
			t.Errorf("%s: %q is not read again in\n%s", name, task.Text(), got)
		}
	}
}

func TestReadHalfDone(t *testing.T) {
	t.Parallel()
	list := tasks.Read(markdown.Parse([]byte("- [/] Relay driver\n- [/] Range test (blocked: rain)\n- [1] a footnote\n")))
	if len(list) != 2 || list[0].State != tasks.InProgress || list[0].Title != "Relay driver" ||
		list[1].State != tasks.Blocked || !list[0].Open() {
		t.Errorf("read %+v", list)
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"pending": tasks.Pending, "In-Progress": tasks.InProgress, "wip": tasks.InProgress, "block": tasks.Blocked,
		"blocked": tasks.Blocked,
		"done":    tasks.Completed, "completed": tasks.Completed, "": "", "later": "",
	} {
		if got := tasks.State(word); got != want {
			t.Errorf("State(%q) = %q, want %q", word, got, want)
		}
	}
}

// FuzzUpdate checks that a change keeps every other line, and is parsed again unchanged.
func FuzzUpdate(f *testing.F) {
	f.Add("# T\n\n- [ ] A (blocked: x) ^task-a\n- [x] B\n", "A", "blocked", "y")
	f.Add("- [ ] a\n  b (wip) #t\n", "c", "", "")
	f.Add("```\n- [ ] a\n", "a", "done", "")
	f.Fuzz(func(t *testing.T, src, title, state, reason string) {
		title, reason = strings.Join(strings.Fields(title), " "), strings.Join(strings.Fields(reason), " ")
		if strings.Trim(title, "abcdefghijklmnopqrstuvwxyz 0123456789") != "" || title == "" ||
			strings.Trim(reason, "abcdefghijklmnopqrstuvwxyz ()") != "" {
			t.Skip()
		}
		d := markdown.Parse([]byte(src))
		before := len(tasks.Read(d))
		edit, task := tasks.Update(d, tasks.Change{Title: title, State: tasks.State(state), Reason: reason})
		got, err := markdown.Apply(d.Source, edit)
		if err != nil {
			t.Fatal(err)
		}
		after := tasks.Read(markdown.Parse(got))
		if len(after) != before && len(after) != before+1 {
			t.Errorf("%d tasks became %d:\n%q\n%q", before, len(after), src, got)
		}
		n := 0
		for _, again := range after {
			if again.ID == task.ID && again.Title == task.Title && again.State == task.State {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%+v is not read again:\n%q\n%q", task, src, got)
		}
	})
}
