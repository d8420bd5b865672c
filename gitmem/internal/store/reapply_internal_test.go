package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReapply(t *testing.T) {
	t.Parallel()
	const none = "no file"
	content := func(text string) []byte {
		if text == none {
			return nil
		}
		return []byte(text)
	}
	for name, c := range map[string]struct{ was, wrote, now, want string }{
		"as before":        {"- a\n", "- a\n- b\n", "- a\n", "- a\n- b\n"},
		"there already":    {"- a\n", "- a\n- b\n", "- a\n- b\n", "- a\n- b\n"},
		"there, with more": {"- a\n", "- a\n- b\n", "- a\n- b\n- c\n", "- a\n- b\n- c\n"},
		"there, elsewhere": {"# A\n\n- a\n\n# B\n\n- b\n", "# A\n\n- a\n- new\n\n# B\n\n- b\n",
			"# A\n\n- a\n\n# B\n\n- b\n- new\n", "# A\n\n- a\n\n# B\n\n- b\n- new\n"},
		"no file, new":           {none, "# A\n\n- a\n", none, "# A\n\n- a\n"},
		"removed":                {"- a\n", none, "- a\n", none},
		"removed, changed since": {"- a\n", none, "- a\n- b\n", "- a\n- b\n"},
		"other lines below it": {"# A\n\n- up\n", "# A\n\n- up\n- new\n", "# A\n\n- main\n- more\n",
			"# A\n\n- main\n- more\n- new\n"},
		"other section moved": {"# A\n\n- a\n\n# B\n\n- b\n", "# A\n\n- a\n- new\n\n# B\n\n- b\n",
			"# B\n\n- b\n\n# A\n\n- a\n", "# B\n\n- b\n\n# A\n\n- a\n- new\n"},
		"section made anew": {"# M\n", "# M\n\n## Notes\n\n- new\n", "# M\n\n## Notes\n\n- old\n\n## Z\n\n- z\n",
			"# M\n\n## Notes\n\n- old\n- new\n\n## Z\n\n- z\n"},
		"section is gone": {"# M\n\n## Notes\n\n- up\n", "# M\n\n## Notes\n\n- up\n- new\n", "# M\n\n- m\n",
			"# M\n\n- m\n\n## Notes\n\n- new\n"},
		"file made anew": {none, "---\nformat: 1\nkind: memory\n---\n\n# M\n\n## Notes\n\n- new\n",
			"---\nformat: 1\nkind: memory\nproject: x\n---\n\n# M\n\n## Notes\n\n- old\n",
			"---\nformat: 1\nkind: memory\nproject: x\n---\n\n# M\n\n## Notes\n\n- old\n- new\n"},
		"a section of a name": {"# D\n", "# D\n\n## T ^s-1\n\n- x\n", "# D\n\n## T ^s-2\n\n- x\n",
			"# D\n\n## T ^s-2\n\n- x\n\n## T ^s-1\n\n- x\n"},
		"a task changes": {"- [ ] A ^task-a\n", "- [x] A ^task-a\n", "- [ ] A ^task-a\n- [ ] B ^task-b\n",
			"- [x] A ^task-a\n- [ ] B ^task-b\n"},
		"a task that changed, too": {"- [ ] A ^task-a\n", "- [x] A ^task-a\n", "- [ ] A (blocked) ^task-a\n- [ ] B ^task-b\n",
			"- [x] A ^task-a\n- [ ] B ^task-b\n"},
		"a new task, ticked since": {"# T\n", "# T\n\n- [ ] A ^task-a\n", "# T\n\n- [x] A ^task-a\n",
			"# T\n\n- [x] A ^task-a\n"},
		"a line goes":              {"- a\n- b\n- c\n", "- a\n- c\n", "- a\n- b\n- c\n- d\n", "- a\n- c\n- d\n"},
		"a line that is gone goes": {"- a\n- b\n", "- a\n", "- a\n- d\n", "- a\n- d\n"},
		"a nested item": {"- a\n- b\n", "- a\n  - of a\n- b\n", "- z\n- a\n- b\n- c\n",
			"- z\n- a\n  - of a\n- b\n- c\n"},
		"an item of two lines": {"- a\n", "- a\n- b\n  more\n", "- a\n- c\n  more\n", "- a\n- c\n  more\n- b\n  more\n"},
		"no final newline":     {"- a", "- a\n- b\n", "- a\n- c", "- a\n- c\n- b\n"},
		"crlf": {"# A\r\n\r\n- a\r\n", "# A\r\n\r\n- a\r\n- b\r\n", "# A\r\n\r\n- a\r\n- c\r\n",
			"# A\r\n\r\n- a\r\n- c\r\n- b\r\n"},
		"fields": {"---\nformat: 1\ntools:\n  editor: vim\n---\n",
			"---\nformat: 1\ntools:\n  editor: helix\n---\n",
			"---\nformat: 1\ntools:\n  editor: vim\n  shell: fish\n---\n\nI am.\n",
			"---\nformat: 1\ntools:\n  editor: helix\n  shell: fish\n---\n\nI am.\n"},
		"fields of a new file": {none, "---\nformat: 1\ntools:\n  editor: helix\n---\n",
			"---\nformat: 1\ntools:\n  shell: fish\n---\n\nI am.\n",
			"---\nformat: 1\ntools:\n  editor: helix\n  shell: fish\n---\n\nI am.\n"},
		"the same field": {"---\nformat: 1\neditor: vim\n---\n", "---\nformat: 1\neditor: helix\n---\n",
			"---\nformat: 1\neditor: emacs\n---\n", "---\nformat: 1\neditor: helix\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := reapply(content(c.now), content(c.was), content(c.wrote))
			if diff := cmp.Diff(content(c.want), got); diff != "" {
				t.Errorf("got %q\n%s", got, diff)
			}
			if again := reapply(got, content(c.was), content(c.wrote)); c.wrote != none && !SameContent(got, again) {
				t.Errorf("once more: %q", again)
			}
		})
	}
}
