package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// moves returns the foreign moves and marks them as seen.
func moves(t *testing.T, s *store.Store) []store.Move {
	t.Helper()
	found, seen, err := s.ForeignMoves()
	if err == nil {
		err = seen()
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// twoMachines returns a store and the store of its clone, which is adopted.
func twoMachines(t *testing.T) (a, b *store.Store) {
	t.Helper()
	needGit(t)
	a = initStore(t, t.TempDir())
	write(t, a.Root(), "gitmem/profile.md", "one\n")
	commit(t, a, store.Change{Subject: "first"})
	root := filepath.Join(t.TempDir(), "b")
	git(t, t.TempDir(), "clone", "--quiet", a.Root(), root)
	o := options(t, root)
	b, _, err := store.Init(t.Context(), o, func(string, string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return a, b
}

func TestForeignMoves(t *testing.T) {
	t.Parallel()
	a, b := twoMachines(t)
	head := func(s *store.Store) string { return inStore(t, s, "rev-parse", "HEAD") }
	if got := moves(t, a); got != nil {
		t.Errorf("of commits made here: %v", got)
	}
	first := head(b)
	if diff := cmp.Diff([]store.Move{{To: first}}, moves(t, b)); diff != "" {
		t.Errorf("a clone: %s", diff)
	}
	if got := moves(t, b); got != nil {
		t.Errorf("again: %v", got)
	}

	// Commits on both sides, then pulls of every kind.
	for i, pull := range [][]string{{"pull", "--quiet", "--ff-only"}, {"pull", "--quiet", "--no-rebase", "--no-edit"},
		{"pull", "--quiet", "--rebase"}} {
		write(t, a.Root(), "gitmem/a.md", string(rune('a'+i)))
		commit(t, a, store.Change{Subject: "theirs"})
		if i > 0 {
			write(t, b.Root(), "gitmem/b.md", string(rune('a'+i)))
			commit(t, b, store.Change{Subject: "mine"})
		}
		from := head(b)
		inStore(t, b, pull...)
		to := head(b)
		write(t, b.Root(), "gitmem/c.md", string(rune('a'+i)))
		commit(t, b, store.Change{Subject: "mine, too"})
		if diff := cmp.Diff([]store.Move{{from, to}}, moves(t, b)); diff != "" {
			t.Errorf("%v: %s", pull, diff)
		}
		if got := moves(t, b); got != nil {
			t.Errorf("%v again: %v", pull, got)
		}
	}

	// The merge that a person commits after a conflict brings foreign content, too.
	write(t, a.Root(), "gitmem/c.md", "theirs")
	commit(t, a, store.Change{Subject: "theirs"})
	from := head(b)
	if _, err := tryGit(b.Root(), "pull", "--quiet", "--no-rebase"); err == nil {
		t.Fatal("no conflict")
	}
	write(t, b.Root(), "gitmem/b.md", "in the merge")
	commit(t, b, store.Change{Subject: "may hold what the merge brought"})
	if diff := cmp.Diff([]store.Move{{from, head(b)}}, moves(t, b)); diff != "" {
		t.Errorf("a commit in a merge: %s", diff)
	}
	from = head(b)
	inStore(t, b, "checkout", "--theirs", "gitmem/c.md")
	inStore(t, b, "commit", "--quiet", "--all", "--no-edit")
	if diff := cmp.Diff([]store.Move{{from, head(b)}}, moves(t, b)); diff != "" {
		t.Errorf("a conflict: %s", diff)
	}

	// A reflog that lost its old entries continues at the known commit.
	log := filepath.Join(b.GitDir(), "logs", "HEAD")
	write(t, b.Root(), "gitmem/b.md", "last")
	commit(t, b, store.Change{Subject: "mine"})
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, text[len(text)/2:], 0o600); err != nil {
		t.Fatal(err)
	}
	if got := moves(t, b); got != nil {
		t.Errorf("after entries were dropped: %v", got)
	}

	// An older version recorded nothing: the present state counts as known.
	if err := os.Remove(filepath.Join(b.GitDir(), "gitmem-moves")); err != nil {
		t.Fatal(err)
	}
	if got := moves(t, b); got != nil {
		t.Errorf("without a note: %v", got)
	}
	inStore(t, b, "reset", "--quiet", "--hard", "HEAD~1")
	if got := moves(t, b); len(got) != 1 {
		t.Errorf("after a reset: %v", got)
	}
}

func TestForeignMovesWaitForARebase(t *testing.T) {
	t.Parallel()
	a, b := twoMachines(t)
	moves(t, b)
	write(t, a.Root(), "gitmem/profile.md", "theirs\n")
	commit(t, a, store.Change{Subject: "theirs"})
	write(t, b.Root(), "gitmem/profile.md", "mine\n")
	commit(t, b, store.Change{Subject: "mine"})
	from := inStore(t, b, "rev-parse", "HEAD")
	if _, err := tryGit(b.Root(), "pull", "--quiet", "--rebase"); err == nil {
		t.Fatal("no conflict")
	}
	if got := moves(t, b); got != nil {
		t.Errorf("in a rebase: %v", got)
	}
	inStore(t, b, "checkout", "--theirs", "gitmem/profile.md")
	inStore(t, b, "add", "gitmem/profile.md")
	inStore(t, b, "-c", "core.editor=true", "rebase", "--continue")
	if diff := cmp.Diff([]store.Move{{from, inStore(t, b, "rev-parse", "HEAD")}}, moves(t, b)); diff != "" {
		t.Error(diff)
	}
}

func TestForeignMovesBeforeAPurge(t *testing.T) {
	t.Parallel()
	a, b := twoMachines(t)
	moves(t, b)
	if err := b.DropUnreachable(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := moves(t, b); got != nil {
		t.Errorf("nothing had come: %v", got)
	}
	write(t, a.Root(), "gitmem/profile.md", "theirs\n")
	commit(t, a, store.Change{Subject: "theirs"})
	inStore(t, b, "pull", "--quiet", "--ff-only")
	if err := b.DropUnreachable(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, seen, err := b.ForeignMoves()
	if err == nil || seen() != nil {
		t.Errorf("what came before a purge: %v", err)
	}
	if got := moves(t, b); got != nil {
		t.Errorf("again: %v", got)
	}
	write(t, a.Root(), "gitmem/profile.md", "more\n")
	commit(t, a, store.Change{Subject: "more"})
	from := inStore(t, b, "rev-parse", "HEAD")
	inStore(t, b, "pull", "--quiet", "--ff-only")
	if diff := cmp.Diff([]store.Move{{from, inStore(t, b, "rev-parse", "HEAD")}}, moves(t, b)); diff != "" {
		t.Error(diff)
	}
}

func TestMayBeForeign(t *testing.T) {
	t.Parallel()
	a, b := twoMachines(t)
	may := func(s *store.Store) bool {
		t.Helper()
		foreign, err := s.MayBeForeign(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return foreign
	}
	if may(a) {
		t.Error("a machine that nothing came to")
	}
	if !may(b) {
		t.Error("a clone")
	}
	inStore(t, b, "remote", "remove", "origin")
	if !may(b) {
		t.Error("a clone without its remote")
	}
	inStore(t, a, "pull", "--quiet", b.Root(), "main")
	if !may(a) {
		t.Error("after a fetch")
	}
}

func TestGitIgnoresLocalConfiguration(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/local.yaml", "capture: off\n")
	write(t, s.Root(), "gitmem/config.yaml", "recall: off\n")
	commit(t, s, store.Change{Subject: "first"})
	if got := inStore(t, s, "ls-files", "gitmem"); got != "gitmem/config.yaml\ngitmem/store.md" {
		t.Errorf("tracked: %s", got)
	}
	if got := inStore(t, s, "status", "--porcelain"); got != "" {
		t.Errorf("not ignored: %s", got)
	}
	if store.Allowed("gitmem/local.yaml") {
		t.Error("it is allowed")
	}
	if found, err := s.Names(); len(found) > 0 || err != nil {
		t.Errorf("names: %v, %v", found, err)
	}
}
