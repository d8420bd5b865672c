package gitmem_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// repo is a repository created by the real git, with fixed names and dates.
type repo struct {
	l   *lab
	dir string
}

func (l *lab) repo(name string) *repo {
	l.t.Helper()
	r := &repo{l: l, dir: filepath.Join(l.base, filepath.FromSlash(name))}
	l.mkdir(r.dir)
	r.git("init", "--quiet", "--initial-branch=main")
	return r
}

func (r *repo) git(args ...string) string {
	r.l.t.Helper()
	return r.l.git(r.dir, nil, args...)
}

// git runs the real git without any settings of this machine.
func (l *lab) git(dir string, env []string, args ...string) string {
	l.t.Helper()
	c := exec.CommandContext(l.t.Context(), "git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+l.home,
		"TZ=UTC", "LC_ALL=C")
	c.Env = append(c.Env, identity("Ada Example", fixedNow().AddDate(0, -1, 0).Format(time.RFC3339))...)
	c.Env = append(c.Env, env...)
	out, err := c.CombinedOutput()
	if err != nil {
		l.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func identity(name, date string) []string {
	mail := strings.ToLower(strings.Fields(name)[0]) + "@example.org"
	return []string{
		"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + mail, "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + mail, "GIT_COMMITTER_DATE=" + date,
	}
}

// commit changes one file and commits it on a day; it returns the id.
func (r *repo) commit(day, author, file, message string) string {
	r.l.t.Helper()
	name := filepath.Join(r.dir, filepath.FromSlash(file))
	old, _ := os.ReadFile(name) // a new file has none
	r.l.write(name, string(old)+message+"\n")
	r.git("add", "--all")
	r.l.git(r.dir, identity(author, day+"T10:00:00Z"), "commit", "--quiet", "--message", message)
	return strings.TrimSpace(r.git("rev-parse", "HEAD"))
}

// turn is one record of a transcript.
type turn struct {
	role   string // user or assistant
	text   string
	at     string // RFC 3339
	branch string // main when empty
	tool   map[string]any
}

// transcriptFile writes a session as the client does, one record a line, into the client's folder for cwd.
func (l *lab) transcriptFile(cwd, session string, turns ...turn) string {
	l.t.Helper()
	return l.write(filepath.Join(l.root, "projects", munge(cwd), session+".jsonl"),
		transcriptText(l.t, cwd, session, turns...))
}

// munge returns the client's name for a project folder: characters other than letters and digits become hyphens.
func munge(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

func transcriptText(t testing.TB, cwd, session string, turns ...turn) string {
	t.Helper()
	var b strings.Builder
	for i, tn := range turns {
		branch := tn.branch
		if branch == "" {
			branch = "main"
		}
		var content any = tn.text
		rec := map[string]any{
			"type": tn.role, "uuid": session[:4] + "-" + tn.at + "-" + string(rune('a'+i)), "sessionId": session,
			"timestamp": tn.at, "cwd": cwd, "gitBranch": branch, "version": "2.1.329",
		}
		if tn.role == "user" {
			rec["promptSource"] = "typed"
		} else {
			parts := []map[string]any{{"type": "text", "text": tn.text}}
			if tn.tool != nil {
				parts = append(parts, tn.tool)
			}
			content = parts
		}
		rec["message"] = map[string]any{"role": tn.role, "content": content}
		line, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func (l *lab) appendTo(name, text string) {
	l.t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		l.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		l.t.Fatal(err)
	}
}

const (
	sessionA = "3f2a91c4-0000-4000-8000-000000000001"
	sessionB = "7b1d02e9-0000-4000-8000-000000000002"
)

// relayTurns returns a session about a relay board.
func relayTurns() []turn {
	return []turn{
		{role: "user", at: "2025-03-09T14:02:00Z", text: "Choose a relay for the pump and wire the board"},
		{role: "assistant", at: "2025-03-09T14:22:00Z",
			text: "We decided to use the ten ampere relay because the pump draws seven ampere. " +
				"The optocoupler was too slow for the zero-cross detector.\n\nThe range test is still open and needs a field."},
		{role: "assistant", at: "2025-03-09T15:40:00Z", text: "The relay board is wired and the driver passes its tests."},
	}
}
