package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// slip is the text that the tests purge.
const slip = "hunter2 is the word"

// without removes every line with a text from files, and the text from messages. A file without other lines is deleted.
type without string

func (text without) File(_ string, content []byte) []byte {
	if !bytes.Contains(content, []byte(text)) {
		return content
	}
	out := []byte{}
	for line := range bytes.Lines(content) {
		if !bytes.Contains(line, []byte(text)) {
			out = append(out, line...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (text without) Message(s string) string {
	return strings.ReplaceAll(s, string(text), "[forgotten]")
}

func (without) Name(s string) string { return s }

// nameless also purges names.
type nameless struct{ without }

func (p nameless) Name(s string) string { return p.Message(s) }

// everything inflates every object of a repository, whether or not anything
// reaches it.
func everything(t testing.TB, s *store.Store) string {
	t.Helper()
	return inStore(t, s, "cat-file", "--batch", "--batch-all-objects", "--unordered")
}

// checkGone checks that a text is nowhere in a repository, and that the repository is intact.
func checkGone(t testing.TB, s *store.Store, text string) {
	t.Helper()
	if strings.Contains(everything(t, s), text) {
		t.Errorf("an object still holds %q", text)
	}
	if log := inStore(t, s, "log", "-p", "--all", "--format=%B"); strings.Contains(log, text) {
		t.Errorf("git log -p --all still tells %q", text)
	}
	err := filepath.WalkDir(s.GitDir(), func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if bytes.Contains(b, []byte(text)) {
			t.Errorf("%s holds the text", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	checkSound(t, s)
}

func checkNoObjects(t testing.TB, s *store.Store, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if out, err := tryGit(s.Root(), "--git-dir="+s.GitDir(), "cat-file", "-e", id); err == nil {
			t.Errorf("object %s is still there %s", id, out)
		}
	}
}

// troubled returns a store with a text in a note of three commits, of which the second changes it and the third only
// keeps it.
func troubled(t testing.TB) (s *store.Store, ids []string) {
	s = initStore(t, t.TempDir())
	add := func(subject, rel, content string) {
		write(t, s.Root(), rel, content)
		ids = append(ids, commit(t, s, store.Change{Subject: subject}))
	}
	add("begin", "gitmem/a.md", "# A\n\n- one\n")
	add("note: "+slip, "gitmem/a.md", "# A\n\n- one\n- "+slip+"\n- two\n")
	add("more", "gitmem/b.md", "# B\n\n- other\n")
	return s, ids
}

// mend removes the text from the files and commits, which is the first step of forgetting.
func mend(t testing.TB, s *store.Store) {
	t.Helper()
	write(t, s.Root(), "gitmem/a.md", "# A\n\n- one\n- two\n")
	commit(t, s, store.Change{Subject: "forget"})
}

// A name that contains the text is reported and kept; a person's is replaced, and a link to it is removed.
func TestPurgeNames(t *testing.T) {
	t.Parallel()
	needGit(t)
	const text = "quokka-9911"
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/quokka-9911.md", "kept\n")
	inStore(t, s, "add", "-A")
	outside := t.TempDir()
	write(t, outside, "target", text+".md")
	link := inStore(t, s, "hash-object", "-w", filepath.Join(outside, "target"))
	inStore(t, s, "update-index", "--add", "--cacheinfo", "120000,"+link+",gitmem/link.md")
	inStore(t, s, "commit", "-q", "-m", "add", "--author="+text+" <o@"+text+".example>")
	inStore(t, s, "tag", text)
	got, err := s.Purge(t.Context(), nameless{text})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"gitmem/quokka-9911.md", "refs/tags/quokka-9911"}, got.Names); diff != "" {
		t.Error(diff)
	}
	if who := inStore(t, s, "log", "-1", "--format=%an <%ae>"); who != "[forgotten] <o@[forgotten].example>" {
		t.Error(who)
	}
	if files := inStore(t, s, "ls-tree", "-r", "--name-only", "HEAD"); files != ".gitignore\ngitmem/quokka-9911.md" {
		t.Errorf("files: %q", files)
	}
	checkNoObjects(t, s, link)
	checkSound(t, s)
}

func purge(t testing.TB, s *store.Store, text string) store.Purged {
	t.Helper()
	out, err := s.Purge(t.Context(), without(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPurge(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, ids := troubled(t)
	mend(t, s)
	last := inStore(t, s, "rev-parse", "HEAD")
	format := "--format=%an %ae %ad %cn %ce %cd"
	before := inStore(t, s, "log", format)
	plan, err := s.PlanPurge(t.Context(), without(slip))
	if err != nil {
		t.Fatal(err)
	}
	if now := inStore(t, s, "rev-parse", "HEAD"); now != last {
		t.Fatal("a plan moved the branch")
	}
	got := purge(t, s, slip)
	checkGone(t, s, slip)
	checkNoObjects(t, s, ids[1], ids[2], last)
	if first := inStore(t, s, "rev-list", "--max-parents=0", "HEAD"); first != ids[0] {
		t.Errorf("the commit before the first affected one has the id %s, had %s", first, ids[0])
	}
	if after := inStore(t, s, "log", format); after != before {
		t.Errorf("authors and dates differ:\n%s\n%s", before, after)
	}
	if subjects := inStore(t, s, "log", "--format=%s"); subjects != "forget\nmore\nnote: [forgotten]\nbegin" {
		t.Errorf("subjects: %q", subjects)
	}
	if len(got.Rewritten) != 3 || got.Rewritten[0].Old != ids[1] || got.Commits != 4 || got.Objects == 0 {
		t.Errorf("report: %+v", got)
	}
	if diff := cmp.Diff([]store.PurgedFile{{Path: "gitmem/a.md", Versions: 1}}, got.Files); diff != "" {
		t.Error(diff)
	}
	if plan.Objects != got.Objects || len(plan.Rewritten) != len(got.Rewritten) || plan.Rewritten[0].New != "" {
		t.Errorf("planned %+v, done %+v", plan, got)
	}
	again := purge(t, s, slip)
	if len(again.Rewritten)+len(again.Refs)+again.Objects != 0 {
		t.Errorf("a second purge did %+v", again)
	}
}

// TestPurgeForms has the text in each place of a repository that can contain one, loose and packed.
func TestPurgeForms(t *testing.T) {
	t.Parallel()
	needGit(t)
	for _, packed := range []string{"loose", "collected", "packed", "kept"} {
		t.Run(packed, func(t *testing.T) {
			t.Parallel()
			s, ids := troubled(t)
			all := append(ids, scatter(t, s)...)
			switch packed {
			case "collected": // unreachable objects are in a separate pack, if git makes one
				inStore(t, s, "gc", "-q", "--prune=2.weeks.ago")
			case "packed", "kept":
				inStore(t, s, "repack", "-a", "-d", "-q", "--write-bitmap-index")
				inStore(t, s, "commit-graph", "write", "--reachable")
				inStore(t, s, "multi-pack-index", "write")
				inStore(t, s, "pack-refs", "--all")
			}
			if packed == "kept" {
				packs, _ := filepath.Glob(filepath.Join(s.GitDir(), "objects", "pack", "*.pack"))
				keepPack(t, packs[0])
			}
			got := purge(t, s, slip)
			checkGone(t, s, slip)
			checkNoObjects(t, s, all[1:]...)
			if got.Stashed != 2 || got.Unsigned != 2 {
				t.Errorf("%d stash entries and %d signatures went", got.Stashed, got.Unsigned)
			}
			if notes := inStore(t, s, "log", "-1", "--format=%N", "light"); !strings.Contains(notes, "about more") {
				t.Errorf("the note did not follow its commit: %q", notes)
			}
			want := "refs/heads/main\nrefs/heads/side\nrefs/notes/commits\nrefs/tags/before\nrefs/tags/heavy\n" +
				"refs/tags/light\nrefs/tags/nested"
			if refs := inStore(t, s, "for-each-ref", "--format=%(refname)"); refs != want {
				t.Errorf("references: %q", refs)
			}
			_, named, _ := strings.Cut(inStore(t, s, "log", "-1", "--format=%s", "side~1"), "see ")
			if want := inStore(t, s, "rev-parse", "side~2"); named != want {
				t.Errorf("a message names %q, which is now %s", named, want)
			}
			if kind := inStore(t, s, "cat-file", "-t", "nested"); kind != "tag" {
				t.Errorf("the tag of a tag is a %s", kind)
			}
		})
	}
}

// scatter puts the text into branches, merges, tags, notes, the stash and objects that only reflogs name. It returns
// ids that contain it. The files end up without it.
func scatter(t testing.TB, s *store.Store) []string {
	t.Helper()
	var ids []string
	git := func(args ...string) string { return inStore(t, s, args...) }
	note := func(rev string) { ids = append(ids, git("rev-parse", rev)) }
	git("tag", "before", "HEAD~2")
	git("tag", "light")
	git("tag", "-a", "-m", "says "+slip+"\n-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----", "heavy")
	git("tag", "-a", "-m", "nested", "nested", "heavy")
	note("heavy")
	git("notes", "add", "-m", "about more", "HEAD")
	git("notes", "add", "-m", "about "+slip, "HEAD~1")
	note("refs/notes/commits")
	git("checkout", "-q", "-b", "side", "HEAD~1")
	write(t, s.Root(), "gitmem/side.md", "side "+slip+"\n")
	git("add", "gitmem/side.md")
	git("commit", "-q", "-m", "side, see "+git("rev-parse", "HEAD"))
	note("HEAD")
	sign(t, s)
	note("HEAD")
	git("checkout", "-q", "main")
	git("merge", "-q", "--no-edit", "side")
	note("HEAD")
	for i := range 2 { // a stash of two entries
		write(t, s.Root(), "gitmem/a.md", fmt.Sprintf("stash %d %s\n", i, slip))
		git("stash", "-q")
		note("stash")
	}
	git("update-ref", "refs/remotes/origin/main", "main~1")
	git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	write(t, s.Root(), "gitmem/lost.md", "lost "+slip+"\n")
	git("add", "gitmem/lost.md")
	git("commit", "-q", "-m", "lost")
	note("HEAD")
	git("reset", "-q", "--hard", "HEAD~1")
	write(t, s.Root(), "gitmem/staged.md", fmt.Sprintf("staged %s\nkept\n", slip))
	git("add", "gitmem/staged.md")
	write(t, s.Root(), "gitmem/staged.md", "kept\n")
	write(t, s.Root(), "gitmem/a.md", "# A\n\n- one\n- two\n")
	git("rm", "-q", "--cached", "gitmem/side.md")
	if err := os.Remove(filepath.Join(s.Root(), "gitmem", "side.md")); err != nil {
		t.Fatal(err)
	}
	git("add", "gitmem/a.md")
	git("commit", "-q", "-m", "forget")
	return ids
}

func keepPack(t testing.TB, pack string) {
	t.Helper()
	if err := os.WriteFile(strings.TrimSuffix(pack, ".pack")+".keep", nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// sign adds a commit with a dummy signature to the current branch.
func sign(t testing.TB, s *store.Store) {
	t.Helper()
	head, message, _ := strings.Cut(inStore(t, s, "cat-file", "commit", "HEAD"), "\n\n")
	lines := strings.Split(head, "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "parent ") })
	lines[i] = "parent " + inStore(t, s, "rev-parse", "HEAD")
	name := filepath.Join(t.TempDir(), "commit")
	body := strings.Join(lines, "\n") +
		"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned: " + message + "\n"
	if err := os.WriteFile(name, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	inStore(t, s, "update-ref", "HEAD", inStore(t, s, "hash-object", "-t", "commit", "-w", name))
}

// TestPurgeWithoutGit checks that nothing changes and the error names what is missing, also for a git that is too old.
func TestPurgeWithoutGit(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, _ := troubled(t)
	before, purged := everything(t, s), without(slip)
	for says, change := range map[string]func(*store.Store){
		"none is installed": store.WithoutGit, "git version 2.17.1": store.WithOldGit,
	} {
		change(s)
		_, planErr := s.PlanPurge(t.Context(), purged)
		_, err := s.Purge(t.Context(), purged)
		for _, err := range []error{planErr, err, s.EachVersion(t.Context(), nil)} {
			if !errors.Is(err, store.ErrNoGit) || !strings.Contains(err.Error(), says) {
				t.Error(err)
			}
		}
	}
	if everything(t, s) != before {
		t.Error("something was changed")
	}
}

// TestPurgeRefuses checks that nothing changes if history can't be rewritten, and that the error has advice.
func TestPurgeRefuses(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, _ := troubled(t)
	before := everything(t, s)
	refused := func(want error, says string) {
		t.Helper()
		_, planErr := s.PlanPurge(t.Context(), without(slip))
		_, err := s.Purge(t.Context(), without(slip))
		for _, err := range []error{planErr, err} {
			if !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
				t.Error(err)
			}
		}
	}
	inStore(t, s, "checkout", "-q", "--detach")
	refused(store.ErrConflict, "git switch")
	inStore(t, s, "checkout", "-q", "main")
	inStore(t, s, "tag", "file", "HEAD:gitmem/a.md")
	refused(store.ErrUnsupported, "refs/tags/file: ")
	if everything(t, s) != before {
		t.Error("something was changed")
	}
}

// TestPurgeLeavesTheStash checks that stash entries without the text are kept, also once git has packed the references.
func TestPurgeLeavesTheStash(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, ids := troubled(t)
	inStore(t, s, "checkout", "-q", "-b", "side", ids[0])
	for i := range 2 {
		write(t, s.Root(), "gitmem/a.md", fmt.Sprintf("stash %d\n", i))
		inStore(t, s, "stash", "-q")
	}
	inStore(t, s, "pack-refs", "--all")
	if got := purge(t, s, slip); got.Stashed != 0 {
		t.Errorf("%d entries went", got.Stashed)
	}
	if n := strings.Count(inStore(t, s, "stash", "list")+"\n", "\n"); n != 2 {
		t.Errorf("%d entries are left", n)
	}
	checkGone(t, s, slip)
}

// TestPurgeResolved has the text in a side of a merge that git's index remembers.
func TestPurgeResolved(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, ids := troubled(t)
	inStore(t, s, "checkout", "-q", "-b", "side", ids[0])
	write(t, s.Root(), "gitmem/a.md", "# A\n\n- other\n")
	commit(t, s, store.Change{Subject: "side"})
	if out, err := tryGit(s.Root(), "--git-dir="+s.GitDir(), "--work-tree="+s.Root(), "merge", "main"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	write(t, s.Root(), "gitmem/a.md", "# A\n\n- one\n- other\n")
	inStore(t, s, "add", "gitmem/a.md")
	inStore(t, s, "commit", "-q", "-m", "merged")
	if names := inStore(t, s, "ls-files", "--resolve-undo"); names == "" {
		t.Fatal("git's index remembers nothing")
	}
	purge(t, s, slip)
	checkGone(t, s, slip)
}

// TestPurgeStaged has the text in staged content and in no commit.
func TestPurgeStaged(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/a.md", "one\n")
	commit(t, s, store.Change{})
	write(t, s.Root(), "gitmem/b.md", "two\n"+slip+"\n")
	write(t, s.Root(), "gitmem/c.md", slip+"\n")
	inStore(t, s, "add", "gitmem/b.md", "gitmem/c.md")
	write(t, s.Root(), "gitmem/b.md", "two\n")
	if err := os.Remove(filepath.Join(s.Root(), "gitmem", "c.md")); err != nil {
		t.Fatal(err)
	}
	purge(t, s, slip)
	if strings.Contains(everything(t, s), slip) {
		t.Error("an object still holds it")
	}
	if got := inStore(t, s, "status", "--porcelain"); got != "A  gitmem/b.md" {
		t.Errorf("status: %q", got)
	}
	if got := inStore(t, s, "show", ":gitmem/b.md"); got != "two" {
		t.Errorf("staged: %q", got)
	}
	if got := inStore(t, s, "fsck", "--strict", "--no-dangling"); got != "" {
		t.Errorf("git fsck: %s", got)
	}
}

// TestPurgeOddPlaces has the store in a folder whose name has the wide space of Japanese, and a repository whose
// configured work tree is above that of the store.
func TestPurgeOddPlaces(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir := filepath.Join(t.TempDir(), "memory\u3000store")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, above := range []bool{false, true} {
		s := initStore(t, dir)
		write(t, s.Root(), "gitmem/a.md", "one\n"+slip+"\n")
		commit(t, s, store.Change{})
		write(t, s.Root(), "gitmem/b.md", "two\n"+slip+"\n")
		inStore(t, s, "add", "gitmem/b.md")
		for _, name := range []string{"a.md", "b.md"} {
			write(t, s.Root(), "gitmem/"+name, "three\n")
		}
		if above {
			inStore(t, s, "config", "core.worktree", filepath.Dir(dir))
		}
		purge(t, s, slip)
		if strings.Contains(everything(t, s), slip) {
			t.Errorf("above %v: an object still holds it", above)
		}
	}
}

// TestPurgeTouchesNobodyElse has memory in somebody's repository, which tracks the same file: nothing in that one
// changes.
func TestPurgeTouchesNobodyElse(t *testing.T) {
	t.Parallel()
	needGit(t)
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, "gitmem/a.md", "- one\n- "+slip+"\n")
	git(t, root, "add", "-f", "gitmem/a.md")
	git(t, root, "commit", "-q", "-m", slip)
	s := initStore(t, root)
	if !strings.HasSuffix(filepath.ToSlash(s.GitDir()), "gitmem/.git") {
		t.Fatalf("the store lies in %s", s.GitDir())
	}
	commit(t, s, store.Change{Subject: "note: " + slip})
	mend(t, s)
	before := git(t, root, "rev-parse", "HEAD") + git(t, root, "cat-file", "--batch-all-objects", "--batch-check")
	purge(t, s, slip)
	checkGone(t, s, slip)
	if after := git(t, root, "rev-parse", "HEAD") + git(t, root, "cat-file", "--batch-all-objects",
		"--batch-check"); after != before {
		t.Error("somebody else's repository changed")
	}
}
