package index_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"stemmed words", "The relays were chosen", "the relai were chosen"},
		{"camel case", "parseHTTPHeader", "parsehttphead pars http header"},
		{"plural of an acronym", "IDs URLs PRs", "id url pr"},
		{"brand", "GitHub utf8Decoder", "github git hub utf8decoder utf8 decod"},
		{"snake case", "max_open_conns", "max_open_conns max open conn"},
		{"dunder", "__init__", "init"},
		{"dotted", "index.Open(dir)", "index.open index open dir"},
		{"path", "see internal/index/shard.go:12.", "see internal/index/shard.go intern index shard go 12"},
		{"version and address", "v1.2.3 10.0.0.1", "v1.2.3 v1 2 3 10.0.0.1 10 0 0 1"},
		{"ticket and date", "ABC-12 2026-11-20", "abc-12 abc 12 2026-11-20 2026 11 20"},
		{"hyphenated", "left-leaning", "left lean"},
		{"contractions", "don't we'll the user’s can't", "dont we the user cant"},
		{"quotes", "'a' x='b' b'raw'", "a x b b raw"},
		{"accents", "Café über Straße naïve Łódź", "cafe uber strass naiv lodz"},
		{"decomposed accents", "Cafe\u0301 и\u0306од йод", "cafe иод иод"},
		{"greek and cyrillic", "Ελλάδα Ёлка", "ελλαδα елка"},
		{"chinese", "数据库 库", "数据 据库 库"},
		{"mixed scripts", "用Go写", "用 go 写"},
		{"korean", "한국어", "한국 국어"},
		{"thai", "ไทย", "ไท ทย"},
		{"full width", "ＡＢＣ１", "abc1"},
		{"numbers", "3.14 42 1e9", "3.14 3 14 42 1e9"},
		{"encoded bytes stay whole", "aGVsbG8gd29ybGQgYQbBcCdDeE", "agvsbg8gd29ybgqgyqbbccddee"},
		{"invalid bytes separate", "ab\xffcd", "ab cd"},
		{"nothing", " \t… — ()", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(strings.Fields(c.want), strings.Fields(strings.Join(index.Terms(c.in), " "))); diff != "" {
				t.Errorf("Terms(%q) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestWordsOffsets(t *testing.T) {
	t.Parallel()
	text := "Née: don’t runGoFast a/b 日本語"
	var got []string
	for _, w := range index.Words(text) {
		got = append(got, w.Term+"="+text[w.Start:w.End])
	}
	want := []string{"nee=Née", "dont=don’t", "rungofast=runGoFast", "run=run", "go=Go", "fast=Fast",
		"a/b=a/b", "a=a", "b=b", "日本=日本", "本語=本語"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Words (-want +got):\n%s", diff)
	}
}

func TestLongTermsAreCut(t *testing.T) {
	t.Parallel()
	for _, in := range []string{strings.Repeat("x", 5000), strings.Repeat("ä", 5000), strings.Repeat("Ж", 5000),
		strings.Repeat("dir/", 200) + "file", strings.Repeat("q", 64)} {
		terms := index.Terms(in)
		if len(terms) == 0 {
			t.Fatalf("Terms(%.20q…) is empty", in)
		}
		if n := len(terms[0]); n > 64 || n < 60 || !utf8.ValidString(terms[0]) {
			t.Errorf("Terms(%.20q…)[0] has %d bytes, valid %v", in, n, utf8.ValidString(terms[0]))
		}
	}
}

func TestQueryTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"why did we drop Redis?", "drop redi"},
		{"the relay, the relays", "relai"},
		{"who are you", "who ar you"},
		{"What isn't toString", "tostr string"},
		{"", ""},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), strings.Fields(strings.Join(index.QueryTerms(c.in), " "))); diff != "" {
			t.Errorf("QueryTerms(%q) (-want +got):\n%s", c.in, diff)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "getUserName", "a_b.c/d-1", "don't", "日本語ab", "İSTANBUL ǅ ß ẞ ﬃ", "e\u0301\u0301",
		"\xff\xfe", "ไทย", "’s", strings.Repeat("aB", 40), "K Å Ω ϴ", "x'", "ΑΣ ᾈ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := index.Words(s)
		last := 0
		for _, w := range words {
			if w.Start < last || w.Start >= w.End || w.End > len(s) {
				t.Fatalf("offsets [%d,%d) of %q lie outside %d bytes", w.Start, w.End, w.Term, len(s))
			}
			last = w.Start
			if w.Term == "" || len(w.Term) > 64 || !utf8.ValidString(w.Term) {
				t.Fatalf("bad term %q", w.Term)
			}
			if low := strings.ToLower(w.Term); low != w.Term {
				t.Fatalf("term %q is not in lower case: %q", w.Term, low)
			}
		}
		terms := index.Terms(s)
		if len(terms) != len(words) || !slices.Equal(terms, index.Terms(s)) {
			t.Fatalf("Terms differs from Words or from itself on %q", s)
		}
		for _, q := range index.QueryTerms(s) {
			if !slices.Contains(terms, q) {
				t.Fatalf("query term %q is no term of %q", q, s)
			}
		}
	})
}

func BenchmarkTerms(b *testing.B) {
	text := strings.Repeat("We chose the 10 A relay because internal/pump/driver.go measured a peak of 7.2 A; see getPeakCurrent. ", 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		index.Terms(text)
	}
}
