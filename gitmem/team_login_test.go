package gitmem_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/providers"
)

// allTokens is an environment with a token of each kind.
func allTokens() map[string]string {
	return map[string]string{
		"GITMEM_GITHUB_TOKEN": "own", "GH_TOKEN": "gh", "GITHUB_TOKEN": "hub", "GH_ENTERPRISE_TOKEN": "corp",
		"GITLAB_TOKEN": "lab", "JIRA_TOKEN": "jira", "JIRA_EMAIL": "ada@example.org",
	}
}

func tokensExcept(names ...string) map[string]string {
	env := allTokens()
	for _, n := range names {
		delete(env, n)
	}
	return env
}

// ownForges configures the forges of a company.
const ownForges = "forges: [{host: git.corp.example, kind: github}, {host: lab.corp.example, kind: gitlab}, {host: " +
	"evil.example, kind: github, api: 'https://evil.example/x'}]\n"

// tokenCase is a repository's remote, and the source that is asked for it.
type tokenCase struct {
	name, remote, config string
	env                  map[string]string
	want                 string // the source and its token, "" for no source
}

// githubTokens are those of GitHub and of its enterprises.
func githubTokens() []tokenCase {
	all := allTokens()
	return []tokenCase{
		{"github", "git@github.com:acme/pump.git", "", all, "github github.com/acme/pump own"},
		{"github by gh's variable", "https://github.com/acme/pump", "", tokensExcept("GITMEM_GITHUB_TOKEN"),
			"github github.com/acme/pump gh"},
		{"github by the runner's", "https://user:pw@github.com/acme/pump", "",
			tokensExcept("GITMEM_GITHUB_TOKEN", "GH_TOKEN"), "github github.com/acme/pump hub"},
		{"github by gh", "https://github.com/acme/pump", "", nil, "github github.com/acme/pump from-gh-github.com"},
		{"github elsewhere", "https://github.com/acme/pump",
			"forges: [{host: github.com, kind: github, api: 'https://mirror.example'}]\n", tokensExcept("GH_ENTERPRISE_TOKEN"),
			"github github.com/acme/pump "},
		{"enterprise", "https://git.corp.example/acme/pump", ownForges, all, "github git.corp.example/acme/pump corp"},
		{"enterprise by gh", "https://git.corp.example/acme/pump", ownForges, tokensExcept("GH_ENTERPRISE_TOKEN"),
			"github git.corp.example/acme/pump from-gh-git.corp.example"},
		{"github said to be the other kind", "https://github.com/a/b", "forges: [{host: github.com, kind: gitlab}]\n", all,
			"gitlab github.com/a/b "},
	}
}

// gitlabTokens are those of GitLab.
func gitlabTokens() []tokenCase {
	all := allTokens()
	const below = "forges: [{host: lab.corp.example, kind: gitlab, api: 'https://lab.corp.example/scm/api/v4'}]\n"
	return []tokenCase{
		{"gitlab", "https://gitlab.com/a/b/c", "", all, "gitlab gitlab.com/a/b/c lab"},
		{"gitlab below a path", "https://lab.corp.example/scm/a/b/c", below, nil, "gitlab lab.corp.example/a/b/c "},
		{"gitlab below a path by ssh", "git@lab.corp.example:scm/a/b.git", below, nil, "gitlab lab.corp.example/scm/a/b "},
		{"a group that is called as the path", "https://lab.corp.example/scm/b", below, nil,
			"gitlab lab.corp.example/scm/b "},
		{"gitlab elsewhere", "https://lab.corp.example/a/b", ownForges, all, "gitlab lab.corp.example/a/b "},
		{"gitlab named", "https://lab.corp.example/a/b", ownForges,
			map[string]string{"GITLAB_TOKEN": "lab", "GITLAB_HOST": "https://lab.corp.example"},
			"gitlab lab.corp.example/a/b lab"},
		{"gitlab, another one named", "https://gitlab.com/a/b", ownForges,
			map[string]string{"GITLAB_TOKEN": "lab", "GITLAB_HOST": "lab.corp.example"}, "gitlab gitlab.com/a/b "},
		{"gitlab said to be the other kind", "https://gitlab.com/a/b", "forges: [{host: gitlab.com, kind: github}]\n",
			tokensExcept("GH_ENTERPRISE_TOKEN"), "github gitlab.com/a/b from-gh-gitlab.com"},
	}
}

