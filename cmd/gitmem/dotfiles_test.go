package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// word is in everything that is recorded in memory, and nowhere else.
const word = "heliotrope"

// dotfiles is a home whose files are in a repository with a public remote.
type dotfiles struct {
	t      *testing.T
	home   string
	remote string
	env    []string
	git    []string // git with its global arguments
}

func newDotfiles(t *testing.T) *dotfiles {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing is published")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &dotfiles{t: t, home: filepath.Join(base, "home"), remote: filepath.Join(base, "public.git")}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "CLAUDE_CONFIG_DIR=") &&
			!strings.HasPrefix(kv, "GITMEM_") {
			d.env = append(d.env, kv)
		}
	}
	d.env = append(d.env, "HOME="+d.home, "USERPROFILE="+d.home, "XDG_CACHE_HOME="+filepath.Join(base, "cache"),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "GITMEM_TEST_NOW=2026-11-20T12:00:00Z",
		"GITMEM_NO_BACKGROUND=1") // an indexer would write while the folder is removed
	d.write(".bashrc", "alias ll='ls -l'\n")
	d.write(".claude/settings.json", "{}\n")
	d.write("work/README.md", "A pump.\n")
	d.run("", "git", "init", "--quiet", "--bare", d.remote)
	return d
}

func (d *dotfiles) path(name string) string { return filepath.Join(d.home, filepath.FromSlash(name)) }

