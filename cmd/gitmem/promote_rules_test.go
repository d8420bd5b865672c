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

// TestRules: a merged rule is listed with its evidence, and a pull request removes it.
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
	if r.Commit != done.Commit || r.Author != "Ann Lee" || r.Files != 1 || len(r.Evidence) != 1 ||
		r.Evidence[0].ID != slogComment || r.Evidence[0].Status != "holds" || len(r.Problems) != 0 {
		t.Errorf("the rule: %+v", r)
	}
	if style := list.Rules[len(list.Rules)-1]; style.Text != "Write short sentences" || style.Files != 0 ||
		len(style.Problems) != 1 || style.Problems[0] != "no file matches docs/**" {
		t.Errorf("a rule for no file: %+v", style)
	}
	if err := os.WriteFile(filepath.Join(here, ".claude", "rules", "more.md"),
		[]byte("- Use slog for logging, not fmt.Println\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	more := p.rules(here)
	if r := more.Rules[len(more.Rules)-2]; r.Commit != "" || len(r.Problems) == 0 ||
		!strings.Contains(r.Problems[0], "go.md:8 says the same") {
		t.Errorf("a rule that is not committed and is there: %+v", r)
	}
	plan, code, stderr := p.promote(here, "--demote", r.At)
	if code != exitOK || !strings.Contains(plan.Diff, "\n-- Use slog for logging, not fmt.Println.\n") ||
		strings.Contains(plan.Diff, "\n+-") {
		t.Fatalf("code %d, %+v: %s", code, plan, stderr)
	}
	for _, want := range []string{"opened", "unchanged"} {
		if done, code, stderr = p.promote(here, "--demote", r.At, "--yes"); code != exitOK || done.State != want ||
			done.Number != 2 {
			t.Errorf("code %d, %+v: %s", code, done, stderr)
		}
	}
	if done, code, stderr = p.promote(here, "--demote", r.At, "Use slog or zerolog", "--yes"); code != exitOK ||
		done.Number != 3 || !strings.HasSuffix(p.git(p.bare, "show", done.Branch+":.claude/rules/go.md"),
		"\n- Use slog or zerolog") {
		t.Errorf("code %d, %+v: %s", code, done, stderr)
	}
	for at, says := range map[string]string{".claude/rules/go.md:99": "no rule begins on line 99",
		"pump.go:1": "is no rule", "x": "is no rule"} {
		if _, code, stderr := p.promote(here, "--demote", at); code != exitNotFound || !strings.Contains(stderr, says) {
			t.Errorf("%s: code %d: %s", at, code, stderr)
		}
	}
}

// session archives a session of the project with a decision.
func (p *proposals) session(day int, decision string) {
	p.t.Helper()
	dir := filepath.Join(p.home, ".claude", "gitmem", "projects", "git.example.org", "acme", "pump", "sessions", "2026")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	date := fmt.Sprintf("2026-10-%02d", day)
	text := fmt.Sprintf("---\nformat: 1\nkind: sessions\nproject: git.example.org/acme/pump\ndate: %s\n---\n\n# %s\n\n"+
		"## Work on part %d ^s-3f2a91%02d\n\nDid some work.\n\n- [work] Wired part %d\n"+
		"- [decision] %s (L12 14:22) ^i-81c2d0k7%02d\n", date, date, day, day, day, decision, day)
	if err := os.WriteFile(filepath.Join(dir, date+".md"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// TestPromoteCandidate: from five sessions and two review threads to one pull request, which gets more
// evidence later.
func TestPromoteCandidate(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.forge.comment(9, "cleo", "pump.go", "we log with slog, please don't use fmt.Println for logging")
	// the fetched data is outdated
	p.env = append(p.env, "GITMEM_TEST_NOW="+time.Now().Add(2*time.Hour).UTC().Format(time.RFC3339))
	for day, decision := range []string{"Use slog for logging in the worker", "Log with slog, fmt.Println is gone",
		"All logging goes through slog", "Use slog for logging of requests", "Logging uses slog everywhere, no fmt.Println"} {
		p.session(day+1, decision)
	}
	p.must("-C", p.dir, "init")
	p.must("-C", p.dir, "index")
	list := func() (c gitmem.RuleCandidate) {
		var found gitmem.RuleCandidates
		if err := json.Unmarshal([]byte(p.must("-C", p.dir, "promote", "--json")), &found); err != nil ||
			len(found.Candidates) == 0 {
			t.Fatalf("%v: %+v", err, found)
		}
		return found.Candidates[0]
	}
	c := list()
	if !c.Ready || c.Seen != 7 || len(c.Evidence) != 7 || c.Confidence < 0.99 {
		t.Fatalf("candidate: %+v", c)
	}
	// a word that looks like an id
	for what, want := range map[string]string{list().ID: "Log with slog", "everything": "everything Log with slog"} {
		if plan, code, stderr := p.promote(p.dir, what, "Log with slog"); code != exitOK || plan.Rule != want ||
			want == "Log with slog" && len(plan.Evidence) != 7 {
			t.Errorf("in other words: code %d, %+v: %s", code, plan, stderr)
		}
	}
	for _, want := range []string{"opened", "unchanged"} {
		done, code, stderr := p.promote(p.dir, list().ID, "--yes")
		if code != exitOK || done.State != want || done.Number != 1 || len(p.forge.pulls) != 1 ||
			done.File != ".claude/rules/go.md" {
			t.Fatalf("code %d, %+v: %s", code, done, stderr)
		}
	}
	if _, code, stderr := p.promote(p.dir, list().ID, "Log with slog", "--yes"); code != exitConflict ||
		!strings.Contains(stderr, "this is proposed already, as: ") {
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

// claimed returns a claim of a model, with pairs of a statement's number and words of it.
func claimed(rule string, of ...string) any {
	var list []any
	for i := 0; i < len(of); i += 2 {
		list = append(list, map[string]string{"source": of[i], "excerpt": of[i+1]})
	}
	return map[string]any{"text": rule, "citations": list}
}

// TestPromoteModel: if configured, a model groups statements without common words and formulates the rule;
// its citations must exist, and it is called once for the same statements.
func TestPromoteModel(t *testing.T) {
	t.Parallel()
	const rule = "Inject the clock: nobody calls time.Now outside of main"
	clock := []string{"Nobody calls time.Now outside of main", "The clock always comes in as a parameter",
		"Inject it, so that tests never wait"}
	joins := claimed(rule, "S1", clock[0], "S2", clock[1], "S3", clock[2])
	marks := []string{"Always mark new docs with [S-1] and [S0]", "Every doc is marked with [S-1] and [S0]",
		"We mark all docs with [S-1] and [S0]"}
	certs := []string{"Always verify TLS certificates of the servers", "Every client must verify TLS certificates",
		"We verify TLS certificates in all clients"}
	for name, tt := range map[string]struct {
		said   []string // in sessions
		rules  string   // existing rules
		script []step
		want   string // the rules of the candidates that are ready
		caveat string
	}{
		"joins":         {said: clock, script: []step{answering(joins)}, want: rule},
		"claims a mark": {said: clock, script: []step{answering(claimed(rule+" [S0] [S2]", "S1", clock[0]))}},
		"cites other words": {said: clock,
			script: []step{answering(claimed(rule, "S1", clock[0], "S2", "we all love slog here", "S9", "not there at all"))}},
		"fails": {said: clock, script: []step{{Torn: true}, {Torn: true}, {Torn: true}},
			caveat: "The model said nothing of rules"},
		"quotes marks": {said: marks,
			script: []step{answering(claimed("Mark docs with [S-1] and [S0]", "S1", marks[0], "S2", marks[1], "S3", marks[2]))},
			want:   "Mark docs with [S-1] and [S0]"},
		"says the opposite": {said: certs,
			script: []step{answering(claimed("Never verify TLS certificates", "S1", certs[0], "S2", certs[1], "S3", certs[2]))}},
		"is there": {said: clock, rules: rule, script: []step{answering(joins)}},
		"is too long": {said: clock,
			script: []step{answering(claimed(strings.Repeat(rule+". ", 8), "S1", clock[0], "S2", clock[1], "S3", clock[2]))},
			caveat: "A rule of the model is none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProposals(t)
			m := newModelServer(t, tt.script)
			p.configure(fmt.Sprintf("forges: [{host: git.example.org, kind: github, api: '%s/api'}]\n"+
				"agent: {backend: openai, model: scripted, endpoint: '%s', rules: on}\n", p.forge.URL, m.URL))
			for day, decision := range tt.said {
				p.session(day+1, decision)
			}
			p.write(".claude/rules/go.md", "- "+tt.rules+"\n")
			for range 2 {
				var found gitmem.RuleCandidates
				c := p.command("-C", p.dir, "promote", "--json", "--offline")
				out, _ := c.Output() // that there is none is not an error here
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
			if told := p.announced(); tt.want == "" && told != "" || !strings.Contains(told, tt.want) {
				t.Errorf("told: %s", told)
			}
			if told := p.announced(); told != "" {
				t.Errorf("told again: %s", told)
			}
			if sent := m.requests(); tt.want != "" && len(sent) != 1 ||
				!strings.Contains(sent[0], "[S1] 2026-10-01: "+tt.said[0]) {
				t.Errorf("asked %d times: %q", len(sent), sent)
			}
		})
	}
}

// announced ends a session and begins another, and returns the message about rules for the user.
func (p *proposals) announced() (told string) {
	p.t.Helper()
	p.must("-C", p.dir, "init")
	for _, hook := range []string{"archive", "session-start"} {
		c := p.command("hook", hook)
		c.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id": "5a1b2c3d-0000-4000-8000-000000000001", "cwd": %q, `+
			`"source": "compact"}`, p.dir))
		out, err := c.Output()
		if err != nil {
			p.t.Fatalf("%s: %v", hook, err)
		}
		if hook == "session-start" && strings.Contains(string(out), "gitmem promote shows where") {
			told = string(out)
		}
	}
	return told
}

// TestPromoteAnnounced: two rules are announced one after the other, and neither again in other words; a
// statement with a secret is not sent to the model.
func TestPromoteAnnounced(t *testing.T) {
	t.Parallel()
	said := []string{"Nobody calls time.Now outside of main", "The clock always comes in as a parameter",
		"Inject it, so that tests never wait",
		"Always wrap errors with context", "Every error must say its path", "We wrap all errors",
		"The login is kiosk4711 for all of us, always"}
	clock := []string{"S0", said[0], "S1", said[1], "S2", said[2]}
	wrap := []string{"S3", said[3], "S4", said[4], "S5", said[5]}
	p := newProposals(t)
	m := newModelServer(t,
		[]step{answering(claimed("Inject the clock", clock...), claimed("Wrap all errors with context", wrap...)),
			answering(claimed("Nobody calls time.Now", clock...), claimed("Wrap errors, always", wrap...))})
	p.configure(fmt.Sprintf("agent: {backend: openai, model: scripted, endpoint: '%s', rules: on}\n", m.URL))
	p.env = append(p.env, "GITMEM_OFFLINE=1")
	for day, decision := range said {
		p.session(day+1, decision)
	}
	for i, want := range []string{"Inject the clock", "Wrap all errors with context", "", ""} {
		if i == 3 { // the model is called again, and formulates them differently
			p.session(20, "Chose a larger disk")
		}
		if told := p.announced(); want == "" && told != "" || !strings.Contains(told, want) {
			t.Errorf("%d: told %q", i, told)
		}
	}
	if sent := m.requests(); len(sent) != 2 || strings.Contains(fmt.Sprint(sent), "kiosk4711") {
		t.Errorf("%q", sent)
	}
}

// TestDemoteMore: rules outside of the folder of rules, with a password, and with an existing text.
func TestDemoteMore(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.write("CLAUDE.md", "- Wrap errors with context\n- Log in with "+plantedKey+"\n- Name files small\n")
	p.git(p.dir, "add", "CLAUDE.md")
	p.git(p.dir, "commit", "-q", "-m", "Rules")
	p.git(p.dir, "push", "-q", "origin", "main")
	for _, tt := range []struct {
		args []string
		code int
		says string // in the plan or the error
	}{
		{[]string{"CLAUDE.md:2"}, exitOK, "rules: remove “Log in with"},
		{[]string{"CLAUDE.md:1"}, exitOK, "\n-- Wrap errors with context\n"},
		{[]string{"CLAUDE.md:1", slogComment}, exitOK, `"evidence": [
    {`},
		{[]string{"CLAUDE.md:1", "Wrap errors with context"}, exitConflict, "says this already"},
		{[]string{"CLAUDE.md:1", "Name files small."}, exitConflict, "CLAUDE.md line 3 says this already"},
		{[]string{"CLAUDE.md:1", "Wrap the errors with context"}, exitOK, "rules: rewrite"},
	} {
		c := p.command(append([]string{"-C", p.dir, "promote", "--json", "--demote"}, tt.args...)...)
		c.Env = append(slices.Clone(p.env), "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := c.Output()
		said := strings.ReplaceAll(string(out), `\n`, "\n") + stderrOf(err)
		if c.ProcessState.ExitCode() != tt.code || !strings.Contains(said, tt.says) || strings.Contains(said, plantedKey) {
			t.Errorf("%q: code %d: %s", tt.args, c.ProcessState.ExitCode(), said)
		}
	}
	done, code, stderr := p.promote(p.dir, "--local", "--yes", "--demote", "CLAUDE.md:2")
	if text := p.work(p.dir)[filepath.Join(p.dir, "CLAUDE.md")]; code != exitOK || done.State != "written" ||
		text != "- Wrap errors with context\n- Name files small\n" {
		t.Errorf("code %d, %+v: %s%s", code, done, stderr, text)
	}
}

// TestPromoteOther: a single source on which a rule was proposed does not make another candidate that rule.
func TestPromoteOther(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	for day, decision := range []string{"Always use gomega instead of testify", "Use gomega everywhere, not testify",
		"Every test uses gomega"} {
		p.session(day+1, decision)
	}
	if _, code, stderr := p.promote(p.dir, "--yes", "idea:i-81c2d0k701",
		"Sort the imports of every file by name"); code != exitOK {
		t.Fatal(stderr)
	}
	var found gitmem.RuleCandidates
	if err := json.Unmarshal([]byte(p.must("-C", p.dir, "promote", "--json")), &found); err != nil ||
		!found.Candidates[0].Ready {
		t.Fatalf("%v: %+v", err, found)
	}
	if plan, code, stderr := p.promote(p.dir, found.Candidates[0].ID); code != exitOK ||
		plan.Rule != found.Candidates[0].Rule {
		t.Errorf("code %d, %q: %s", code, plan.Rule, stderr)
	}
}
