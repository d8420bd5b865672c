package forge

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
func (m *Forges) newSource(r Remote, who login) (providers.Source, error) {
	budget := stepBudget
	if who.token == "" {
		budget = publicBudget
	}
	switch r.Kind {
	case providers.GitLab:
		return gitlab.New(r.Path, gitlab.Options{BaseURL: cmp.Or(r.API, "https://"+r.Host), Token: who.token, Transport: m.O.Transport, Budget: budget, Now: m.O.Now})
	case providers.Jira:
		o := jira.Options{BaseURL: r.API, Token: who.token, Transport: m.O.Transport, Budget: budget, Now: m.O.Now, Cloud: r.Cloud}
		if r.Cloud {
			o.Email = who.user
		}
		return jira.New(r.Projects, o)
	case providers.GitHub:
		owner, name, _ := strings.Cut(r.Path, "/")
		o := github.Options{BaseURL: r.API, Token: who.token, Transport: m.O.Transport, Budget: budget, Now: m.O.Now}
		if r.Host != "github.com" {
			o.BaseURL = cmp.Or(r.API, enterpriseAPI(r.Host))
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
