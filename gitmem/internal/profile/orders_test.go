package profile_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

func TestOrders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, say string
		want      []profile.Order
	}{
		{"only an order", "Never commit directly to main.", []profile.Order{{Text: "Never commit directly to main"}}},
		{"lead-in and thanks", "btw, please always run the linter before you say done, thanks!",
			[]profile.Order{{Text: "always run the linter before you say done"}}},
		{"behind a task",
			"The parser fails on empty input. Fix it. And from now on, write a regression test for each bug you fix.",
			[]profile.Order{{Text: "write a regression test for each bug you fix"}}},
		{"a reason and a task behind it", "never use malloc here, it fragments, so fix the parser",
			[]profile.Order{{Text: "never use malloc here"}}},
		{"code stays", "run `make lint` in this repo every time before you commit",
			[]profile.Order{{Text: "run `make lint` in this repo every time before you commit"}}},
		{"two", "Never push to main in this repo. Always run the linter before you commit.",
			[]profile.Order{{Text: "Never push to main in this repo"}, {Text: "Always run the linter before you commit"}}},
		{"once", "never push to main. Never push to main!", []profile.Order{{Text: "never push to main"}}},
		{"everywhere", "In all my repos, use 2 spaces",
			[]profile.Order{{Text: "In all my repos, use 2 spaces", Person: true}}},
		{"rule", "House rule: every public function gets a docstring.",
			[]profile.Order{{Text: "every public function gets a docstring"}}},
		{"declared", "Using lodash is not allowed in this project.",
			[]profile.Order{{Text: "Using lodash is not allowed in this project"}}},
		{"German", "Der Login ist kaputt. Übrigens: in diesem Projekt nie any verwenden",
			[]profile.Order{{Text: "in diesem Projekt nie any verwenden"}}},
		{"Chinese", "帮我修一下登录的 bug。另外以后每个 PR 都要附上截图", []profile.Order{{Text: "以后每个 PR 都要附上截图"}}},
		{"list", "Some rules from now on:\n- never push to main\n- always run the tests before committing",
			[]profile.Order{{Text: "never push to main"}, {Text: "always run the tests before committing"}}},

		{"question", "should we always use a mutex?", nil},
		{"fact", "the cache is always cold here", nil},
		{"fact from now on", "from now on the build server is called ci-02", nil},
		{"about the writer", "I never use tabs", nil},
		{"for this commit", "always run the linter in this commit", nil},
		{"told", "They told me, never use malloc here", nil},
		{"text to change", "change the agents.md: from now on use bun", nil},
		{"lines to write", "Add a line to the tooltip:\n- always run the tests before committing", nil},
		{"report", "my boss says never use malloc here", nil},
		{"quote", "the style guide says \"always use tabs in this repo\"", nil},
		{"block quote", "> never use floats in this repo\nwhat does this mean?", nil},
		{"code", "```\nnever use floats in this repo\n```", nil},
		{"supposed", "Imagine we'd always use Rust in this repo", nil},
		{"ironic", "sure, always delete my files, love that for me", nil},
		{"text to write", "add a line to the docs: always run make", nil},
		{"list to write",
			"Put these rules into the CONTRIBUTING file:\n- always run the tests in this repo\n- never push to main", nil},
		{"document to write", "Draft a policy for the office. Always lock the screen. Never use unknown sticks.", nil},
		{"program", "Add retry logic. The loop must never sleep more than 5 s, always back off.", nil},
		{"document of the program", "Build the login page. Never use a red border.", nil},
		{"German question", "sollen wir immer Mutexe nehmen", nil},
		{"Chinese report", "老板说以后都要用 Java", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, profile.Orders(tt.say)); diff != "" {
				t.Errorf("%q (-want +got)\n%s", tt.say, diff)
			}
		})
	}
}

