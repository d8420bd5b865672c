package graph_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/templates"
)

// mine is a list written by a person.
const mine = `---
format: 1
---

# What we call things

- tech/PostgreSQL: pg, Postgres, the database
- person/Ada Example: @ada, ada@example.org
- project/billing
- concept/rate limiting: limiter, throttling
* ` + "`tech/zerolog`" + `: zlog
- tech/Spring Boot: spring
`

// named returns the entities of a text, as type/name.
func named(n *graph.Names, text string) (list []string) {
	for _, m := range n.Mentions(text) {
		list = append(list, m.Type+"/"+m.Name)
	}
	return list
}

func read(t *testing.T, list string) *graph.Names {
	t.Helper()
	n, faults := graph.ReadNames(list)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return n
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"we use postgres because Redis has no joins", "technology/PostgreSQL technology/Redis"},
		{"psql, pg and Postgres are one", "technology/PostgreSQL"},
		{"put them in postgres, we have no redis", "technology/PostgreSQL technology/Redis"},
		{"Tailwind CSS comes before Spring Boot.", "technology/Tailwind CSS technology/Spring Boot"},
		{"Let's rewrite it in Go, not in Rust", "technology/Go technology/Rust"},
		{"the page is React with Next.js", "technology/React technology/Next.js"},
		{"die Postgres-Datenbank läuft in Docker", "technology/PostgreSQL technology/Docker"},
		{"a Redis-backed queue", "technology/Redis"},
		{"the ESP32 talks to an SX1262 and an STM32L072", "technology/ESP32 technology/SX1262 technology/STM32L072"},
		{"control-v1.1 is tagged", "concept/control-v1.1"},
		{"ABC-123, P95, E1101x, v1.2 and UTC+02 are none", ""},
		{"**Kafka** (or RabbitMQ), not \"NATS\"", "technology/Kafka technology/RabbitMQ technology/NATS"},
		{"Redis's cluster mode", "technology/Redis"},
		{"C++ and C# both have it", "technology/C++ technology/C#"},
		{"we moved to #tech/pg and #technology/Foo", "technology/PostgreSQL technology/Foo"},
		{"#tech/spring it is, #project/billing too", "technology/Spring Boot project/billing"},
		{"#redis is down", "technology/Redis"},
		{"#concept/backpressure, #person/bob", "concept/backpressure person/bob"},
		{"as @ada said, cc @bob-lee", "person/ada person/bob-lee"},
		{"(@ada) wants it", "person/ada"},
		{"look at @src/main.go and @README.md", "file/src/main.go file/README.md"},
		{"`internal/log` wraps slog now", "file/internal/log"},
		{"the bug is in `./src/a.go:12` and `src/A.go`", "file/src/a.go"},
		{"`foo_bar.go` is not `foo-bar.go`", "file/foo_bar.go file/foo-bar.go"},
		{"edit `go.mod`, `~/.claude/settings.json` and `src/pages/`",
			"file/go.mod file/~/.claude/settings.json file/src/pages"},
		{"`.github/workflows/ci.yml` fails", "file/.github/workflows/ci.yml"},
	} {
		if got := strings.Join(named(read(t, ""), tt.text), " "); got != tt.want {
			t.Errorf("%q names %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestNotNamed: text that only looks like a name is not an entity.
func TestNotNamed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"fixes #12, see PR #7 and #a1b2c3", "make it #fff or #A1B2C3FF on #0af", "closes #GH-12 and #T123 at #L40",
		"it's #1 on the list",
		"[usage](#usage) and [docs](README.md#install)", "see docs.md#section or foo#bar", "`#main` and `@media` in `#tag`",
		"#include <stdio.h>, then #define X and #ifdef",
		"#TODO #nolint #noqa", "the #app div and the #main:hover rule", "# Heading with words", "this.#count is private",
		"#x is too short", "a C-style #-comment",
		"install @types/node @babel/core", "pin it @v1.2.3 or lodash@4.17.21", "@media (min-width: 3em)",
		"the @Override annotation, @Autowired too", "@app.route('/x') breaks",
		"@pytest.fixture is slow", "@login_required on the view", "mail ada@example.org about it",
		"install foo@latest or @next", "@property, @staticmethod and @dataclass",
		"@user is nil in the controller", "the @throttle decorator", "@cache(ttl=3) does it",
		"HEAD@{1} and git@github.com:a/b.git", "@5pm @ home", "ask @claude or @dependabot",
		"@param x the value, @return nothing", "image nginx@sha256:abc", "@everyone @here", "`@ada` in code",
		"go to the next page and make it just work", "the screen of this node is a spring green",
		"Go ahead. Make it so. Next: ship", "React to the event", "we react to a spark of unity",
		"pass the edge case with the bat and a torch", "Ask Ada and Julia on Monday", "Hugo and Charles are off",
		"windows of the house", "things, teams and the element", "option C or plan D or R",
		"run the testing library", "a shell script on a black box", "tabs, spaces, TDD and early returns",
		"the bundler and the composer", "it rust and swift as a crystal", "a ts of 12, ff, fd 3",
		"mac address", "redis.conf, --redis and $REDIS and redis() and redis_url", "https://redis.io and redis://h:1",
		"import src/redis/client", "some/redis/path and a/go/b", "`redis` and `pg.Pool`",
		"`and/or`", "`application/json`", "`feature/login`", "`origin/main`", "`/api/users`", "`owner/repo`",
		"`github.com/acme/pump`", "`npm test`", "`foo()`", "`fmt.Println`", "`v1.2`",
		"`*.go`", "`--flag`", "`https://x.org/a.go`", "`time.Now`", "`mu.lock`", "`res.json`", "`np.sum`", "`Node.js`",
		"`_test.go`", "`a=b.go`", "`SELECT * FROM a.sql`", "`true`", "`.map`", "`N/A`", "`/remember`",
		"@daily and @hourly jobs", "an @escaping closure, @objc and @available", "// @ts-ignore above it",
		"@tanstack and @radix-ui are in", "@cart is nil, @customer too", "import it from @components or @utils",
		"@foo and @bar", "page @oncall", "#login-form hides #main-content", "#each over #initialize",
		"in #billing-ops they said so", "commit #deadbee and #a1b2c3d", "#PROJX-123 at #v1.2.3", "#app.dark is set",
		"`tools/list` and `tools/call`", "`pkg/errors` and `lib/pq`", "`feature/x/` or `refs/heads/main/`",
		"`docs.rs`, `crates.rs`", "`e.cs` `obj.c` `ctx.c` `window.h`", "`this.state.json`", "da ist nix dran, nix geht",
		"src/main.go without backticks", "", "`", "``", "@", "#", "- - -", "Das Element und der Payload auf der Konsole",
		"\"Make this a memory\" is the button",
	} {
		if got := named(read(t, ""), text); len(got) > 0 {
			t.Errorf("%q names %q", text, got)
		}
	}
}

// TestNotNames: every name that the list of non-names mentions is a known name.
func TestNotNames(t *testing.T) {
	t.Parallel()
	for entry := range templates.NotNames() {
		at, name, _ := strings.Cut(entry, " ")
		if known, _, _ := profile.Name(name); known == "" && (at == "word" || at == "never") {
			t.Errorf("%s: %s is no name", at, name)
		}
	}
}

// TestTags: a tag after an idea is a concept, unless it is another entity.
func TestTags(t *testing.T) {
	t.Parallel()
	var got []string
	for _, m := range read(t, mine).Mentions("pg stays", "rate-limiting", "project/billing", "tech/pg", "backpressure",
		"redis", "fff", "todo") {
		got = append(got, m.Type+"/"+m.Name)
	}
	want := []string{"technology/PostgreSQL", "concept/rate limiting", "project/billing", "concept/backpressure",
		"technology/Redis"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestListed: a person's list takes precedence over detected entities.
func TestListed(t *testing.T) {
	t.Parallel()
	n := read(t, mine)
	for _, tt := range []struct{ text, want string }{
		{"The Database is slow", "technology/PostgreSQL"},
		{"throttling by a Limiter, #rate-limiting", "concept/rate limiting"},
		{"mail ada@example.org or @ada", "person/Ada Example"},
		{"ZLOG, not zlogger or zlog.New", "technology/zerolog"},
		{"spring is here", "technology/Spring Boot"},
		{"the billing team, #project/Billing", "project/billing"},
		{"`pg` is the client", "technology/PostgreSQL"},
		{"the, database", ""},
		{"the (database)", ""},
		{"limiters of a rate, limiting", ""},
	} {
		if got := strings.Join(named(n, tt.text), " "); got != tt.want {
			t.Errorf("%q names %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestReadNames(t *testing.T) {
	t.Parallel()
	_, faults := graph.ReadNames("\ufeff- tech/A: x,, y\r\n\nprose - here\n- plain words\n- animal/cat\n- tech/\n" +
		"- concept/b: X, z\n- tech/a: w, z\n" +
		"- concept/c: one two three four five six\n- concept/" + strings.Repeat("n", 101) + "\n- concept/x\n-no item\n-\n")
	want := []string{
		`4: "plain words" begins with no type: write tech/, project/, concept/, person/ or file/ and a name`,
		`5: "animal/cat" begins with no type: write tech/, project/, concept/, person/ or file/ and a name`,
		`6: "tech/" begins with no type: write tech/, project/, concept/, person/ or file/ and a name`,
		`7: "X" is technology/A already`,
		`8: "z" is concept/b already`,
		`9: "one two three four five six" is no name: it has more than 5 words or 100 bytes`,
		`10: "` + strings.Repeat("n", 39) + `…" is no name: it has more than 5 words or 100 bytes`,
		`11: "x" is technology/A already`,
	}
	var got []string
	for _, f := range faults {
		got = append(got, strings.Join([]string{strconv.Itoa(f.Line), f.Reason}, ": "))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// FuzzNames: any list and any text can be read, each entity has one name and one type, and no alias has two entities.
func FuzzNames(f *testing.F) {
	f.Add(mine, "pg, the database, @ada and #rate-limiting in `a.go:3`")
	f.Add("- tech/: :\n* #/x\n- person/@: @,@", "@ # `` ` @@ ##x #tech/ *-*")
	f.Add("- file/a b: \xff, ´", "\xff@\xff#\xff` `")
	f.Fuzz(func(t *testing.T, list, text string) {
		n, _ := graph.ReadNames(list)
		seen := map[graph.Entity]bool{}
		for _, m := range n.Mentions(text) {
			if m.Name == "" || seen[m.Entity] || !slices.Contains(graph.EntityTypes(), m.Type) {
				t.Errorf("%q names %+v", text, m)
			}
			seen[m.Entity] = true
		}
		aliases := map[string]string{}
		for _, names := range n.Aliases {
			for _, as := range names[1:] {
				if of, ok := aliases[as]; ok && of != names[0] {
					t.Errorf("%q is %q and %q", as, of, names[0])
				}
				aliases[as] = names[0]
			}
		}
	})
}
