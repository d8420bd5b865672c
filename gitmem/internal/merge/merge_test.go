package merge_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/merge"
	"github.com/gitmem/gitmem/markdown"
)

const day = "---\nformat: 1\nkind: sessions\nproject: github.com/acme/pump\ndate: 2026-11-20\n---\n\n# 2026-11-20\n"

func session(id, through string) string {
	return "\n## Relay board " + id + " ^s-" + id + "\n\nChose 10 A relays.\n\n- [work] Wired " + id +
		"\n- [lesson] Measure first (L2 14:51) ^i-" + id +
		"\n\nwrote: a.c · messages: 42 · branch main · 14:02–15:40 UTC\nsession: " + id + " · through: line " +
		through + " 9c1e\n"
}

func front(s string) string { return "---\n" + s + "---\n" }

// project is the folder of a project.
const project = "gitmem/projects/github.com/acme/pump/"

// fileCase is a file before, on each side, and merged.
type fileCase struct{ name, path, base, ours, theirs, want string }

// fieldCases are files of fields: the profile, the configuration and other frontmatter.
func fieldCases() []fileCase {
	return []fileCase{
		{"profile, different keys", "gitmem/profile.md",
			front("tools:\n  editor: vim\n"), front("tools:\n  editor: vim\n  shell: zsh\n"),
			front("tools:\n  editor: vim\nwork:\n  place: home\n"),
			front("tools:\n  editor: vim\n  shell: zsh\nwork:\n  place: home\n")},
		{"profile, same key", "gitmem/profile.md",
			front("tools:\n  editor: vim\n"),
			front("tools:\n  editor: emacs\nmeta:\n  tools.editor: {last_seen: 2026-11-20T10:00:00Z}\n"),
			front("tools:\n  editor: helix\nmeta:\n  tools.editor: {last_seen: 2026-11-20T09:00:00Z}\n"),
			front("tools:\n  editor: emacs\nmeta:\n  tools.editor: {last_seen: 2026-11-20T10:00:00Z}\n")},
		{"profile, same key, no times", "gitmem/profile.md",
			front("name: a\n") + "\nMine.\n", front("name: b\n") + "\nMine.\n", front("name: c\n") + "\nMine.\n",
			front("name: c\n") + "\nMine.\n"},
		{"profile, none before", "gitmem/profile.md", "", front("tools:\n  shell: zsh\n"), front("tools:\n  editor: vim\n"),
			front("tools:\n  editor: vim\n  shell: zsh\n")},
		{"config", "gitmem/config.yaml", "recall: on\n", "recall: on\nsync: auto\n", "recall: off\nkeep_transcripts: true\n",
			"recall: off\nkeep_transcripts: true\nsync: auto\n"},
		{"config, same key", "gitmem/config.yaml", "recall: on\n", "recall: a\n", "recall: b\n",
			"recall: b\n# conflict: recall: a\n"},
		{"invalid frontmatter", "a.md", front("a: b\n") + "x\n", front("a: c\n") + "x\n", front("a: [\n") + "x\n",
			front("a: c\n") + "\n- [conflict] the other frontmatter:\n  ```yaml\n  ---\n  a: [\n  ---\n  ```\n\nx\n"},
		{"project", "gitmem/projects/x/project.md", front("kind: project\nremotes:\n  - a\n"),
			front("kind: project\nremotes:\n  - a\n  - b\n"), front("kind: project\nremotes:\n  - a\nfolders:\n  - m: /x\n"),
			front("kind: project\nremotes:\n  - a\n  - b\nfolders:\n  - {m: \"/x\"}\n")},
	}
}

