package providers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
)

func TestInferType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, title, body string
		paths             []string
		want              string
	}{
		{"conventional feature", "feat: relays", "", []string{"a_test.go"}, "feature"},
		{"scope and bang", "fix(api)!: drop v1", "", nil, "fix"},
		{"capital prefix", "Docs: fix the bug list", "", nil, "docs"},
		{"perf", "perf: fewer copies", "", nil, "refactor"},
		{"ci", "ci: run on arm", "", nil, "chore"},
		{"build", "build(deps): bump x from 1 to 2", "", nil, "chore"},
		{"revert prefix", "revert: feat: relays", "", nil, "fix"},
		{"test prefix", "test: cover the parser", "", nil, "test"},
		{"adr prefix", "ADR: use relays", "", nil, "decision"},
		{"unknown prefix", "relay: switch at zero", "", nil, "feature"},
		{"word fixes", "The parser fixes its offsets", "", nil, "fix"},
		{"word in another word", "Prefix every line", "", nil, "feature"},
		{"git revert", `Revert "Add relays"`, "", nil, "fix"},
		{"typo is docs", "Fix typo in README", "", []string{"README.md"}, "docs"},
		{"flaky is test", "Fix flaky timer", "", nil, "test"},
		{"incident", "Postmortem of the outage", "", nil, "incident"},
		{"only tests", "Cover the timer", "", []string{"timer_test.go", "testdata/x.json"}, "test"},
		{"only markdown", "Say how to install", "", []string{"INSTALL.md", "docs/a.png"}, "docs"},
		{"only ci", "Newer runner", "", []string{".github/workflows/go.yml"}, "chore"},
		{"only decisions", "Relays", "", []string{"docs/adr/0001-relays.md"}, "decision"},
		{"mixed files", "Relays", "", []string{"relay.go", "README.md"}, "feature"},
		{"docs and tests", "Relays", "", []string{"relay_test.go", "README.md"}, "feature"},
		{"verb", "Rename the relay", "", []string{"relay.go"}, "refactor"},
		{"question", "Why relays?", "", nil, "discussion"},
		{"body closes", "Switch at zero", "Long story.\n\nFixes #12", nil, "fix"},
		{"body mentions", "Switch at zero", "fixes nothing yet", nil, "feature"},
		{"nothing", "", "", nil, "feature"},
		{"colon far away", strings.Repeat("x", 80) + ": y", "", nil, "feature"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := providers.InferType(c.title, c.body, c.paths); got != c.want {
				t.Errorf("InferType(%q, %q, %q) = %q, want %q", c.title, c.body, c.paths, got, c.want)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"numbers", "Fix #12 and (#345), see !7.", []string{"#12", "#345", "!7"}},
		{"keys", "ABC-1: relay, [P2P-33] x", []string{"ABC-1", "P2P-33"}},
		{"branch", "Merge branch 'feature/ABC-12-relay'", []string{"ABC-12"}},
		{"address", "https://x.example/browse/ABC-12", []string{"ABC-12"}},
		{"rfc forms", "RFC-12, RFC 12, RFC12, RFC 9110", []string{"RFC-12", "RFC-9110"}},
		{"other repository", "as in acme/pump#9", []string{"acme/pump#9"}},
		{"gh", "GH-4 and #4", []string{"#4"}},
		{"doubles keep the first place", "#2 #1 #2", []string{"#2", "#1"}},
		{"standards", "UTF-8, SHA-256, ISO-8601, AES-128", nil},
		{"cve", "CVE-2024-12345 is closed", []string{"CVE-2024-12345"}},
		{"not references", "&#39; #0 #12a a#b x-1 A-1 abc-1 C#7 ##3 /#4 #1234567890", nil},
		{"lower key", "feature/abc-12", nil},
		{"middle of a word", "xABC-1 ABC-1x", nil},
		{"unicode neighbours", "修复#1并且ABC-2 →#3", []string{"#1", "ABC-2", "#3"}},
		{"roles", ":issue:`12` and :pr:`7`, :func:`3` :pr:`x` :pr:`07`", []string{"#12", "#7"}},
		{"end of text", "# ! ABC- RFC", nil},
		{"fragment", "https://x.example/page#12", nil},
		{"empty", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, providers.References(c.text)); diff != "" {
				t.Errorf("References(%q) (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func FuzzReferences(f *testing.F) {
	for _, s := range []string{"#1", "ABC-1", "RFC 1", "a/b#1", "CVE-2024-", "#", "GH-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, ref := range providers.References(text) {
			if ref == "" || seen[ref] || strings.ContainsAny(ref, " \n\t") {
				t.Errorf("References(%q) holds %q, which is empty, doubled or has a space", text, ref)
			}
			seen[ref] = true
			if again := providers.References(ref); len(again) != 1 || again[0] != ref {
				t.Errorf("References(%q) = %q: a reference must be read as itself", ref, again)
			}
		}
		providers.InferType(text, text, []string{text})
	})
}
