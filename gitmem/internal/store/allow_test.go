package store_test

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

func allowedPaths() []string {
	return []string{
		".gitignore", "gitmem/profile.md", "gitmem/config.yaml", "gitmem/providers/jira.md", "gitmem/a/b/c/d.md",
		"gitmem/projects/github.com/acme/pump/sessions/2026/2026-11-20.md", "gitmem/credentials.md", "gitmem/ünï.md",
		"projects/-home-me-x/memory/MEMORY.md", "projects/p/memory/a/b.md", "gitmem/gitignore.md", "gitmem/lock.md",
		"gitmem/index.md", "gitmem/settings.md",
		"gitmem/a b.md", "gitmem/console.md", "gitmem/com10.md",
	}
}

func refusedPaths() []string {
	return []string{
		"", ".", "..", "/", "gitmem", "gitmem/", "/gitmem/a.md", "gitmem//a.md", "gitmem/../a.md", "gitmem/./a.md",
		"../gitmem/a.md",
		"projects", "projects/p/memory", "projects/p/a.md", "projects/p/x.jsonl", "projects/p/memory/a.txt",
		"projects/p/memory/a.MD",
		"projects/p/x/memory/a.md", "projects/../gitmem/a.md", "settings.json", ".credentials.json", "history.jsonl",
		"Gitmem/a.md", "GITMEM/a.md",
		"gitmem/.index/lock", "gitmem/.git/config", "gitmem/a/.git/config", "gitmem/.GIT/config", "gitmem/.Git",
		"gitmem/git~1/config",
		"gitmem/GIT~1", "gitmem/index~1/x", "gitmem/gi7eba~1", "gitmem/.index", "gitmem/.INDEX/a", "gitmem/.git./x",
		"gitmem/.git /x",
		"gitmem/.g\u200cit/config", "gitmem/.gitignore", "gitmem/.gitmodules", "gitmem/.gitattributes", "gitmem/a/.gitignore",
		"gitmem/.env",
		"gitmem/a/b/c/d.txt", "gitmem/lock", "gitmem/mykey", "gitmem/a.MD", "gitmem/a/config.yaml", "gitmem/config.yml",
		"gitmem/hosts.yml",
		"gitmem/settings.json", "gitmem/settings.local.json", "gitmem/auth.json", "gitmem/key.der", "gitmem/terraform.tfvars",
		"projects/p/memory/settings.json",
		"gitmem/prod.env", "gitmem/x.PEM", "gitmem/server.key", "gitmem/id_rsa", "gitmem/ID_RSA", "gitmem/credentials",
		"gitmem/Credentials.json", "gitmem/_netrc",
		"gitmem/a.lock", "gitmem/a.lock/b.md", "gitmem/.gitmem-1-1.tmp", "gitmem/a.tmp", "gitmem/a~", "gitmem/#a#",
		"gitmem/.a.md.swp", "gitmem/.#a.md",
		"gitmem/con", "gitmem/CON.md", "gitmem/aux.x.md", "gitmem/com1/a.md", "gitmem/LPT9.md", "gitmem/nul .md",
		"gitmem/com¹.md", "gitmem/conin$",
		"gitmem/a.", "gitmem/a ", "gitmem/a./b.md", "gitmem/a:b.md", "gitmem/a\\b.md", `gitmem\a.md`, "gitmem/a\x00.md",
		"gitmem/a\nb.md", "gitmem/a\x7f", "gitmem/a?.md",
		"gitmem/\xff.md", "gitmem/" + strings.Repeat("a", 256), "C:/gitmem/a.md", "projects/.hidden/memory/a.md",
		"gitmem/local.yaml/a.md", "gitmem/LOCAL.yaml/a/b.md", "gitmem/config.yaml/a.md", "projects/p/memory/.a.md",
		".gitignore/a",
	}
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	for _, p := range allowedPaths() {
		if !store.Allowed(p) {
			t.Errorf("%q is refused", p)
		}
	}
	for _, p := range refusedPaths() {
		if store.Allowed(p) {
			t.Errorf("%q is allowed", p)
		}
	}
}

func FuzzAllowed(f *testing.F) {
	for _, p := range append(allowedPaths(), refusedPaths()...) {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if !store.Allowed(p) {
			return
		}
		if path.Clean(p) != p || path.IsAbs(p) || !filepath.IsLocal(filepath.FromSlash(p)) ||
			strings.ContainsAny(p, "\\:\x00\n") {
			t.Fatalf("%q is allowed but can leave the root", p)
		}
		if p == ".gitignore" {
			return
		}
		ours := strings.HasPrefix(p, "gitmem/") || strings.HasPrefix(p, "projects/")
		if p != "gitmem/config.yaml" && (!ours || !strings.HasSuffix(p, ".md")) {
			t.Fatalf("%q is allowed but not ours", p)
		}
		for seg := range strings.SplitSeq(strings.ToLower(p), "/") {
			bare := strings.TrimRight(seg, ". ")
			bad := bare == ".git" || bare == ".index" || bare == "git~1" || bare == "index~1" || bare == ".credentials.json" ||
				bare == "credentials.json" || bare == "credentials" || bare == "id_rsa" || strings.HasSuffix(bare, ".lock")
			if bad || seg == "" {
				t.Fatalf("%q is allowed", p)
			}
		}
	})
}

// TestIgnoreRulesAgree compares the allow-list in git's format with the one in code: git must not offer what Allowed
// refuses. Names that only other systems can't store are left to the code.
func TestIgnoreRulesAgree(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	for _, p := range allowedPaths() {
		if _, err := tryGit(s.Root(), "check-ignore", "-q", p); err == nil {
			t.Errorf("git ignores %s", p)
		}
	}
	for _, p := range []string{
		"settings.json", ".credentials.json", "history.jsonl", "projects/p/x.jsonl", "projects/p/a.md",
		"projects/p/memory/a.txt", "projects/p/x/memory/a.md",
		"projects/p", "gitmem/.index/lock", "gitmem/a/.index/x", "gitmem/.env", "gitmem/a/.b/c.md", "gitmem/x.pem",
		"gitmem/server.key", "gitmem/id_rsa", "gitmem/credentials",
		"gitmem/credentials.json", "gitmem/a.lock", "gitmem/b.lock/c.md", "gitmem/.gitmem-1-1.tmp", "gitmem/a.tmp",
		"gitmem/a~", "gitmem/#a#", "projects/p/memory/.a.md",
		"projects/p/memory/.x/a.md", "gitmem/.gitignore", "x/gitmem/a.md", "gitmem/settings.json", "gitmem/a.txt",
		"gitmem/a/b/mykey", "gitmem/a/config.yaml",
	} {
		if out, err := tryGit(s.Root(), "check-ignore", "-q", p); err != nil {
			t.Errorf("git does not ignore %s %s", p, out)
		}
	}
}

// TestAllowedInFolders compares the cached form for many files with Allowed.
func TestAllowedInFolders(t *testing.T) {
	t.Parallel()
	quick := store.AllowedIn()
	for range 2 {
		for _, p := range append(allowedPaths(), refusedPaths()...) {
			if got, want := quick(p), store.Allowed(p); got != want {
				t.Errorf("%q: %v, want %v", p, got, want)
			}
		}
	}
}
