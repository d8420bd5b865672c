package forge

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/github"
	"github.com/gitmem/gitmem/providers/gitlab"
	"github.com/gitmem/gitmem/providers/jira"
)

const (
	// publicBudget is the number of requests of a fetch without a token: a forge grants 60 per hour to an IP address.
	publicBudget = 25
	// stepBudget is the number of requests after which a long fetch saves its progress.
	stepBudget = 50
)

// login contains the credentials for a source. The zero value has none.
type login struct {
	user  string // of a tracker's cloud, "" otherwise
	token string
}

// environment returns the first of the named variables that is set, with white space trimmed.
type environment func(names ...string) string

// kind implements the access to sources of one kind; [providers.Forges] describes the kinds.
type kind interface {
	// client returns a client with the common options.
	client(r Remote, o github.Options) (providers.Source, error)
	// login returns the credentials for a source from the environment. A token is valid for one host: tokens of the public
	// services are sent nowhere else, even if the API address is overridden.
	login(env environment, r Remote) login
	signIn(r Remote) string // instructions for providing a token
}

func kindOf(r Remote) kind {
	switch r.Kind {
	case providers.GitHub:
		return gitHub{}
	case providers.GitLab:
		return gitLab{}
	}
	return jiraTracker{}
}

// The supported kinds.
type (
	gitHub      struct{}
	gitLab      struct{}
	jiraTracker struct{}
)

func (gitHub) client(r Remote, o github.Options) (providers.Source, error) {
	owner, name, _ := strings.Cut(r.Path, "/")
	if r.Host != "github.com" {
		o.BaseURL = cmp.Or(r.API, enterpriseAPI(r.Host))
	}
	return github.New(owner, name, o)
}

// enterpriseAPI returns the API address of a GitHub Enterprise host: below the host itself, or on a separate host if
// GitHub operates it (data residency).
func enterpriseAPI(host string) string {
	if strings.HasSuffix(host, ".ghe.com") {
		return "https://api." + host
	}
	return "https://" + host + "/api/v3"
}

// ofService reports whether a repository is on the public service of its kind, such as github.com, and not on a mirror.
func ofService(r Remote) bool {
	f, _ := providers.ForgeOf(r.Kind)
	return r.Host == f.Host && r.API == ""
}

func (gitHub) login(env environment, r Remote) login {
	if ofService(r) {
		return login{token: env("GITMEM_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN")}
	}
	return login{token: env("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")}
}

// ghTime limits how long the gh command may take to print its token.
const ghTime = 2 * time.Second

// githubToken returns the token of the gh command, or "".
func (fg *Forges) githubToken(ctx context.Context, r Remote) string {
	if fg.Options.Run == nil || r.Host == "github.com" && r.API != "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, ghTime)
	defer cancel()
	out, err := fg.Options.Run(ctx, "gh", "auth", "token", "--hostname", r.Host)
	token := strings.TrimSpace(string(out))
	if err != nil || strings.ContainsAny(token, " \t\r\n") {
		return "" // not installed, or not signed in
	}
	return token
}

func (gitHub) signIn(r Remote) string {
	switch {
	case ofService(r):
		return "set GITHUB_TOKEN or run gh auth login"
	case r.Host == "github.com":
		return "set GH_ENTERPRISE_TOKEN"
	}
	return "set GH_ENTERPRISE_TOKEN or run gh auth login --hostname " + r.Host
}

func (gitLab) client(r Remote, o gitlab.Options) (providers.Source, error) {
	o.BaseURL = cmp.Or(r.API, "https://"+r.Host)
	return gitlab.New(r.Path, o)
}

// login returns <KIND>_TOKEN for the host in <KIND>_HOST, or for the public service if that is not set.
func (gitLab) login(env environment, r Remote) login {
	prefix := strings.ToUpper(r.Kind)
	if named := env(prefix + "_HOST"); named != "" && sameHost(named, r.Host) || named == "" && ofService(r) {
		return login{token: env(prefix + "_TOKEN")}
	}
	return login{}
}

// sameHost reports whether a host, or the host of an address, equals a host.
func sameHost(named, host string) bool {
	if _, rest, ok := strings.Cut(named, "://"); ok {
		named = rest
	}
	named, _, _ = strings.Cut(named, "/")
	return strings.EqualFold(named, host)
}

func (gitLab) signIn(r Remote) string {
	if r.Host == "gitlab.com" {
		return "set GITLAB_TOKEN"
	}
	return "set GITLAB_TOKEN, and GITLAB_HOST to " + r.Host
}

func (jiraTracker) client(r Remote, o jira.Options) (providers.Source, error) {
	return jira.New(r.Projects, o)
}

func (jiraTracker) login(env environment, r Remote) login {
	who := login{token: env("JIRA_TOKEN")}
	if r.Cloud {
		who.user = env("JIRA_EMAIL")
	}
	return who
}

func (jiraTracker) signIn(r Remote) string {
	if r.Cloud {
		return "set JIRA_EMAIL and JIRA_TOKEN"
	}
	return "set JIRA_TOKEN"
}

// what returns a plural noun for the items of a source.
func (r Remote) what() string {
	if f, ok := providers.ForgeOf(r.Kind); ok {
		return f.Holds
	}
	return "tickets"
}

// signIn returns instructions for providing a token for a source.
func (r Remote) signIn() string { return kindOf(r).signIn(r) }

// loginOf returns the credentials for a source.
func (fg *Forges) loginOf(ctx context.Context, r Remote) login {
	who := fg.envLogin(r)
	if r.Kind == providers.GitHub && who.token == "" {
		who.token = fg.githubToken(ctx, r)
	}
	return who
}

// envLogin returns the credentials for a source from the environment.
func (fg *Forges) envLogin(r Remote) login {
	return kindOf(r).login(func(names ...string) string {
		for _, name := range names {
			if v := strings.TrimSpace(fg.Options.Getenv(name)); v != "" {
				return v
			}
		}
		return ""
	}, r)
}

// Proposer returns a client for proposing a change of a repository. The error is a [messages.Refusal] that wraps
// [providers.ErrUnauthorized] if nobody is signed in.
func (fg *Forges) Proposer(ctx context.Context, r Remote) (providers.Proposer, error) {
	if fg.Options.Offline || !fg.canDial() {
		return nil, fmt.Errorf("no server may be asked now: %w", providers.ErrUnreachable)
	}
	src, anonymous, err := fg.dial(ctx, r)
	if err != nil {
		return nil, err
	}
	to, ok := src.(providers.Proposer)
	switch {
	case !ok:
		return nil, fmt.Errorf("gitmem can't open a request on %s yet: %w", r.Host, providers.ErrRefused)
	case anonymous:
		return nil, &messages.Refusal{Reason: "nobody is signed in to " + r.Host, Advice: r.signIn(),
			Err: providers.ErrUnauthorized}
	}
	return to, nil
}

// dial returns the client of a remote source, and whether it is anonymous.
func (fg *Forges) dial(ctx context.Context, r Remote) (src providers.Source, anonymous bool, err error) {
	who := fg.loginOf(ctx, r)
	budget := stepBudget
	if who.token == "" {
		budget = publicBudget
	}
	if d, ok := fg.Options.Transport.(Dialer); ok {
		src, err = d.Dial(r.Kind, r.name(), who.token)
	} else {
		src, err = kindOf(r).client(r, github.Options{
			BaseURL: r.API, Email: who.user, Cloud: r.Cloud, Token: who.token, Transport: fg.Options.Transport, Budget: budget,
			Now: fg.Options.Now,
		})
	}
	return src, who.token == "", err
}
