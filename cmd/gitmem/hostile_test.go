package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// hostileNames returns names that lead to another path on some system.
func hostileNames() []string {
	return []string{
		"../../../../owned", "..%2f..%2fowned", "/etc/owned", `..\..\owned`, `C:\owned`, "owned\x00.md", "owned\n# owned",
		"owned\r\nx", ".git", ".GIT", "GIT~1", ".git.", ".git ",
		".g\u200cit", "\uff0egit", "con", "CON.md", "nul .md", "a.md:stream", "a.md::$DATA", "aux/prn", "-rf",
		"$(touch owned)", "`touch owned`", "*", "owned/.", "u\u0308", "\u00fc",
		".credentials.json", "settings.json", "id_rsa", "~/owned", "~root", "\u202egnp.exe", strings.Repeat("a", 300),
		strings.Repeat("../", 100) + "owned", "",
	}
}

// files returns the files below a folder, without caches and without the repositories' internal files.
func (d *dotfiles) files(skip ...string) map[string]bool {
	d.t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(filepath.Dir(d.home), func(name string, e fs.DirEntry, err error) error {
		for _, s := range append(skip, "/.git/", "/cache/") {
			if strings.Contains(filepath.ToSlash(name)+"/", s) {
				return nil
			}
		}
		if err == nil && !e.IsDir() {
			out[name] = true
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// TestHostileNames sends names through every input: the fields of a hook's payload, remotes, notes and flags.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	d := newDotfiles(t)
	d.run("work", "git", "init", "--quiet")
	d.run("work", "git", "add", "--all")
	d.run("work", "git", "commit", "--quiet", "--message", "Begin")
	d.run("", "gitmem", "init")
	d.write("../session.jsonl",
		`{"type":"user","uuid":"u","sessionId":"s","timestamp":"2026-11-20T11:00:00Z","cwd":"/","promptSource":"typed",`+
			`"message":{"role":"user","content":"Paint the pump"}}`+"\n")
	before := d.files("/.claude/gitmem/", "/memory/")
	b := &bench{dotfiles: d}
	calls := 0
	payload := func(hook string, fields map[string]any) {
		full := map[string]any{"session_id": seamSession, "cwd": d.path("work"), "tool_name": "Bash",
			"tool_input": map[string]string{"command": "x"}, "transcript_path": d.path("../session.jsonl")}
		for k, v := range fields {
			full[k] = v
		}
		if out, err := d.start("work", b.json(full), "gitmem", "hook", hook); err != nil || out != "" {
			t.Errorf("%s %.80v: %v\n%s", hook, fields, err, out)
		}
		calls++
	}
	for i, name := range hostileNames() {
		// Each name goes through each input, except that the hooks and the fields alternate.
		payload([]string{"post-tool-use", "stop", "archive"}[i%3], map[string]any{"session_id": name})
		payload("post-tool-use",
			map[string]any{"tool_name": name, "tool_input": map[string]string{"file_path": name, "command": name}})
		payload("archive", map[string]any{[]string{"transcript_path", "cwd"}[i%2]: name})
		if !strings.Contains(name, "\x00") { // an argument can't contain it
			_, _ = d.start("work", "", "git", "config", "remote.origin.url", "https://example.com/"+name+"/"+name)
			payload("post-tool-use", nil)
			_, _ = d.start("work", "", "gitmem", "note", "--force", "--", name)
			calls += 2
		}
	}
	payload("archive", nil)
	d.run("work", "gitmem", "note", "--force", "The end")
	for name := range d.files("/.claude/gitmem/", "/memory/") {
		if !before[name] {
			t.Errorf("%q appeared", name)
		}
	}
	d.onlyMemory()
	t.Logf("%d calls with %d names", calls, len(hostileNames()))
}

// onlyMemory checks that history and the folders of memory contain nothing else.
func (d *dotfiles) onlyMemory() {
	d.t.Helper()
	ours := regexp.MustCompile(`^(\.gitignore|gitmem/store\.md|gitmem/projects/[a-z0-9!%._+@=,/-]+\.md` +
		`|projects/[A-Za-z0-9-]+/memory/[A-Za-z0-9-]+\.md)$`)
	names := d.run("", "git", "-C", d.path(".claude"), "ls-tree", "-r", "-z", "--name-only", "HEAD")
	for name := range strings.SplitSeq(strings.TrimSuffix(names, "\x00"), "\x00") {
		if !ours.MatchString(name) || strings.Contains(name, "/../") {
			d.t.Errorf("history has %q", name)
		}
	}
	if out := d.run("", "git", "-C", d.path(".claude"), "fsck", "--strict"); strings.Contains(out, "warning") {
		d.t.Error(out)
	}
}

// TestCredentialsStayOut creates credentials, with the file names of known programs and others, wherever
// gitmem could pick them up.
func TestCredentialsStayOut(t *testing.T) {
	t.Parallel()
	d := newDotfiles(t)
	// no scan recognises it, so that only its name and its kind can exclude it
	const secret = "{\"theme\": \"" + word + "\"}\n"
	names := []string{
		".credentials.json", "credentials.json", "settings.json", "settings.local.json", ".env", "prod.env", "id_rsa",
		"id_ed25519", "x.pem", "x.key", ".netrc", "_netrc",
		"mykey", "auth.json", "hosts.yml", "token", ".npmrc", "x.kdbx", "wallet.dat", "x.der", "x.p8", "a.md.bak", "a.MD",
		".a.md", "a.md~", "CON.md", "x.tfvars",
	}
	dirs := []string{"", "gitmem/", "gitmem/projects/", "gitmem/providers/", "projects/", "projects/p/",
		"projects/p/memory/", "projects/p/memory/x/"}
	n := 0
	for _, dir := range dirs {
		for _, name := range names {
			d.write(".claude/"+dir+name, secret)
			n++
		}
	}
	if runtime.GOOS != "windows" {
		d.write("secrets/a.md", secret)
		for link, to := range map[string]string{"gitmem/link.md": "../settings.json", "gitmem/far.md": d.path("secrets/a.md"),
			"gitmem/dir": d.path("secrets"), "projects/q": d.path("secrets"),
			"projects/p/memory/up.md": "../../../settings.json"} {
			if err := os.Symlink(to, d.path(".claude/"+link)); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if err := os.Link(d.path(".claude/settings.json"), d.path(".claude/gitmem/hard.md")); err != nil {
			t.Fatal(err)
		}
		n++
	}
	d.write(".claude/.gitignore", "!*\n")
	d.run("", "gitmem", "init") // its first commit adds everything that is allowed
	// Git settings that could widen what is tracked or run something.
	d.write(".claude/gitmem/.gitattributes", "* filter=evil\n")
	d.write(".claude/gitmem/.gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ../x\n")
	d.write("more", "[filter \"evil\"]\n\tclean = cat "+d.path(".claude/settings.json")+
		"\n\trequired = true\n[core]\n\tworktree = "+d.path("secrets")+"\n\thooksPath = "+d.path("hooks")+"\n")
	d.write("hooks/pre-commit", "#!/bin/sh\ntouch "+d.path("ran")+"\n")
	if err := os.Chmod(d.path("hooks/pre-commit"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]string{{"include.path", d.path("more")}, {"core.excludesFile", os.DevNull},
		{"filter.evil.clean", "cat " + d.path(".claude/settings.json")}} {
		d.run("", "git", append([]string{"-C", d.path(".claude"), "config"}, set...)...)
	}
	d.write(".claude/.git/info/attributes", "* filter=evil\n")
	d.write(".claude/.git/objects/info/alternates", d.path("work/.git/objects")+"\n")

	b := &bench{dotfiles: d}
	for _, a := range []act{{"note", "zorvax"}, {"post-tool-use", "brintho"}, {"stop", ""}, {"archive", "tamblor"}} {
		b.dir = d.path("work")
		if done, out := b.do(a); !done {
			t.Errorf("%s: %s", a.verb, out)
		}
	}
	d.run("", "gitmem", "note", "--force", "The end")
	d.run("", "git", "--git-dir="+d.path(".claude/.git"), "config", "--unset", "include.path")
	if all := d.run("", "git", "--git-dir="+d.path(".claude/.git"), "cat-file", "--batch-all-objects", "--batch",
		"--unordered"); strings.Contains(all, word) {
		t.Error("an object holds what was in a credential file")
	}
	if err := os.Remove(d.path(".claude/.git/objects/info/alternates")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.path("ran")); err == nil {
		t.Error("a hook of the configuration ran")
	}
	d.onlyMemory()
	t.Logf("%d files and links laid out", n)
}
