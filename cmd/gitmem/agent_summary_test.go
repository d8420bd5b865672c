package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAgentSummaries: a section begins with what the model says of the session, as far as
// messages hold it, and is as ever without.
func TestAgentSummaries(t *testing.T) {
	t.Parallel()
	const relay, quoted = "The ten ampere relay was chosen because the pump draws seven ampere.",
		"the pump draws seven ampere"
	chosen := claiming(relay, "L2", quoted)
	const on = "  summaries: on\n"
	asEver := []string{"messages: 2 · ", "\n\nWe decided to use the ten ampere relay", "- [work] Choose a relay",
		"!summary:", "!chosen because"}
	for _, backend := range backends() {
		for _, tt := range []struct {
			name, conf string
			env        []string
			script     []step
			section    []string
			trace      string
			sent       int
		}{
			{name: "works", conf: on, script: []step{answering(chosen)}, sent: 1,
				section: []string{" · summary: model scripted, 0 sentences cut\n", "\n\n" + relay + " [L2]\n\nWe decided to use",
					"- [work] Choose a relay"}},
			{name: "what is made up is cut", conf: on, sent: 1, script: []step{answering(
				claiming("Kafka was chosen.", "L2", "Kafka was chosen"), chosen,
				claiming("The relay costs 40 ampere.", "L2", quoted),
				claiming("The pump draws seven ampere.", "L7", quoted), claiming("Everybody celebrated wildly until morning.",
					"L2", quoted),
			)}, section: []string{" · summary: model scripted, 4 sentences cut\n", "\n\n" + relay + " [L2]\n\nWe decided",
				"!Kafka", "!40", "!L7", "!celebrated"}},
			{name: "no more than that", conf: on, sent: 1,
				script:  []step{answering(chosen, chosen, chosen, chosen, chosen, chosen, chosen)},
				section: []string{"summary: model scripted, 2 sentences cut\n", "\n\n" + relay}},
			{name: "nothing holds", conf: on, sent: 1,
				script:  []step{answering(claiming("Kafka was chosen.", "L2", "Kafka was chosen"))},
				section: asEver, trace: "no summary of session 38c88b61: no claim of the model held"},
			{name: "nothing to say", conf: on, sent: 1, script: []step{{Answer: nothingRecorded()}}, section: asEver,
				trace: "no summary of session 38c88b61: the model found nothing that matters"},
			{name: "torn", conf: on, sent: 1, script: []step{{Torn: true}}, section: asEver, trace: "no summary of session"},
			{name: "never", conf: on + "  time: 1s\n", env: []string{"GITMEM_TEST_NOW="}, sent: 1, script: []step{{Wait: true}},
				section: asEver, trace: "no summary of session 38c88b61: "},
			{name: "off", sent: 0, script: []step{answering(chosen)}, section: asEver},
			{name: "asked for by a model", conf: on, env: []string{"GITMEM_CHILD=1"}, sent: 0, script: []step{answering(chosen)},
				section: asEver},
		} {
			t.Run(backend+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				m := d.withModel(t, backend, tt.conf, tt.script)
				d.env = append(d.env, tt.env...)
				_, trace := d.hook(d.endPayload(), "archive")
				holds(t, "section", d.archived(), tt.section...)
				holds(t, "trace", trace, `"result":"written"`, tt.trace)
				if sent := m.requests(); len(sent) < tt.sent || tt.sent == 0 && len(sent) > 0 {
					t.Errorf("%d requests: %q", len(sent), sent)
				}
				if tt.trace == "" && strings.Contains(trace, "no summary") {
					t.Error(trace)
				}
			})
		}
	}
}

