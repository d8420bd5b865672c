package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

const (
	listFile  = "gitmem/list.md"
	otherFile = "gitmem/other.md"
)

// addLine appends a line to the list and commits it, as a command does.
func addLine(t testing.TB, s *store.Store, line string) string {
	t.Helper()
	ctx, release, err := s.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	err = s.Rewrite(ctx, listFile, func(old []byte) ([]store.Insertion, error) {
		return []store.Insertion{{At: len(old), Text: clean("- " + line + "\n")}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.Commit(ctx, store.Change{Paths: []string{listFile}, Subject: "note: " + line,
		Trailers: []string{"Gitmem-Op: note"}, Fsync: true})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// forked returns a store with the branches main, which is checked out, and side. Each has two commits of its own: one
// that conflicts with the other branch, and one that adds to the list.
func forked(t testing.TB) (s *store.Store, warned func() string) {
	t.Helper()
	root := t.TempDir()
	var warnings []string
	o := options(t, root)
	o.Warn = func(w string) { warnings = append(warnings, w) }
	s, _, err := store.Init(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	inStore(t, s, "config", "user.name", "g")
	inStore(t, s, "config", "user.email", "g@example.com")
	write(t, root, listFile, "# List\n\n- first\n")
	write(t, root, otherFile, "base\n")
	commit(t, s, store.Change{Subject: "base"})
	inStore(t, s, "branch", "-M", "main")
	inStore(t, s, "tag", "base")
	for _, branch := range []string{"side", "main"} {
		inStore(t, s, "checkout", "-q", "-B", branch, "base")
		write(t, root, otherFile, branch+"\n")
		inStore(t, s, "commit", "-qam", branch+" one")
		write(t, root, "gitmem/"+branch+".md", "x\n")
		inStore(t, s, "add", "gitmem/"+branch+".md")
		inStore(t, s, "commit", "-qm", branch+" two")
		write(t, root, listFile, "# List\n\n- first\n- "+branch+"\n")
		inStore(t, s, "commit", "-qam", branch+" three")
	}
	return s, func() string {
		defer func() { warnings = nil }()
		return strings.Join(warnings, "\n")
	}
}

func lines(t testing.TB, s *store.Store) []string {
	t.Helper()
	return slices.DeleteFunc(strings.Split(read(t, s.Root(), listFile), "\n"), func(l string) bool {
		return !strings.HasPrefix(l, "- ")
	})
}

// busyCase is an unfinished operation of git, and how it ends.
type busyCase struct {
	begin, end func(*testing.T, *store.Store)
	why        string   // "" if writes are committed at once
	want       []string // final lines of the list
}

func busyCases() map[string]busyCase {
	try := func(args ...string) func(t *testing.T, s *store.Store) {
		return func(t *testing.T, s *store.Store) {
			// it stops at a conflict
			_, _ = tryGit(s.Root(), append([]string{"-c", "core.editor=true", "-c", "advice.detachedHead=false"}, args...)...)
		}
	}
	then := func(steps ...func(*testing.T, *store.Store)) func(*testing.T, *store.Store) {
		return func(t *testing.T, s *store.Store) {
			for _, step := range steps {
				step(t, s)
			}
		}
	}
	resolve := func(t *testing.T, s *store.Store) {
		write(t, s.Root(), otherFile, "resolved\n")
		inStore(t, s, "add", "-A")
	}
	patches := func(t *testing.T, s *store.Store) {
		inStore(t, s, "format-patch", "-q", "-o", filepath.Join(s.Root(), "patches"), "main~3..side")
		found, err := filepath.Glob(filepath.Join(s.Root(), "patches", "*"))
		if err != nil {
			t.Fatal(err)
		}
		try(append([]string{"am", "--3way"}, found...)...)(t, s)
	}
	return map[string]busyCase{
		"rebase, aborted": {try("rebase", "side"), try("rebase", "--abort"), "rebase",
			[]string{"first", "main", "one", "two", "three"}},
		"rebase, continued": {try("rebase", "side"), then(resolve, try("rebase", "--continue"), resolveList,
			try("rebase", "--continue")), "rebase", []string{"first", "side", "one", "two", "main", "three"}},
		"rebase, reset and aborted": {try("rebase", "side"), then(try("reset", "-q", "--hard"), try("rebase", "--abort")),
			"rebase", []string{"first", "main", "one", "two", "three"}},
		"rebase by patches, aborted": {try("rebase", "--apply", "side"), try("rebase", "--abort"), "rebase",
			[]string{"first", "main", "one", "two", "three"}},
		"am, aborted": {patches, try("am", "--abort"), "git am",
			[]string{"first", "main", "one", "two", "three"}},
		"cherry-pick, aborted": {try("cherry-pick", "side~1", "side~2"), try("cherry-pick", "--abort"), "cherry-pick",
			[]string{"first", "main", "one", "two", "three"}},
		"cherry-pick, continued": {try("cherry-pick", "side~1", "side~2"),
			then(resolve, try("cherry-pick", "--continue")), "cherry-pick", []string{"first", "main", "one", "two", "three"}},
		"cherry-pick, in conflict itself": {try("cherry-pick", "side"), try("cherry-pick", "--abort"), "cherry-pick",
			[]string{"first", "main", "one", "two", "three"}},
		"revert, aborted": {try("revert", "--no-edit", "main~1", "side~2"), try("revert", "--abort"),
			"revert", []string{"first", "main", "one", "two", "three"}},
		"bisect, reset": {then(try("bisect", "start"), try("bisect", "bad"),
			try("bisect", "good", "HEAD~3")), then(try("checkout", "-q", "--", "."), try("bisect", "reset")), "bisect",
			[]string{"first", "main", "one", "two", "three"}},
		"detached, thrown away": {try("checkout", "-q", "main~3"), try("checkout", "-qf", "main"), "detached",
			[]string{"first", "main", "one", "two", "three"}},
		"detached, taken along": {try("checkout", "-q", "--detach", "main"), try("checkout", "-q", "main"),
			"detached", []string{"first", "main", "one", "two", "three"}},
		"detached, to another branch": {try("checkout", "-q", "main~3"), try("checkout", "-qf", "side"), "detached",
			[]string{"first", "side", "one", "two", "three"}},
		"detached, edited since": {try("checkout", "-q", "main~3"),
			then(try("checkout", "-qf", "main"), func(t *testing.T, s *store.Store) {
				write(t, s.Root(), listFile, strings.Replace(read(t, s.Root(), listFile), "- main\n", "- main\n- hand\n", 1))
			}), "detached", []string{"first", "main", "hand", "one", "two", "three"}},
		"rebase, edited and continued": {try("rebase", "side"), then(func(t *testing.T, s *store.Store) {
			write(t, s.Root(), listFile, strings.Replace(read(t, s.Root(), listFile), "- one\n", "- one\n- hand\n", 1))
		}, resolve, try("rebase", "--continue"), resolveList, try("rebase", "--continue")), "rebase",
			[]string{"first", "side", "one", "hand", "two", "main", "three"}},
		"detached, stashed": {try("checkout", "-q", "main~3"), then(try("stash", "-q"), try("checkout", "-q", "main")),
			"detached", []string{"first", "main", "one", "two", "three"}},
		"merge, aborted": {try("merge", "-q", "side~2"), try("merge", "--abort"), "",
			[]string{"first", "main", "one", "two", "three"}},
		"linked worktree": {try("worktree", "add", "-q", "--detach", "../linked", "side"), try("status"), "",
			[]string{"first", "main", "one", "two", "three"}},
	}
}

// TestWhileGitIsBusy writes during an unfinished git operation, lets git finish it, and writes again: each line must be
// in the file once, in HEAD of a branch, under its own subject.
func TestWhileGitIsBusy(t *testing.T) {
	t.Parallel()
	needGit(t)
	for name, c := range busyCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, warned := forked(t)
			c.begin(t, s)
			tip := inStore(t, s, "rev-parse", "HEAD")
			for _, line := range []string{"one", "two"} {
				if id := addLine(t, s, line); (id == "") != (c.why != "") {
					t.Errorf("commit %q", id)
				}
				if w := warned(); (w == "") != (c.why == "") || !strings.Contains(w, c.why) || c.why != "" &&
					!strings.Contains(w, "pending") {
					t.Errorf("told %q", w)
				}
			}
			if got := lines(t, s); !slices.Contains(got, "- one") || !slices.Contains(got, "- two") {
				t.Errorf("while it is busy the list is %q", got)
			}
			if now := inStore(t, s, "rev-parse", "HEAD"); c.why != "" && now != tip {
				t.Errorf("HEAD moved")
			}
			c.end(t, s)
			addLine(t, s, "three")
			var want []string
			for _, line := range c.want {
				want = append(want, "- "+line)
			}
			if diff := cmp.Diff(want, lines(t, s)); diff != "" {
				t.Error(diff)
			}
			if out := inStore(t, s, "show", "HEAD:"+listFile); out+"\n" != read(t, s.Root(), listFile) {
				t.Errorf("HEAD has %q", out)
			}
			if left, _ := os.ReadDir(filepath.Join(s.Root(), "gitmem", "pending")); len(left) > 0 {
				t.Errorf("%d entries are left", len(left))
			}
			if w := warned(); w != "" {
				t.Errorf("told %q", w)
			}
			if !strings.Contains(name, "continued") { // unless the user has committed the lines with theirs
				log := inStore(t, s, "log", "-3", "--format=%s")
				if !strings.HasPrefix(log, "note: three\nnote: two\nnote: one") &&
					!strings.HasPrefix(log, "note: three\nnote: one, and 1 more\n") {
					t.Errorf("log:\n%s", log)
				}
				if hand := inStore(t, s, "log", "-1", "--format=%s", "-S- hand"); strings.Contains(name, "edited since") &&
					hand != "edited by hand" {
					t.Errorf("a person's line is in the commit %q", hand)
				}
				if out := inStore(t, s, "log", "--format=%(trailers)"); strings.Count(out, "Gitmem-Op: note") != 3 {
					t.Errorf("trailers:\n%s", out)
				}
			}
		})
	}
}

// resolveList keeps both sides of the conflict in the branches' lists.
func resolveList(t *testing.T, s *store.Store) {
	text := read(t, s.Root(), listFile)
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "<<<<") && !strings.HasPrefix(line, "====") && !strings.HasPrefix(line, ">>>>") {
			kept = append(kept, line)
		}
	}
	write(t, s.Root(), listFile, strings.Join(kept, ""))
	inStore(t, s, "add", "-A")
}

