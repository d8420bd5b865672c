package git

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Limits for reading ssh's configuration.
const (
	maxSSHConfig   = 1 << 20 // bytes of a file
	maxSSHIncludes = 5       // Include lines
)

// RemoteURLs returns the remotes of a repository like [Repository.Remotes], with the addresses that this
// user's configuration maps them to. If git's url.<base>.insteadOf or the HostName of a host in ~/.ssh/config
// changes an address, the original follows the result. However, an address that names a full host and is
// changed by insteadOf precedes the result: that is a mirror or another route to this host. No program is
// run. Conditions of git's includeIf and of ssh's Match are not evaluated; what depends on them is ignored.
func (r *Repository) RemoteURLs(getenv func(string) string) ([]Remote, error) {
	list, err := r.Remotes()
	if getenv == nil {
		return list, err
	}
	d := discovery{getenv: getenv}
	var settings config
	for _, file := range d.settings() {
		settings = append(settings, d.included(file, maxIncludes)...)
	}
	own, _ := readConfig(r.loc.GitDir, r.loc.CommonDir) // Remotes has reported the error
	settings = append(settings, own...)
	for i, remote := range list {
		var urls []string
		for _, url := range remote.URLs {
			meanings := []string{d.sshAddress(settings.instead(url)), url}
			if namesHost(url) {
				meanings = []string{d.sshAddress(url), meanings[0], url}
			}
			for _, meant := range meanings {
				if !slices.Contains(urls, meant) {
					urls = append(urls, meant)
				}
			}
		}
		list[i].URLs = urls
	}
	return list, err
}

// namesHost reports whether an address is a URL, or has a host with its domain before a colon.
func namesHost(url string) bool {
	host, _, ok := strings.Cut(url, ":")
	return strings.Contains(url, "://") || ok && strings.Contains(host, ".") && !strings.Contains(host, "/")
}

// instead applies url.<base>.insteadOf to an address: it replaces the longest matching prefix with its base.
func (c config) instead(url string) string {
	base, longest := "", ""
	for _, e := range c {
		if e.Section == "url" && e.Key == "insteadof" && len(e.Value) > len(longest) && strings.HasPrefix(url, e.Value) {
			base, longest = e.Subsection, e.Value
		}
	}
	return base + strings.TrimPrefix(url, longest)
}

// sshAddress replaces an ssh host alias with the real name of the host.
func (d discovery) sshAddress(url string) string {
	before, rest := "", url
	if scheme, after, ok := strings.Cut(url, "://"); ok {
		if !slices.Contains([]string{"ssh", "git+ssh", "ssh+git"}, strings.ToLower(scheme)) {
			return url
		}
		before, rest = url[:len(scheme)+len("://")], after
	}
	end := strings.IndexAny(rest, ":/")
	if end < 0 || before == "" && rest[end] == '/' { // a path
		return url
	}
	user, host, ok := strings.Cut(rest[:end], "@")
	if !ok {
		user, host = "", user
	} else {
		user += "@"
	}
	name := d.sshHostName(strings.ToLower(host))
	if name == "" || strings.Trim(name, "0123456789.:") == "" { // an IP address is less informative than the alias
		return url
	}
	return before + user + name + rest[end:]
}

// sshHostName returns the HostName that the user's ssh configuration gives for a host, or "".
func (d discovery) sshHostName(host string) string {
	home := cmp.Or(d.getenv("HOME"), d.getenv("USERPROFILE"))
	if home == "" || len(host) < 2 { // a single letter is a Windows drive
		return ""
	}
	includes := 0
	return sshHostNameIn(filepath.Join(home, ".ssh", "config"), home, host, &includes)
}

// sshHostNameIn looks for the HostName of a host in a file and in the files that it includes. The first match
// counts.
func sshHostNameIn(file, home, host string, includes *int) string {
	text, _ := ReadFile(file, maxSSHConfig) // a missing or unreadable file has no host names
	applies := true
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(strings.ReplaceAll(strings.Replace(line, "=", " ", 1), `"`, ""))
		if len(words) == 0 {
			continue
		}
		key, words := strings.ToLower(words[0]), words[1:]
		switch {
		case key == "match":
			applies = false
		case key == "host":
			applies = sshHostMatches(words, host)
		case !applies || len(words) == 0:
		case key == "hostname":
			return strings.ReplaceAll(strings.ToLower(words[0]), "%h", host)
		case key == "include":
			if *includes++; *includes > maxSSHIncludes {
				break
			}
			for _, name := range sshIncluded(words, home) {
				if found := sshHostNameIn(name, home, host, includes); found != "" {
					return found
				}
			}
		}
	}
	return ""
}

// sshIncluded returns the files that the patterns of an Include match.
func sshIncluded(patterns []string, home string) (files []string) {
	for _, p := range patterns {
		if rest, ok := strings.CutPrefix(p, "~/"); ok {
			p = filepath.Join(home, rest)
		}
		found, _ := filepath.Glob(absFrom(filepath.Join(home, ".ssh"), p)) // none for an invalid pattern
		files = append(files, found...)
	}
	return files
}

// sshHostMatches reports whether a Host line applies to a host: one of its patterns matches, and no pattern
// that begins with "!" does.
func sshHostMatches(patterns []string, host string) (matches bool) {
	for _, p := range patterns {
		p, denied := strings.CutPrefix(strings.ToLower(p), "!")
		if ok, _ := path.Match(p, host); ok && denied {
			return false
		} else if ok {
			matches = true
		}
	}
	return matches
}
