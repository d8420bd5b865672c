package config_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/config"
)

// munge returns the client's name for the folder of a path, as far as these tests need it.
func munge(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, s)
}

// matcher returns the matcher of one rule on one machine.
func matcher(t *testing.T, rule string, on config.Machine) config.Matcher {
	t.Helper()
	c, err := config.Parse([]byte("exclude: ['" + strings.ReplaceAll(rule, "'", "''") + "']"))
	if err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	return c.Matcher(on)
}

func TestFolders(t *testing.T) {
	t.Parallel()
	linux := config.Machine{Home: "/home/ada", GOOS: "linux"}
	mac := config.Machine{Home: "/Users/ada", GOOS: "darwin"}
	windows := config.Machine{Home: `C:\Users\Ada`, GOOS: "windows"}
	tests := []struct {
		rule   string
		on     config.Machine
		folder string
		want   bool
	}{
		{"~/work/secret/**", linux, "/home/ada/work/secret", true},
		{"~/work/secret/**", linux, "/home/ada/work/secret/a/b", true},
		{"~/work/secret/**", linux, "/home/ada/work/secrets", false},
		{"~/work/secret/**", linux, "/home/ada/work", false},
		{"~/work/secret/**", linux, "/home/eve/work/secret", false},
		{"~/work/secret", linux, "/home/ada/work/secret/a", true},
		{"~/work/secret/", linux, "/home/ada/work/secret/", true},
		{"~/**", linux, "/home/ada", true},
		{"~/**", linux, "/home/adam", false},
		{"~/x", config.Machine{GOOS: "linux"}, "/x", false},
		{"~/x", config.Machine{Home: "/home/[a]*", GOOS: "linux"}, "/home/[a]*/x", true},
		{"~/x", config.Machine{Home: "/home/[a]*", GOOS: "linux"}, "/home/ab/x", false},
		{"**/clients/*", linux, "/srv/clients/acme", true},
		{"**/clients/*", linux, "/srv/clients/acme/deep", true},
		{"**/clients/*", linux, "/clients/acme", true},
		{"**/clients/*", linux, "/srv/clients", false},
		{"**/clients/*", linux, "/srv/bigclients/acme", false},
		{"**", linux, "/", true},
		{"/srv/**/tmp/*-private", linux, "/srv/tmp/a-private", true},
		{"/srv/**/tmp/*-private", linux, "/srv/a/b/tmp/c-private/d", true},
		{"/srv/**/tmp/*-private", linux, "/srv/a/tmp/public", false},
		{"/srv/[ab]?", linux, "/srv/b1", true},
		{"/srv/[ab]?", linux, "/srv/c1", false},
		{`/srv/\[x]`, linux, "/srv/[x]", true},
		{"~/work/{acme,bolt}", linux, "/home/ada/work/bolt", false},
		{"~/work/{acme,bolt}", linux, "/home/ada/work/{acme,bolt}/x", true},
		{"~/[!a]b", linux, "/home/ada/cb", false},
		{`/srv/\{a,b\}`, linux, "/srv/{a,b}", true},
		{"/srv/a", linux, "/srv/A", false},
		{"/srv/a", linux, "", false},

		{"~/Work/**", mac, "/users/ADA/work/x", true},
		{"/Volumes/Data/[A-C]*", mac, "/volumes/data/box", true},
		{"~/work/**", windows, `c:\users\ada\Work\x`, true},
		{`~\work`, windows, `C:\Users\Ada\work\x`, true},
		{"C:/work/**", windows, `c:\Work\secret`, true},
		{`D:\work`, windows, `d:/work/x`, true},
		{`D:\work`, windows, `\\?\D:\work\x`, true},
		{`D:\work`, windows, `E:\work`, false},
		{`\\server\share`, windows, `\\Server\share\x`, true},
		{"**/clients/*", windows, `C:\clients\a`, true},
		{"**/" + strings.Repeat("**/a/", 30) + "b", linux, strings.Repeat("/a", 300), false}, // must return at once
	}
	for _, tt := range tests {
		if rule, got := matcher(t, tt.rule, tt.on).Excluded(tt.folder); got != tt.want || got && rule != tt.rule {
			t.Errorf("%s on %s: %s excluded = %v by %q, want %v", tt.rule, tt.on.GOOS, tt.folder, got, rule, tt.want)
		}
	}
}