// TestUnbornBranch commits to a branch that has no commit yet.
func TestUnbornBranch(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, _ := forked(t)
	inStore(t, s, "checkout", "-q", "--orphan", "fresh")
	if addLine(t, s, "one") == "" {
		t.Error("not committed")
	}
}

// TestAppendWhileGitIsBusy resets a file to which a hook has appended, before the turn ends.
func TestAppendWhileGitIsBusy(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, _ := forked(t)
	log := "gitmem/projects/local/x/observations/2026-11/20-aaaaaaaa.md"
	add := func(line string) {
		t.Helper()
		if err := s.Append(log, clean("# Log\n\n"), clean(line)); err != nil {
			t.Fatal(err)
		}
	}
	add("- 10:00:00 Edit ok ^o-1")
	commit(t, s, store.Change{})
	inStore(t, s, "checkout", "-q", "--detach")
	add("- 10:00:01 Edit ok ^o-2")
	inStore(t, s, "checkout", "-qf", "main")
	add("- 10:00:02 Edit ok ^o-3")
	if err := s.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := "# Log\n\n- 10:00:00 Edit ok ^o-1\n- 10:00:02 Edit ok ^o-3\n- 10:00:01 Edit ok ^o-2\n"
	if diff := cmp.Diff(want, read(t, s.Root(), log)); diff != "" {
		t.Error(diff)
	}
}

