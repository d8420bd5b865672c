package gitmem

import (
	"cmp"
	"strings"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/github"
	"github.com/gitmem/gitmem/providers/gitlab"
	"github.com/gitmem/gitmem/providers/jira"
)

const (
	// publicBudget is how many requests a fetch may send where nobody signed in: a
	// forge grants 60 an hour to everybody behind one address.
	publicBudget = 25
	// stepBudget is after how many requests a long fetch notes how far it has come.
	stepBudget = 50
)

// newSource makes the client of a remote source.
func (m *forges) newSource(r remote, who login) (providers.Source, error) {
	budget := stepBudget
	if who.token == "" {
		budget = publicBudget
	}
	switch r.kind {
	case providers.GitLab:
		return gitlab.New(r.path, gitlab.Options{BaseURL: cmp.Or(r.api, "https://"+r.host), Token: who.token, Transport: m.o.Transport, Budget: budget, Now: m.o.Now})
	case providers.Jira:
		o := jira.Options{BaseURL: r.api, Token: who.token, Transport: m.o.Transport, Budget: budget, Now: m.o.Now, Cloud: r.cloud}
		if r.cloud {
			o.Email = who.user
		}
		return jira.New(r.projects, o)
	case providers.GitHub:
		owner, name, _ := strings.Cut(r.path, "/")
		o := github.Options{BaseURL: r.api, Token: who.token, Transport: m.o.Transport, Budget: budget, Now: m.o.Now}
		if r.host != "github.com" {
			o.BaseURL = cmp.Or(r.api, enterpriseAPI(r.host))
		}
		return github.New(owner, name, o)
	}
	return nil, errNoClient
}

// enterpriseAPI is where a GitHub of an enterprise has its API: below its own host, or
// on a host of its own where GitHub runs it (data residency).
func enterpriseAPI(host string) string {
	if strings.HasSuffix(host, ".ghe.com") {
		return "https://api." + host
	}
	return "https://" + host + "/api/v3"
}
