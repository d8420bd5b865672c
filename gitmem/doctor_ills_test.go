package gitmem_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ill is one way to damage a store.
type ill struct {
	name   string
	check  string // the check that must name it
	state  string
	says   string // part of the detail
	damage func(t *testing.T, l *lab)
	stays  bool // --fix does not repair it, but reports what to do
	unix   bool
}

// repositoryIlls are about permissions and tracked files.
func repositoryIlls() []ill {
	return []ill{
		{name: "a folder open to others", check: "permissions", state: "fail", says: "has the mode -rwxr-xr-x", unix: true,
			damage: func(t *testing.T, l *lab) { must(t, os.Chmod(filepath.Join(l.root, "gitmem"), 0o755)) }},
		{name: "a git directory open to others", check: "permissions", state: "fail", says: ".git has the mode", unix: true,
			damage: func(t *testing.T, l *lab) { must(t, os.Chmod(filepath.Join(l.root, ".git"), 0o750)) }},
		{name: "a file added by force", check: "allow-list", state: "fail", says: ".credentials.json is tracked in HEAD",
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, ".credentials.json"), "{}\n")
				l.gitIn("add", "--sparse", "-f", ".credentials.json")
				l.gitIn("commit", "--quiet", "--message", "oops")
			}},
		{name: "a file staged by force", check: "allow-list", state: "fail", says: "history.jsonl is tracked in git's index",
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "history.jsonl"), "{}\n")
				l.gitIn("add", "--sparse", "-f", "history.jsonl")
			}},
		{name: "an emptied exclude file", check: "ignore lists", state: "fail", says: "info/exclude",
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, ".git", "info", "exclude"), "# mine\n*.bak\n")
			}},
		{name: "rules taken out of .gitignore", check: "ignore lists", state: "fail", says: ".gitignore",
			damage: func(t *testing.T, l *lab) {
				first, _, _ := strings.Cut(l.read(filepath.Join(l.root, ".gitignore")), "\n")
				l.write(filepath.Join(l.root, ".gitignore"), first+"\n")
			}},
	}
}

// objectIlls are about the inside of the git directory.
func objectIlls() []ill {
	return []ill{
		{name: "a lock of nobody's", check: "locks", state: "fail", says: "not made by gitmem", stays: true,
			damage: func(t *testing.T, l *lab) { l.oldFile(filepath.Join(l.root, ".git", "index.lock"), "") }},
		{name: "no HEAD", check: "git index", state: "fail", says: ".git/HEAD is missing",
			damage: func(t *testing.T, l *lab) { must(t, os.Remove(filepath.Join(l.root, ".git", "HEAD"))) }},
		{name: "a branch that is gone", check: "git index", state: "fail", says: "begin another history",
			damage: func(t *testing.T, l *lab) { must(t, os.Remove(filepath.Join(l.root, ".git", "refs", "heads", "main"))) }},
		{name: "a packed branch that is damaged", check: "git index", state: "fail",
			says: "is damaged in packed-refs", stays: true,
			damage: func(t *testing.T, l *lab) {
				must(t, os.Remove(filepath.Join(l.root, ".git", "refs", "heads", "main")))
				must(t, os.RemoveAll(filepath.Join(l.root, ".git", "logs"))) // otherwise the last commit would be known
				l.write(filepath.Join(l.root, ".git", "packed-refs"), "zzzz refs/heads/main\n")
			}},
		{name: "an index that lags", check: "git index", state: "fail",
			says: "is as in HEAD, but git's index has something else",
			damage: func(t *testing.T, l *lab) {
				log := l.gitIn("ls-files", "gitmem")
				log, _, _ = strings.Cut(log, "\n")
				l.gitIn("rm", "--quiet", "--cached", log)
			}},
		{name: "what a dead git left among the objects", check: "locks", state: "warn", says: "tmp_obj_x",
			damage: func(t *testing.T, l *lab) {
				l.oldFile(filepath.Join(l.root, ".git", "objects", "17", "tmp_obj_x"), "half")
			}},
		{name: "a work tree that is elsewhere", check: "config", state: "fail", says: "core.worktree names another folder",
			damage: func(t *testing.T, l *lab) { l.gitIn("config", "core.worktree", l.base) }},
		{name: "line ends that git changes", check: "config", state: "warn", says: "core.autocrlf is input",
			damage: func(t *testing.T, l *lab) { l.gitIn("config", "core.autocrlf", "input") }},
	}
}

