package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// falseStore returns a store whose merge driver exists and always fails.
func falseStore(t *testing.T, root string) *store.Store {
	t.Helper()
	o := options(t, root)
	o.Program = "false"
	s, _, err := store.Init(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestMergingOfOldStore checks that a repository of an older version gets the setup of a new one, and that a person's
// additions to git's files are kept.
func TestMergingOfOldStore(t *testing.T) {
	t.Parallel()
	needGit(t)
	fresh := falseStore(t, t.TempDir())
	root := t.TempDir()
	s := falseStore(t, root)
	write(t, root, "gitmem/a.md", "1\n")
	commit(t, s, store.Change{})
	const union = "# Memory is stored as it is, whatever core.autocrlf says.\n* -text\n" +
		"# Lists: a merge keeps the lines of both sides.\n" +
		"/gitmem/projects/**/project.md merge=union\n/gitmem/forgotten.md merge=union\n/projects/*/memory/*.md merge=union\n"
	write(t, root, ".git/info/attributes", union+"*.md diff=markdown")
	for _, key := range []string{"core.sparseCheckout", "core.sparseCheckoutCone", "core.symlinks",
		"sparse.expectFilesOutsideOfPatterns", "merge.renames"} {
		inStore(t, s, "config", "--unset", key)
	}
	inStore(t, s, "config", "--remove-section", "merge.gitmem")
	if err := os.Remove(filepath.Join(root, ".git", "info", "sparse-checkout")); err != nil {
		t.Fatal(err)
	}
	found, err := s.MergeSetup()
	if err != nil || len(found) != 9 {
		t.Errorf("found %d: %+v, %v", len(found), found, err)
	}
	// Tracked files that are not memory are kept.
	write(t, root, "CLAUDE.md", "rules\n")
	inStore(t, s, "add", "-f", "CLAUDE.md")
	inStore(t, s, "commit", "-q", "-m", "by force")

	again := falseStore(t, root)
	if got, want := read(t, root, ".git/info/attributes"), read(t, fresh.Root(), ".git/info/attributes")+
		"*.md diff=markdown"; got != want {
		t.Errorf("attributes %q, want %q", got, want)
	}
	for _, name := range []string{"merge.gitmem.driver", "merge.gitmem.name", "core.sparseCheckout", "merge.renames"} {
		if got, want := inStore(t, again, "config", name), inStore(t, fresh, "config", name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if found, err := again.MergeSetup(); err != nil || len(found) > 0 {
		t.Errorf("still %+v, %v", found, err)
	}
	config := read(t, root, ".git/config")
	falseStore(t, root)
	if got := read(t, root, ".git/config"); got != config {
		t.Errorf("the second time changed\n%s\ninto\n%s", config, got)
	}
	write(t, root, "gitmem/a.md", "2\n")
	commit(t, again, store.Change{})
	inStore(t, s, "checkout", "-q", "-b", "side", "HEAD~1")
	inStore(t, s, "checkout", "-q", "-")
	if got := read(t, root, "CLAUDE.md"); got != "rules\n" {
		t.Errorf("CLAUDE.md holds %q", got)
	}
	if got := inStore(t, s, "status", "--porcelain"); got != "" {
		t.Errorf("git status: %s", got)
	}
}

// TestMergingProgram checks that a driver may run any existing gitmem, at any path.
func TestMergingProgram(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir := filepath.Join(t.TempDir(), "it's 100% $x;", "bin")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "gitmem")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n[ \"$1\" = merge-driver ] && echo merged >\"$3\"\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	o := options(t, t.TempDir())
	o.Program = program
	s, _, err := store.Init(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	write(t, s.Root(), "gitmem/a b.md", "1\n")
	commit(t, s, store.Change{})
	side := func(text string) {
		write(t, s.Root(), "gitmem/a b.md", text)
		inStore(t, s, "commit", "-q", "-a", "-m", text)
	}
	inStore(t, s, "checkout", "-q", "-b", "side")
	side("2\n")
	inStore(t, s, "checkout", "-q", "main")
	side("3\n")
	inStore(t, s, "merge", "-q", "-m", "merge", "side")
	if got := read(t, s.Root(), "gitmem/a b.md"); got != "merged\n" {
		t.Errorf("the file holds %q", got)
	}
	if found, err := s.MergeSetup(); err != nil || len(found) > 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	found, err := s.MergeSetup()
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Detail, program+", which is not there") {
		t.Errorf("found %+v, %v", found, err)
	}
}

// TestIndexMadeAnew checks that files tracked in HEAD that are not memory are skipped in the work tree there, too.
func TestIndexMadeAnew(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/a.md", "1\n")
	write(t, s.Root(), "settings.json", "{}\n")
	inStore(t, s, "add", "--sparse", "-f", ".")
	inStore(t, s, "commit", "-q", "-m", "by force")
	for _, name := range []string{"settings.json", ".git/index"} {
		if err := os.Remove(filepath.Join(s.Root(), name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s.Root(), "gitmem/a.md", "2\n")
	commit(t, s, store.Change{})
	if got := inStore(t, s, "status", "--porcelain"); got != "" {
		t.Errorf("git status: %s", got)
	}
	if got := inStore(t, s, "ls-files", "-t"); !strings.Contains(got, "S settings.json") {
		t.Errorf("git ls-files -t: %s", got)
	}
	write(t, s.Root(), "gitmem/b.md", "2\n")
	commit(t, s, store.Change{})
	if got := inStore(t, s, "ls-files", "-t") + inStore(t, s, "status", "--porcelain") +
		inStore(t, s, "fsck", "--strict"); !strings.Contains(got, "S settings.json") || strings.Contains(got, "D ") {
		t.Errorf("after another commit: %s", got)
	}
}

// TestPullWritesMemoryOnly checks that a plain git pull skips files in a folder with the name of an allowed file, and
// ignores encodings in pushed attributes.
func TestPullWritesMemoryOnly(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/a.md", "1\n")
	commit(t, s, store.Change{})
	write(t, s.Root(), "gitmem/local.yaml", "capture: off\n")
	other := filepath.Join(t.TempDir(), "other")
	git(t, s.Root(), "clone", "-q", s.GitDir(), other)
	git(t, other, "rm", "-q", ".gitignore")
	foreign := []string{"gitmem/local.yaml/b.md", "gitmem/config.yaml/run.sh", "gitmem/config.yaml/b.md",
		".gitignore/run.sh", ".gitignore/b.md"}
	for _, name := range foreign {
		write(t, other, name, "x\n")
	}
	write(t, other, "gitmem/a.md", "2\n")
	git(t, other, "add", "-f", "gitmem", ".gitignore")
	write(t, other, ".gitattributes", "*.md working-tree-encoding=UTF-16\n")
	git(t, other, "add", "-f", ".gitattributes")
	git(t, other, "commit", "-q", "-m", "foreign")
	inStore(t, s, "pull", "-q", other, "main")
	for _, name := range foreign {
		if _, err := os.Lstat(filepath.Join(s.Root(), filepath.FromSlash(name))); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if got := read(t, s.Root(), "gitmem/local.yaml"); got != "capture: off\n" {
		t.Errorf("local.yaml holds %q", got)
	}
	if got := read(t, s.Root(), "gitmem/a.md"); got != "2\n" {
		t.Errorf("a.md holds %q", got)
	}
}
