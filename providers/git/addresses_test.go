package git_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
	"github.com/google/go-cmp/cmp"
)

// TestRemoteURLs checks that an address follows the one that git and ssh map it to, unless it is a URL with a
// mirror.
func TestRemoteURLs(t *testing.T) {
	t.Parallel()
	home := tempDir(t)
	writeFile(t, home, ".gitconfig",
		"[include]\n\tpath = more\n[url \"https://github.com/\"]\n\tinsteadOf = https://git.corp/\n\tinsteadOf = c:\n")
	writeFile(t, home, "more",
		"[url \"ssh://git@gh/\"]\n\tinsteadOf = work:\n[url \"https://other/\"]\n\tinsteadOf = https://git.\n"+
			"\tinsteadOf = https://gitl\n")
	writeFile(t, home, ".ssh/config",
		"Include conf.d/* ~/.ssh/late\n\nMatch exec \"touch here\"\n  HostName matched.example\n\n# names\n"+
			"Host gh gh-* !gh-no\n  User git\n  HostName=\"github.com\"\n"+
			"Host 10\n  HostName 10.0.0.5\nHost github.com\n\tHostname ssh.github.com\nHost *.short\n"+
			"  HostName %h.example.org\nHost gh\n  HostName late.example\nHost other\n  HostName other.example\n"+
			"Host\ttabs\n\tHostName\ttabs.example\n")
	writeFile(t, home, ".ssh/conf.d/a", "Host included\n  HostName a.example\n  Include ../config\n") // a cycle
	writeFile(t, home, ".ssh/late", "Host late\n  HostName late.example\n")
	dir := newRepo(t)
	run(t, dir, "config", "url.https://own.example/.insteadOf", "own:")
	for _, tt := range []struct {
		url  string
		want []string // the address itself is the last one and omitted here
	}{
		{"https://github.com/acme/x.git", nil},
		{"https://git.corp/acme/x", []string{"https://git.corp/acme/x", "https://github.com/acme/x"}}, // the longest match
		{"https://gitlab.com/acme/x", []string{"https://gitlab.com/acme/x", "https://other/ab.com/acme/x"}},
		{"own:acme/x", []string{"https://own.example/acme/x"}},
		{"c:acme/x", []string{"https://github.com/acme/x"}},
		{"work:acme/x", []string{"ssh://git@github.com/acme/x"}}, // both
		{"gh:acme/x.git", []string{"github.com:acme/x.git"}},
		{"me@GH-work:acme/x.git", []string{"me@github.com:acme/x.git"}},
		{"gh-no:acme/x.git", nil},
		{"https://gh/acme/x.git", nil},
		{"ssh://git@gh:22/acme/x.git", []string{"ssh://git@github.com:22/acme/x.git"}},
		{"git@github.com:acme/x.git", []string{"git@ssh.github.com:acme/x.git"}},
		{"a.short:acme/x", []string{"a.short.example.org:acme/x"}},
		{"10:acme/x", nil},
		{"included:acme/x", []string{"a.example:acme/x"}},
		{"late:acme/x", []string{"late.example:acme/x"}},
		{"matched:acme/x", nil},
		{"tabs:acme/x", []string{"tabs.example:acme/x"}},
		{"/srv/gh:x", nil},
		{"../gh", nil},
		{`C:\gh`, nil},
	} {
		run(t, dir, "config", "remote.origin.url", tt.url)
		r := open(t, dir)
		got, err := r.RemoteURLs(func(name string) string {
			return map[string]string{"HOME": home, "GIT_CONFIG_NOSYSTEM": "1",
				"XDG_CONFIG_HOME": filepath.Join(home, "none")}[name]
		})
		want := tt.want
		if !slices.Contains(want, tt.url) {
			want = append(want, tt.url)
		}
		if diff := cmp.Diff([]git.Remote{{Name: "origin", URLs: want}}, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.url, err, diff)
		}
	}
}