// itemCases are files of items and of sections, which have ids.
func itemCases() []fileCase {
	tasks := front("format: 1\nkind: tasks\n") +
		"\n# Tasks\n\n- [ ] Relay driver ^task-relay\n- [ ] Range test ^task-range\n"
	return []fileCase{
		{"orders", project + "orders.md",
			"# Standing orders\n\n- Never push. ^o-1\n", "# Standing orders\n\n- Never push. ^o-1\n- Always test. ^o-9\n",
			"# Standing orders\n\n- Never push. ^o-1\n- Use tabs. ^o-5\n",
			"# Standing orders\n\n- Never push. ^o-1\n- Use tabs. ^o-5\n- Always test. ^o-9\n"},
		{"ticked and reworded", project + "tasks.md", tasks,
			strings.Replace(tasks, "[ ] Relay", "[x] Relay", 1),
			strings.Replace(tasks, "Relay driver", "Relay driver (wip; by me)", 1),
			strings.Replace(tasks, "[ ] Relay driver", "[x] Relay driver (wip; by me)", 1)},
		{"reworded twice", project + "tasks.md", tasks,
			strings.Replace(tasks, "Relay driver", "Relay driver A", 1),
			strings.Replace(tasks, "Relay driver", "Relay driver B", 1),
			strings.Replace(tasks, "Relay driver ^task-relay\n", "Relay driver B ^task-relay\n  - [conflict] Relay driver A\n",
				1)},
		{"moved and reworded", project + "tasks.md", tasks,
			strings.Replace(tasks, "- [ ] Relay driver ^task-relay\n", "", 1) + "\n## Done\n\n- [x] Relay driver ^task-relay\n",
			strings.Replace(tasks, "Relay driver", "Relay driver board", 1),
			strings.Replace(tasks, "- [ ] Relay driver ^task-relay\n", "", 1) +
				"\n## Done\n\n- [x] Relay driver board ^task-relay\n"},
		{"first item of each side", project + "tasks.md", "# Tasks\n", "# Tasks\n\n- [ ] B ^task-b\n",
			"# Tasks\n\n- [ ] A ^task-a\n",
			"# Tasks\n\n- [ ] A ^task-a\n- [ ] B ^task-b\n"},
		{"nested items", "a.md", "- a ^a\n  - b ^b\n", "- a ^a\n  - b ^b\n  - c ^c\n", "- a ^a\n  - b now ^b\n",
			"- a ^a\n  - b now ^b\n  - c ^c\n"},
		{"forgotten", "gitmem/forgotten.md", "# Forgotten\n\n- 2026-11-01 line a b\n",
			"# Forgotten\n\n- 2026-11-01 line a b\n- 2026-11-02 line c d\n",
			"# Forgotten\n\n- 2026-11-01 line a b\n- 2026-11-03 line e f\n",
			"# Forgotten\n\n- 2026-11-01 line a b\n- 2026-11-02 line c d\n- 2026-11-03 line e f\n"},
		{"index of topics", "projects/-x/memory/MEMORY.md", "- [A](a.md)\n", "- [A](a.md)\n- [C](c.md) more\n",
			"- [A](a.md)\n- [B](b.md) more\n", "- [A](a.md)\n- [B](b.md) more\n- [C](c.md) more\n"},
		{"a session on each side", project + "sessions/2026/2026-11-20.md", day, day + session("bb", "9"),
			day + session("aa", "7"), day + session("aa", "7") + session("bb", "9")},
		{"a day of each side", project + "sessions/2026/2026-11-20.md", "", day + session("bb", "9"),
			day + session("aa", "7"), day + session("aa", "7") + session("bb", "9")},
		{"the same session further", project + "sessions/2026/2026-11-20.md", day + session("aa", "7"),
			day + session("aa", "12"), day + session("aa", "9"), day + session("aa", "12")},
	}
}

