package redact_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func TestNamesThatHoldASecret(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, p := range tokenPlants() {
		if p.kind == "private-key" {
			continue
		}
		for _, path := range []string{p.secret, "feature/" + p.secret, "keys/" + p.secret + "/notes.md", "fix-" + p.secret,
			"backup/" + p.secret + ".txt"} {
			if kind, found := r.Name(path); !found && !glued(path, p.secret) {
				t.Errorf("%s: nothing found in %q (%q)", p.kind, path, kind)
			}
			told := r.Path(path)
			if kind, found := r.Name(told); found || strings.Contains(told, p.secret) && !glued(path, p.secret) {
				t.Errorf("%s: %q is told as %q, which holds %q", p.kind, path, told, kind)
			}
		}
	}
	for path, want := range map[string]string{
		"dump/password=hunter2.txt":                      "password",
		"x/DB_PASSWORD=letmein":                          "password",
		"mirror/https:/a:" + randomToken + "@h/x":        "",
		"clone/https://dev:" + randomToken[:12] + "@h/x": "url-password",
		"notes/<private>a":                               "private",
	} {
		if kind, found := r.Name(path); kind != want || found != (want != "") {
			t.Errorf("Name(%q) = %q, %v, want %q", path, kind, found, want)
		}
	}
}

// glued reports whether a prefix that is short enough to occur inside words follows a base64 character.
func glued(path, secret string) bool { return path == "fix-"+secret }

// TestDistinctNames checks that a name that becomes a path shows no secret, that two secret names stay distinct, and
// that any other name is unchanged.
func TestDistinctNames(t *testing.T) {
	t.Parallel()
	r := redact.New()
	seen := map[string]string{}
	for _, p := range tokenPlants() {
		if p.kind == "private-key" {
			continue
		}
		for _, value := range []string{p.secret, p.secret[:len(p.secret)-1] + "7"} {
			name := "forge.example/acme/" + value
			got := r.Distinct(name)
			if _, found := r.Name(got); found || strings.Contains(got, value) || r.Distinct(got) != got {
				t.Errorf("%q became %q, then %q", name, got, r.Distinct(got))
			}
			if other, taken := seen[got]; taken && other != name {
				t.Errorf("%q and %q both became %q", other, name, got)
			}
			seen[got] = name
		}
	}
	for _, name := range []string{"", "github.com/acme/pump", "host/a/token-refresh", "/home/dev/secrets/x"} {
		if got := r.Distinct(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
}

func TestNamesThatHoldNone(t *testing.T) {
	t.Parallel()
	r := redact.New()
	for _, path := range []string{
		"", "main", "feature/token-refresh", "fix/password-reset-2024", "src/auth/secret_store.go",
		"objects/3f/2a91c4d5e6f708192a3b4c5d6e7f8091a2b3c4",
		"projects/550e8400-e29b-41d4-a716-446655440000.jsonl", "dependabot/npm_and_yarn/js-tokens-4.0.0",
		"renovate/lock-file-maintenance", "testdata/key.pem", "a/[redacted:jwt].md",
		"node_modules/@sentry/node/esm/sdk-" + randomHex[:8] + ".js", "assets/app." + randomHex[:20] + ".js",
		"claude/session-" + randomHex[:12], "secrets/.gitkeep", "C:/Users/dev/token=none",
		"go/pkg/mod/cache/download/example.org/token/@v/v1.5.0.zip", "gitmem/store/projects/github.com/acme/pump",
		".env.example",
	} {
		if kind, found := r.Name(path); found {
			t.Errorf("Name(%q) found %q", path, kind)
		}
		if told := r.Path(path); told != path {
			t.Errorf("%q is told as %q", path, told)
		}
	}
}

func BenchmarkName(b *testing.B) {
	r := redact.New()
	for b.Loop() {
		r.Name("gitmem/internal/redact/testdata/token-refresh/password_reset_2024.md")
	}
}