func TestRevokedOrders(t *testing.T) {
	t.Parallel()
	for say, want := range map[string]bool{
		"you may use malloc again":                                   true,
		"you don't have to run the linter any more":                  true,
		"The ban on lodash is lifted.":                               true,
		"you can stop answering in German":                           true,
		"du musst den Linter nicht mehr laufen lassen":               true,
		"Die Regel zu Lombok gilt nicht mehr.":                       true,
		"之前说的英文提交信息的规则作废":                                            true,
		"never use malloc here":                                      false,
		"always run the linter again before you commit":              false,
		"from now on you must run the tests again before you commit": false,
		"New rule: no any in TypeScript":                             false,
		"never forget the rule about docstrings in this repo":        false,
		"benutze in diesem Repo nie wieder malloc":                   false,
		"以后都用中文回答我":                                                  false,
		"stop adding comments to everything you write":               false,
	} {
		t.Run(say, func(t *testing.T) {
			t.Parallel()
			orders := profile.Orders(say)
			if len(orders) != 1 || orders[0].Revokes != want {
				t.Errorf("%+v, want one that revokes: %v", orders, want)
			}
		})
	}
	for _, say := range []string{
		"you can run it again", "forget it", "can you use malloc again?", "you may have broken it again",
		"you don't have to do it now", "remove the rule from the eslint config", "drop the table users",
		"the rule engine is off by one", "du kannst es nochmal versuchen", "可以再跑一次吗",
	} {
		if orders := profile.Orders(say); orders != nil {
			t.Errorf("%q: %+v", say, orders)
		}
	}
}

// TestNameIsNoOrder checks that the name by which somebody wants to be called is not an order, even with words such as
// from now on.
func TestNameIsNoOrder(t *testing.T) {
	t.Parallel()
	for say, want := range map[string]string{
		"call me Ada, not \"user\", from now on":        "Ada",
		"from now on call me Sam please. fix the build": "Sam",
	} {
		here, everywhere := profile.OrderChanges(say)
		if len(here) > 0 || len(everywhere) != 1 || everywhere[0].Path != "work.name" || everywhere[0].Value != want {
			t.Errorf("%q: %+v, %+v", say, here, everywhere)
		}
	}
	if here, _ := profile.OrderChanges("never push to main, call me Sam"); len(here) != 1 {
		t.Errorf("an order with a name behind it: %+v", here)
	}
}

func TestLongOrder(t *testing.T) {
	t.Parallel()
	orders := profile.Orders("never commit " + strings.Repeat("any file ", 40) + "here")
	if len(orders) != 1 || utf8.RuneCountInString(orders[0].Text) > 200 || !strings.HasSuffix(orders[0].Text, " file") &&
		!strings.HasSuffix(orders[0].Text, " any") {
		t.Errorf("not cut between words: %+v", orders)
	}
}

func FuzzOrders(f *testing.F) {
	f.Add("btw never use `malloc` here. Always, “so” 以后都用中文回答我，太长")
	f.Add("from now on: thanks")
	f.Add("new rule: ¤ 'a. b'. forget the rule about 'x'!")
	f.Fuzz(func(t *testing.T, message string) {
		for _, o := range profile.Orders(message) {
			if o.Text == "" || utf8.RuneCountInString(o.Text) > 200 {
				t.Errorf("%q: %+v", message, o)
			}
			if !strings.Contains(strings.ReplaceAll(message, "’", "'"), o.Text) {
				t.Errorf("%q isn't in %q", o.Text, message)
			}
		}
	})
}

func BenchmarkOrders(b *testing.B) {
	task := "The parser drops the last row when the file has no newline. Look at reader.go and fix it, then show me the " +
		"diff. "
	for name, message := range map[string]string{
		"none":  strings.Repeat(task, 5)[:500],
		"one":   task + "Btw dont ever touch the linker script in this project, the bootloader depends on it.",
		"paste": strings.Repeat(task, 1000)[:100<<10],
	} {
		b.Run(name, func(b *testing.B) {
			profile.Orders(message)
			for b.Loop() {
				profile.Orders(message)
			}
		})
	}
}
