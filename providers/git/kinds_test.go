package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// kinds are conversions of a fresh repository to a form, by the form's name. Each returns the folder to open.
type kinds map[string]func(t *testing.T, dir string) string

// TestKindsOfRepository reads every form of a clone, and expects the same results as from git.
func TestKindsOfRepository(t *testing.T) {
	t.Parallel()
	for _, group := range []kinds{clones(), packings(), layouts()} {
		for name, build := range group {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := build(t, sample(t))
				if name == "broken config" { // git itself fails
					r := open(t, dir)
					if n := len(walk(t, r, git.WalkOptions{Paths: true})); n != 4 {
						t.Errorf("%d commits, want 4", n)
					}
					return
				}
				compareWithGit(t, dir)
			})
		}
	}
}

// clones are copies made by git, with all objects or with some in another place.
func clones() kinds {
	return kinds{
		"bare":    func(t *testing.T, dir string) string { return cloneOf(t, dir, "--bare") },
		"mirror":  func(t *testing.T, dir string) string { return cloneOf(t, dir, "--mirror") },
		"shallow": func(t *testing.T, dir string) string { return cloneOf(t, dir, "--depth=2", "--no-local") },
		"shared":  func(t *testing.T, dir string) string { return cloneOf(t, dir, "--shared") },
		"shared twice": func(t *testing.T, dir string) string {
			one := cloneOf(t, dir, "--shared")
			commitFile(t, one, "one.txt", "1", "In the first borrower", 20)
			return cloneOf(t, one, "--shared")
		},
		"relative alternate": func(t *testing.T, dir string) string {
			clone := cloneOf(t, dir, "--shared")
			alternates := filepath.Join(".git", "objects", "info", "alternates")
			rel, err := filepath.Rel(filepath.Join(clone, ".git", "objects"), filepath.Join(dir, ".git", "objects"))
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, clone, alternates, "# a comment\n"+filepath.ToSlash(rel)+"\n")
			return clone
		},
		"partial": func(t *testing.T, dir string) string { return cloneOf(t, dir, "--filter=blob:none", "--no-local") },
		"separate directory": func(t *testing.T, dir string) string {
			return cloneOf(t, dir, "--separate-git-dir="+dir+".sep")
		},
		"reference": func(t *testing.T, dir string) string {
			other := cloneOf(t, dir, "--bare")
			commitFile(t, dir, "ref.txt", "r", "Not in the other one", 20)
			return cloneOf(t, dir, "--no-local", "--reference="+other)
		},
		"alternates in a circle": func(t *testing.T, dir string) string {
			clone := cloneOf(t, dir, "--shared")
			writeFile(t, dir, ".git/objects/info/alternates", filepath.ToSlash(filepath.Join(clone, ".git", "objects"))+"\n")
			return clone
		},
		"quoted alternate": func(t *testing.T, dir string) string {
			clone := cloneOf(t, dir, "--shared")
			writeFile(t, clone, ".git/objects/info/alternates",
				strconv.Quote(filepath.ToSlash(filepath.Join(dir, ".git", "objects")))+"\n")
			return clone
		},
	}
}

// packings store the same objects and refs in other files.
func packings() kinds {
	return kinds{
		"packed": func(t *testing.T, dir string) string {
			run(t, dir, "gc", "-q")
			return dir
		},
		"several packs": func(t *testing.T, dir string) string {
			run(t, dir, "repack", "-q", "-a", "-d")
			commitFile(t, dir, "more.txt", "m", "More", 20)
			run(t, dir, "repack", "-q", "-d")
			run(t, dir, "multi-pack-index", "write")
			run(t, dir, "commit-graph", "write", "--reachable")
			commitFile(t, dir, "loose.txt", "l", "Loose", 21)
			return dir
		},
		"packed refs": func(t *testing.T, dir string) string {
			run(t, dir, "pack-refs", "--all")
			return dir
		},
		"index version 1": func(t *testing.T, dir string) string {
			run(t, dir, "-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d")
			return dir
		},
		"pack of another name": func(t *testing.T, dir string) string {
			run(t, dir, "repack", "-q", "-a", "-d")
			pack := strings.TrimSuffix(onlyPack(t, dir), ".pack")
			for _, suffix := range []string{".pack", ".idx"} {
				if err := os.Rename(pack+suffix, filepath.Join(filepath.Dir(pack), "pack-of-mine"+suffix)); err != nil {
					t.Fatal(err)
				}
			}
			return dir
		},
	}
}

