package merge_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/merge"
)

// TestSettle merges the sides in git's conflict markers.
func TestSettle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, path, marked, want string }{
		{"no marks", "a.md", "Title\n=======\n\nText.\n", "Title\n=======\n\nText.\n"},
		{"two items", "a.md", "# T\n\n- a\n<<<<<<< HEAD\n- b\n=======\n- c\n>>>>>>> origin/main\n- d\n",
			"# T\n\n- a\n- b\n- c\n- d\n"},
		{"a base", "a.md", "- a\n<<<<<<< HEAD\n- b\n||||||| 12ab\n- o\n=======\n- o\n- c\n>>>>>>> x\n", "- a\n- b\n- c\n"},
		{"fields", "gitmem/profile.md",
			"---\ntools:\n<<<<<<< HEAD\n  editor: vim\n=======\n  shell: zsh\n>>>>>>> x\n---\n\nMine.\n",
			"---\ntools:\n  editor: vim\n  shell: zsh\n---\n\nMine.\n"},
		{"a task ticked", "tasks.md",
			"<<<<<<< HEAD\n- [x] A ^task-a\n||||||| o\n- [ ] A ^task-a\n=======\n- [ ] A now ^task-a\n>>>>>>> x\n",
			"- [x] A now ^task-a\n"},
		{"nested", "a.md", "<<<<<<< HEAD\n<<<<<<< HEAD\n- b\n=======\n- c\n>>>>>>> x\n=======\n- d\n>>>>>>> y\n",
			"- b\n- c\n- d\n"},
		{"longer marks in the base", "a.md",
			"<<<<<<< a\n- b\n||||||| m\n<<<<<<<<< 1\n- o\n=========\n- p\n>>>>>>>>> 2\n=======\n- c\n>>>>>>> b\n", "- b\n- c\n"},
		{"CRLF", "a.md", "- a\r\n<<<<<<< HEAD\r\n- b\r\n=======\r\n- c\r\n>>>>>>> x\r\n", "- a\r\n- b\r\n- c\r\n"},
		{"one side empty", "a.md", "- a\n<<<<<<< HEAD\n=======\n- c\n>>>>>>> x\n", "- a\n- c\n"},
		{"ignored paths", ".gitignore", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "a\n"},
	} {
		if got := merge.Settle(c.path, []byte(c.marked)); string(got) != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	deep := strings.Repeat("<<<<<<< a\n", 1000) + "- x\n" + strings.Repeat("=======\n- y\n>>>>>>> b\n", 1000)
	if got := string(merge.Settle("a.md", []byte(deep))); strings.Contains(got, "<<<") ||
		!strings.Contains(got, "- x\n") || !strings.Contains(got, "- y\n") {
		t.Errorf("deep nesting is settled as %.200q", got)
	}
}

// TestSettleGit resolves conflicts written by git itself, in each of its styles.
func TestSettleGit(t *testing.T) {
	t.Parallel()
	base, ours, theirs := day+session("aa", "7"), day+session("aa", "7")+session("cc", "2"), day+session("aa", "7")+
		session("bb", "5")
	want := string(merge.File("a.md", []byte(base), []byte(ours), []byte(theirs)))
	dir := t.TempDir()
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, style := range []string{"--diff3", "--zdiff3", "--marker-size=12", "-q"} {
		cmd := exec.CommandContext(t.Context(), "git", "merge-file", "-p", style, "ours", "base", "theirs")
		cmd.Dir = dir
		marked, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() < 0 || cmd.ProcessState.ExitCode() > 127 {
			t.Fatalf("git merge-file %s: %v", style, err)
		}
		if !strings.Contains(string(marked), ">>>>>>> theirs") {
			t.Fatalf("git merge-file %s has no conflict", style)
		}
		if got := string(merge.Settle("a.md", marked)); got != want {
			t.Errorf("%s: %s\nis settled as\n%s\nwant\n%s", style, marked, got, want)
		}
	}
}
