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
		{"snake case", "max_open_conns", "maxopenconn max open conn"},
		{"screaming case", "ERR_TIMEOUT", "errtimeout err timeout"},
		{"dunder", "__init__", "init"},
		{"dotted", "index.Open(dir)", "index.open index open dir"},
		{"path", "see internal/index/shard.go:12.", "see intern index shard.go shard go 12"},
		{"windows path", `C:\Users\me\driver.go`, "c user me driver.go driver go"},
		{"escaped windows path", `a\\b`, "a b"},
		{"snake case in a path", "hooks/user_prompt.go", "hook userprompt.go userprompt user prompt go"},
		{"versions and address", "v1.2.3 v2 10.0.0.1 v1.2.3-rc.1",
			"1.2.3 1 2 3 v2 10.0.0.1 10 0 0 1 1.2.3rc.1 1 2 3rc 3 rc 1"},
		{"ticket and date", "ABC-12 2026-11-20", "abc12 abc 12 20261120 2026 11 20"},
		{"hyphenated", "left-leaning", "leftlean left lean"},
		{"kebab case", "user-prompt-submit", "userpromptsubmit user prompt submit"},
		{"error codes", "E0382 0x80070005 HTTP 404", "e0382 0x80070005 http 404"},
		{"languages", "C++ C# .NET node.js C++17 i++", "c++ c c# c .net net node.js node js c++ c 17 i++ i"},
		{"no languages", "a+b a+++b c#d x# f(#)", "a b a b c d x# x f"},
		{"dotfile", "edit ~/.claude/x and .env, not f().env", "edit .claude claud x and .env env not f env"},
		{"issues", "#123 owner/repo#12 page#top PR#7", "#123 123 owner repo #12 12 page top pr #7 7"},
		{"people and tags", "@alice #web_hook a@b.org @scope/pkg",
			"@alice alic #webhook webhook web hook a b.org b org @scope scope pkg"},
		{"url", "https://example.com/a?b=1#c", "http example.com exampl com a b 1 c"},
		{"commit", "dc42e59bd18b8a4b9c6cf53c24ba2a5f3d58f2b1", "dc42e59bd18b8a4b9c6cf53c24ba2a5f3d58f2b1 dc42e59"},
		{"no commit", "deadbeef 1234567890 " + strings.Repeat("a1", 32), "deadbeef 1234567890 " + strings.Repeat("a1", 32)},
		{"contractions", "don't we'll the user’s can't", "dont we the user cant"},
		{"quotes", "'a' x='b' b'raw'", "a x b b raw"},
		{"accents", "Café über Straße naïve Łódź Ørsted", "cafe uber strass naiv lodz orst"},
		{"turkish", "İstanbul ısı IŞIK", "istanbul isi isik"},
		{"decomposed accents", "Cafe\u0301 и\u0306од йод", "cafe иод иод"},
		{"soft hyphen", "re\u00adlay", "relai"},
		{"russian", "базы данных, базой; Ёлка ёлки елка́", "баз дан баз елк елк елк"},
		{"russian endings with й", "новый новыи\u0306", "нов нов"},
		{"ukrainian", "їжак база", "іжак баз"},
		{"greek", "Ελλάδα ἑλλάς λόγος ΛΟΓΟΣ", "ελλαδα ελλασ λογοσ λογοσ"},
		{"hebrew", "שָׁלוֹם שלום", "שלום שלום"},
		{"arabic", "مُحَمَّد محمد إدارة ادارة أ\u0653 ۱۲", "محمد محمد اداره اداره ا 12"},
		{"chinese", "数据库 库", "数据 数 据库 据 库 库"},
		{"mixed scripts", "用Go写", "用 go 写"},
		{"kana", "テキストを", "テキ キス スト トを"},
		{"kanji and kana", "検索する", "検索 検 索す 索 する"},
		{"long vowel", "サーバー サーバ キー", "サー ーバ サー ーバ キー"},
		{"half width kana", "ｶﾞｿﾘﾝ ガソリン カ\u3099", "ガソ ソリ リン ガソ ソリ リン ガ"},
		{"korean", "한국어 물", "한국 한 국어 국 어 물"},
		{"decomposed korean", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국 한 국"},
		{"thai", "ไทย", "ไท ทย"},
		{"full width", "ＡＢＣ１", "abc1"},
		{"numbers", "3.14 42 1e9", "3.14 3 14 42 1e9"},
		{"encoded bytes stay whole", "aGVsbG8gd29ybGQgYQbBcCdDeE", "agvsbg8gd29ybgqgyqbbccddee"},
		{"invalid bytes separate", "ab\xffcd", "ab cd"},
		{"nothing", " \t… — () #. @ ..", ""},
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
		"a=a", "b=b", "日本=日本", "日=日", "本語=本語", "本=本", "語=語"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Words (-want +got):\n%s", diff)
	}
}