// trackerTokens are those of a tracker.
func trackerTokens() []tokenCase {
	all := allTokens()
	const tracker = "jira: {url: 'https://acme.atlassian.net', projects: [ABC], cloud: true"
	return []tokenCase{
		{"tracker", "https://git.unknown.example/acme/pump",
			"jira: {url: 'https://acme.atlassian.net', projects: [ABC], cloud: true}\n", all,
			"jira ABC on acme.atlassian.net jira"},
		{"tracker without forges", "https://github.com/acme/pump", "forges: off\n" + tracker + "}\n", all,
			"jira ABC on acme.atlassian.net jira"},
		{"forges without a tracker", "https://github.com/acme/pump", "jira: off\n", all, "github github.com/acme/pump own"},
		{"tracker of this remote", "https://git.unknown.example/acme/pump", tracker +
			", only: [github.com/x/*, git.unknown.example/acme/*]}\n", all, "jira ABC on acme.atlassian.net jira"},
		{"tracker of this folder", "https://git.unknown.example/acme/pump", tracker + ", only: ['**/pump']}\n", all,
			"jira ABC on acme.atlassian.net jira"},
		{"tracker of other places", "https://git.unknown.example/acme/pump", tracker +
			", only: [github.com/acme/*, '**/valve']}\n", all, ""},
		{"tracker of an excluded place", "https://git.unknown.example/acme/pump", tracker +
			", only: ['**/pump']}\nexclude: ['**/pump']\n", all, ""},
	}
}

// noTokens are those of remotes and configurations without a source.
func noTokens() []tokenCase {
	all := allTokens()
	return []tokenCase{
		{"a host nobody named", "https://git.unknown.example/acme/pump", ownForges, all, ""},
		{"a host that only looks alike", "https://github.com.evil.example/acme/pump", "", all, ""},
		{"off", "https://github.com/acme/pump", "forges: off\n", all, ""},
		{"excluded", "https://github.com/acme/pump", "exclude: [github.com/acme/*]\n", all, ""},
		{"a configuration that can't be read", "https://github.com/acme/pump", "forges: [x\n", all, ""},
		{"a path", "../pump", "", all, ""},
		{"no repository on the host", "https://github.com/acme", "", all, ""},
	}
}

// A token is for one host and is sent nowhere else, whatever stands in for the host.
func TestTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range slices.Concat(githubTokens(), gitlabTokens(), trackerTokens(), noTokens()) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			r.commit("2024-01-01", "Ada Example", "a.txt", "Begin the pump")
			r.git("remote", "add", "origin", tt.remote)
			if tt.config != "" {
				l.configure(tt.config)
			}
			f := &forge{}
			a := f.asked(l, r.dir, pumpQuestion, func(o *gitmem.Options) {
				o.Getenv = func(name string) string { return tt.env[name] }
				o.Run = func(_ context.Context, program string, args ...string) ([]byte, error) {
					if program != "gh" || len(args) != 4 || strings.Join(args[:3], " ") != "auth token --hostname" {
						return nil, errors.New("no such program")
					}
					return []byte("from-gh-" + args[3] + "\n"), nil
				}
			})
			got := ""
			if len(f.names) > 0 {
				got = f.names[0] + " " + f.tokens[0]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || len(f.names) > 1 {
				t.Errorf("%v, caveats %q: %s", f.names, a.Caveats, diff)
			}
		})
	}
}

// Of several remotes the one counts where a fork's pull requests are.
func TestForgeOfSeveralRemotes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		remotes []string
		want    string
	}{
		"a fork": {[]string{"origin", "https://github.com/me/pump", "upstream", "https://github.com/acme/pump"},
			"github github.com/acme/pump"},
		"origin first": {[]string{"backup", "https://github.com/me/backup", "origin", "https://github.com/acme/pump"},
			"github github.com/acme/pump"},
		"origin elsewhere": {[]string{"origin", "https://git.example/acme/pump", "mirror", "https://github.com/acme/other"},
			""},
		"one by any name": {[]string{"work", "https://github.com/acme/pump"}, "github github.com/acme/pump"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			r.commit("2024-01-01", "Ada Example", "a.txt", "Begin the pump")
			for i := 0; i < len(tt.remotes); i += 2 {
				r.git("remote", "add", tt.remotes[i], tt.remotes[i+1])
			}
			f := &forge{}
			f.asked(l, r.dir, pumpQuestion, nil)
			if got := strings.Join(f.names, ","); got != tt.want {
				t.Errorf("asked %q, want %q", got, tt.want)
			}
		})
	}
}

// The service of Jira signs in by an address and a token, whether the configuration says
// that it is the service or its address does.
func TestTrackerOfTheService(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"https://acme.atlassian.net', projects: [ABC]":               "set JIRA_EMAIL and JIRA_TOKEN",
		"https://ACME.Atlassian.NET', projects: [ABC]":               "set JIRA_EMAIL and JIRA_TOKEN",
		"https://tickets.example.org', projects: [ABC], cloud: true": "set JIRA_EMAIL and JIRA_TOKEN",
		"https://tickets.example.org', projects: [ABC]":              "nobody is signed in: set JIRA_TOKEN",
	} {
		l, r, f := forged(t)
		f.err = providers.ErrNotFound
		l.configure("forges: off\njira: {url: '" + config + "}\n")
		if a := f.asked(l, r.dir, pumpQuestion, nil); !has(a.Caveats, want) {
			t.Errorf("%s: caveats %q, want %q", config, a.Caveats, want)
		}
	}
}
