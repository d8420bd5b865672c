package search_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// shape returns a query's items in a compact form for tables: words unchanged, phrases in angle brackets, fields in
// braces.
func shape(p search.Parsed) string {
	var out []string
	for _, it := range p.Items {
		sign := strings.Trim(string(rune(it.Sign)), "\x00")
		switch {
		case it.Field != "":
			out = append(out, sign+"{"+it.Field+"="+strings.Join(it.Values, "|")+"}")
		case it.Phrase:
			out = append(out, sign+"<"+it.Text+">")
		case it.Sign != search.Plain:
			out = append(out, sign+"!"+it.Text)
		default:
			out = append(out, it.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestParseQuery(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, query, question string }{
		{"", "", ""},
		{"pump relay", "pump relay", ""},
		{"  pump\t\nrelay ", "pump relay", ""},

		{`"exact words"`, "<exact words>", ""},
		{`why "exact  words"?`, "why <exact words> ?", ""},
		{`("exact words")`, "( <exact words> )", ""},
		{"“exact words” matter", "<exact words> matter", ""},
		{`+pump -relay`, "+!pump -!relay", ""},
		{`pump -relay -"a phrase" +"b c"`, "pump -!relay -<a phrase> +<b c>", ""},
		{`-relay, pump`, "-!relay pump", "-relay, pump"},
		{`-Überdruck`, "-!Überdruck", ""},
		{`-long-term -std::vector`, "-!long-term -!std::vector", ""},

		{`author:ann`, "{author=ann}", ""},
		{`AUTHOR:ann`, "{author=ann}", ""},
		{`author:"Ann Lee",bob type:fix`, "{author=Ann Lee|bob} {type=fix}", ""},
		{`-path:vendor +layer:team`, "-{path=vendor} {layer=team}", ""},
		{`path:*.c? pump`, "{path=*.c?} pump", ""},
		{`relay layer:team?`, "relay {layer=team?}", "relay {layer=team}"},
		{`since:"last month" until:2024-Q4`, "{since=last month} {until=2024-Q4}", ""},
		{`author:ann,`, "{author=ann}", ""},

		{`http://x foo:bar std::vector 12:30 C:\x`, `http://x foo:bar std::vector 12:30 C:\x`, ""},
		{`path::join project://x type: author:`, `path::join project://x type: author:`, ""},
		{`-10 °C - foo --flag -m don't`, `-10 °C - foo --flag -m don't`, ""},
		{`-Dname=value -1 +1 C++ a-b`, `-Dname=value -1 +1 C++ a-b`, ""},
		{`a 27" disk`, `a 27" disk`, ""},
		{`say "hello`, `say "hello`, ""},
		{`"stray and "a phrase"`, `"stray and <a phrase>`, ""},
		{`the " b " sign`, `the " b " sign`, ""},
		{`"pre"-commit and "foo"s`, `"pre"-commit and "foo"s`, ""},
		{`''single'' 'quotes here'`, `''single'' 'quotes here'`, ""},
		{`"" "=="`, `"" <==>`, ""},

		{`why do we run go test -race in CI`, `why do we run go test -!race in CI`, `why do we run go test -race in CI`},
		{`why go test -race?`, `why go test -!race`, `why go test -race?`},
		{`why did we drop redis -sidekiq`, `why did we drop redis -!sidekiq`, `why did we drop redis -!sidekiq`},
		{`-sidekiq -queue why did we drop redis layer:team -cron`,
			`-!sidekiq -!queue why did we drop redis {layer=team} -!cron`, ""},
	}
	for _, tt := range tests {
		if got := shape(search.ParseQuery(tt.in)); got != tt.query {
			t.Errorf("query %s\n got %s\nwant %s", tt.in, got, tt.query)
		}
		want := tt.question
		if want == "" {
			want = tt.query
		}
		if got := shape(search.ParseQuestion(tt.in)); got != want {
			t.Errorf("question %s\n got %s\nwant %s", tt.in, got, want)
		}
	}
}

// The conditions from a query's parts.
func TestApply(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, words, required, excluded, phrases string
	}{
		{"pump relay", "pump relay", "", "", ""},
		{"pump +Relays -valve", "pump Relays", "relai", "valv", ""},
		{"pump +foo_bar -parseHeader", "pump foo_bar", "foobar", "parsehead", ""},
		{`pump "the valve," -"a b" -std::vector`, "pump the valve,", "", "", "the valve / not a b / not std::vector"},
		{"author:ann pump", "pump", "", "", ""},
		{`"=="`, "==", "", "", "=="},
	}
	for _, tt := range tests {
		p := search.ParseQuery(tt.in)
		q := p.Apply(search.Query{})
		var phrases []string
		for _, f := range q.Phrases {
			phrases = append(phrases, map[bool]string{true: "not "}[f.Not]+f.Text)
		}
		got := []string{p.Words(), terms(q.Required), terms(q.Excluded), strings.Join(phrases, " / ")}
		if diff := gocmp.Diff([]string{tt.words, tt.required, tt.excluded, tt.phrases}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
	}
}

func terms(words []search.Words) string {
	var out []string
	for _, w := range words {
		out = append(out, strings.Join(w.Terms, "+"))
	}
	return strings.Join(out, " ")
}

func TestTimesOfAQuery(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 6, 5, 0, 0, 0, 0, time.UTC)
	tests := []struct{ in, span, rest string }{
		{"pump in March 2024", "2024-03-01 to 2024-03-31", "pump"},
		{`pump "in March 2024"`, "any time", "pump in March 2024"},
		{`"the valve" since March 2024 +relay -cron`, "since 2024-03-01", "the valve relay"},
		{"pump author:2023", "any time", "pump"},
	}
	for _, tt := range tests {
		r, rest := search.ParseQuery(tt.in).Times(now)
		if r.String() != tt.span || rest != tt.rest {
			t.Errorf("%s: %s, %q; want %s, %q", tt.in, r, rest, tt.span, tt.rest)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{
		`pump "exact words" -word +must -"a b" author:"Ann Lee",bob -path:vendor`, `-10 °C - foo --flag don't "stray`,
		"“a b” c\"", `author:“a"b -x:y`,
		`("a b") ["c"`, `path::join type:fix? layer:a,,b since:"`, "\xff\"\xfe\" -\xff\xffab", `"stray “a "b c” `,
		"+layer:x -猫猫 +猫", `-foo) "a"-b "c"d`, "\r.S", "\u2003.S",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, question bool) {
		parse := search.ParseQuery
		if question {
			parse = search.ParseQuestion
		}
		p := parse(text)
		again := parse(p.String())
		if diff := gocmp.Diff(p.Items, again.Items, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q reads as %s, and %q otherwise (-first +again):\n%s", text, shape(p), p.String(), diff)
		}
		if valid := strings.ToValidUTF8(text, "\uFFFD"); isPlain(p) &&
			!gocmp.Equal(index.Terms(valid), index.Terms(p.Words())) {
			t.Errorf("plain words of %q have other terms: %q", text, p.Words())
		}
		p.Apply(search.Query{})
	})
}

// isPlain reports whether a query has plain words only.
func isPlain(p search.Parsed) bool {
	return !slices.ContainsFunc(p.Items, func(it search.Item) bool {
		return it.Sign != search.Plain || it.Phrase || it.Field != ""
	})
}
