package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// gitSays returns the location that git itself finds for dir.
func gitSays(tb testing.TB, dir string, env map[string]string) git.Location {
	tb.Helper()
	ask := func(args ...string) string {
		out, err := gitWith(dir, env, append([]string{"rev-parse", "--path-format=absolute"}, args...)...)
		if err != nil {
			return ""
		}
		return filepath.FromSlash(out)
	}
	loc := git.Location{GitDir: ask("--absolute-git-dir"), CommonDir: ask("--git-common-dir"),
		WorkTree: ask("--show-toplevel")}
	loc.Bare = loc.WorkTree == ""
	return loc
}

func TestDiscoverAgreesWithGit(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	base := filepath.Dir(dir)
	writeFile(t, dir, "deep/er/file", "x")
	run(t, dir, "worktree", "add", "-q", filepath.Join(base, "linked"))
	run(t, dir, "worktree", "add", "-q", filepath.Join(base, "special"), "-b", "special")
	run(t, dir, "config", "extensions.worktreeConfig", "true")
	run(t, filepath.Join(base, "special"), "config", "--worktree", "core.sparseCheckout", "true")
	run(t, base, "clone", "-q", "--bare", dir, filepath.Join(base, "bare.git"))
	run(t, base, "clone", "-q", "--separate-git-dir", filepath.Join(base, "elsewhere"), dir,
		filepath.Join(base, "separate"))
	run(t, base, "clone", "-q", dir, filepath.Join(base, "super"))
	run(t, filepath.Join(base, "super"), "submodule", "--quiet", "add", dir, "sub")
	run(t, base, "init", "-q", filepath.Join(base, "store", "inner"))
	run(t, filepath.Join(base, "store", "inner"), "config", "core.worktree", "../../")
	writeFile(t, base, "super/not-a-repo/.git/HEAD", "ref: refs/heads/main\n")

	for _, c := range []struct {
		at  string
		env map[string]string
	}{
		{at: "repo"},
		{at: "repo/deep/er"},
		{at: "linked"},
		{at: "special"},
		{at: "bare.git"},
		{at: "bare.git/refs"},
		{at: "separate"},
		{at: "super"},
		{at: "super/sub"},
		{at: "super/not-a-repo"},
		{at: "store/inner"},
		{at: ".", env: map[string]string{"GIT_DIR": "repo/.git"}},
		{at: "linked", env: map[string]string{"GIT_DIR": filepath.Join(dir, ".git")}},
		{at: ".", env: map[string]string{"GIT_DIR": "separate/.git"}},
		{at: ".", env: map[string]string{"GIT_DIR": "bare.git"}},
		{at: ".", env: map[string]string{"GIT_DIR": "bare.git", "GIT_WORK_TREE": "repo"}},
		{at: "repo/deep", env: map[string]string{"GIT_WORK_TREE": dir, "GIT_DIR": filepath.Join(dir, ".git")}},
		{at: "linked", env: map[string]string{"GIT_COMMON_DIR": filepath.Join(dir, ".git")}},
		{at: "repo/deep/er", env: map[string]string{"GIT_CEILING_DIRECTORIES": base}},
		{at: "repo/deep/er", env: map[string]string{"GIT_CEILING_DIRECTORIES": filepath.Join(dir, "deep", "er")}},
		{at: "repo/deep/er", env: map[string]string{"GIT_CEILING_DIRECTORIES": "relative" +
			string(filepath.ListSeparator) + "/nowhere"}},
	} {
		name := c.at
		for k, v := range c.env {
			name += " " + k + "=" + strings.ReplaceAll(v, base, "")
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := filepath.Join(base, filepath.FromSlash(c.at))
			got, err := git.Discover(at, func(k string) string { return c.env[k] })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(gitSays(t, at, c.env), got); diff != "" {
				t.Errorf("Discover(%s) (-git +ours):\n%s", c.at, diff)
			}
			r, err := git.Open(got)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if _, err := r.Head(); err != nil && c.at != "store/inner" {
				t.Errorf("Head: %v", err)
			}
		})
	}
}

func TestDiscoverNothing(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	base := filepath.Dir(dir)
	deep := filepath.Join(dir, "deep", "er")
	writeFile(t, dir, "deep/er/file", "x")
	writeFile(t, base, "file/.git", "gitdir: ../nowhere\n")
	writeFile(t, base, "text/.git", "hello\n")
	writeFile(t, base, "plain/file", "x")
	if _, err := tryGit(base, "", "rev-parse"); err == nil {
		t.Skip("the temporary folder lies in a repository")
	}
	for name, c := range map[string]struct {
		at  string
		env map[string]string
	}{
		"none":              {at: filepath.Join(base, "plain")},
		"not there":         {at: filepath.Join(base, "nosuch", "folder")},
		".git to nowhere":   {at: filepath.Join(base, "file")},
		".git is some text": {at: filepath.Join(base, "text")},
		"GIT_DIR wrong":     {at: dir, env: map[string]string{"GIT_DIR": "nosuch"}},
		"ceiling below":     {at: deep, env: map[string]string{"GIT_CEILING_DIRECTORIES": dir}},
		"ceiling unresolved": {at: deep, env: map[string]string{
			"GIT_CEILING_DIRECTORIES": string(filepath.ListSeparator) + filepath.Join(dir, "deep")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := gitWith(c.at, c.env, "rev-parse", "--git-dir"); err == nil {
				t.Error("git finds a repository here, so the case is wrong")
			}
			loc, err := git.Discover(c.at, func(k string) string { return c.env[k] })
			wantErr(t, err, git.ErrNotRepository)
			if err == nil {
				t.Errorf("found %+v", loc)
			}
		})
	}
}

func TestDiscoverThroughLink(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	writeFile(t, dir, "deep/file", "x")
	link := filepath.Join(tempDir(t), "link")
	if err := os.Symlink(filepath.Join(dir, "deep"), link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	loc, err := git.Discover(link, nil)
	if err != nil || loc.WorkTree != dir {
		t.Errorf("Discover through a link = %+v, %v; want the repository in %s", loc, err, dir)
	}
}

func TestOpenRefusesOtherFolders(t *testing.T) {
	t.Parallel()
	for _, loc := range []git.Location{{}, {GitDir: t.TempDir()}} {
		_, err := git.Open(loc)
		wantErr(t, err, git.ErrNotRepository)
	}
}

// TestDiscoverLeftBare finds the work tree of a repository that is configured as bare although its files are
// checked out. A repository that is only inside a folder .git has none.
func TestDiscoverLeftBare(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	run(t, dir, "config", "core.bare", "true")
	find := func() git.Location {
		t.Helper()
		loc, err := git.Discover(dir, func(name string) string { return map[string]string{"SUDO_UID": "65534"}[name] })
		if err != nil {
			t.Fatal(err)
		}
		return loc
	}
	if loc := find(); !loc.Bare {
		t.Errorf("without an index: %+v", loc)
	}
	run(t, dir, "config", "core.bare", "false")
	writeFile(t, dir, "a.txt", "a\n")
	run(t, dir, "add", ".")
	run(t, dir, "config", "core.bare", "true")
	if loc := find(); loc.Bare || filepath.Base(loc.WorkTree) != "repo" {
		t.Errorf("with an index: %+v", loc)
	}
}