func TestLongTermsAreCut(t *testing.T) {
	t.Parallel()
	for _, in := range []string{strings.Repeat("x", 5000), strings.Repeat("ä", 5000), strings.Repeat("Ж", 5000),
		strings.Repeat("dir.", 200) + "file", strings.Repeat("q", 64)} {
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
		{"a left-leaning pre-commit", "left lean pre commit"},
		{"pre_commit ABC-1", "precommit pre commit abc1 abc 1"},
		{"数据库 库", "数据 据库 库"},
		{"", ""},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), strings.Fields(strings.Join(index.QueryTerms(c.in), " "))); diff != "" {
			t.Errorf("QueryTerms(%q) (-want +got):\n%s", c.in, diff)
		}
	}
}

// TestSpellings finds each spelling of a name by each of the others: every term of the question is in the document.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"user-prompt-submit", "UserPromptSubmit", "user_prompt_submit", "userPromptSubmit", "USER_PROMPT_SUBMIT",
			"user__prompt_submit"},
		{"preCommit", "pre_commit", "pre-commit", "PRE_COMMIT"},
		{"v1.2.3", "1.2.3", "V1.2.3"},
		{`src\cmd\main.go`, "src/cmd/main.go", `src\\cmd\\main.go`},
		{"ABC-12", "abc_12", "abc-12"},
		{"pre-commit.yaml", "pre_commit.yaml"},
		{"Café", "Cafe\u0301", "cafe", "CAFÉ"},
		{"Åse Ørsted", "A\u030ase orsted", "åse ørsted"},
		{"ё", "е\u0308", "Е"},
		{"ガギグ", "ｶﾞｷﾞｸﾞ", "カ\u3099キ\u3099ク\u3099"},
		{"パピ", "ﾊﾟﾋﾟ", "ハ\u309aヒ\u309a"},
		{"コンピューター", "コンピュータ", "ｺﾝﾋﾟｭｰﾀｰ"},
		{"한국어", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"},
		{"ᾳ", "α", "α\u0345"},
		{"０８", "08", "٠٨"},
	} {
		for _, doc := range same {
			terms := index.Terms(doc)
			for _, asked := range same {
				for _, q := range index.QueryTerms(asked) {
					if !slices.Contains(terms, q) {
						t.Errorf("%q asks for %q, which %q does not have: %q", asked, q, doc, terms)
					}
				}
			}
		}
	}
}

// TestParts finds a compound by the parts that people use.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ doc, asked string }{
		{"internal/index/shard.go", "shard.go"}, {"internal/index/shard.go", "index shard"},
		{"hooks/user_prompt.go", "userPrompt"},
		{"e-mail", "email"}, {"fixes owner/repo#12", "#12"}, {"fixes owner/repo#12", "owner/repo"},
		{"ask alice@example.com", "example.com alice"},
		{"in dc42e59bd18b8a4b9c6cf53c24ba2a5f3d58f2b1", "dc42e59"}, {"猫が好き", "猫"}, {"물을", "물"}, {"written in C++", "C"},
		{".gitignore", "gitignore"},
		{"#golang", "golang"}, {"@alice", "alice"},
	} {
		terms := index.Terms(c.doc)
		for _, q := range index.QueryTerms(c.asked) {
			if !slices.Contains(terms, q) {
				t.Errorf("%q is not found by %q: %q is not in %q", c.doc, c.asked, q, terms)
			}
		}
	}
}

// TestHashesAreFew: encoded bytes do not fill an index.
func TestHashesAreFew(t *testing.T) {
	t.Parallel()
	for in, most := range map[string]int{
		strings.Repeat("0123456789abcdef", 4): 1, strings.Repeat("0123456789abcdef", 2) + "01234567": 2,
		"3f2a91c4-9a7b-4c11-8e22-0123456789ab": 6, strings.Repeat("dGhpcyBpcyBiYXNlNjQ", 40): 1,
	} {
		if got := index.Terms(in); len(got) > most {
			t.Errorf("%q has %d terms, at most %d: %q", in, len(got), most, got)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "getUserName", "a_b.c/d-1", "don't", "日本語ab", "İSTANBUL ǅ ß ẞ ﬃ", "e\u0301\u0301",
		"\xff\xfe", "v1.2.3-rc#4", `C:\\a\b`, "#a @b .c C++ x#", "00aA0b00", "ｶﾞー\u3099", "\u1112\u1161", "\u00ad",
		"бой́ и\u0306", "ไทย", "’s", strings.Repeat("aB", 40), "K Å Ω ϴ", "x'", "ΑΣ ᾈ"} {
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
	text := strings.Repeat("We chose the 10 A relay because internal/pump/driver.go measured a peak of 7.2 A; see "+
		"getPeakCurrent. ", 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		index.Terms(text)
	}
}