// A link in the rule is resolved to the folder that the client reports.
func TestFoldersBehindLinks(t *testing.T) {
	t.Parallel()
	resolve := func(p string) string { return strings.Replace(p, "/tmp", "/private/tmp", 1) }
	m := matcher(t, "/tmp/secret/*", config.Machine{GOOS: "darwin", Resolve: resolve})
	for folder, want := range map[string]bool{
		"/tmp/secret/a": true, "/private/tmp/secret/a": true, "/private/tmp/open/a": false, "/private/tmp/secret": false,
	} {
		if _, got := m.Excluded(folder); got != want {
			t.Errorf("%s excluded = %v, want %v", folder, got, want)
		}
	}
}

func TestRemotes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule, remote string
		want         bool
	}{
		{"github.com/acme/*", "github.com/acme/pump", true},
		{"github.com/Acme/*", "github.com/acme/Pump", true},
		{"github.com/acme/*", "github.com/acmes/pump", false},
		{"github.com/acme", "github.com/acme/pump", true},
		{"github.com/acme/pump", "github.com/acme/pump2", false},
		{"gitlab.com/acme/*", "gitlab.com/acme/group/x", true},
		{"*.acme.example/**", "git.acme.example/a/b", true},
		{"https://github.com/acme/pump.git", "github.com/acme/pump", true},
		{"ssh://git@server:2222/acme/*", "server/acme/x", true},
		{"git@github.com:acme/pump.git", "github.com/acme/pump", true},
		{"git@server:foo/*", "server/foo/bar", true},
		{"github.com/acme/*", "", false},
		{"**/acme/*", "github.com/acme/pump", false}, // a folder rule
	}
	for _, tt := range tests {
		if _, got := matcher(t, tt.rule, config.Machine{}).Excluded("", tt.remote); got != tt.want {
			t.Errorf("%s: %s excluded = %v, want %v", tt.rule, tt.remote, got, tt.want)
		}
	}
}

// If only the client's name of a folder is left, everything that the rule may mean is covered: rather one folder too
// many than one too few.
func TestExcludedName(t *testing.T) {
	t.Parallel()
	linux := config.Machine{Home: "/home/ada", GOOS: "linux"}
	windows := config.Machine{Home: `C:\Users\ada`, GOOS: "windows"}
	tests := []struct {
		rule   string
		on     config.Machine
		folder string
		want   bool
	}{
		{"~/work/secret/**", linux, "/home/ada/work/secret", true},
		{"~/work/secret/**", linux, "/home/ada/work/secret/x", true},
		{"~/work/secret/**", linux, "/home/ada/work/secrets", false},
		{"~/work/secret/**", linux, "/home/ada/work/secret-x", true}, // the name is like that of a subfolder
		{"**/clients/*", linux, "/srv/clients/acme", true},
		{"**/clients/*", linux, "/srv/bigclients/acme", false},
		{"/srv/**/tmp/[ab]?*", linux, "/srv/x/y/tmp/abc", true},
		{"/srv/**/tmp", linux, "/srv/tmp", true},
		{`/srv/\[x]`, linux, "/srv/[x]", true},
		{"~/work/{acme,bolt}", linux, "/home/ada/work/cord", false},
		{"/srv/a.b", linux, "/srv/a.b/c", true},
		{"C:/Work", windows, `c:\work\x`, true},
		{"~/work", windows, `C:\Users\ada\work`, true},
		{"github.com/acme/*", linux, "/github.com/acme/x", false},
	}
	for _, tt := range tests {
		if _, got := matcher(t, tt.rule, tt.on).ExcludedName(munge(tt.folder), munge); got != tt.want {
			t.Errorf("%s: name of %s excluded = %v, want %v", tt.rule, tt.folder, got, tt.want)
		}
	}
}
