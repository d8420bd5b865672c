package config_test

import (
	"strings"
	"testing"

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
		"forges: [{host: Git.Acme.org, kind: github, api: 'https://git.acme.org/api/v3'}, {host: lab.x, kind: gitlab}]\n": {Forges: config.Forges{List: []config.Forge{ghe, {Host: "lab.x", Kind: "gitlab"}}}},
		"forges:\n  - host: a\n    kind: gitlab\n    api: http://127.0.0.1:80/x\n":                                        {Forges: config.Forges{List: []config.Forge{{Host: "a", Kind: "gitlab", API: "http://127.0.0.1:80/x"}}}},
		"jira: {url: 'https://acme.atlassian.net', projects: [abc, ABC, X1], cloud: true}\n":                              {Jira: config.Jira{URL: "https://acme.atlassian.net", Projects: []string{"ABC", "X1"}, Cloud: true}},
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
		"capture: on\nforges:\n  - {host: a, kind: github, api: 'http://git.acme.org'}\n": "line 3: forges: api begins with http://",
		"forges: [{host: a, kind: github, api: 'https://u:p@a'}]\n":                       "tokens are read from the environment",
		"forges: [{host: a, kind: github, api: 'ftp://a'}]\n":                             "no address",
		"forges: [{host: a, kind: github}, {host: A, kind: gitlab}]\n":                    "stands twice",
		"jira: {url: 'https://a', projects: []}\n":                                        "projects are missing",
		"jira: {url: 'https://a', projects: ['A-B']}\n":                                   "no key of a project",
		"jira: {url: 'http://a', projects: [A]}\n":                                        "begins with http://",
		"jira: {projects: [A]}\n":                                                         "no address",
		"jira: {url: 'https://a', projects: [A], token: x}\n":                             `jira: unknown key "token": known are url, projects, cloud`,
		"jira: on\n": "off or keys",
	} {
		_, err := config.Parse([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q in it", in, err, want)
		}
	}
}
