package git_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

// A word is introduced by the first commit that writes it, regardless of later moves and changes next to it,
// and removed by the commit that removes its last occurrence.
func TestWords(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "src/main.go", "package main\n\nvar dryRunner = 1\n", "Start", 0)
	commitFile(t, dir, "docs/help.md", "Use --dry-run.\n", "Plan it", 1)
	added := commitFile(t, dir, "src/main.go", "package main\n\nvar dryRunner = 1\n\nconst flag = \"dry-run\"\n", "Add it",
		2)
	commitFile(t, dir, "src/main.go", "package main\n\nvar dryRunner = 1\n\nconst dryFlag = \"dry-run\" // no change\n",
		"Rename what holds it", 3)
	commitFile(t, dir, "cmd/flags.go", "package cmd\n\nfunc flags() { add(\"--dry-run\", \"--no-dry-run\") }\n", "Copy it",
		4)
	commitFile(t, dir, "src/main.go", "package main\n", "Move it", 5)
	last := run(t, dir, "rev-parse", "HEAD")
	removed := commitFile(t, dir, "cmd/flags.go", "package cmd\n", "Take it out", 6)
	code := func(path string) bool { return strings.HasSuffix(path, ".go") }
	words := open(t, dir).Words(code, "dry-run", "dry_run")
	if got, err := words.Introduced(t.Context(), last); got != added || err != nil {
		t.Errorf("introduced by %s, want %s: %v", got, added, err)
	}
	if _, err := words.Introduced(t.Context(), "HEAD"); !errors.Is(err, git.ErrNotFound) {
		t.Errorf("at HEAD: %v", err)
	}
	for commit, want := range map[string]bool{removed: true, last: false, added: false} {
		if got, err := words.Removed(t.Context(), commit); got != want || err != nil {
			t.Errorf("removed by %s: %v, %v", commit, got, err)
		}
	}
	shallow := cloneOf(t, dir, "--depth=3", "--no-local")
	if _, err := open(t, shallow).Words(code, "dry-run").Introduced(t.Context(), "HEAD~1"); !errors.Is(err,
		git.ErrShallow) {
		t.Errorf("shallow: %v", err)
	}
	partial := cloneOf(t, dir, "--filter=blob:none", "--no-local")
	if got, err := open(t, partial).Words(code, "dry-run").Introduced(t.Context(), "HEAD~1"); !errors.Is(err,
		git.ErrNotFound) {
		t.Errorf("partial: %s, %v", got, err)
	}
}

// If a merge removes a file, the commit of the merged branch removed it.
func TestRemovedBy(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "old.go", "package old\n", "Start", 0)
	run(t, dir, "checkout", "-q", "-b", "side")
	run(t, dir, "rm", "-q", "old.go")
	removed := commit(t, dir, "Tidy up", 1)
	run(t, dir, "checkout", "-q", "main")
	commitFile(t, dir, "new.go", "package new\n", "Go on", 2)
	run(t, dir, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
	for path, want := range map[string]string{"old.go": removed, "new.go": "", "never.go": ""} {
		if got, err := open(t, dir).RemovedBy(t.Context(), "HEAD", path); got != want || err != nil {
			t.Errorf("%s: removed by %q, want %q: %v", path, got, want, err)
		}
	}
}
