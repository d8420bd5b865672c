package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

type listedRule struct {
	At, Text, Commit, Author string
	Files                    int
	Evidence                 []struct{ ID, Status string }
	Problems                 []string
}

type listedRules struct{ Rules []listedRule }

func (p *proposals) rules(dir string) (out listedRules) {
	p.t.Helper()
	c := p.command("rules", "--json")
	c.Dir = dir
	b, err := c.Output()
	if err != nil {
		p.t.Fatalf("%v: %s", err, stderrOf(err))
	}
	if err := json.Unmarshal(b, &out); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// TestRules: a rule that landed is listed with its evidence, and a pull request takes it out.
func TestRules(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	done, code, stderr := p.promote(p.dir, slogComment, "--yes")
	if code != exitOK {
		t.Fatal(stderr)
	}
	p.git(p.bare, "update-ref", "refs/heads/main", done.Commit)
	p.forge.pulls[0]["state"], p.forge.pulls[0]["merged_at"] = "closed", "2026-01-03T03:04:05Z"
	here := filepath.Join(p.home, "here")
	p.git(p.home, "clone", "-q", p.bare, here)
	p.git(here, "config", "url."+filepath.ToSlash(p.bare)+".insteadOf", "git@git.example.org:acme/pump.git")
	p.git(here, "remote", "set-url", "origin", "git@git.example.org:acme/pump.git")
	list := p.rules(here)
	i := slices.IndexFunc(list.Rules, func(r listedRule) bool {
		return strings.HasPrefix(r.At, ".claude/rules/go.md:")
	})
	if i < 0 {
		t.Fatalf("rules: %+v", list)
	}
	r := list.Rules[i]
	if r.Commit != done.Commit || r.Author != "Ann Lee" || r.Files != 1 || len(r.Evidence) != 1 || r.Evidence[0].ID != slogComment || r.Evidence[0].Status != "holds" || len(r.Problems) != 0 {
		t.Errorf("the rule: %+v", r)
	}
	if style := list.Rules[len(list.Rules)-1]; style.Text != "Write short sentences" || style.Files != 0 || len(style.Problems) != 1 || style.Problems[0] != "no file matches docs/**" {
		t.Errorf("a rule for no file: %+v", style)
	}
	if err := os.WriteFile(filepath.Join(here, ".claude", "rules", "more.md"), []byte("- Use slog for logging, not fmt.Println\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	more := p.rules(here)
	if r := more.Rules[len(more.Rules)-2]; r.Commit != "" || len(r.Problems) == 0 || !strings.Contains(r.Problems[0], "go.md:8 says the same") {
		t.Errorf("a rule that is not committed and is there: %+v", r)
	}
	plan, code, stderr := p.promote(here, "--demote", r.At)
	if code != exitOK || !strings.Contains(plan.Diff, "\n-- Use slog for logging, not fmt.Println.\n") || strings.Contains(plan.Diff, "\n+-") {
		t.Fatalf("code %d, %+v: %s", code, plan, stderr)
	}
	for _, want := range []string{"opened", "unchanged"} {
		if done, code, stderr = p.promote(here, "--demote", r.At, "--yes"); code != exitOK || done.State != want || done.Number != 2 {
			t.Errorf("code %d, %+v: %s", code, done, stderr)
		}
	}
	if done, code, stderr = p.promote(here, "--demote", r.At, "Use slog or zerolog", "--yes"); code != exitOK || done.Number != 3 || !strings.HasSuffix(p.git(p.bare, "show", done.Branch+":.claude/rules/go.md"), "\n- Use slog or zerolog") {
		t.Errorf("code %d, %+v: %s", code, done, stderr)
	}
	for at, says := range map[string]string{".claude/rules/go.md:99": "no rule begins on line 99", "pump.go:1": "is no rule", "x": "is no rule"} {
		if _, code, stderr := p.promote(here, "--demote", at); code != exitNotFound || !strings.Contains(stderr, says) {
			t.Errorf("%s: code %d: %s", at, code, stderr)
		}
	}
}

// session archives a session of the project that decided something.
func (p *proposals) session(day int, decision string) {
	p.t.Helper()
	dir := filepath.Join(p.home, ".claude", "gitmem", "projects", "git.example.org", "acme", "pump", "sessions", "2026")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	date := fmt.Sprintf("2026-10-%02d", day)
	text := fmt.Sprintf("---\nformat: 1\nkind: sessions\nproject: git.example.org/acme/pump\ndate: %s\n---\n\n# %s\n\n## Work on part %d ^s-3f2a91%02d\n\nDid some work.\n\n- [work] Wired part %d\n- [decision] %s (L12 14:22) ^i-81c2d0k7%02d\n", date, date, day, day, day, decision, day)
	if err := os.WriteFile(filepath.Join(dir, date+".md"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// TestPromoteCandidate: from five sessions and two review threads to one pull request, which
// grows with its evidence.
func TestPromoteCandidate(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.forge.comment(9, "cleo", "pump.go", "we log with slog, please don't use fmt.Println for logging")
	p.env = append(p.env, "GITMEM_TEST_NOW="+time.Now().Add(2*time.Hour).UTC().Format(time.RFC3339)) // what was fetched is old
	for day, decision := range []string{"Use slog for logging in the worker", "Log with slog, fmt.Println is gone", "All logging goes through slog", "Use slog for logging of requests", "Logging uses slog everywhere, no fmt.Println"} {
		p.session(day+1, decision)
	}
	p.must("-C", p.dir, "init")
	p.must("-C", p.dir, "index")
	list := func() (c gitmem.RuleCandidate) {
		var found gitmem.RuleCandidates
		if err := json.Unmarshal([]byte(p.must("-C", p.dir, "promote", "--json")), &found); err != nil || len(found.Candidates) == 0 {
			t.Fatalf("%v: %+v", err, found)
		}
		return found.Candidates[0]
	}
	c := list()
	if !c.Ready || c.Seen != 7 || len(c.Evidence) != 7 || c.Confidence < 0.99 {
		t.Fatalf("candidate: %+v", c)
	}
	for what, want := range map[string]string{list().ID: "Log with slog", "everything": "everything Log with slog"} { // a word that looks like an id
		if plan, code, stderr := p.promote(p.dir, what, "Log with", "slog"); code != exitOK || plan.Rule != want || want == "Log with slog" && len(plan.Evidence) != 7 {
			t.Errorf("in other words: code %d, %+v: %s", code, plan, stderr)
		}
	}
	for _, want := range []string{"opened", "unchanged"} {
		done, code, stderr := p.promote(p.dir, list().ID, "--yes")
		if code != exitOK || done.State != want || done.Number != 1 || len(p.forge.pulls) != 1 || done.File != ".claude/rules/go.md" {
			t.Fatalf("code %d, %+v: %s", code, done, stderr)
		}
	}
	if _, code, stderr := p.promote(p.dir, list().ID, "Log with slog", "--yes"); code != exitConflict || !strings.Contains(stderr, "this is proposed already, as: ") {
		t.Errorf("in other words, too late: code %d: %s", code, stderr)
	}
	p.session(8, "Use slog for all the logging of the pump")
	done, code, stderr := p.promote(p.dir, list().ID, "--yes")
	if code != exitOK || done.State != "updated" || done.Number != 1 || len(p.forge.pulls) != 1 {
		t.Fatalf("with more evidence: code %d, %+v: %s", code, done, stderr)
	}
	if body := p.forge.pulls[0]["body"].(string); strings.Count(body, "```text") != 9 {
		t.Errorf("the body: %s", body)
	}
}

// TestPromoteModel: where the configuration says so, a model joins what shares no word and words
// the rule; what it cites must be there, and it is asked once for the same statements.
func TestPromoteModel(t *testing.T) {
	t.Parallel()
	quoted := func(rule string, of ...string) any {
		var list []any
		for i := 0; i < len(of); i += 2 {
			list = append(list, map[string]string{"source": of[i], "excerpt": of[i+1]})
		}
		return map[string]any{"text": rule, "citations": list}
	}
	const rule = "Inject the clock: nobody calls time.Now outside of main"
	joins := quoted(rule, "S1", "Nobody calls time.Now outside of main", "S2", "The clock always comes in as a parameter", "S3", "Inject it, so that tests never wait")
	for name, tt := range map[string]struct {
		script []step
		want   string // of the rules of the candidates that are ready
		caveat string
		asked  int
	}{
		"joins":             {script: []step{answering(joins)}, want: rule, asked: 1},
		"claims a mark":     {script: []step{answering(quoted(rule+" [S0] [S2]", "S1", "Nobody calls time.Now outside of main"))}, asked: 1},
		"cites other words": {script: []step{answering(quoted(rule, "S1", "Nobody calls time.Now outside of main", "S2", "we all love slog here", "S9", "not there at all"))}, asked: 1},
		"fails":             {script: []step{{Torn: true}, {Torn: true}, {Torn: true}}, caveat: "The model said nothing of rules", asked: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProposals(t)
			m := newModelServer(t, tt.script)
			p.configure(fmt.Sprintf("forges: [{host: git.example.org, kind: github, api: '%s/api'}]\nagent: {backend: openai, model: scripted, endpoint: '%s', rules: on}\n", p.forge.URL, m.URL))
			for day, decision := range []string{"Nobody calls time.Now outside of main", "The clock always comes in as a parameter", "Inject it, so that tests never wait"} {
				p.session(day+1, decision)
			}
			for range 2 {
				var found gitmem.RuleCandidates
				c := p.command("-C", p.dir, "promote", "--json", "--offline")
				out, _ := c.Output() // that there is none is no error here
				if err := json.Unmarshal(out, &found); err != nil {
					t.Fatal(err)
				}
				ready := ""
				for _, c := range found.Candidates {
					if c.Ready && len(c.Evidence) == 3 {
						ready += c.Rule
					}
				}
				if ready != tt.want || !strings.Contains(fmt.Sprint(found.Caveats), tt.caveat) {
					t.Errorf("%+v", found)
				}
			}
			p.must("-C", p.dir, "init")
			for i, hook := range []string{"archive", "session-start", "session-start"} {
				c := p.command("hook", hook)
				c.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id": "5a1b2c3d-0000-4000-8000-00000000000%d", "cwd": %q, "source": "compact"}`, i, p.dir))
				out, err := c.Output()
				if told := strings.Contains(string(out), rule+`\" is said in 3 independent places; gitmem promote `); err != nil || told != (i == 1 && tt.want != "") {
					t.Errorf("%s %d: %v %s", hook, i, err, out)
				}
			}
			if sent := m.requests(); len(sent) != tt.asked || !strings.Contains(sent[0], "[S1] 2026-10-01: Nobody calls time.Now outside of main") {
				t.Errorf("asked %d times: %q", len(sent), sent)
			}
		})
	}
}