// layouts differ in the surroundings of the objects: heads, worktrees, settings, owners.
func layouts() kinds {
	return kinds{
		"normal":   func(_ *testing.T, dir string) string { return dir },
		"detached": func(t *testing.T, dir string) string { run(t, dir, "checkout", "-q", "HEAD~1"); return dir },
		"sub-folder": func(t *testing.T, dir string) string {
			writeFile(t, dir, "deep/er/file", "x")
			return filepath.Join(dir, "deep", "er")
		},
		"other owner": func(t *testing.T, dir string) string {
			for _, name := range []string{dir, filepath.Join(dir, ".git")} {
				if err := os.Chown(name, 65534, 65534); err != nil {
					t.Skipf("SKIPPED: nobody but root gives files away: %v", err)
				}
			}
			return dir
		},
		"linked worktree": linkedWorktree,
		"worktree of a bare clone": func(t *testing.T, dir string) string {
			return linkedWorktree(t, cloneOf(t, dir, "--bare"))
		},
		"worktree with own config": worktreeConfig,
		"worktree with own config, version 1": func(t *testing.T, dir string) string {
			run(t, dir, "config", "core.repositoryFormatVersion", "1")
			return worktreeConfig(t, dir)
		},
		"sparse":        sparse,
		"submodule":     submodule,
		"octopus":       octopus,
		"broken config": brokenConfig,
		"unknown extension": func(t *testing.T, dir string) string {
			run(t, dir, "config", "extensions.partialClone", "x")
			return dir
		},
		"explicit sha1 and version": explicitSHA1,
	}
}

