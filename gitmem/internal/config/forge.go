package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers"
	"gopkg.in/yaml.v2"
)

// Forges says which hosts are asked for pull requests and issues beside github.com
// and gitlab.com.
type Forges struct {
	Off  bool // none at all, those two included
	List []Forge
}

// Forge is a host that speaks the API of a known kind.
type Forge struct {
	Host string // as it stands in remotes, in lower case
	Kind string // one of [providers.Forges]
	API  string // address of its API, "" for where the kind has it on that host
}

// On is the forge of a host.
func (f Forges) On(host string) (Forge, bool) {
	i := slices.IndexFunc(f.List, func(x Forge) bool { return strings.EqualFold(x.Host, host) })
	if i < 0 {
		return Forge{}, false
	}
	return f.List[i], true
}

// Jira is a tracker and the projects of it that are read. The zero value is none.
type Jira struct {
	URL      string
	Projects []string // keys in upper case
	Cloud    bool     // Atlassian's own service, which signs in by an address and a token
	Only     []Rule   // folders and remotes whose questions ask it; empty: those of every repository
}

const (
	forgeKeys = "host, kind, api"
	jiraKeys  = "url, projects, cloud, only"
)

// forges is the value of forges: off, or a list.
type forges Forges

type forgeFields struct {
	Host string `yaml:"host"`
	Kind string `yaml:"kind"`
	API  string `yaml:"api"`
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (f *forges) UnmarshalYAML(unmarshal func(any) error) error {
	var on bool
	if unmarshal(&on) == nil {
		f.Off = !on
		return nil
	}
	line := max(1, lineOf(unmarshal(&struct{ none int }{})))
	var list []forgeFields
	if err := unmarshal(&list); err != nil {
		if named(err, "config.forgeFields") {
			return err
		}
		return complaint(line, "off or a list is expected, as in - {host: git.example.org, kind: gitlab}; known keys are "+forgeKeys)
	}
	seen := map[string]bool{}
	for _, x := range list {
		forge := Forge{Host: strings.ToLower(x.Host), Kind: x.Kind, API: x.API}
		if text := forge.complaint(); text != "" {
			return complaint(line, text)
		}
		if seen[forge.Host] {
			return complaint(line, fmt.Sprintf("the host %s stands twice: remove one", forge.Host))
		}
		seen[forge.Host] = true
		f.List = append(f.List, forge)
	}
	return nil
}

// named tells whether an error of the decoder names a key of a type.
func named(err error, of string) bool {
	var typed *yaml.TypeError
	return errors.As(err, &typed) && strings.Contains(typed.Errors[0], "in type "+of)
}

func complaint(line int, text string) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s", line, text)}}
}

// complaint says what can't be meant, with the way out.
func (f Forge) complaint() string {
	var kinds []string
	for _, k := range providers.Forges() {
		kinds = append(kinds, k.Kind)
	}
	switch {
	case !regexp.MustCompile(`^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$`).MatchString(f.Host):
		return fmt.Sprintf("%q is no host: write it as in remotes, such as git.example.org", f.Host)
	case !slices.Contains(kinds, f.Kind):
		return fmt.Sprintf("the kind of %s is %q: write %s", f.Host, f.Kind, strings.Join(kinds, " or "))
	case f.API != "":
		return address(f.API, "api")
	}
	return ""
}

// address says what is wrong with the address of a server, "" for nothing. Tokens are
// sent there, so that it is encrypted unless it stays on the machine.
func address(text, key string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return key + " is no address: write one such as https://git.example.org"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return key + " holds a user, a question mark or a #: remove it; tokens are read from the environment alone"
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return key + " begins with http://, which everybody on the way can read: write https://"
	}
	return ""
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// tracker is the value of jira: off, or keys with values.
type tracker Jira

type jiraFields struct {
	URL      string   `yaml:"url"`
	Projects []string `yaml:"projects"`
	Cloud    bool     `yaml:"cloud"`
	Only     []item   `yaml:"only"`
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (j *tracker) UnmarshalYAML(unmarshal func(any) error) error {
	var on bool
	if unmarshal(&on) == nil && !on {
		return nil
	}
	line := max(1, lineOf(unmarshal(&struct{ none int }{})))
	var f jiraFields
	if err := unmarshal(&f); err != nil {
		if named(err, "config.jiraFields") || ofRule(err) {
			return err
		}
		return complaint(line, "off or keys with values are expected, as in jira: {url: https://acme.atlassian.net, projects: [ABC], cloud: true}; known keys are "+jiraKeys)
	}
	if text := address(f.URL, "url"); text != "" {
		return complaint(line, text)
	}
	*j = tracker{URL: f.URL, Cloud: f.Cloud}
	for _, p := range f.Projects {
		key := strings.ToUpper(p)
		if !regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,63}$`).MatchString(key) {
			return complaint(line, fmt.Sprintf("%q is no key of a project: write it as it stands in ABC-12", p))
		}
		if !slices.Contains(j.Projects, key) {
			j.Projects = append(j.Projects, key)
		}
	}
	if len(j.Projects) == 0 {
		return complaint(line, "projects are missing: write the keys of those to read, as in projects: [ABC]")
	}
	return j.restrict(unmarshal, line, f.Only)
}

// restrict takes the list of only. One that is there and says nothing may be meant for
// everything or for nothing.
func (j *tracker) restrict(unmarshal func(any) error, line int, list []item) error {
	var keys yaml.MapSlice
	if err := unmarshal(&keys); err != nil {
		return complaint(line, oneLine(err.Error()))
	}
	there := slices.ContainsFunc(keys, func(k yaml.MapItem) bool { return k.Key == "only" })
	for i, x := range list {
		if x.rule.Text == "" {
			return complaint(line, fmt.Sprintf("entry %d of only is empty, as a bare ~ is: write a folder (~/**) or a remote, or remove it", i+1))
		}
		j.Only = append(j.Only, x.rule)
	}
	if there && len(list) == 0 {
		return complaint(line, "only is empty: write the folders or remotes whose questions ask, as in only: [github.com/acme/*], or remove it")
	}
	return nil
}

// ofRule tells whether an error is one of a rule, which has its own words.
func ofRule(err error) bool {
	var typed *yaml.TypeError
	return errors.As(err, &typed) && !strings.Contains(typed.Errors[0], "cannot unmarshal") && !strings.Contains(typed.Errors[0], " in type ")
}

// A question that waits for less asks nobody, and one that waits for more looks as if
// it hung.
const shortestWait, longestWait = 100 * time.Millisecond, 5 * time.Minute

// wait is the value of fetch_wait.
type wait time.Duration

// UnmarshalYAML implements yaml.Unmarshaler.
func (w *wait) UnmarshalYAML(unmarshal func(any) error) error {
	var text string
	if err := unmarshal(&text); err != nil {
		return at(err, "no time: write one such as 10s")
	}
	line := max(1, lineOf(unmarshal(&struct{ none int }{})))
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return complaint(line, fmt.Sprintf("%q is no time: write one such as 500ms, 10s or 2m", text))
	case d < shortestWait || d > longestWait:
		return complaint(line, fmt.Sprintf("%s is no time to wait: write one from 100ms to 5m; forges: off and jira: off ask nobody", text))
	}
	*w = wait(d)
	return nil
}