// textCases are files of text.
func textCases() []fileCase {
	decision := front("id: use-10a\nstatus: accepted\n") +
		"\n# Use 10 A relays\n\n## Decision\n\nWe use relays.\n\n## Why\n\nThe pump draws 7 A.\nThe margin is small.\n" +
		"That is all.\n"
	return []fileCase{
		{"decision, different lines", project + "decisions/a.md", decision,
			strings.Replace(decision, "7 A.", "8 A.", 1), strings.Replace(decision, "That is all", "That was all", 1),
			strings.NewReplacer("7 A.", "8 A.", "That is all", "That was all").Replace(decision)},
		{"decision, same line", project + "decisions/a.md", decision,
			strings.Replace(decision, "We use relays.", "We use 10 A relays.", 1),
			strings.Replace(decision, "We use relays.", "We use triacs.", 1),
			strings.Replace(decision, "We use relays.\n", "We use triacs.\n\n- [conflict] We use 10 A relays.\n", 1)},
		{"decision, status", project + "decisions/a.md", decision,
			strings.Replace(decision, "accepted", "rejected", 1), strings.Replace(decision, "accepted", "superseded", 1),
			strings.Replace(strings.Replace(decision, "accepted", "superseded", 1), "---\n\n#",
				"---\n\n- [conflict] status: rejected\n\n#", 1)},
		{"an item of each side above a paragraph", project + "decisions/a.md", "# A\n\n## Why\n\nPumps.\n",
			"# A\n\n## Why\n\n- one\nPumps.\n", "# A\n\n## Why\n\n- two\nPumps.\n",
			"# A\n\n## Why\n\n- one\n- two\nPumps.\n"},
		{"decision of each side", project + "decisions/a.md", "", "# A\n\n## Why\n\nOne.\n", "# A\n\n## Why\n\nTwo.\n",
			"# A\n\n## Why\n\nTwo.\n\n- [conflict] One.\n"},
		{"topic file", "projects/-home-x/memory/relay.md", "# Relay\n\nText.\n\nMore text.\n",
			"# Relay\n\nText A.\n\nMore text.\n", "# Relay\n\nText.\n\nMore text.\n\nEven more.\n",
			"# Relay\n\nText A.\n\nMore text.\n\nEven more.\n"},
		{"paragraph changed and added behind it", "projects/-home-x/memory/relay.md", "# R\n\nThe pump draws 7 A.\n",
			"# R\n\nThe pump draws 8 A.\n", "# R\n\nThe pump draws 7 A.\n\nAnd more.\n",
			"# R\n\nThe pump draws 8 A.\n\nAnd more.\n"},
		{"paragraph changed twice", "projects/-home-x/memory/relay.md", "# R\n\nThe pump draws 7 A.\n",
			"# R\n\nThe pump draws 8 A.\n", "# R\n\nThe pump draws 9 A.\n",
			"# R\n\nThe pump draws 9 A.\n\n- [conflict] The pump draws 8 A.\n"},
		{"section deleted and extended", "a.md", "# A\n\n## B\n\nb\n\n## C\n\nc\n", "# A\n\n## C\n\nc\n",
			"# A\n\n## B\n\nb\n\nnew\n\n## C\n\nc\n", "# A\n\n## B\n\nnew\n\n## C\n\nc\n"},
		{"section deleted and untouched", "a.md", "# A\n\n## B\n\nb\n\n## C\n\nc\n", "# A\n\n## C\n\nc\n",
			"# A\n\n## B\n\nb\n\n## C\n\nc\n\nd\n", "# A\n\n## C\n\nc\n\nd\n"},
		{"CRLF", "a.md", "# A\r\n\r\n- a\r\n- b\r\n", "# A\r\n\r\n- a\r\n- b\r\n- c\r\n", "# A\r\n\r\n- a\r\n- b\r\n- d\r\n",
			"# A\r\n\r\n- a\r\n- b\r\n- c\r\n- d\r\n"},
		{"no newline at the end", "a.md", "- a\n- b", "- a\n- b\n- c", "- a\n- b\n- d", "- a\n- b\n- c\n- d"},
		{"lists", "a.md", "# A\n", "# A\n\nText\n", "# A\n\n- item\n", "# A\n\nText\n\n- item\n"},
		{"byte order mark", "a.md", "a\n", "\ufeffa\n", "a\n\nb\n", "\ufeffa\n\nb\n"},
	}
}

// TestFile holds what a person expects of each kind of file.
func TestFile(t *testing.T) {
	t.Parallel()
	for _, c := range slices.Concat(fieldCases(), itemCases(), textCases()) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			base, ours, theirs := []byte(c.base), []byte(c.ours), []byte(c.theirs)
			if c.base == "" {
				base = nil
			}
			if got := merge.File(c.path, base, ours, theirs); string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			checkLaws(t, c.path, base, ours, theirs)
		})
	}
}

// TestDeleted says what is left of a file that one side deleted.
func TestDeleted(t *testing.T) {
	t.Parallel()
	base := day + session("aa", "7")
	added := base + session("bb", "9")
	if got := merge.File("a.md", []byte(base), nil, []byte(added)); string(got) != day+session("bb", "9") {
		t.Errorf("what was added stays:\n%s", got)
	}
	if got := merge.File("a.md", []byte(base), []byte(base), nil); got != nil {
		t.Errorf("an unchanged file stays:\n%s", got)
	}
	if got := merge.File("a.md", []byte(base), nil, []byte(base+"\n")); got != nil {
		t.Errorf("blank lines keep a file:\n%s", got)
	}
}

// checkLaws holds what is true of any two versions.
func checkLaws(t *testing.T, path string, base, ours, theirs []byte) []byte {
	t.Helper()
	merged := merge.File(path, base, ours, theirs)
	fail := func(law string, got []byte) {
		t.Helper()
		t.Fatalf("%s of %s:\n%q\n%q\n%q\ngives\n%q\nand\n%q", law, path, base, ours, theirs, merged, got)
	}
	if got := merge.File(path, base, theirs, ours); !bytes.Equal(got, merged) {
		fail("commutative", got)
	}
	for _, side := range [][]byte{ours, theirs} {
		if got := merge.File(path, base, merged, side); !bytes.Equal(got, merged) {
			fail("idempotent", got)
		}
		if got := merge.File(path, base, side, merged); !bytes.Equal(got, merged) {
			fail("idempotent, turned", got)
		}
	}
	if c := markdown.MarkedConflicts(merged); len(c) > 0 && (len(ours) > 0 && len(theirs) > 0) {
		fail("no marks", nil)
	}
	return merged
}
