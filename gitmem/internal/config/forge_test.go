package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/config"
)

func TestParseForges(t *testing.T) {
	t.Parallel()
	ghe := config.Forge{Host: "git.acme.org", Kind: "github", API: "https://git.acme.org/api/v3"}
	for in, want := range map[string]config.Config{
		"capture: on\n": {},
		"forges: off\n": {Forges: config.Forges{Off: true}},
		"forges: on\n":  {},
		"forges: []\n":  {},
		"jira: off\n":   {},
		"forges: [&a {host: a.b, kind: gitlab}, {<<: *a, host: c.d}]\n": {
			Forges: config.Forges{List: []config.Forge{{Host: "a.b", Kind: "gitlab"}, {Host: "c.d", Kind: "gitlab"}}},
		},
		"jira: {url: 'https://acme.atlassian.net', projects: [ABC], cloud: ~}\n": {
			Jira: config.Jira{URL: "https://acme.atlassian.net", Projects: []string{"ABC"}},
		},
		"forges: [{host: Git.Acme.org, kind: github, api: 'https://git.acme.org/api/v3'}, {host: lab.x, kind: gitlab}]\n": {
			Forges: config.Forges{List: []config.Forge{ghe, {Host: "lab.x", Kind: "gitlab"}}},
		},
		"forges:\n  - host: a\n    kind: gitlab\n    api: http://127.0.0.1:80/x\n": {
			Forges: config.Forges{List: []config.Forge{{Host: "a", Kind: "gitlab", API: "http://127.0.0.1:80/x"}}},
		},
		"jira: {url: 'https://acme.atlassian.net', projects: [abc, ABC, X1], cloud: true}\n": {
			Jira: config.Jira{URL: "https://acme.atlassian.net", Projects: []string{"ABC", "X1"}, Cloud: true},
		},
	} {
		c, err := config.Parse([]byte(in))
		if diff := cmp.Diff(want.Forges, c.Forges); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", in, err, diff)
		}
		if diff := cmp.Diff(want.Jira, c.Jira); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
	f := config.Forges{List: []config.Forge{ghe}}
	if got, ok := f.On("GIT.acme.org"); !ok || got != ghe {
		t.Errorf("On: %v, %v", got, ok)
	}
	if _, ok := f.On("github.com"); ok {
		t.Error("a host that is not listed has a forge")
	}
}

func TestParseForgesRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"forges:\n":                                     "line 1: forges has no value",
		"jira:\n":                                       "line 1: jira has no value",
		"forges: github.com\n":                          "off or a list",
		"forges: [{host: a, kind: gitea}]\n":            "write github or gitlab",
		"forges: [{host: 'a/b', kind: github}]\n":       "no host",
		"forges: [{host: '', kind: github}]\n":          "no host",
		"forges: [{host: a, kind: github, token: x}]\n": `forges: unknown key "token": known are host, kind, api`,
		"capture: on\nforges:\n  - {host: a, kind: github, api: 'http://git.acme.org'}\n": "line 3: forges: api begins " +
			"with http://",
		"forges: [{host: a, kind: github, api: 'https://u:p@a'}]\n": "tokens are read from the " +
			"environment",
		"forges: [{host: a, kind: github, api: 'ftp://a'}]\n":          "no address",
		"forges: [{host: a, kind: github}, {host: A, kind: gitlab}]\n": "stands twice",
		"jira: {url: 'https://a', projects: []}\n":                     "projects are missing",
		"jira: {url: 'https://a', projects: ['A-B']}\n":                "no key of a project",
		"jira: {url: 'http://a', projects: [A]}\n":                     "begins with http://",
		"jira: {projects: [A]}\n":                                      "no address",
		"jira: {url: 'https://a', projects: [A], token: x}\n": `jira: unknown key "token": ` +
			`known are url, projects, cloud, only`,
		"jira:\n  url: https://a\n  projects: [A]\n  only:\n    - clients/x\n": `line 5: only: "clients/x" ` +
			`could be a folder or a remote`,
		"jira: {url: 'https://a', projects: [A], only: []}\n": "only is empty: write the " +
			"folders or remotes whose questions ask",
		"jira:\n  url: https://a\n  projects: [A]\n  only:\n": "only is empty",
		"jira: {url: 'https://a', projects: [A], only: [~]}\n": "only: entry 1 is empty, as a " +
			"bare ~ is",
		"jira: {url: 'https://a', projects: [A], only: ~/work}\n": "only: a list is expected",
		"jira:\n  url: https://a\n  projects: [A]\n  only:\n    - **/x\n": "line 5: only: a rule that " +
			"begins with * must stand in quotes",
		"jira: on\n":                    "off or keys",
		"fetch_wait:\n":                 "line 1: fetch_wait has no value: write a time such as 10s",
		"capture: on\nfetch_wait: 10\n": `line 2: fetch_wait: "10" is no time: write one such as 500ms, 10s or 2m`,
		"fetch_wait: soon\n":            `line 1: fetch_wait: "soon" is no time`,
		"fetch_wait: [1s]\n":            "line 1: fetch_wait: no time: write one such as 10s",
		"fetch_wait: 0\n":               "from 100ms to 5m",
		"fetch_wait: 99ms\n": "line 1: fetch_wait: 99ms is no time to wait: write one from 100ms to 5m; forges: " +
			"off and jira: off ask nobody",
		"fetch_wait: 301s\n": "from 100ms to 5m",
		"fetch_wait: -1s\n":  "from 100ms to 5m",
	} {
		_, err := config.Parse([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q in it", in, err, want)
		}
	}
}

func TestParseFetchWait(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]time.Duration{
		"": 0, "fetch_wait: 100ms\n": 100 * time.Millisecond, "capture: on\nfetch_wait: '10s'\n": 10 * time.Second,
		"fetch_wait: 5m\n": 5 * time.Minute,
	} {
		if c, err := config.Parse([]byte(in)); c.FetchWait != want || err != nil {
			t.Errorf("%q: %v, error %v, want %v", in, c.FetchWait, err, want)
		}
	}
}

func TestParseJiraOnly(t *testing.T) {
	t.Parallel()
	c, err := config.Parse([]byte("jira: {url: 'https://a', projects: [A], only: [~/work/**, git@github.com:acme/*]}\n" +
		"exclude: [~/work/secret]\n"))
	if err != nil {
		t.Fatal(err)
	}
	on := config.Machine{Home: "/home/ada", GOOS: "linux"}
	for folder, want := range map[string]bool{"/home/ada/work/pump": true, "/home/ada/play": false} {
		if _, ok := c.Jira.Matcher(on).Excluded(folder); ok != want {
			t.Errorf("%s: %v, want %v", folder, ok, want)
		}
	}
	for remote, want := range map[string]bool{"github.com/ACME/pump": true, "github.com/other/pump": false} {
		if _, ok := c.Jira.Matcher(on).Excluded("/srv", remote); ok != want {
			t.Errorf("%s: %v, want %v", remote, ok, want)
		}
	}
	if rule, ok := c.Matcher(on).Excluded("/home/ada/work/pump", "github.com/acme/pump"); ok {
		t.Errorf("only excludes by %s", rule)
	}
	// A program may change another key even if the rules move to other lines.
	if _, err := config.WithModel([]byte("embed: off\njira: {url: 'https://a', projects: [A], only: [~/work/**]}\n"),
		"potion"); err != nil {
		t.Error(err)
	}
}