func (d *dotfiles) write(name, text string) {
	d.t.Helper()
	name = d.path(name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// run runs a command below home, and returns its output.
func (d *dotfiles) run(dir, name string, args ...string) string {
	d.t.Helper()
	out, err := d.start(dir, "", name, args...)
	if err != nil {
		d.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func (d *dotfiles) start(dir, stdin, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env, c.Stdin = d.path(dir), d.env, strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	return string(out), err
}

// own runs git on the dotfiles, in either layout.
func (d *dotfiles) own(args ...string) string {
	d.t.Helper()
	return d.run("", "git", append(append([]string{}, d.git...), args...)...)
}

// keep makes a folder below home the repository of the dotfiles.
func (d *dotfiles) keep(dir string, tracked ...string) {
	d.t.Helper()
	d.git = []string{"-C", d.path(dir)}
	d.own("init", "--quiet")
	d.publishFirst(tracked)
}

// keepBare uses a bare repository with an explicit work tree.
func (d *dotfiles) keepBare(gitDir string, tracked ...string) {
	d.t.Helper()
	d.run("", "git", "init", "--quiet", "--bare", d.path(gitDir))
	d.git = []string{"--git-dir=" + d.path(gitDir), "--work-tree=" + d.home}
	d.write(".gitignore", "/"+gitDir+"/\n")
	d.publishFirst(append(tracked, ".gitignore"))
}

func (d *dotfiles) publishFirst(tracked []string) {
	d.t.Helper()
	for _, name := range tracked {
		d.own("add", "--force", d.path(name))
	}
	d.own("commit", "--quiet", "--allow-empty", "--message", "dotfiles")
}

// day simulates a day of a user and the client, always with the word.
func (d *dotfiles) day() {
	d.t.Helper()
	const id = "38c88b61-18be-494e-9c54-6e697febc51c"
	line := func(kind string, message any) string {
		b, err := json.Marshal(map[string]any{"type": kind, "uuid": kind, "sessionId": id,
			"timestamp": "2026-11-20T11:00:00Z", "cwd": d.path("work"), "promptSource": "typed", "message": message})
		if err != nil {
			d.t.Fatal(err)
		}
		return string(b) + "\n"
	}
	d.write("../session.jsonl",
		line("user", map[string]any{"role": "user", "content": "Paint the pump " + word + " and wire it"})+
			line("assistant", map[string]any{"role": "assistant",
				"content": []any{map[string]string{"type": "text", "text": "We decided to paint it " + word +
					" because the pump is outside."}}}))
	d.run("", "gitmem", "init")
	d.run("work", "gitmem", "note", "--force", "The pump is "+word)
	for _, hook := range []string{"post-tool-use", "stop", "archive"} {
		payload, err := json.Marshal(map[string]any{"session_id": id, "cwd": d.path("work"), "tool_name": "Bash",
			"tool_input": map[string]string{"command": "echo " + word}, "transcript_path": d.path("../session.jsonl")})
		if err != nil {
			d.t.Fatal(err)
		}
		if out, err := d.start("work", string(payload), "gitmem", "hook", hook); err != nil {
			d.t.Fatalf("%s: %v\n%s", hook, err, out)
		}
	}
	if log := d.run("", "gitmem", "log"); !strings.Contains(log, "note: ") || !strings.Contains(log, "archive: ") {
		d.t.Fatalf("the day left nothing:\n%s", log)
	}
}

// publish adds everything and pushes it.
func (d *dotfiles) publish() {
	d.t.Helper()
	d.own("add", "--all")
	d.own("commit", "--quiet", "--allow-empty", "--message", "everything")
	d.own("push", "--quiet", d.remote, "HEAD:refs/heads/main")
}

// leaked returns what the remote has of memory: objects with the word, and our files.
func (d *dotfiles) leaked() (out []string) {
	d.t.Helper()
	all := d.run("", "git", "-C", d.remote, "cat-file", "--batch-all-objects", "--batch", "--unordered")
	if strings.Contains(all, word) {
		out = append(out, "an object holds the word")
	}
	files := d.run("", "git", "-C", d.remote, "ls-tree", "-r", "--name-only", "main")
	if !strings.Contains(files, "settings.json") && !strings.Contains(files, ".bashrc") {
		d.t.Errorf("the dotfiles were not published:\n%s", files)
	}
	for name := range strings.Lines(files) {
		if strings.Contains(name, "gitmem/") || strings.Contains(name, "memory/") {
			out = append(out, strings.TrimSpace(name))
		}
	}
	return out
}

// TestDotfilesPublishNothing publishes a whole home after a day with memory in it.
func TestDotfilesPublishNothing(t *testing.T) {
	t.Parallel()
	for name, live := range map[string]func(d *dotfiles){
		"home":              func(d *dotfiles) { d.keep("", ".bashrc"); d.day() },
		"home, tracked":     func(d *dotfiles) { d.keep("", ".bashrc", ".claude/settings.json"); d.day() },
		"root":              func(d *dotfiles) { d.keep(".claude", ".claude/settings.json"); d.day() },
		"no exclude file":   func(d *dotfiles) { d.keep("", ".bashrc", ".claude"); d.remove(".git/info"); d.day() },
		"exclude file goes": func(d *dotfiles) { d.keep("", ".bashrc", ".claude"); d.day(); d.remove(".git/info"); d.day() },
		"made anew": func(d *dotfiles) {
			d.keep("", ".claude")
			d.day()
			d.remove(".git")
			d.keep("", ".claude/settings.json")
			d.day()
		},
		"made later":            func(d *dotfiles) { d.day(); d.keep("", ".bashrc") },
		"made later, then used": func(d *dotfiles) { d.day(); d.keep("", ".bashrc", ".claude/settings.json"); d.day() },
		"work tree":             workTree,
		"submodule":             submodule,
		"separate git dir": func(d *dotfiles) {
			d.run("", "git", "init", "--quiet", "--separate-git-dir", d.path("../elsewhere"), d.home)
			d.keep("", ".claude")
			d.day()
		},
		"bare":          func(d *dotfiles) { d.keepBare(".dotfiles", ".bashrc"); d.day() },
		"bare, tracked": func(d *dotfiles) { d.keepBare(".dotfiles", ".claude"); d.day() },
		"bare, hides untracked": func(d *dotfiles) {
			d.keepBare(".cfg", ".claude")
			d.own("config", "status.showUntrackedFiles", "no")
			d.day()
		},
		"bare in .config": func(d *dotfiles) { d.keepBare(".config/dotfiles.git", ".claude"); d.day() },
		"bare in .local": func(d *dotfiles) {
			d.keepBare(".local/share/yadm/repo.git", ".claude")
			d.own("config", "core.worktree", d.home)
			d.day()
		},
		"bare in .config/x/y": func(d *dotfiles) { d.keepBare(".config/vcsh/repo.d/home.git", ".claude"); d.day() },
		"bare, later": func(d *dotfiles) {
			d.day()
			d.keepBare(".dotfiles", ".bashrc")
			d.day()
		},
		"root is a link": stowed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDotfiles(t)
			live(d)
			d.publish()
			if leaked := d.leaked(); len(leaked) > 0 {
				t.Errorf("published: %q", leaked)
			}
			if out := d.run("work", "gitmem", "search", "--project", "all", word); !strings.Contains(out, word) {
				t.Errorf("memory does not answer:\n%s", out)
			}
		})
	}
}

func (d *dotfiles) remove(name string) {
	d.t.Helper()
	if err := os.RemoveAll(d.path(name)); err != nil {
		d.t.Fatal(err)
	}
}

// workTree makes home a linked work tree of another repository.
func workTree(d *dotfiles) {
	main := d.path("../main")
	d.run("", "git", "init", "--quiet", main)
	d.run("", "git", "-C", main, "commit", "--quiet", "--allow-empty", "--message", "first")
	d.run("", "git", "-C", main, "worktree", "add", "--quiet", d.path("../linked"))
	if err := os.Rename(d.path("../linked/.git"), d.path(".git")); err != nil {
		d.t.Fatal(err)
	}
	d.git = []string{"-C", d.home}
	d.own("worktree", "repair", d.home)
	d.publishFirst([]string{".claude/settings.json"})
	d.day()
}

// submodule makes .claude a submodule of the home's repository, and publishes it.
func submodule(d *dotfiles) {
	d.keep(".claude", ".claude/settings.json")
	d.git = []string{"-C", d.home}
	d.own("init", "--quiet")
	d.own("submodule", "--quiet", "add", "./.claude", ".claude")
	d.own("submodule", "absorbgitdirs")
	d.publishFirst([]string{".bashrc"})
	d.day()
	d.publish()
	if leaked := d.leaked(); len(leaked) > 0 {
		d.t.Errorf("published by the outer repository: %q", leaked)
	}
	d.git = []string{"-C", d.path(".claude")}
	d.remote += "2"
	d.run("", "git", "init", "--quiet", "--bare", d.remote)
}

// stowed makes .claude a link into a repository of dotfiles.
func stowed(d *dotfiles) {
	if runtime.GOOS == "windows" {
		d.t.Skip("making links needs a privilege here")
	}
	d.write("dotfiles/.bashrc", "x\n")
	if err := os.Rename(d.path(".claude"), d.path("dotfiles/claude")); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Symlink("dotfiles/claude", d.path(".claude")); err != nil {
		d.t.Fatal(err)
	}
	d.keep("dotfiles", "dotfiles/claude", "dotfiles/.bashrc")
	d.day()
}

// TestDotfilesThatLetMemoryIn: a warning reports that memory can't be excluded.
func TestDotfilesThatLetMemoryIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		live func(d *dotfiles)
		says string
	}{
		"a .gitignore lets it in": {func(d *dotfiles) {
			d.write(".gitignore", "*\n!/.claude/\n!/.claude/**\n")
			d.keep("", ".claude/settings.json")
			d.day()
		}, "does not ignore memory"},
		"MEMORY.md is tracked": {func(d *dotfiles) {
			d.day()
			found, err := filepath.Glob(d.path(".claude/projects/*/memory/MEMORY.md"))
			if err != nil || len(found) != 1 {
				d.t.Fatal(found, err)
			}
			d.remove(".claude/.git")
			d.remove(".claude/.gitignore")
			d.keep("", ".claude/projects")
			d.day()
		}, "tracks .claude/projects/"},
		"info is a file": {func(d *dotfiles) {
			d.keep("", ".claude/settings.json")
			d.remove(".git/info")
			d.write(".git/info", "x")
			d.day()
		}, "shows memory as untracked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDotfiles(t)
			c.live(d)
			if out := d.run("", "gitmem", "init"); !strings.Contains(out, c.says) {
				t.Errorf("init says\n%s", out)
			}
			if out, err := d.start("", "", "gitmem", "doctor"); err == nil || !strings.Contains(out, c.says) {
				t.Errorf("doctor says\n%s", out)
			}
		})
	}
}