// TestPendingSecret checks that a secret that a person wrote into a file is not in the pending entries.
func TestPendingSecret(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, _ := forked(t)
	inStore(t, s, "checkout", "-q", "--detach")
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	write(t, s.Root(), listFile, read(t, s.Root(), listFile)+"- token "+secret+"\n")
	addLine(t, s, "one")
	found, err := filepath.Glob(filepath.Join(s.Root(), "gitmem", "pending", "*"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, name := range found {
		if b, err := os.ReadFile(name); err != nil || strings.Contains(string(b), secret) {
			t.Errorf("%s holds the secret, %v", name, err)
		}
	}
}

// TestLateCommit makes a commit fail: the next one must not attribute the line to a person, nor to itself.
func TestLateCommit(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, _ := forked(t)
	lock := filepath.Join(s.GitDir(), "index.lock")
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o := options(t, s.Root())
	o.LockWait = 1
	busy, err := store.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	write(t, s.Root(), listFile, read(t, s.Root(), listFile)+"- one\n")
	if _, err := busy.Commit(t.Context(), store.Change{Paths: []string{listFile}, Subject: "note: one",
		Fsync: true}); err == nil {
		t.Fatal("committed in spite of git's lock")
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	addLine(t, s, "two")
	if diff := cmp.Diff("note: two\nnote: one", inStore(t, s, "log", "-2", "--format=%s")); diff != "" {
		t.Error(diff)
	}
	checkSound(t, s)
}
