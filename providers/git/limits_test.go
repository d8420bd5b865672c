package git_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

// costly returns lines of which almost none occurs twice, so that a comparison takes the maximum memory for
// text of this size.
func costly(file, lines int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"
	var b strings.Builder
	for i := range lines {
		i += file * 41
		b.Write([]byte{digits[i>>12&63], digits[i>>6&63], digits[i&63], '\n'})
	}
	return b.String()
}

// manyRenames moves files with small changes, and one without changes.
func manyRenames(t *testing.T, files, lines int) (repo, sha string) {
	t.Helper()
	repo = newRepo(t)
	for i := range files {
		writeFile(t, repo, fmt.Sprintf("old/%d.txt", i), costly(i, lines))
	}
	writeFile(t, repo, "old/same.txt", "It stays as it is.\n")
	run(t, repo, "add", ".")
	commit(t, repo, "add", 1)
	run(t, repo, "mv", "old", "new")
	for i := range files {
		if i == 7 { // the others keep their names
			run(t, repo, "mv", "new/7.txt", newName(i))
		}
		writeFile(t, repo, newName(i), costly(i, lines)+"more\n")
	}
	run(t, repo, "add", ".")
	return repo, commit(t, repo, "move", 2)
}

func newName(i int) string {
	if i == 7 {
		return "new/n7.txt"
	}
	return fmt.Sprintf("new/%d.txt", i)
}

// A commit must not use gigabytes of memory: beyond a limit only unchanged files count as renamed, and that
// is reported.
func TestRenamesAreBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines   int
		limited bool
	}{"few lines": {600, false}, "many": {60_000, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo, sha := manyRenames(t, 20, c.lines)
			r := open(t, repo)
			s, err := r.Substance(t.Context(), sha)
			if err != nil {
				t.Fatal(err)
			}
			from := map[string]string{}
			for _, f := range s.Files {
				from[f.Path] = f.From
			}
			if from["new/same.txt"] != "old/same.txt" {
				t.Errorf("the equal file came from %q", from["new/same.txt"])
			}
			if got := from["new/n7.txt"] == "old/7.txt"; got == c.limited {
				t.Errorf("diff terms: a changed file came from %q", from["new/n7.txt"])
			}
			if got := told(r, "renames of "+sha); got != c.limited {
				t.Errorf("diff terms: reported %v: %v", got, r.Skipped())
			}
			for path, renamed := range map[string]bool{"new/same.txt": true, "new/3.txt": true, "new/n7.txt": !c.limited} {
				if op := newest(t, r, path).Op; (op == 'R') != renamed {
					t.Errorf("history of %s: %c", path, op)
				}
			}
			if got := told(r, "renames of tree "); got != c.limited {
				t.Errorf("history: told %v: %v", got, r.Skipped())
			}
		})
	}
}

// The same holds for very many similar files with one name.
func TestLikeFilesAreBounded(t *testing.T) {
	t.Parallel()
	for _, files := range []int{40, 1500} {
		var b strings.Builder
		for n, top := range []string{"old", "new"} {
			fmt.Fprintf(&b, "commit refs/heads/main\ncommitter A <a@x.org> %d +0000\ndata 1\nx\n", n)
			if n > 0 {
				b.WriteString("D old\n")
			}
			for i := range files {
				text := fmt.Sprintf("Every one of these files says this.\n%s %d\n", top, i)
				fmt.Fprintf(&b, "M 100644 inline %s/%d/page.txt\ndata %d\n%s\n", top, i, len(text), text)
			}
			b.WriteString("\n")
		}
		repo := newRepo(t)
		runIn(t, repo, b.String(), "fast-import", "--quiet")
		r := open(t, repo)
		sha := run(t, repo, "rev-parse", "main")
		s, err := r.Substance(t.Context(), sha)
		if err != nil || len(s.Files) == 0 {
			t.Fatalf("%d files: %v", files, err)
		}
		limited := files > 1000
		if got := s.Files[0].From == ""; got != limited || told(r, "renames of "+sha) != limited {
			t.Errorf("%d files: %q came from %q; %v", files, s.Files[0].Path, s.Files[0].From, r.Skipped())
		}
	}
}

func told(r *git.Repository, object string) bool {
	return slices.ContainsFunc(r.Skipped(), func(s git.Skip) bool {
		return strings.HasPrefix(s.Object, object) && strings.Contains(s.Reason, "stayed equal")
	})
}

// newest returns the last change of a path.
func newest(t *testing.T, r *git.Repository, path string) git.PathChange {
	t.Helper()
	for c, err := range r.FollowPath(t.Context(), "HEAD", path, true) {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatalf("%s has no history", path)
	return git.PathChange{}
}