// TestAgentSummariesMeanwhile: what is forgotten, paused or excluded while the model writes is
// not archived, nor does a summary of it.
func TestAgentSummariesMeanwhile(t *testing.T) {
	t.Parallel()
	const conf = "home/.claude/gitmem/local.yaml"
	for _, tt := range []struct {
		name    string
		during  []string
		write   string // is added to the configuration
		section []string
		trace   string
	}{
		{name: "nothing", during: []string{"status"}, section: []string{"summary: model", "bronze valve", "ten ampere relay"},
			trace: `"result":"written"`},
		{name: "forgotten", during: []string{"forget", "--yes", "transcript:" + deskSession + ":2"},
			section: []string{"!summary:", "bronze valve", "!ampere"}, trace: `"result":"written"`},
		{name: "all is forgotten", during: []string{"forget", "--yes", "transcript:" + deskSession},
			section: []string{"!bronze", "!ampere"}, trace: `"result":"nothing"`},
		{name: "paused", during: []string{"pause"}, section: []string{"!bronze", "!ampere"}, trace: "not captured: paused"},
		{name: "excluded", write: "exclude: [REPO]\n", section: []string{"!bronze", "!ampere"},
			trace: "not captured: excluded"},
		{name: "configured anew", write: "recall: off\n", section: []string{"!summary:", "bronze valve"},
			trace: `"result":"written"`},
	} {
		for _, backend := range backends() {
			t.Run(backend+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				more := strings.ReplaceAll(deskTranscript(d.repo), "ten ampere relay because the pump draws seven ampere",
					"bronze valve because salt eats steel")
				more = strings.NewReplacer(`"u1"`, `"u2"`, `"a1"`, `"a2"`, "Choose a relay for the pump and wire",
					"Choose a valve for the tank and mount", "T11:", "T12:").Replace(more)
				d.write("home/.claude/projects/-w-repo/"+deskSession+".jsonl", deskTranscript(d.repo)+more)
				m := d.withModel(t, backend, "  summaries: on\n",
					[]step{answering(claiming("The pump draws seven ampere.", "L2", "the pump draws seven ampere"))})
				m.during = sync.OnceFunc(func() {
					if tt.write != "" {
						b, err := os.ReadFile(filepath.Join(filepath.Dir(d.repo), conf))
						d.check(err)
						d.write(conf, strings.ReplaceAll(tt.write, "REPO", d.repo)+string(b))
					} else if r := d.run("", tt.during...); r.code != 0 {
						t.Errorf("%+v", r)
					}
				})
				_, trace := d.hook(d.endPayload(), "archive")
				holds(t, "section", d.archived(), tt.section...)
				holds(t, "trace", trace, tt.trace)
				if len(m.requests()) == 0 {
					t.Error("the model was not asked")
				}
			})
		}
	}
}

// TestAgentSummariesTold: what the model is told of a session has no secrets and nothing
// that was forgotten, and it has no tools.
func TestAgentSummariesTold(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string, d *desk) {
		m := d.withModel(t, backend, "  summaries: on\n", []step{{Answer: nothingRecorded()}})
		secret := "ghp_" + strings.Repeat("a1B2c3", 6)
		d.write("home/.claude/projects/-w-repo/"+deskSession+".jsonl", strings.Replace(deskTranscript(d.repo), "wire it",
			"wire it with "+secret, 1))
		d.hook(d.endPayload(), "archive")
		sent := strings.Join(m.requests(), "\n")
		holds(t, "request", sent, "[L1] user: Choose a relay", "[L2] assistant: We decided", "!"+secret, "!memory_")
	})
}

// TestAgentSummariesBudget: the tokens of a summary are those of the day, as all others.
func TestAgentSummariesBudget(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string, d *desk) {
		d.basin()
		m := d.withModel(t, backend, "  summaries: on\n  recall: on\n  hyde: on\n  daily_tokens: 515\n", spending())
		d.spend()
		before := len(m.requests())
		_, trace := d.hook(d.endPayload(), "archive")
		holds(t, "trace", trace, "the models took 520 tokens today, and daily_tokens is 515")
		said, trace := d.hook(d.promptPayload("How does the bilge basin drain?"), "user-prompt-submit")
		holds(t, "reply", said, "through the lower sluice, since")
		holds(t, "trace", trace, "as quoted, without a model: the models took 520 tokens today")
		r := d.run("", "ask", "--json", "where is the tail swallowed?")
		holds(t, "answer", r.out, "no passage to search by (hyde): the models took 520 tokens today", "!\"hyde\"")
		if after := len(m.requests()); after != before {
			t.Errorf("%d requests more", after-before)
		}
	})
}

