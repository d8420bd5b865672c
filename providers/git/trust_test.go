package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

// untrusted returns the path in the error of Discover for a folder, or "".
func untrusted(t *testing.T, dir string, env map[string]string) string {
	t.Helper()
	_, err := git.Discover(dir, func(k string) string { return env[k] })
	u, ok := errors.AsType[*git.UntrustedError](err)
	if !ok {
		if err != nil {
			t.Errorf("Discover(%s): %v", dir, err)
		}
		return ""
	}
	wantErr(t, err, git.ErrNotRepository)
	if !strings.Contains(u.Advice, u.Path) {
		t.Errorf("the advice %q does not name %s", u.Advice, u.Path)
	}
	return u.Path
}

// TestBareRepositoryInAWorkTree has bare repositories in places where a clone puts them, and in a user's own
// places.
func TestBareRepositoryInAWorkTree(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	base := filepath.Dir(dir)
	bare := func(at string, config string) {
		writeFile(t, base, at+"/HEAD", "ref: refs/heads/main\n")
		writeFile(t, base, at+"/objects/.keep", "")
		writeFile(t, base, at+"/refs/heads/.keep", "")
		writeFile(t, base, at+"/config", config)
	}
	bare("repo/docs/inner", "[remote \"origin\"]\n\turl = https://github.com/acme/pump.git\n")
	bare("repo/docs/inner/deeper", "")
	bare("repo/tree", "[core]\n\tworktree = ../docs\n")
	writeFile(t, base, "repo/borrowed/HEAD", "ref: refs/heads/main\n") // with objects and refs of the outer one
	writeFile(t, base, "repo/borrowed/commondir", "../.git\n")
	bare("alone.git", "")
	bare("alone.git/second.git", "") // a bare repository has no work tree
	run(t, base, "clone", "-q", "--bare", dir, filepath.Join(base, "project", ".bare"))
	writeFile(t, base, "project/.git", "gitdir: ./.bare\n")
	run(t, filepath.Join(base, "project"), "worktree", "add", "-q", "main")
	run(t, base, "clone", "-q", dir, filepath.Join(base, "super"))
	run(t, filepath.Join(base, "super"), "submodule", "--quiet", "add", dir, "sub")
	run(t, dir, "worktree", "add", "-q", filepath.Join(dir, "linked"))

	for at, want := range map[string]string{
		"repo/docs/inner":               "repo/docs/inner",
		"repo/docs/inner/refs":          "repo/docs/inner",
		"repo/docs/inner/deeper":        "repo/docs/inner/deeper",
		"repo/tree":                     "repo/tree",
		"repo/borrowed":                 "repo/borrowed",
		"repo":                          "",
		"repo/docs":                     "",
		"repo/.git":                     "",
		"repo/.git/refs":                "",
		"repo/.git/worktrees/linked":    "",
		"repo/linked":                   "",
		"alone.git":                     "",
		"alone.git/second.git":          "",
		"project":                       "",
		"project/.bare":                 "",
		"project/.bare/worktrees/main":  "",
		"project/main":                  "",
		"super/sub":                     "",
		"super/.git/modules/sub":        "",
		"super/.git/modules/sub/refs":   "",
		"super/.git/modules/sub/../sub": "",
	} {
		if want != "" {
			want = filepath.Join(base, filepath.FromSlash(want))
		}
		if got := untrusted(t, filepath.Join(base, filepath.FromSlash(at)), nil); got != want {
			t.Errorf("in %s refused %q, want %q", at, got, want)
		}
	}
	inner := filepath.Join(dir, "docs", "inner")
	if got := untrusted(t, inner, map[string]string{"GIT_DIR": inner}); got != "" {
		t.Errorf("GIT_DIR names it, and still %s is refused", got)
	}
	if _, err := gitWith(inner, map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.bareRepository",
		"GIT_CONFIG_VALUE_0": "explicit"}, "rev-parse", "--git-dir"); err == nil {
		t.Error("git itself does not refuse it, so the case is wrong")
	}
}

