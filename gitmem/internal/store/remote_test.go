package store_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

func TestNormaliseRemote(t *testing.T) {
	t.Parallel()
	const pump = "github.com/acme/pump"
	for in, want := range map[string]string{
		"https://github.com/acme/pump":                       pump,
		"https://github.com/acme/pump.git":                   pump,
		"https://github.com/acme/pump.git/":                  pump,
		"https://GitHub.com:443//acme/pump/":                 pump,
		"https://user:s3cret@github.com/acme/pump.git":       pump,
		"https://x-access-token:t@github.com/acme/pump":      pump,
		"git@github.com:acme/pump.git":                       pump,
		"github.com:acme/pump":                               pump,
		"git@github.com:/acme/pump.git":                      pump,
		"ssh://git@github.com/acme/pump.git":                 pump,
		"ssh://git@github.com:22/acme/pump":                  pump,
		"ssh://git@ssh.github.com:443/acme/pump.git":         pump,
		"git://github.com/acme/pump.git":                     pump,
		"git+ssh://git@github.com./acme/pump.git":            pump,
		"  https://github.com/acme/pump \n":                  pump,
		"git@gitlab.example.com:group/sub/deep/Repo.git":     "gitlab.example.com/group/sub/deep/Repo",
		"https://gitlab.example.com/group/sub/deep/Repo.git": "gitlab.example.com/group/sub/deep/Repo",
		"https://example.com/a%20b":                          "example.com/a b",
		"ssh://git@[2001:DB8::1]:2222/~me/x.git":             "[2001:db8::1]/~me/x",
		"[::1]:x/y.git":                                      "[::1]/x/y",
		"work:acme/pump":                                     "work/acme/pump",
		"https://git.example.com/pump":                       "git.example.com/pump",
	} {
		if got, ok := store.NormaliseRemote(in); got != want || !ok {
			t.Errorf("%q: got %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", " ", "file:///srv/x/y.git", "/srv/x.git", "../x", "./a:b", "x.git", `C:\src\x`,
		"C:/src/x", "D:x",
		"ext::sh -c x", "codecommit::eu://x", "https://", "https://github.com", "https://github.com/",
		"https://github.com/.git",
		"https:///a/b", "https://github.com/../x", "git@host:", "https://ho st/x", "https://h/a\x00b", "host:a\nb",
		"https://[::1/x", "a@b:../e"} {
		if got, ok := store.NormaliseRemote(in); ok || got != "" {
			t.Errorf("%q: got %q, want nothing", in, got)
		}
	}
}

func FuzzNormaliseRemote(f *testing.F) {
	for _, s := range []string{"https://u:p@github.com:1/a/b.git", "git@h:a/b", "ssh://[::1]:22/x", "file:///x", `C:\x`,
		"h:%41/%2541", "https://h/a%2fb", "x::y", "h:a?b#c", "https://h/.git.git", strings.Repeat("0", 252) + ":0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		id, ok := store.NormaliseRemote(in)
		if !ok {
			if id != "" {
				t.Fatalf("%q is not ok but gives %q", in, id)
			}
			return
		}
		host, path, found := strings.Cut(id, "/")
		if !found || host == "" || path == "" || strings.ContainsAny(host, "@ ") || strings.HasSuffix(id, ".git") {
			t.Fatalf("%q gives the bad id %q", in, id)
		}
		for seg := range strings.SplitSeq(path, "/") {
			if seg == "" || seg == "." || seg == ".." {
				t.Fatalf("%q gives the bad id %q", in, id)
			}
		}
		if again, ok := store.NormaliseRemote("ssh://git@" + id); !ok || again != id {
			t.Fatalf("%q gives %q, and that gives %q", in, id, again)
		}
		p := store.Identify(store.Identity{Remotes: []string{id}})
		if len(id) < 40 && (p.ID != id || !store.Allowed(p.Dir+"/project.md")) {
			t.Fatalf("%q has the name %q and the folder %q, allowed: %v", id, p.ID, p.Dir, store.Allowed(p.Dir+"/project.md"))
		}
		// Long names are abbreviated, and a path leads to the abbreviation.
		if back, ok := store.ProjectOf(p.Dir + "/sessions/x.md"); !ok || back != p.ID {
			t.Fatalf("%q comes back as %q, not as %q", id, back, p.ID)
		}
	})
}
