package gitmem_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// TestNamesThatHoldSecretsBecomeNoPath works in folders, with remotes, branches and sessions whose names contain a
// token, by every way that writes. No name in memory's folder, and no line of a file there, may contain one of them.
func TestNamesThatHoldSecretsBecomeNoPath(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tokens := make([]string, 5)
	for i := range tokens {
		tokens[i] = "gh" + "p_" + string(rune('a'+i)) + "B3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	}
	session := func(i int) string { return "gh" + "p_" + string(rune('p'+i)) + "B3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5" }
	var dirs []string
	for i, token := range tokens {
		r := l.repo("with-" + token)
		r.commit("2024-03-01", "Ada Example", "pump.c", "Begin with pump "+fmt.Sprint(i))
		if i < 3 { // the others are identified by their commit and their folder
			r.git("remote", "add", "origin", "https://forge.example/acme/"+token+".git")
		}
		r.git("checkout", "--quiet", "-b", "feature/"+token)
		dirs = append(dirs, r.dir)
	}
	plain := l.plain("plain-" + tokens[0])
	at := time.Date(2025, 3, 9, 14, 0, 0, 0, time.UTC).Format(time.RFC3339)
	projects := map[string]bool{}
	for round := range 2 {
		for i, dir := range append(dirs, plain) {
			branch := tokens[i%len(tokens)]
			file := l.transcriptFile(dir, session(i), turn{role: "user", at: at, branch: branch, text: "Open the gate"},
				turn{role: "assistant", at: at, branch: branch, text: "We decided that the gate stays open."})
			l.with(dir, func(m *gitmem.Memory) error {
				_, err := m.Sessions().Observe(t.Context(), gitmem.Observation{Session: session(i), Tool: "Bash", OK: true,
					Input: "ls", Output: "pump.c"})
				if err != nil {
					return err
				}
				_, err = m.Sessions().Stop(t.Context(), session(i))
				return err
			})
			l.endSession(dir, session(i), file)
			l.ask(dir, "what did we decide about the gate?", gitmem.Filter{Limit: 30})
			projects[l.status(dir).Project] = true
		}
		if round == 0 && len(projects) != len(dirs)+1 {
			t.Errorf("%d projects of %d checkouts: %v", len(projects), len(dirs)+1, projects)
		}
	}
	if len(projects) != len(dirs)+1 {
		t.Errorf("%d projects after the second round: %v", len(projects), projects)
	}
	bodies := map[string]bool{}
	for i, token := range tokens {
		bodies[token[4:]], bodies[session(i)[4:]] = true, true
		bodies["!b3d!e5f!g7h"] = true // in the escaped form of an id
	}
	for name, text := range filesBelow(t, filepath.Join(l.root, "gitmem")) {
		for body := range bodies {
			if strings.Contains(name, body) {
				t.Errorf("the name %s holds %s", name, body)
			} else if strings.Contains(text, body) {
				t.Errorf("the file %s holds %s: %q", name, body, text[max(0, strings.Index(text, body)-80):][:80])
			}
		}
		if strings.HasSuffix(name, "project.md") && strings.Count(text, "\n  - ") > 3 {
			t.Errorf("%s grows with each session:\n%s", name, text)
		}
	}
	tree := l.git(l.root, nil, "ls-tree", "-r", "--name-only", "HEAD")
	for body := range bodies {
		if strings.Contains(tree, body) {
			t.Errorf("the tree holds %s:\n%s", body, tree)
		}
	}
}
