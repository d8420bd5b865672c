package gitmem_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestPagesLeadBack checks that the page of every citation resolves to its source.
func TestPagesLeadBack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.write("pump/.claude/rules/re lay & co.md", "The relay begins.\n\n# Relay rules\n\nFuse each relay.\n")
	l.write("pump/docs/relay.md", "# Relay manual\n\nThe relay clicks.\n")
	sha := r.commit("2024-01-05", "Ann Lee", "relay.c", "feat: add the relay driver")
	l.note(r.dir, "The relay has a coil")
	f := l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.endSession(r.dir, sessionA, f)
	l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-09T14:02:00Z", text: "Oil the relay"})

	long := append(relayTurns(), turn{role: "user", at: "2025-03-09T18:02:00Z", text: "Test the relay again"})
	l.endSession(r.dir, sessionA, l.transcriptFile(r.dir, sessionA, long...)) // resumed

	m := l.open(r.dir)
	layers := map[string]int{}
	for _, layer := range []string{"rules", "memory", "summaries", "transcripts", "team"} {
		for _, h := range l.search(r.dir, "relay", gitmem.Filter{Layer: layer, Limit: 50}).Hits {
			src, err := m.Shown(t.Context(), h.BrowseURL, gitmem.ShowOptions{})
			if err != nil || h.BrowseURL == "" {
				t.Errorf("%s: the page %q: %v", h.ID, h.BrowseURL, err)
				continue
			}
			layers[layer]++
			if src.ID != h.ID {
				t.Errorf("%s has the page %s, which shows %s", h.ID, h.BrowseURL, src.ID)
			}
		}
	}
	if len(layers) != 5 {
		t.Errorf("pages of layers: %v", layers)
	}
	for page, want := range map[string]string{
		"/sessions/" + sessionA:                                     "session:",
		"/sessions/" + sessionB:                                     "transcript:" + sessionB + ":1",
		"/sessions/" + sessionB + "#msg-1":                          "transcript:" + sessionB + ":1",
		"/memory?tab=rules&file=.claude%2Frules%2Fre+lay+%26+co.md": "rules:.claude/rules/re lay & co.md",
		"/repos?commit=" + sha:                                      "git:commit:" + sha,
		"/repos?commit=" + sha[:12]:                                 "git:commit:" + sha,
		"/repos?commit=" + sha + "&file=relay.c&lines=1":            "git:blame:relay.c:1@" + sha,
	} {
		if src, err := m.Shown(t.Context(), page, gitmem.ShowOptions{}); err != nil || !strings.HasPrefix(src.ID, want) {
			t.Errorf("%s shows %q, %v; want %s", page, src.ID, err, want)
		}
	}
	for page, want := range map[string]error{
		"/": gitmem.ErrUsage, "//sessions/" + sessionA: gitmem.ErrUsage, "/etc/passwd": gitmem.ErrUsage,
		"/sessions/": gitmem.ErrUsage, "/sessions/../x": gitmem.ErrUsage,
		"/sessions/" + sessionA + "#x": gitmem.ErrUsage, "/sessions/" + sessionA + "#msg-0": gitmem.ErrUsage, "/sessions/" +
			sessionA + "#git:commit:" + sha: gitmem.ErrUsage,
		"/memory": gitmem.ErrUsage, "/memory?tab=rules&file=%zz": gitmem.ErrUsage,
		"/memory?tab=memory&id=relay": gitmem.ErrUsage, "/repos": gitmem.ErrUsage,
		"/repos?commit=main": gitmem.ErrUsage, "/sessions/unknown": gitmem.ErrNotFound, "/sessions/" + sessionB +
			"#msg-99": gitmem.ErrNotFound,
		"/memory?tab=rules&file=..%2F..%2Fhome%2F.claude%2Fx.md": gitmem.ErrNotFound,
		"/repos?commit=0000000000":                               gitmem.ErrNotFound,
		"/memory?tab=memory&id=task:x":                           gitmem.ErrNotFound,
	} {
		if src, err := m.Shown(t.Context(), page, gitmem.ShowOptions{}); !errors.Is(err, want) {
			t.Errorf("%s shows %q, %v; want %v", page, src.ID, err, want)
		}
	}
	l.forget(r.dir, false, "transcript:"+sessionB+":1")
	if src, err := m.Shown(t.Context(), "/sessions/"+sessionB+"#msg-1", gitmem.ShowOptions{}); !errors.Is(err,
		gitmem.ErrNotFound) {
		t.Errorf("a forgotten turn is shown: %q, %v", src.Text, err)
	}
}

// TestRulesByBareName checks an older form of ids, which names a file of rules without its folder.
func TestRulesByBareName(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.write("pump/.claude/rules/api.md", "# API\n\nVersion each path.\n\n## Errors\n\nName the thing.\n")
	l.write("pump/.claude/rules/a/log.md", "Log to the error stream.\n")
	l.write("pump/.claude/rules/b/log.md", "Log no secret.\n")
	r.commit("2024-01-05", "Ann Lee", "relay.c", "feat: add the relay driver")
	m := l.open(r.dir)
	for id, want := range map[string]string{
		"rules:api":                                       "rules:.claude/rules/api.md#api",
		"rules:api#errors":                                "rules:.claude/rules/api.md#errors",
		"/memory?tab=rules&file=api":                      "rules:.claude/rules/api.md#api",
		"/memory?tab=rules&file=api#errors":               "rules:.claude/rules/api.md#errors",
		"rules:.claude/rules/api.md#errors":               "rules:.claude/rules/api.md#errors",
		"rules:.claude/rules/a/log.md":                    "rules:.claude/rules/a/log.md",
		"/memory?tab=rules&file=.claude%2Frules%2Fapi.md": "rules:.claude/rules/api.md#api",
	} {
		if src, err := m.Shown(t.Context(), id, gitmem.ShowOptions{}); err != nil || src.ID != want {
			t.Errorf("%s shows %q, %v; want %s", id, src.ID, err, want)
		}
	}
	for _, id := range []string{"rules:log", "/memory?tab=rules&file=log"} {
		_, err := m.Shown(t.Context(), id, gitmem.ShowOptions{})
		var refused *gitmem.Refusal
		if !errors.Is(err, gitmem.ErrNotFound) || !errors.As(err, &refused) ||
			!strings.Contains(refused.Advice, ".claude/rules/b/log.md") {
			t.Errorf("%s: %v; want a refusal that names both files", id, err)
		}
	}
	for _, id := range []string{"rules:pi", "rules:API", "rules:api#nothing", "/memory?tab=rules&file=pi"} {
		if src, err := m.Shown(t.Context(), id, gitmem.ShowOptions{}); !errors.Is(err, gitmem.ErrNotFound) {
			t.Errorf("%s shows %q, %v; want that it is not found", id, src.ID, err)
		}
	}
}
