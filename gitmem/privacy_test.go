package gitmem_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// secret is a planted secret: the text that contains it, and the parts that must not be found anywhere afterwards. The
// texts are concatenated here, so that this file contains no secret.
type secret struct {
	text   string
	banned []string
}

func secrets() map[string]secret {
	aws, token, pass := "AKIA"+"J4QXW7RT2NLM5KPD", "ghp_"+"16C7e42F292c6912E7710c838347Ae178B4a", "Tr0ub4dor"+"X9vQ2"
	key := "MIIEowIBAAKCAQEA7bq0Zx9LkQ2fV1sT8hYpRmXcWd3uJ6nG5eBaKq"
	return map[string]secret{
		"aws":    {"the access key " + aws + " of the backup", []string{aws, aws[4:]}},
		"github": {"push with " + token + " for now", []string{token, token[4:20]}},
		"pem": {"-----BEGIN RSA PRIVATE KEY-----\n" + key + "\n" + key + "\n-----END RSA PRIVATE KEY-----",
			[]string{key, key[:20]}},
		"pass":    {"password=" + pass, []string{pass}},
		"private": {"<private>the treasure lies under the walnut tree</private>", []string{"walnut"}},
	}
}

// bannedIn names the parts of secrets in a text.
func bannedIn(text string) (found []string) {
	lower := strings.ToLower(text)
	for name, s := range secrets() {
		for _, b := range s.banned {
			if strings.Contains(lower, strings.ToLower(b)) {
				found = append(found, name+": "+b)
				break
			}
		}
	}
	return found
}

// planted returns a lab with every secret in every way into memory.
func planted(t testing.TB) (*lab, *repo) {
	t.Helper()
	l := newLab(t)
	r := l.repo("vault")
	l.note(r.dir, "The vault has a door")
	var all []string
	for name, s := range secrets() {
		all = append(all, s.text)
		l.note(r.dir, "Vault secret "+name+" is "+s.text)
		l.observe(r.dir, gitmem.Observation{
			Session: sessionA, Tool: "Bash", OK: true, Input: "echo " + s.text, Output: s.text, Read: []string{"a/" + s.text},
			Wrote: []string{"b/" + s.text},
		})
		l.write("vault/.claude/rules/"+name+".md", "# Vault rules\n\nOpen the vault with "+s.text+"\n")
		file := filepath.Join(r.dir, name+".txt")
		l.write(file, "x\n")
		r.git("add", "--all")
		l.git(r.dir, identity("Ada Example", "2024-01-01T10:00:00Z"), "commit", "--quiet", "--message", "Open the vault for "+
			name+"\n\n"+s.text)
	}
	github, aws := secrets()["github"].banned[0], secrets()["aws"].banned[0]
	l.write(filepath.Join(r.dir, "keys", aws, github+".txt"), "x\n")
	r.git("add", "--all")
	l.git(r.dir, identity("Ada "+github, "2024-01-01T11:00:00Z"), "commit", "--quiet", "--message", "Vault of "+aws)
	r.git("checkout", "--quiet", "-b", "feature/"+github)
	turns := []turn{{role: "user", at: "2025-03-09T14:02:00Z", branch: "feature/" + github,
		text: "Open the vault please, all of it"}}
	for _, text := range all {
		turns = append(turns, turn{role: "user", at: "2025-03-09T14:02:30Z", text: "Use this for the vault: " + text +
			" and go on"},
			turn{role: "assistant", at: "2025-03-09T14:03:00Z", branch: "feature/" + github,
				text: "We decided that the vault opens with " + text + " from now on.",
				tool: map[string]any{"type": "tool_use", "id": "t1", "name": "Edit",
					"input": map[string]any{"file_path": r.dir + "/" + github}}})
	}
	turns = append(turns, turn{role: "assistant", at: "2025-03-09T14:09:00Z", branch: "feature/" + github,
		text: "The vault is open."})
	l.endSession(r.dir, sessionA, l.transcriptFile(r.dir, sessionA, turns...))
	return l, r
}

func TestNoSecretIsKeptOrShown(t *testing.T) {
	t.Parallel()
	l, r := planted(t)
	l.checkKept(r)
	l.checkShown(r, "open the vault", "vault secret", "who opens the vault?", "who worked on keys?",
		"why does the vault open?", "how do we open the vault?", "where did I leave off?", "what was I working on?",
		"what did we do in 2024?", "when was the vault opened?")
	for name, b := range filesBelow(t, l.status(r.dir).IndexDir) {
		if found := bannedIn(b); found != nil {
			t.Errorf("index file %s holds %q", name, found)
		}
	}
}

// checkKept searches the store's tracked files and its history.
func (l *lab) checkKept(r *repo) {
	l.t.Helper()
	tracked := strings.Split(strings.TrimRight(l.git(l.root, nil, "ls-files", "-z"), "\x00"), "\x00")
	if len(tracked) < 3 {
		l.t.Errorf("the store tracks %q only", tracked)
	}
	for _, rel := range tracked {
		if found := bannedIn(rel + "\n" + l.read(filepath.Join(l.root, rel))); found != nil {
			l.t.Errorf("%s holds %q", rel, found)
		}
	}
	for name, b := range filesBelow(l.t, filepath.Join(l.root, "gitmem")) {
		if found := bannedIn(name + "\n" + b); found != nil {
			l.t.Errorf("%s holds %q", name, found)
		}
	}
	log := l.git(l.root, nil, "log", "-p", "--all", "--format=fuller")
	if found := bannedIn(log); found != nil {
		l.t.Errorf("git log -p --all holds %q", found)
	}
	if !strings.Contains(log, "redacted") {
		l.t.Error("nothing was redacted in the store's history: were the secrets planted?")
	}
}