// fileIlls are about the files of memory and neighbouring ones.
func fileIlls() []ill {
	return []ill{
		{name: "a file that is no Markdown of this version", check: "files", state: "warn", says: "has the format 9",
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem", "profile.md"), "---\nformat: 9\n---\n")
			}, stays: true},
		{name: "a file with an id twice", check: "files", state: "warn", says: "line 6 is not understood: block id ^i-1",
			stays: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem", "entities.md"), "---\nformat: 1\n---\n\n- [note] a ^i-1\n- [note] b ^i-1\n")
			}},
		{name: "a file that is not UTF-8", check: "files", state: "warn", says: "not valid UTF-8", stays: true,
			damage: func(t *testing.T, l *lab) { l.write(filepath.Join(l.root, "gitmem", "x.md"), "caf\xe9\n") }},
		{name: "an unreadable project.md", check: "files", state: "warn", says: "nothing is known of its project",
			stays: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem", "projects", "h", "o", "r", "project.md"), "gone\n")
			}},
		{name: "an observation number twice", check: "files", state: "warn", says: "a second ^o-1",
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem/projects/h/o/r/observations/2026-11/20-aaaa.md"),
					"---\nformat: 1\nsession: aaaa\ndate: 2026-11-20\n---\n\n- 10:00:00 Edit ok ^o-1\n- 10:00:01 Edit ok ^o-1\n")
			}},
		{name: "settings that are not understood", check: "settings", state: "fail",
			says: "gitmem/config.yaml: line 1", stays: true,
			damage: func(t *testing.T, l *lab) { l.write(filepath.Join(l.root, "gitmem", "config.yaml"), "captuer: off\n") }},
		{name: "names that differ in case", check: "names", state: "warn", says: "differs from", stays: true, unix: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem", "Pump.md"), "a\n")
				l.write(filepath.Join(l.root, "gitmem", "pump.md"), "b\n")
			}},
		{name: "names that differ in accents", check: "names", state: "warn", says: "how accents are written",
			stays: true, unix: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem", "caf\u00e9.md"), "a\n")
				l.write(filepath.Join(l.root, "gitmem", "cafe\u0301.md"), "b\n")
			}},
		{name: "a name that Windows reserves", check: "names", state: "warn", says: "reserves", stays: true, unix: true,
			damage: func(t *testing.T, l *lab) { l.write(filepath.Join(l.root, "gitmem", "con.md"), "a\n") }},
		{name: "a link among the files", check: "names", state: "warn", says: "is a link", stays: true, unix: true,
			damage: func(t *testing.T, l *lab) {
				must(t, os.Symlink("profile.md", filepath.Join(l.root, "gitmem", "me.md")))
			}},
		{name: "a file held back", check: "secrets", state: "fail", says: "held back", stays: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem", "keys.md"), "token "+plantedKey()+"\n")
			}},
		{name: "a damaged byte in an index", check: "memory index", state: "fail", says: "damaged index: checksum",
			damage: func(t *testing.T, l *lab) {
				found, err := filepath.Glob(filepath.Join(l.root, "gitmem/.index/shards/memory/g*/live"))
				must(t, err)
				info, err := os.Stat(found[0])
				must(t, err)
				b := []byte(l.read(found[0]))
				b[len(b)/2] ^= 1
				l.write(found[0], string(b))
				must(t, os.Chtimes(found[0], info.ModTime(), info.ModTime()))
			}},
		{name: "hooks that name no program", check: "hooks", state: "fail", says: "is not there", stays: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "settings.json"),
					`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/nowhere/gitmem","args":["hook","stop"]}]}]}}`)
			}},
		{name: "hooks that are set twice", check: "hooks", state: "fail", says: "Stop has the hook stop twice", stays: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "settings.json"),
					`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/nowhere/gitmem","args":["hook","stop"]},`+
						`{"type":"command","command":"'/nowhere/gitmem' hook stop"}]}]}}`)
			}},
		{name: "a log line that was lost", check: "lost observations", state: "warn",
			says: "1 tool call of the last 7 days", stays: true,
			damage: func(t *testing.T, l *lab) {
				l.write(filepath.Join(l.root, "gitmem", ".index", "trace", "2025-03-09.jsonl"),
					`{"time":"2025-03-09T10:00:00Z","hook":"post-tool-use","session":"`+sessionA+
						`","result":"error","detail":"append to gitmem/x.md: no space left on device","ms":1,"tool":"Edit"}`+"\n")
			}},
	}
}
