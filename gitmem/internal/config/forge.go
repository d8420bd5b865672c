package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
)

// Forges configures the hosts that are asked for pull requests and issues in addition to the public services of
// [providers.Forges].
type Forges struct {
	Off  bool // no hosts, including the public services
	List []Forge
}

// Forge is a host with the API of a known kind of forge.
type Forge struct {
	Host string // as written in remotes, in lower case
	Kind string // one of [providers.Forges]
	API  string // address of its API, "" for the kind's default on that host
}

// On returns the forge of a host.
func (f Forges) On(host string) (Forge, bool) {
	i := slices.IndexFunc(f.List, func(x Forge) bool { return strings.EqualFold(x.Host, host) })
	if i < 0 {
		return Forge{}, false
	}
	return f.List[i], true
}

// Jira is a tracker with the projects to read. The zero value means no tracker.
type Jira struct {
	URL      string
	Projects []string // keys in upper case
	Cloud    bool     // Atlassian's own service, which authenticates with an email address and a token
	Only     []Rule   // folders and remotes whose questions use it; empty means all
}

// set parses off, or a list of hosts.
func (f *Forges) set(n *yaml.Node) error {
	*f = Forges{}
	if on, ok := boolOf(n); ok {
		f.Off = !on
		return nil
	}
	const expected = "off or a list is expected, as in - {host: git.example.org, kind: gitlab}"
	if n.Kind != yaml.SequenceNode {
		return errorAt(n, expected)
	}
	return items(n, func(_ int, n *yaml.Node) error {
		var forge Forge
		if err := fields(n, expected, []field{{"host", "", text(&forge.Host)}, {"kind", "", text(&forge.Kind)},
			{"api", "", text(&forge.API)}}); err != nil {
			return err
		}
		forge.Host = strings.ToLower(forge.Host)
		if problem := forge.complaint(); problem != "" {
			return errorAt(n, "%s", problem)
		}
		if _, twice := f.On(forge.Host); twice {
			return errorAt(n, "the host %s stands twice: remove one", forge.Host)
		}
		f.List = append(f.List, forge)
		return nil
	})
}

var hostName = lazy.Pattern(`^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$`)

// complaint describes an invalid setting and its fix, or returns "".
func (f Forge) complaint() string {
	kinds := slice.Map(providers.Forges(), func(k providers.Forge) string { return k.Kind })
	switch {
	case !hostName().MatchString(f.Host):
		return fmt.Sprintf("%q is no host: write it as in remotes, such as git.example.org", f.Host)
	case !slices.Contains(kinds, f.Kind):
		return fmt.Sprintf("the kind of %s is %q: write %s", f.Host, f.Kind, strings.Join(kinds, " or "))
	case f.API != "":
		return address(f.API, "api")
	}
	return ""
}

// address describes an invalid server address, or returns "". Tokens are sent to the server, so the address must use
// https unless it is a loopback address.
func address(text, key string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return key + " is no address: write one such as https://git.example.org"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return key + " holds a user, a question mark or a #: remove it; tokens are read from the environment alone"
	case u.Scheme == "http" && !providers.IsLoopback(u.Hostname()):
		return key + " begins with http://, which everybody on the way can read: write https://"
	}
	return ""
}

var projectKey = lazy.Pattern(`^[A-Z][A-Z0-9_]{0,63}$`)

// set parses off, or keys with values.
func (j *Jira) set(n *yaml.Node) error {
	*j = Jira{}
	if on, ok := boolOf(n); ok && !on {
		return nil
	}
	var projects []string
	expected := "off or keys with values are expected, as in jira: {url: https://acme.atlassian.net, projects: [ABC], " +
		"cloud: true}"
	err := fields(n, expected, []field{
		{"url", "", text(&j.URL)},
		{"projects", "", func(n *yaml.Node) error {
			return items(n, func(_ int, n *yaml.Node) error { projects = append(projects, n.Value); return nil })
		}},
		{"cloud", "", toggle(&j.Cloud)},
		{"only", "", j.setOnly},
	})
	if err != nil {
		return err
	}
	if problem := address(j.URL, "url"); problem != "" {
		return errorAt(n, "%s", problem)
	}
	for _, p := range projects {
		key := strings.ToUpper(p)
		if !projectKey().MatchString(key) {
			return errorAt(n, "%q is no key of a project: write it as it stands in ABC-12", p)
		}
		if !slices.Contains(j.Projects, key) {
			j.Projects = append(j.Projects, key)
		}
	}
	if len(j.Projects) == 0 {
		return errorAt(n, "projects are missing: write the keys of those to read, as in projects: [ABC]")
	}
	return nil
}

// setOnly parses the list of only. It rejects an empty list, which could mean everything or nothing.
func (j *Jira) setOnly(n *yaml.Node) error {
	if err := rules(&j.Only)(n); err != nil {
		return err
	}
	if len(j.Only) == 0 {
		return errorAt(n,
			"only is empty: write the folders or remotes whose questions ask, as in only: [github.com/acme/*], or remove it")
	}
	return nil
}