// checkShown asks, searches and shows every citation.
func (l *lab) checkShown(r *repo, questions ...string) {
	l.t.Helper()
	ids := map[string]bool{}
	for _, q := range questions {
		for _, layer := range []string{"", "rules", "memory", "summaries", "transcripts", "team"} {
			a := l.ask(r.dir, q, gitmem.Filter{Layer: layer, Limit: 30})
			res := l.search(r.dir, q, gitmem.Filter{Layer: layer, Limit: 50})
			if found := bannedIn(asJSON(l.t, a) + strings.Join(a.Trail, "\n") + asJSON(l.t, res) +
				strings.Join(res.Caveats, "\n")); found != nil {
				l.t.Errorf("%q, layer %q shows %q", q, layer, found)
			}
			for _, c := range a.Citations {
				ids[c.ID] = true
			}
			for _, h := range res.Hits {
				ids[h.ID] = true
			}
		}
	}
	if len(ids) < 15 {
		l.t.Errorf("only %d citations were found, the check is weak", len(ids))
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		for id := range ids {
			s, err := m.Shown(l.t.Context(), id, gitmem.ShowOptions{})
			if err != nil {
				l.t.Errorf("show %s: %v", id, err)
			}
			if found := bannedIn(asJSON(l.t, s)); found != nil {
				l.t.Errorf("show %s shows %q", id, found)
			}
		}
		return nil
	})
}

// TestHandWrittenSecretsAreNotShown has secrets in files of the user or the client.
func TestHandWrittenSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("vault")
	var b strings.Builder
	b.WriteString("# Memory\n\n## Notes\n\n- The vault has a door\n")
	for name, s := range secrets() {
		b.WriteString("- vault " + name + ": " + s.text + "\n")
	}
	l.write(filepath.Join(l.root, "projects", munge(r.dir), "memory", "MEMORY.md"), b.String())
	a := l.ask(r.dir, "the vault has a door", gitmem.Filter{})
	l.holds(a, "door")
	if found := bannedIn(asJSON(t, a)); found != nil {
		t.Errorf("the answer shows %q", found)
	}
	for name, b := range filesBelow(t, l.status(r.dir).IndexDir) {
		if found := bannedIn(b); found != nil {
			t.Errorf("index file %s holds %q", name, found)
		}
	}
}

// TestSecretInAHeading has a secret in a heading, whose slug becomes part of a citation id.
func TestSecretInAHeading(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("vault")
	token := secrets()["github"].banned[0]
	l.write("vault/CLAUDE.md", "# Vault\n\n## Use "+token+" at night\n\nThe vault door squeaks.\n")
	a := l.ask(r.dir, "the vault door squeaks", gitmem.Filter{})
	l.holds(a, "squeaks")
	if found := bannedIn(asJSON(t, a)); found != nil {
		t.Errorf("the answer shows %q:\n%s", found, describe(a))
	}
	for name, b := range filesBelow(t, l.status(r.dir).IndexDir) {
		if found := bannedIn(b); found != nil {
			t.Errorf("index file %s holds %q", name, found)
		}
	}
}

// TestCutSecrets cuts tokens, keys and private blocks at every position, since appended text is shortened.
func TestCutSecrets(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("vault")
	for name, s := range secrets() {
		var file string
		for at := 120; at < 220; at += 3 {
			file = l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true,
				Input: strings.Repeat("x ", at/2) + s.text, Output: strings.Repeat("word ", 80+at/8) + s.text})
		}
		text := l.read(file)
		for _, b := range s.banned {
			if half := b[:min(len(b), 14)]; strings.Contains(text, half) {
				t.Errorf("%s: the log holds a part of the secret, %q", name, half)
				break
			}
		}
	}
}

// TestPrivateBlockInASession has sentences in a private block that would be chosen for the digest.
func TestPrivateBlockInASession(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("vault")
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-09T14:02:00Z",
		text: "Open the vault and oil its hinges"},
		turn{role: "assistant", at: "2025-03-09T14:03:00Z",
			text: "Good. <private>A first thing. We decided to bury the treasure under the walnut tree. A last " +
				"thing.</private> We'll use olive oil for the hinges because it does not freeze."},
		turn{role: "assistant", at: "2025-03-09T14:09:00Z", text: "The vault is open."})
	e := l.endSession(r.dir, sessionA, f)
	text := l.read(filepath.Join(l.root, e.File))
	if strings.Contains(text, "walnut") {
		t.Errorf("the archive holds the private sentence:\n%s", text)
	}
	if !strings.Contains(text, "olive oil") {
		t.Errorf("the archive lacks what is not private:\n%s", text)
	}
}

// TestOpenPrivateBlock has a block that is cut, and so never closed.
func TestOpenPrivateBlock(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("vault")
	var file string
	for _, call := range []string{"1", "2"} {
		file = l.observe(r.dir, gitmem.Observation{Session: sessionA, Call: call, Tool: "Bash", OK: true,
			Input: "before <private>walnut", Output: "after"})
	}
	if text := l.read(file); strings.Contains(text, "walnut") || strings.Count(text, "\n- ") != 2 ||
		strings.Count(text, " ^o-") != 2 {
		t.Errorf("the log:\n%s", text)
	}
	f := l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-09T14:02:00Z",
		text: "Open the vault. <private>walnut"},
		turn{role: "assistant", at: "2025-03-09T14:09:00Z", text: "The vault is open."})
	for range 2 {
		if e := l.endSession(r.dir, sessionB, f); e.File != "" {
			file = filepath.Join(l.root, e.File)
		}
	}
	if text := l.read(file); bytes.Count([]byte(text), []byte("\n## ")) != 1 ||
		!strings.Contains(text, "through: line 2") || !strings.Contains(text, "The vault is open.") {
		t.Errorf("the archive:\n%s", text)
	}
}