// TestAgentSummariesSpent: what a summary took is counted.
func TestAgentSummariesSpent(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string, d *desk) {
		d.withModel(t, backend, "  summaries: on\n  daily_tokens: 515\n", []step{{Answer: nothingRecorded(), Tokens: 510}})
		d.hook(d.endPayload(), "archive")
		r := d.run("", "ask", "--agent", "why did we drop Redis?")
		holds(t, "answer", r.out, "the models took 520 tokens today, and daily_tokens is 515")
	})
}

// TestAgentSummariesOffline: no model elsewhere is asked offline.
func TestAgentSummariesOffline(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.basin()
	m := d.withModel(t, "claude", "  summaries: on\n  recall: on\n  hyde: on\n", nil)
	d.env = append(d.env, "GITMEM_OFFLINE=1")
	_, trace := d.hook(d.endPayload(), "archive")
	holds(t, "trace", trace, "no summary of session 38c88b61: offline:")
	_, trace = d.hook(d.promptPayload("How does the bilge basin drain?"), "user-prompt-submit")
	holds(t, "trace", trace, "without a model: offline:")
	holds(t, "answer", d.run("", "ask", "--json", "where is the tail swallowed?").out, "(hyde): offline:")
	if len(m.requests()) > 0 {
		t.Errorf("%q", m.requests())
	}
}

// TestAgentSummariesLater: a session that never ended is summarised when another one begins;
// those of a backfill are not, nor is one that ends while its client waits.
func TestAgentSummariesLater(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	m := d.withModel(t, "openai", "  summaries: on\n",
		[]step{answering(claiming("The pump draws seven ampere.", "L2", "the pump draws seven ampere"))})
	old := time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	d.check(os.Chtimes(filepath.Join(d.home, ".claude", "projects", "-w-repo", deskSession+".jsonl"), old, old))
	edit := `{"session_id":"` + deskSession + `","cwd":` + fmt.Sprintf("%q", d.repo) +
		`,"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"f.txt","old_string":"a"},` +
		`"tool_response":{"filePath":"f.txt","structuredPatch":[]}}`
	d.hook(edit, "post-tool-use")
	seen := *d
	machine, err := os.Hostname()
	d.check(err)
	// which no process has
	d.write("home/.claude/gitmem/.index/clients/2147483646.json",
		fmt.Sprintf(`{"session":%q,"machine":%q,"pid":2147483646}`, deskSession, machine))
	// of which the session is not
	d.repo = filepath.Join(filepath.Dir(d.repo), "other")
	d.check(os.Mkdir(d.repo, 0o700))
	d.git(nil, "init", "--quiet")
	_, trace := d.hook(strings.NewReplacer(deskSession, "11111111-18be-494e-9c54-6e697febc51c", seen.repo,
		d.repo).Replace(edit), "sweep")
	holds(t, "trace", trace, "archived 1 session")
	holds(t, "section", d.archived(), "summary: model scripted, 0 sentences cut\n",
		"\n\nThe pump draws seven ampere. [L2]\n")
	if len(m.requests()) != 1 {
		t.Errorf("%q", m.requests())
	}
	id := regexp.MustCompile(`"run":"([0-9a-f]{12})"`).FindStringSubmatch(d.found(".index/agent/*.jsonl"))[1]
	d.env, seen.env = append(d.env, "CLAUDECODE=1", "CLAUDE_PROJECT_DIR="+d.repo),
		append(seen.env[:len(seen.env):len(seen.env)], "CLAUDECODE=1", "CLAUDE_PROJECT_DIR="+seen.repo)
	if r := d.run("", "attach", id); r.code == 0 || strings.Contains(r.out, "ampere") {
		t.Errorf("attached from another project: %+v", r)
	}
	if r := seen.run("", "attach", id); r.code != 0 || !strings.Contains(r.out, "ampere") {
		t.Errorf("not attached from the session's project: %+v", r)
	}
	d = newDesk(t)
	m = d.withModel(t, "openai", "  summaries: on\n", nil)
	if r := d.run("", "init"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if r := d.run("", "backfill"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	holds(t, "section", d.archived(), "We decided to use", "!summary:")
	if len(m.requests()) != 0 {
		t.Errorf("%q", m.requests())
	}
}