func cloneOf(t *testing.T, dir string, args ...string) string {
	t.Helper()
	run(t, dir, "config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(tempDir(t), "clone")
	run(t, filepath.Dir(dir), append(append([]string{"clone", "-q"}, args...), dir, clone)...)
	return clone
}

func linkedWorktree(t *testing.T, dir string) string {
	linked := filepath.Join(tempDir(t), "linked")
	run(t, dir, "worktree", "add", "-q", "-b", "linked", linked)
	commitFile(t, linked, "l.txt", "l", "In the linked worktree", 30)
	return linked
}

func worktreeConfig(t *testing.T, dir string) string {
	run(t, dir, "config", "extensions.worktreeConfig", "true")
	linked := linkedWorktree(t, dir)
	run(t, linked, "config", "--worktree", "remote.own.url", "https://example.org/own.git")
	return linked
}

func sparse(t *testing.T, dir string) string {
	run(t, dir, "sparse-checkout", "set", "src")
	return dir
}

func submodule(t *testing.T, dir string) string {
	super := newRepo(t)
	run(t, super, "submodule", "--quiet", "add", dir, "sub")
	commit(t, super, "Add the submodule", 40)
	compareWithGit(t, super)
	return filepath.Join(super, "sub")
}

func octopus(t *testing.T, dir string) string {
	for i := range 3 {
		run(t, dir, "checkout", "-q", "-b", fmt.Sprint("o", i), "main")
		commitFile(t, dir, fmt.Sprint("o", i), "x", "Arm", 50+i)
	}
	run(t, dir, "checkout", "-q", "main")
	run(t, dir, "merge", "-q", "-m", "Octopus", "o0", "o1", "o2")
	return dir
}

func brokenConfig(t *testing.T, dir string) string {
	writeFile(t, dir, ".git/config", "[core\nthis is = not [ a config")
	return dir
}

func explicitSHA1(t *testing.T, dir string) string {
	run(t, dir, "config", "core.repositoryFormatVersion", "1")
	run(t, dir, "config", "extensions.objectFormat", "sha1")
	run(t, dir, "config", "extensions.preciousObjects", "true")
	return dir
}

// compareWithGit compares everything about a repository that git can print too.
func compareWithGit(t *testing.T, dir string) {
	t.Helper()
	r := open(t, dir)
	commits := walk(t, r, git.WalkOptions{Paths: true})
	if diff := cmp.Diff(gitNameStatus(t, dir), nameStatus(commits)); diff != "" {
		t.Errorf("Walk (-git +ours):\n%s", diff)
	}
	if s := r.Skipped(); len(s) > 0 {
		t.Errorf("skipped %v", s)
	}
	const format = "%H\x01%T\x01%P\x01%an\x01%ae\x01%ad\x01%cn\x01%ce\x01%cd\x01%s\x01%b\x02"
	for i, want := range strings.Split(run(t, dir, "log", "-z", "--date=iso-strict", "--format="+format), "\x02") {
		want = strings.Trim(want, "\x00\n")
		if want == "" {
			continue
		}
		if diff := cmp.Diff(strings.TrimRight(want, "\n"), fields(commits[i])); diff != "" {
			t.Errorf("commit %d (-git +ours):\n%s", i, diff)
		}
	}
	compareTree(t, dir, r)
	head, err := r.Head()
	if err != nil || head.Hash != run(t, dir, "rev-parse", "HEAD") ||
		head.Name != run(t, dir, "rev-parse", "--symbolic-full-name", "HEAD") {
		t.Errorf("Head = %+v, %v", head, err)
	}
}

func fields(c git.Commit) string {
	const iso = "2006-01-02T15:04:05-07:00"
	return strings.Join([]string{c.Hash, c.Tree, strings.Join(c.Parents, " "),
		c.Author.Name, c.Author.Email, c.Author.When.Format(iso),
		c.Committer.Name, c.Committer.Email, c.Committer.When.Format(iso), c.Subject, c.Body}, "\x01")
}

func compareTree(t *testing.T, dir string, r *git.Repository) {
	t.Helper()
	entries, err := r.List("HEAD", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%06o %s\t%s", e.Mode, e.Hash, e.Path))
	}
	out := run(t, dir, "ls-tree", "-r", "-z", "--full-tree", "--format=%(objectmode) %(objectname)%x09%(path)", "HEAD")
	if diff := cmp.Diff(strings.Trim(out, "\x00"), strings.Join(got, "\x00")); diff != "" {
		t.Errorf("List (-git +ours):\n%s", diff)
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	_, err := r.Head()
	wantErr(t, err, git.ErrEmpty)
	_, err = r.Tips()
	wantErr(t, err, git.ErrEmpty)
	_, err = r.Root()
	wantErr(t, err, git.ErrEmpty)
	_, err = r.Commit("HEAD")
	wantErr(t, err, git.ErrNotFound)
	if x := r.Mailmap(); x == nil {
		t.Error("no mailmap")
	}
}

// TestRepackWhileOpen lets git replace all packs of an open repository.
func TestRepackWhileOpen(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	run(t, dir, "repack", "-q", "-a", "-d")
	r := open(t, dir)
	if _, err := r.Commit("HEAD"); err != nil {
		t.Fatal(err)
	}
	commitFile(t, dir, "new.txt", "n", "New", 20)
	run(t, dir, "repack", "-q", "-a", "-d")
	run(t, dir, "prune-packed", "-q")
	if n := len(walk(t, r, git.WalkOptions{Paths: true})); n != 5 {
		t.Errorf("%d commits after a repack, want 5", n)
	}
	if s := r.Skipped(); len(s) > 0 {
		t.Errorf("skipped %v", s)
	}
}

// TestPartialClones checks that clones lack objects that were never fetched, and that they are not fetched
// later.
func TestPartialClones(t *testing.T) {
	t.Parallel()
	origin := sample(t)
	for filter, missing := range map[string]int{"blob:none": 0, "tree:0": 4} {
		dir := cloneOf(t, origin, "--filter="+filter, "--no-local", "--bare")
		absent := func() string {
			return run(t, dir, "rev-list", "--objects", "--all", "--missing=print", "--no-object-names")
		}
		before := absent()
		r := open(t, dir)
		n := 0
		commits := walk(t, r, git.WalkOptions{Paths: true})
		for _, c := range commits {
			if c.ChangesMissing {
				n++
			}
		}
		if len(commits) != 4 || n != missing || len(r.Skipped()) != missing {
			t.Errorf("%s: %d commits, %d without changes, skipped %v", filter, len(commits), n, r.Skipped())
		}
		_, err := r.Blob("HEAD", "README.md")
		wantErr(t, err, git.ErrNotFound)
		if err == nil || !strings.Contains(err.Error(), "partial clone") {
			t.Errorf("%s: the error %v does not say why", filter, err)
		}
		if after := absent(); after != before || !strings.Contains(before, "?") {
			t.Errorf("%s: was missing\n%s\nis missing now\n%s", filter, before, after)
		}
	}
}

func TestMissingAlternateIsCounted(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	writeFile(t, dir, ".git/objects/info/alternates", filepath.ToSlash(filepath.Join(dir, "nosuch", "objects"))+
		"\n../../.git/objects\n")
	r := open(t, dir)
	if n := len(walk(t, r, git.WalkOptions{})); n != 4 {
		t.Errorf("%d commits, want 4", n)
	}
	if s := r.Skipped(); len(s) != 1 {
		t.Errorf("skipped %v, want the folder that is not there", s)
	}
}

func TestTips(t *testing.T) {
	t.Parallel()
	origin := sample(t)
	dir := cloneOf(t, origin)
	names := func() string {
		tips, err := open(t, dir).Tips()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range tips {
			out = append(out, r.Name)
		}
		return strings.Join(out, " ")
	}
	if got := names(); got != "refs/heads/main" {
		t.Errorf("fresh clone: %s", got)
	}
	commitFile(t, dir, "x", "x", "Ahead", 60)
	if got := names(); got != "refs/heads/main refs/remotes/origin/main" {
		t.Errorf("ahead of origin: %s", got)
	}
	run(t, dir, "remote", "set-head", "origin", "--delete")
	run(t, dir, "checkout", "-q", "--detach")
	if got := names(); got != "HEAD refs/remotes/origin/main" {
		t.Errorf("detached, no origin/HEAD: %s", got)
	}
	run(t, dir, "checkout", "-q", "--orphan", "fresh")
	if got := names(); got != "refs/remotes/origin/main" {
		t.Errorf("branch without commits: %s", got)
	}
}