// TestRepositoryOfAnotherOwner changes the owner of parts of repositories, and compares the effect of
// settings with git.
func TestRepositoryOfAnotherOwner(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("SKIPPED, NOT PASSED: nobody but root gives files away")
	}
	dir := sample(t)
	base := filepath.Dir(dir)
	run(t, base, "clone", "-q", "--bare", dir, filepath.Join(base, "bare.git"))
	run(t, base, "clone", "-q", dir, filepath.Join(base, "tree"))
	run(t, base, "clone", "-q", dir, filepath.Join(base, "gitdir"))
	run(t, dir, "worktree", "add", "-q", filepath.Join(base, "linked"))
	run(t, base, "clone", "-q", dir, filepath.Join(base, "own"))
	for _, name := range []string{"bare.git", "tree", "gitdir/.git", "linked/.git", "own/README.md"} {
		if err := os.Chown(filepath.Join(base, name), 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(base, "home")
	writeFile(t, home, "deep/more", "[safe]\n\tdirectory = "+filepath.ToSlash(base)+"/tree\n")
	for _, c := range []struct {
		name, at, config, want string
		env                    map[string]string
		other                  bool // git of this version behaves differently
	}{
		{name: "bare", at: "bare.git", want: "bare.git"},
		{name: "work tree", at: "tree", want: "tree"},
		{name: "git directory", at: "gitdir", want: "gitdir"},
		{name: ".git file", at: "linked", want: "linked"},
		{name: "a file in it", at: "own"},
		{name: "named", at: "tree", config: "directory = BASE/tree"},
		{name: "another one named", at: "tree", config: "directory = BASE/bare.git", want: "tree"},
		{name: "all", at: "bare.git", config: "directory = *"},
		{name: "taken back", at: "tree", config: "directory = *\n\tdirectory =", want: "tree"},
		{name: "all below", at: "tree", config: "directory = BASE/*", other: true},
		{name: "all below another", at: "tree", config: "directory = BASE/tre/*", want: "tree"},
		{name: "below home", at: "tree", config: "directory = ~/../tree", other: true},
		{name: "relative", at: "tree", config: "directory = tree", want: "tree"},
		{name: "included", at: "tree", config: "x = 1\n[include]\n\tpath = deep/more"},
		{name: "sudo", at: "tree", env: map[string]string{"SUDO_UID": "65534"}},
		{name: "sudo by somebody else", at: "tree", env: map[string]string{"SUDO_UID": "1000"}, want: "tree"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := home
			if c.config != "" {
				h = filepath.Join(home, strings.ReplaceAll(c.name, " ", "-"))
				writeFile(t, h, "deep/more", "[safe]\n\tdirectory = "+filepath.ToSlash(base)+"/tree\n")
				writeFile(t, h, ".gitconfig", "[safe]\n\t"+strings.NewReplacer("BASE", filepath.ToSlash(base), "~/../",
					"~/../../").Replace(c.config)+"\n")
			}
			env := map[string]string{"HOME": h, "GIT_CONFIG_NOSYSTEM": "1"}
			for k, v := range c.env {
				env[k] = v
			}
			at := filepath.Join(base, c.at)
			// The repository's own settings must be ignored.
			if c.at == "tree" && c.want != "" {
				writeFile(t, at, ".git/config", "[safe]\n\tdirectory = *\n")
			}
			want := ""
			if c.want != "" {
				want = filepath.Join(base, c.want)
			}
			if got := untrusted(t, at, env); got != want {
				t.Errorf("refused %q, want %q", got, want)
			}
			env["GIT_CONFIG_COUNT"], env["GIT_CONFIG_GLOBAL"] = "0", filepath.Join(h, ".gitconfig")
			if _, err := gitWith(at, env, "rev-parse", "--git-dir"); !c.other && (err == nil) != (want == "") {
				t.Errorf("git says otherwise: %v", err)
			}
			env["XDG_CONFIG_HOME"] = filepath.Join(h, "xdg")
			delete(env, "GIT_CONFIG_GLOBAL")
			writeFile(t, h, "xdg/git/config", "[safe]\n\tdirectory = *\n")
			if c.config == "" && untrusted(t, at, env) != "" {
				t.Error("the other file of the user's is not read")
			}
		})
	}
}
